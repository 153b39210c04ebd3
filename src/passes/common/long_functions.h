// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From which length on a function gets passes that take less time and know less (docs/decisions/huge-kernels.md).
#ifndef UPSWEEP_PASSES_COMMON_LONG_FUNCTIONS_H
#define UPSWEEP_PASSES_COMMON_LONG_FUNCTIONS_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

namespace upsweep::passes {

// InstCombine asks for each comparison and each freeze which of the branches above it say something about its operands: a
// kernel of 1248 ifs spent three quarters of 11 s with that. LLVM's uniformity analysis follows each divergent branch.
constexpr size_t kManyBlocks = 1000;

// ScalarEvolution asks all loops and branches that lead to a loop before it knows its trips, and forgets what it knows about
// all later loops when one changes.
constexpr size_t kManyLoops = 200;

inline bool has_many_loops(const llvm::Function &function) {
  if (function.size() < kManyLoops) return false;
  const llvm::DominatorTree tree(const_cast<llvm::Function &>(function));
  return llvm::LoopInfo(tree).getLoopsInPreorder().size() > kManyLoops;
}

}  // namespace upsweep::passes

#endif
