// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives each value that may be uninitialised a shadow value, and tests the shadows of values that decide a branch, an address
// or an output. The shadows are ordinary IR, which later passes vectorise as they vectorise the values.
#ifndef UPSWEEP_PASSES_CPU_CHECK_CHECK_INIT_H
#define UPSWEEP_PASSES_CPU_CHECK_CHECK_INIT_H

#include "passes/program.h"

namespace upsweep::passes {

void check_init(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
