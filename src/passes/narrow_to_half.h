// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion of double to half: x86 has it only with AVX512-FP16, elsewhere LLVM calls a function of the C runtime, which a
// code object cannot link. By way of float instead, rounding to odd first, so that the second rounding sees what the first one
// cut off (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008: odd needs two more bits than the target;
// float has 13).
#ifndef UPSWEEP_PASSES_NARROW_TO_HALF_H
#define UPSWEEP_PASSES_NARROW_TO_HALF_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

void narrow_to_half(llvm::Function &function);

}  // namespace upsweep::passes
#endif
