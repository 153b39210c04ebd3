// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The description of a kernel for the driver: the arguments' layout in the argument block and the attributes, from the
// function's type and Clang's metadata.
#ifndef UPSWEEP_PASSES_COMMON_KERNEL_INFO_H
#define UPSWEEP_PASSES_COMMON_KERNEL_INFO_H

#include "base/kernel_description.h"

#include <llvm/IR/Function.h>

namespace upsweep::passes {

[[nodiscard]] bool is_kernel(const llvm::Function &function);

/// The symbol of a kernel. A kernel whose name a function of the library may have, such as _Z13get_global_idj, gets a prefix,
/// so that no call of that function reaches the kernel.
[[nodiscard]] std::string kernel_symbol(llvm::StringRef name);
/// The inverse.
[[nodiscard]] llvm::StringRef kernel_name(llvm::StringRef symbol);

/// Reads the description from the kernel's type and metadata; memory must be flat.
[[nodiscard]] KernelDescription describe_kernel(const llvm::Function &kernel);

/// Bytes of writable program-scope variables.
[[nodiscard]] uint64_t program_scope_bytes(const llvm::Module &module);

}  // namespace upsweep::passes
#endif
