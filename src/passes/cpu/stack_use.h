// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much stack a function's variables take, with those of the functions that it calls.
#ifndef UPSWEEP_PASSES_CPU_STACK_USE_H
#define UPSWEEP_PASSES_CPU_STACK_USE_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Bytes of the variables of `function` and of the callees that take most, one below the other. Functions whose address is
/// taken count beside it. Code generation's additions, such as saved registers, are not counted, nor are further turns of a
/// recursive call.
uint64_t stack_bytes(const llvm::Function &function);

}  // namespace upsweep::passes
#endif
