// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 1: makes the portable module one for a target. Links the bodies of the OpenCL functions that it uses and gives it the
// target's triple and data layout and C's calling convention. After it only `__ups_*`, `printf` and LLVM intrinsics lack a
// body; kernels carry the attribute kKernelAttribute, library functions kLibraryAttribute.
#ifndef UPSWEEP_PASSES_COMMON_LINK_BUILTINS_H
#define UPSWEEP_PASSES_COMMON_LINK_BUILTINS_H

#include "passes/program.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

namespace upsweep::passes {

inline constexpr llvm::StringLiteral kKernelAttribute = "upsweep-kernel";
inline constexpr llvm::StringLiteral kLibraryAttribute = "upsweep-library";

/// An OpenCL function comes from the first of the libraries that has it; only bodies are added to them. Undefined functions are
/// an error that names them.
[[nodiscard]] llvm::Error link_builtins(llvm::Module &module, Program &program);

/// Code for all that the processor has, in vectors of its full width: for every function with a body.
void set_cpu_attributes(llvm::Module &module, const llvm::TargetMachine &machine);

/// True for functions that later steps replace: `__ups_*` and `printf`.
[[nodiscard]] bool is_intrinsic(const llvm::Function &function);

}  // namespace upsweep::passes
#endif
