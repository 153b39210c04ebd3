// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hooks of code with checked barriers: whether the work-items of a group reach the same barriers, collectives and async copies
// in the same order, with equal arguments.
#ifndef UPSWEEP_TARGETS_CPU_MEETING_HOOKS_H
#define UPSWEEP_TARGETS_CPU_MEETING_HOOKS_H

#include "targets/cpu/kernel_abi.h"

namespace upsweep {

/// UpsweepHooks::meet and end_meetings.
void meet(UpsweepGroup *group, UpsweepMeetingSite *site, const UpsweepItemPlace *place, const UpsweepMeetingRow *row) noexcept;
void end_meetings(UpsweepGroup *group) noexcept;

}  // namespace upsweep
#endif
