// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions that NVIDIA's assembler would call a routine of its own for. Where a routine is called before and after a branch
// that parts a warp, it forgets that both ways have the uniform registers in common: values that one side keeps there, the
// other overwrites (version 13.0, sm_90 and sm_100). Without calls it does not.
#ifndef UPSWEEP_PASSES_GPU_EXPAND_DIVISIONS_H
#define UPSWEEP_PASSES_GPU_EXPAND_DIVISIONS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Quotients and remainders of up to 16 bits become those of floats; of 64 bits ones of 32 where both operands fit and a
/// multiplication by the reciprocal where they do not. Divisors that are constants are left to LLVM.
void expand_divisions(llvm::Function &function);

}  // namespace upsweep::passes
#endif
