// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 2: for each kernel `f(args...)` a function `void @f.item()` that loads the arguments from the argument block and calls
// @f, which stays an ordinary function, as other kernels may call it. Expects flat memory. Intrinsics of the passes' own:
//   ptr @__ups_arguments()   the argument block
//   ptr @__ups_local()       the work-group's local memory
#ifndef UPSWEEP_PASSES_CPU_KERNEL_ARGUMENTS_H
#define UPSWEEP_PASSES_CPU_KERNEL_ARGUMENTS_H

#include "passes/program.h"

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// Begins Program::kernels. A sub-group size that the CPU does not have is an error.
[[nodiscard]] llvm::Error make_items(llvm::Module &module, Program &program);

/// After inlining: by-value structs that the kernel writes to, or whose address it gives away, get a copy of their own.
void copy_written_arguments(llvm::Function &item);

/// Declares (or finds) one of the passes' own pure intrinsics without parameters.
[[nodiscard]] llvm::FunctionCallee declare_query(llvm::Module &module, llvm::StringRef name, llvm::Type *result);

}  // namespace upsweep::passes
#endif
