// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions of a function whose values, or whose targets, may differ between the lanes of a sub-group, in time that
// grows with the function's length. LLVM's uniformity analysis follows the ways of each divergent branch to the block where all
// have met, which is the end of the kernel for early returns and long chains of `else if`: the square of the number of branches
// (2496 returns spent a tenth of their compile time there, 9984 two fifths).
//
// It finds all that LLVM's analysis finds, and more: control that parted at a branch is never taken for reunited, so that phis
// at joins of uniform branches around a divergent one count as divergent as well.
//
// Assumes: reducible control flow, loops in simplified form.
#ifndef UPSWEEP_PASSES_CPU_LANES_HUGE_DIVERGENCE_H
#define UPSWEEP_PASSES_CPU_LANES_HUGE_DIVERGENCE_H

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>

namespace upsweep::passes {

/// `lanes` tells where divergence begins, and what is uniform whatever its operands are.
llvm::DenseSet<const llvm::Instruction *>
divergent_instructions(const llvm::Function &function, const llvm::DominatorTree &tree, const llvm::TargetTransformInfo &lanes);

}  // namespace upsweep::passes

#endif
