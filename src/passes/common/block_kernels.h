// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that kernels enqueue. Clang makes a kernel for each, whose first parameter is the address of the block's literal and
// whose other parameters are local pointers, and passes the kernel's address to enqueue_kernel. The driver identifies a block's
// kernel by a number (base/enqueue_abi.h).
#ifndef UPSWEEP_PASSES_COMMON_BLOCK_KERNELS_H
#define UPSWEEP_PASSES_COMMON_BLOCK_KERNELS_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// A function attribute of a block's kernel.
inline constexpr llvm::StringLiteral kBlockAttribute = "upsweep-block";
/// A function attribute of programs built with -g: enqueue_kernel returns the reason of a failure.
inline constexpr llvm::StringLiteral kDebugAttribute = "upsweep-debug";

/// The kernels of blocks, in source order; the first has the number 1.
[[nodiscard]] llvm::SmallVector<llvm::Function *, 8> block_kernels(llvm::Module &module);

/// Replaces the addresses of blocks' kernels by their numbers. Expects kernels with plain pointers. In programs built with -g,
/// makes calls of enqueue_kernel ask for reasons.
void number_block_kernels(llvm::Module &module);

/// Removes the address of the block's function from literals, after inlining, since the block's kernel does not need it. The
/// function then has no uses; later passes do not support its body.
void forget_block_functions(llvm::Module &module);

}  // namespace upsweep::passes
#endif
