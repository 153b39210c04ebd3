// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts a check before each access that is not provably inside of its object. No pass moves accesses between this
// pass and vectorise_lanes() or lower_checks().
#ifndef UPSWEEP_PASSES_CPU_CHECK_CHECK_MEMORY_H
#define UPSWEEP_PASSES_CPU_CHECK_CHECK_MEMORY_H

#include "passes/program.h"

namespace upsweep::passes {

void check_memory(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
