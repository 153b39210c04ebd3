// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 1: turns the portable module into a module for a target. Links the bodies of the OpenCL functions that it uses, and sets
// the target's triple, data layout and C's calling convention. Afterwards only intrinsics (builtins/intrinsics.def) and LLVM's
// intrinsics lack a body. Kernels have the attribute kKernelAttribute, library functions kLibraryAttribute.
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
/// Marks the library's variables in checked programs.
inline constexpr llvm::StringLiteral kLibraryVariable = "upsweep.library";
/// The place of a declared function's first call in the source, for the error that it is undefined: "kernel.cl:12:5".
inline constexpr llvm::StringLiteral kFirstUse = "upsweep-first-use";

/// Takes each OpenCL function from the first library that has it, and parses library bodies on demand. Undefined functions are
/// an error that names them.
[[nodiscard]] llvm::Error link_builtins(llvm::Module &module, Program &program);

/// Makes all functions with a body use the processor's features and full vector width.
void set_cpu_attributes(llvm::Module &module, const llvm::TargetMachine &machine);

}  // namespace upsweep::passes
#endif
