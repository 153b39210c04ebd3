// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From which length on a function gets passes that take less time and know less: all limits, and what they were measured on
// (docs/decisions/huge-kernels.md).
#ifndef UPSWEEP_PASSES_COMMON_LONG_FUNCTIONS_H
#define UPSWEEP_PASSES_COMMON_LONG_FUNCTIONS_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// For passes that ask the dominators above each value, or pairs of blocks.
[[nodiscard]] bool has_many_blocks(const llvm::Function &function);

/// For passes that ask ScalarEvolution.
[[nodiscard]] bool has_many_loops(const llvm::LoopInfo &loops);
[[nodiscard]] bool has_many_loops(const llvm::Function &function);

/// For passes that keep lists of a block's accesses or walk the uses of constants.
[[nodiscard]] bool is_long(const llvm::Function &function);

/// For passes that walk along a block for each of its values.
[[nodiscard]] bool is_very_long(const llvm::Function &function);

/// Whether a unit is called by the loop over the work-group instead of being inlined there.
[[nodiscard]] bool is_too_long_to_inline(const llvm::Function &unit);

/// Cuts blocks that are longer than register allocation should meet into parts. True when there was one.
bool cut_long_blocks(llvm::Function &function);

}  // namespace upsweep::passes

#endif
