// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer division by zero gives an unspecified value in OpenCL C (004 section 1.3.a), but raises an exception on x86. So does
// dividing the smallest integer by -1. This pass replaces such divisors by 1.
#ifndef UPSWEEP_PASSES_CPU_SAFE_DIVISION_H
#define UPSWEEP_PASSES_CPU_SAFE_DIVISION_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

void make_divisions_safe(llvm::Function &function);

}  // namespace upsweep::passes
#endif
