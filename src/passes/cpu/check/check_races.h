// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts an event for the race check before each access of memory that other work-items can reach, and behind barriers
// (docs/decisions/race-checker.md). It runs before check_memory(), whose checks stand directly before their accesses.
#ifndef UPSWEEP_PASSES_CPU_CHECK_CHECK_RACES_H
#define UPSWEEP_PASSES_CPU_CHECK_CHECK_RACES_H

#include "passes/program.h"

namespace upsweep::passes {

void check_races(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
