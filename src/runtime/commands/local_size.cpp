// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses a work-group size.
#include "runtime/commands/local_size.h"
#include <algorithm>

namespace upsweep {
namespace {

/// Largest divisor of `size` that is at most `limit` and a multiple of `step`; 0 if none exists.
uint64_t divisor(uint64_t size, uint64_t limit, uint64_t step) {
  if (size <= limit && size % step == 0) return size;
  for (uint64_t candidate = limit / step * step; candidate; candidate -= step)
    if (size % candidate == 0) return candidate;
  return 0;
}

/// Number of work-items per group such that each worker gets several groups.
uint64_t target_size(const LocalSizeRequest &request) {
  constexpr uint64_t kGroupsPerWorker = 4;
  uint64_t items = 1;
  for (uint64_t size : request.global)
    if (__builtin_mul_overflow(items, size, &items)) items = UINT64_MAX;
  uint64_t share = items / (kGroupsPerWorker * request.workers);
  uint64_t size =
      std::clamp(share / request.sub_group_size * request.sub_group_size, 4 * request.sub_group_size, request.usual_work_items);
  return std::min(size, request.max_work_items);
}

}  // namespace

std::array<uint64_t, 3> choose_local_size(const LocalSizeRequest &request) {
  uint64_t budget = std::max<uint64_t>(1, target_size(request));
  std::array<uint64_t, 3> local{1, 1, 1};
  const uint32_t axis = request.lane_axis;
  const uint64_t longest = std::min(budget, request.max_sizes[axis]);
  local[axis] = divisor(request.global[axis], longest, std::min(request.sub_group_size, longest));
  if (!local[axis]) {
    // Only the last group of a row has idle lanes if groups may differ in size. Otherwise any divisor must do.
    local[axis] = request.is_uniform ? divisor(request.global[axis], longest, 1) : std::min(request.global[axis], longest);
  }
  budget /= local[axis];
  for (uint32_t dim = 0; dim < 3; ++dim) {
    if (dim == axis) continue;
    local[dim] = divisor(request.global[dim], std::clamp<uint64_t>(budget, 1, request.max_sizes[dim]), 1);
    budget /= local[dim];
  }
  return local;
}

}  // namespace upsweep
