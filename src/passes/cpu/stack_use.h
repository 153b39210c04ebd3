// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the stack space of a function's variables, including the functions that it calls.
#ifndef UPSWEEP_PASSES_CPU_STACK_USE_H
#define UPSWEEP_PASSES_CPU_STACK_USE_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Bytes of the variables of `function` and of the deepest chain of callees. Functions whose address is taken count as well.
/// Excludes additions of code generation, such as saved registers, and repeated recursive calls.
uint64_t stack_bytes(const llvm::Function &function);

}  // namespace upsweep::passes
#endif
