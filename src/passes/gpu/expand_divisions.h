// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expands divisions for which NVIDIA's assembler would call its own routine. If such a routine is called before and after a
// branch that splits a warp, the assembler forgets that both paths share the uniform registers. One path then overwrites the
// other's values there (version 13.0, sm_90 and sm_100). Without calls it does not.
#ifndef UPSWEEP_PASSES_GPU_EXPAND_DIVISIONS_H
#define UPSWEEP_PASSES_GPU_EXPAND_DIVISIONS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Quotients and remainders of up to 16 bits become float divisions. 64-bit divisions become 32-bit divisions if both operands
/// fit, otherwise multiplications by the reciprocal. Constant divisors are left to LLVM.
void expand_divisions(llvm::Function &function);

}  // namespace upsweep::passes
#endif
