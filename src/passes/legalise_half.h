// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before code generation: operations on half that code generation would call the C library for
// are done in float or double, with the same results.
#ifndef UPSWEEP_PASSES_LEGALISE_HALF_H
#define UPSWEEP_PASSES_LEGALISE_HALF_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

void legalise_half(llvm::Function &function);

}  // namespace upsweep::passes
#endif
