// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds loops that wait for another work-item. A loop polls if an exit depends on shared memory that other work-items may
// change: on an atomic or volatile access that can access an address repeatedly. Plain loads do not count, since another
// work-item's store would be a data race.
//
// An unneeded yield costs time, but a missing yield hangs, so doubtful loops poll. A loop that makes progress by its own work
// does not (loop_progress.h).
#ifndef UPSWEEP_PASSES_CPU_LOOP_POLLS_H
#define UPSWEEP_PASSES_CPU_LOOP_POLLS_H

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>

namespace upsweep::passes {

/// The analyses of one item; valid until it changes.
struct LoopFacts {
  explicit LoopFacts(llvm::Function &item);

  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::AssumptionCache assumptions;
  llvm::TargetLibraryInfoImpl names;
  llvm::TargetLibraryInfo library;
  llvm::ScalarEvolution evolution;
  bool has_many_blocks;
  bool has_many_loops;  ///< ScalarEvolution then takes too long
};

/// The accesses by which the loop waits; empty if it does not. Expects private variables in registers.
[[nodiscard]] llvm::SmallVector<llvm::Instruction *, 4> polls_of(llvm::Loop &loop, LoopFacts &facts);

}  // namespace upsweep::passes
#endif
