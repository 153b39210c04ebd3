// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before code generation: computes half operations in float with the same results, if code generation would otherwise scalarise
// them, call the C library, or convert a value repeatedly.
#ifndef UPSWEEP_PASSES_CPU_LEGALISE_HALF_H
#define UPSWEEP_PASSES_CPU_LEGALISE_HALF_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

void legalise_half(llvm::Function &function);

}  // namespace upsweep::passes
#endif
