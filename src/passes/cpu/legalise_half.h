// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before code generation: operations on half are done in float, with the same results, where code generation would do them
// element by element, call the C library, or convert the same value again and again.
#ifndef UPSWEEP_PASSES_CPU_LEGALISE_HALF_H
#define UPSWEEP_PASSES_CPU_LEGALISE_HALF_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

void legalise_half(llvm::Function &function);

}  // namespace upsweep::passes
#endif
