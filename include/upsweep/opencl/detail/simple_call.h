// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common code of calls with their own kernels: the shape of work-groups, a program, and launches.
#pragma once

#include <upsweep/opencl/detail/pass.h>

namespace upsweep::opencl::detail {

// Work-groups of up to `most` work-items, or of a single one if kernels loop over a tile on CPUs.
inline Shape simple_shape(const Call &call, unsigned most, unsigned items, bool loops_on_cpus, unsigned items_of_one = 8192) {
  const plan &how = call.how();
  Shape shape;
  if (how.group == 0 && loops_on_cpus && call.device().is_cpu) {
    shape.items = items_of_one;
  } else {
    const std::size_t group = std::min<std::size_t>(how.group != 0 ? how.group : most, call.device().max_group);
    while (shape.group <= group / 2) shape.group *= 2;
    shape.items = items;
  }
  if (how.items != 0) shape.items = how.items;
  return shape;
}

// The number of work-groups: some more than a device runs together, but at most one for each tile.
inline std::uint64_t groups_at_work(const Device &device, std::uint64_t tiles) {
  return std::max<std::uint64_t>(1, Parts(device, std::max<std::uint64_t>(1, tiles)).count);
}

inline constexpr std::uint64_t kLongRow = std::uint64_t(1) << 17;  // as in the CUDA library: such a row fills a device

// The array from an element on.
inline array moved(array a, std::uint64_t elements) {
  if (a.is_pointer) {
    a.pointer = static_cast<unsigned char *>(a.pointer) + elements * a.type.bytes;
  } else {
    a.offset += elements;
  }
  return a;
}

}  // namespace upsweep::opencl::detail
