// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that wait for another work-item. A loop polls when an exit depends on shared memory that others may change meanwhile:
// on an atomic or volatile access that can reach one address again. Plain loads do not count: another work-item's store would
// be a data race.
//
// An unneeded yield costs time and a missing yield hangs, so doubtful loops poll. A loop that makes its own progress does not
// (loop_progress.h).
#ifndef UPSWEEP_PASSES_CPU_LOOP_POLLS_H
#define UPSWEEP_PASSES_CPU_LOOP_POLLS_H

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>

namespace upsweep::passes {

/// The analyses of one item, which stay true until it changes.
struct LoopFacts {
  explicit LoopFacts(llvm::Function &item);

  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::AssumptionCache assumptions;
  llvm::TargetLibraryInfoImpl names;
  llvm::TargetLibraryInfo library;
  llvm::ScalarEvolution evolution;
  bool has_many_blocks;
  bool has_many_loops;  ///< then ScalarEvolution takes too long
};

/// The accesses by which the loop waits; none where it does not. Expects private variables in registers.
[[nodiscard]] llvm::SmallVector<llvm::Instruction *, 4> polls_of(llvm::Loop &loop, LoopFacts &facts);

}  // namespace upsweep::passes
#endif
