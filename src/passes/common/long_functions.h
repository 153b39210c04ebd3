// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lengths from which a function gets faster but weaker passes: all limits, and the measurements behind them
// (docs/decisions/huge-kernels.md).
#ifndef UPSWEEP_PASSES_COMMON_LONG_FUNCTIONS_H
#define UPSWEEP_PASSES_COMMON_LONG_FUNCTIONS_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// For passes that search the dominators of each value, or compare pairs of blocks.
[[nodiscard]] bool has_many_blocks(const llvm::Function &function);

/// For passes that use ScalarEvolution.
[[nodiscard]] bool has_many_loops(const llvm::LoopInfo &loops);
[[nodiscard]] bool has_many_loops(const llvm::Function &function);

/// For passes that keep lists of a block's accesses or visit all uses of constants.
[[nodiscard]] bool is_long(const llvm::Function &function);

/// For passes that scan a block for each of its values.
[[nodiscard]] bool is_very_long(const llvm::Function &function);

/// Whether the loop over the work-group calls a unit instead of inlining it.
[[nodiscard]] bool is_too_long_to_inline(const llvm::Function &unit);

/// Splits blocks that are too long for register allocation. True if there was one.
bool cut_long_blocks(llvm::Function &function);

}  // namespace upsweep::passes

#endif
