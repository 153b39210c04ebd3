// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 2: for each kernel `f(args...)`, creates a function `void @f.item()` that loads the arguments from the argument block
// and calls @f. @f stays an ordinary function, since other kernels may call it. Expects flat memory. Intrinsics internal to the
// passes:
//   ptr @__ups_arguments()   the argument block
//   ptr @__ups_local()       the work-group's local memory
#ifndef UPSWEEP_PASSES_CPU_KERNEL_ARGUMENTS_H
#define UPSWEEP_PASSES_CPU_KERNEL_ARGUMENTS_H

#include "passes/program.h"

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// Initialises Program::kernels. A sub-group size that the CPU does not support is an error.
[[nodiscard]] llvm::Error make_items(llvm::Module &module, Program &program);

/// After inlining: copies by-value structs that the kernel writes to, or whose address escapes.
void copy_written_arguments(llvm::Function &item);

/// Declares (or finds) a pure intrinsic of the passes without parameters.
[[nodiscard]] llvm::FunctionCallee declare_query(llvm::Module &module, Ups intrinsic, llvm::Type *result);

}  // namespace upsweep::passes
#endif
