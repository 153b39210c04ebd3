// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that kernels enqueue. Clang makes a kernel of each, whose first parameter is the address of the block's literal and
// whose others are local pointers, and hands its address to enqueue_kernel. To the driver a block's kernel is a number
// (base/enqueue_abi.h).
#ifndef UPSWEEP_PASSES_COMMON_BLOCK_KERNELS_H
#define UPSWEEP_PASSES_COMMON_BLOCK_KERNELS_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// A function attribute of a block's kernel.
inline constexpr llvm::StringLiteral kBlockAttribute = "upsweep-block";
/// A function attribute of programs built with -g: enqueue_kernel says why it fails.
inline constexpr llvm::StringLiteral kDebugAttribute = "upsweep-debug";

/// The kernels of blocks, in source order: the number of the first one is 1.
[[nodiscard]] llvm::SmallVector<llvm::Function *, 8> block_kernels(llvm::Module &module);

/// Puts the numbers of blocks' kernels in the place of their addresses. They are kernels by now, with plain pointers. In
/// programs built with -g, calls of enqueue_kernel ask for reasons.
void number_block_kernels(llvm::Module &module);

/// After inlining: a literal holds the address of the block's function, which is of no use to the block's kernel. Without it
/// nothing refers to the function, whose body no step after this one knows.
void forget_block_functions(llvm::Module &module);

}  // namespace upsweep::passes
#endif
