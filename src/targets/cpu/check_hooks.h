// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hooks of checked code, the same for all kinds of launches.
#ifndef UPSWEEP_TARGETS_CPU_CHECK_HOOKS_H
#define UPSWEEP_TARGETS_CPU_CHECK_HOOKS_H

#include "runtime/check/finding.h"
#include "targets/cpu/kernel_abi.h"

namespace upsweep {

/// UpsweepHooks::report and find.
void report_failure(UpsweepGroup *group, UpsweepCheckSite *site, const UpsweepFailure *failure,
                    const UpsweepItemPlace *place) noexcept;
UpsweepExtent find_object(UpsweepGroup *group, const void *pointer, uint32_t access) noexcept;

/// The calling thread's UpsweepGroup::checks.
UpsweepCheckState &check_state();

/// A work-item's local id in the work-groups that a call of an entry runs; and its ids in a finding.
std::array<uint64_t, 3> local_id(const UpsweepGroup &group, const UpsweepItemPlace &place);
void set_ids(const UpsweepGroup &group, const std::array<uint64_t, 3> &id, Finding &finding);
/// The facts of a site and an address; the argument's memory gives the offset.
Finding make_finding(const UpsweepGroup &group, const UpsweepCheckSite &site, const UpsweepFailure &failure,
                     UpsweepFindingKind kind);
/// The memory of the argument that the site accesses; null for other objects.
const UpsweepBounds *bounds_of(const UpsweepGroup &group, const UpsweepCheckSite &site);

}  // namespace upsweep
#endif
