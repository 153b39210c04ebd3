// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of work-groups: their number, and joining of adjacent groups.
#include "targets/cpu/kernel_run.h"
#include "base/checks.h"

namespace upsweep {
namespace {

static_assert(KernelRun::kMostGroups * UPSWEEP_MAX_WORK_GROUP_SIZE <= UPSWEEP_MAX_JOINED_ITEMS);

/// Work-items along x to join if a whole row of work-groups is too long. Their elements of several arrays fit in the
/// first-level cache (docs/decisions/joined-groups.md).
constexpr uint64_t kJoinedItems = 512;

}  // namespace

KernelRun::KernelRun(const UpsweepKernelCode &its_code, const NDRange &its_range, const void *its_arguments,
                     uint64_t its_local_bytes, uint64_t largest_object)
    : code(&its_code), range(&its_range), arguments(its_arguments), local_bytes(its_local_bytes),
      entry(largest_object < its_code.large_bytes ? its_code.entry : its_code.large_entry),
      num_groups{its_range.num_groups(0), its_range.num_groups(1), its_range.num_groups(2)},
      total(num_groups[0] * num_groups[1] * num_groups[2]) {
  begins_local = enabled_checks().has(Check::kInit) && local_bytes != 0;
  forget_shadows_of_host_memory();
  if (enabled_checks().has(Check::kRace)) races = std::make_shared<RaceLaunch>(race_shadow());
}

bool KernelRun::fill(UpsweepGroup &group, WorkerMemory &memory) const {
  for (size_t i = 0; i < 3; ++i) {
    group.global_size[i] = range->global[i];
    group.global_offset[i] = range->offset[i];
    group.enqueued_local_size[i] = range->local[i];
    group.num_groups[i] = num_groups[i];
  }
  group.work_dim = range->work_dim;
  group.arguments = arguments;
  group.arguments_apart = arguments_apart;
  group.bounds = bounds;
  uint64_t frame_bytes = 0;
  if (code->frame_bytes) {
    const uint64_t unit = std::max<uint64_t>(1, code->frame_unit);
    const uint64_t units = (range->local[0] * range->local[1] * range->local[2] + unit - 1) / unit;
    if (__builtin_mul_overflow(units, code->frame_bytes, &frame_bytes)) return false;
  }
  return memory.lend(group, local_bytes, frame_bytes);
}

/// Number of work-groups that one call runs, of the `left` groups from number `x` of a row.
uint64_t KernelRun::joined_groups(uint64_t x, uint64_t left) const {
  const auto &local = range->local;
  const uint32_t joins = code->joins;
  if (joins == UPSWEEP_JOIN_NEVER || races || begins_local) return 1;
  const uint64_t in_row = std::min(num_groups[0] - x, left);
  if (local[1] * local[2] == 1 || (joins == UPSWEEP_JOIN_ROWS && in_row == num_groups[0])) return in_row;
  if (joins != UPSWEEP_JOIN_ROWS) return 1;
  return std::clamp<uint64_t>(kJoinedItems / local[0], 1, in_row);
}

}  // namespace upsweep
