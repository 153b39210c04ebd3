// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel that lists the segments of each class.
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>
#include <upsweep/cuda/device/kernel_before.cuh>
#include <upsweep/cuda/device/sort_segments_problem.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

inline constexpr int kListingThreads = 256;
inline constexpr int kListingItems = 4;

// A block reserves room for its segments of each class, which keeps neighbours together.
template <class Problem>
__global__ void __launch_bounds__(kListingThreads)
    list_segments_kernel(const __grid_constant__ Problem problem, const SegmentLists lists, std::uint64_t tile_items) {
  using Classes = SegmentClasses<typename Problem::Bits, Problem::kIsPlaced>;
  __shared__ std::uint32_t counts[kSegmentClasses - 1], begins[kSegmentClasses - 1];
  spoil_workspace(lists.state);
  let_next_kernel_begin();
  constexpr std::uint64_t kAtOnce = kListingThreads * kListingItems;
  const std::uint64_t segments = problem.segments.get();
  for (std::uint64_t first = blockIdx.x * kAtOnce; first < segments; first += gridDim.x * kAtOnce) {
    if (threadIdx.x < kSegmentClasses - 1) {
      counts[threadIdx.x] = 0;
    }
    __syncthreads();
    int classes[kListingItems];
    std::uint32_t places[kListingItems];
#pragma unroll
    for (int i = 0; i < kListingItems; ++i) {
      const std::uint64_t segment = first + i * kListingThreads + threadIdx.x;
      classes[i] = kSegmentClasses;
      if (segment < segments) {
        const std::uint64_t begin = problem.offsets(segment), end = problem.offsets(segment + 1);
        if (end > begin) {
          classes[i] = Classes::of(end - begin);
        }
        if (classes[i] == kSegmentClasses - 1) {
          const std::uint64_t tiles = (end - begin + tile_items - 1) / tile_items;
          const unsigned long long before = atomicAdd(lists.long_and_tiles, 1ull << 32 | tiles);
          lists.long_segments[before >> 32] = {begin, end - begin, static_cast<std::uint32_t>(before)};
        }
      }
      // A single addition serves all lanes of a warp with segments of the same class.
      const unsigned same = __match_any_sync(kAllLanes, classes[i]);
      const int first_lane = __ffs(static_cast<int>(same)) - 1;
      std::uint32_t begin = 0;
      if (classes[i] < kSegmentClasses - 1 && lane_id() == first_lane) {
        begin = atomicAdd(&counts[classes[i]], static_cast<std::uint32_t>(__popc(same)));
      }
      places[i] = shuffle_from(begin, first_lane) + __popc(same & ((1u << lane_id()) - 1));
    }
    __syncthreads();
    if (threadIdx.x < kSegmentClasses - 1 && counts[threadIdx.x] > 0) {
      begins[threadIdx.x] = atomicAdd(&lists.counts[threadIdx.x], counts[threadIdx.x]);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kListingItems; ++i) {
      if (classes[i] < kSegmentClasses - 1) {
        lists.lists[classes[i]][begins[classes[i]] + places[i]] =
            static_cast<std::uint32_t>(first + i * kListingThreads + threadIdx.x);
      }
    }
  }
}

}  // namespace upsweep::cuda::detail
