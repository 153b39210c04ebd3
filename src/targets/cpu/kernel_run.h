// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A range of a kernel's work-groups with the arguments: all that a worker needs to run some of them.
#ifndef UPSWEEP_TARGETS_CPU_KERNEL_RUN_H
#define UPSWEEP_TARGETS_CPU_KERNEL_RUN_H

#include "runtime/check/initialisation.h"
#include "runtime/commands/command_body.h"
#include "targets/cpu/check_hooks.h"
#include "targets/cpu/kernel_abi.h"
#include "targets/cpu/race_hooks.h"
#include "targets/cpu/worker_memory.h"
#include <algorithm>
#include <array>
#include <memory>

namespace upsweep {

struct KernelRun {
  /// The range must have fewer than 2^62 work-groups. `largest_object`: an upper bound for the objects whose memory the kernel
  /// may use.
  KernelRun(const UpsweepKernelCode &its_code, const NDRange &its_range, const void *its_arguments, uint64_t its_local_bytes,
            uint64_t largest_object);

  /// Sets `group` except for the members that depend on the work-group and the driver; false if memory runs out.
  [[nodiscard]] bool fill(UpsweepGroup &group, WorkerMemory &memory) const;

  /// Number of work-groups that a worker should take when `taken` are taken. Runs get shorter towards the end, so that all
  /// workers finish at about the same time. The counter's cost is negligible beyond kMostGroups.
  uint64_t next_run(uint64_t taken, uint64_t workers) const {
    const uint64_t run = std::clamp<uint64_t>((total - std::min(taken, total)) / (8 * workers), 1, kMostGroups);
    return run > num_groups[0] ? run - run % num_groups[0] : run;  // whole rows, for joined_groups()
  }

  /// Runs work-groups [first, last); calls `after_group()` after each call of the kernel's entry.
  template <typename AfterGroup>
  void run(UpsweepGroup &group, uint64_t first, uint64_t last, AfterGroup &&after_group) const;

  static constexpr uint64_t kMostGroups = 256;

  const UpsweepKernelCode *code;
  const NDRange *range;
  const void *arguments;
  uint64_t local_bytes;
  UpsweepEntry entry;
  std::array<uint64_t, 3> num_groups;
  uint64_t total;
  bool arguments_apart = false;           ///< KernelCall::arguments_apart
  const UpsweepBounds *bounds = nullptr;  ///< KernelCall::bounds, if there are any
  bool begins_local = false;              ///< local memory is checked for initialisation
  std::shared_ptr<RaceLaunch> races;      ///< of kernels that are checked for races

private:
  uint64_t joined_groups(uint64_t x, uint64_t left) const;
};

template <typename AfterGroup>
void KernelRun::run(UpsweepGroup &group, uint64_t first, uint64_t last, AfterGroup &&after_group) const {
  uint64_t x = first, y = 0, z = 0;
  if (num_groups[1] * num_groups[2] != 1) {
    x = first % num_groups[0];
    y = first / num_groups[0] % num_groups[1];
    z = first / num_groups[0] / num_groups[1];
  }
  for (uint64_t i = first; i < last;) {
    const uint64_t joined = joined_groups(x, last - i);
    group.group_id[0] = x;
    group.group_id[1] = y;
    group.group_id[2] = z;
    for (size_t dim = 0; dim < 3; ++dim)
      group.local_size[dim] =
          std::min(range->local[dim] * (dim == 0 ? joined : 1), range->global[dim] - group.group_id[dim] * range->local[dim]);
    group.checks = &check_state();
    if (races) begin_race_group(*races, group);
    if (begins_local) begin_local_memory(group.local, local_bytes);
    entry(&group);
    if (races) end_race_group();
    after_group();
    i += joined;
    x += joined;
    if (x < num_groups[0]) continue;
    x = 0;
    if (++y < num_groups[1]) continue;
    y = 0;
    ++z;
  }
}

}  // namespace upsweep
#endif
