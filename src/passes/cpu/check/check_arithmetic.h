// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the marks of mark_arithmetic() into checks that report.
#ifndef UPSWEEP_PASSES_CPU_CHECK_CHECK_ARITHMETIC_H
#define UPSWEEP_PASSES_CPU_CHECK_CHECK_ARITHMETIC_H

#include "passes/program.h"

namespace upsweep::passes {

void check_arithmetic(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
