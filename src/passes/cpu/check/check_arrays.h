// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks accesses to private variables, constants and arrays in structs before LLVM removes undefined accesses. These checks
// only report; check_memory() keeps the accesses inside of their objects.
#ifndef UPSWEEP_PASSES_CPU_CHECK_CHECK_ARRAYS_H
#define UPSWEEP_PASSES_CPU_CHECK_CHECK_ARRAYS_H

#include "passes/program.h"

namespace upsweep::passes {

void check_arrays(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
