// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructors of program-scope objects, evaluated while compiling: nothing runs when a program is loaded, on any target.
#ifndef UPSWEEP_COMPILER_SAFETY_STATIC_CONSTRUCTORS_H
#define UPSWEEP_COMPILER_SAFETY_STATIC_CONSTRUCTORS_H

#include "llvm/IR/Module.h"

#include <vector>

namespace upsweep::compiler {

/// Turns the entries of llvm.global_ctors that LLVM can evaluate into initial values. The functions that are left, in their
/// order: initialisers of one variable each, as Clang makes them, or functions with the attribute `constructor`.
std::vector<llvm::Function *> evaluate_constructors(llvm::Module &module);

}  // namespace upsweep::compiler
#endif
