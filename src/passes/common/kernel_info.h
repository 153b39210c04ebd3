// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The description of a kernel for the driver: its arguments' layout in the argument block and its attributes, read from the
// function's type and from Clang's metadata.
#ifndef UPSWEEP_PASSES_COMMON_KERNEL_INFO_H
#define UPSWEEP_PASSES_COMMON_KERNEL_INFO_H

#include "base/kernel_description.h"

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// The name of a directly called function, or "".
[[nodiscard]] llvm::StringRef callee_name(const llvm::Value &value);

[[nodiscard]] bool is_kernel(const llvm::Function &function);

/// What a kernel's type and metadata say; memory is flat.
[[nodiscard]] KernelDescription describe_kernel(const llvm::Function &kernel);

/// Bytes of the program-scope variables that kernels may write.
[[nodiscard]] uint64_t program_scope_bytes(const llvm::Module &module);

}  // namespace upsweep::passes
#endif
