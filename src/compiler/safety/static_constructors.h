// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates constructors of program-scope objects at compile time: no target runs code when a program is loaded.
#ifndef UPSWEEP_COMPILER_SAFETY_STATIC_CONSTRUCTORS_H
#define UPSWEEP_COMPILER_SAFETY_STATIC_CONSTRUCTORS_H

#include "llvm/IR/Module.h"

#include <vector>

namespace upsweep::compiler {

/// Turns the entries of llvm.global_ctors that LLVM can evaluate into initial values. Returns the remaining functions in order:
/// Clang's initialisers of single variables, or functions with the attribute `constructor`.
std::vector<llvm::Function *> evaluate_constructors(llvm::Module &module);

}  // namespace upsweep::compiler
#endif
