// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race check's hook, and the groups that it follows.
#ifndef UPSWEEP_TARGETS_CPU_RACE_HOOKS_H
#define UPSWEEP_TARGETS_CPU_RACE_HOOKS_H

#include "runtime/check/race_group.h"
#include "targets/cpu/kernel_abi.h"

namespace upsweep {

/// UpsweepHooks::race.
void follow_race(UpsweepGroup *group, UpsweepCheckSite *site, const UpsweepRaceRow *row) noexcept;

/// Around a call of a kernel's entry, which runs a single work-group.
void begin_race_group(RaceLaunch &launch, const UpsweepGroup &group) noexcept;
void end_race_group() noexcept;

}  // namespace upsweep
#endif
