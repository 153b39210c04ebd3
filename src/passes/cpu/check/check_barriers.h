// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns Ups::kMeet into Ups::kMeetAt, whose site names the conditions that decide about the call, and adds Ups::kMeetAt to
// loops that poll. Expects the yields of polling_loops.
#ifndef UPSWEEP_PASSES_CPU_CHECK_CHECK_BARRIERS_H
#define UPSWEEP_PASSES_CPU_CHECK_CHECK_BARRIERS_H

#include "passes/program.h"

namespace upsweep::passes {

void check_barriers(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
