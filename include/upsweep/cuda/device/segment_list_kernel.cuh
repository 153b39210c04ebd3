// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the heads of all slices of an array from the list of its segments' begins. It runs before the scan, which then reads a
// mask for each slice. It uses all threads of the GPU, and so reads the list at the speed of memory. A scan's resident warps
// have too few loads in flight (docs/decisions/cuda-scan-segments.md).
#pragma once

#include <upsweep/cuda/device/kernel_before.cuh>
#include <upsweep/cuda/device/segment_heads.cuh>
#include <upsweep/cuda/device/segments.cuh>
#include <upsweep/cuda/device/tuning_scan.cuh>

#include <algorithm>

namespace upsweep::cuda::detail {

// The ranges in which a block gathers the heads of its slices in shared memory. A list with few heads for each slice sets bits
// in the masks of all ranges. In a dense list, bits would collide in the same words, so each element of a range gets a byte.
template <int kItems, class Heads>
struct ListGeometry {
  static constexpr int kRangeBytes = TunedScan::kListRangeBytes;
  static constexpr int kSliceBytes = std::max(kItems, static_cast<int>(TunedScan::kMostRanges * sizeof(Heads)));
  static constexpr int kRangeSlices = kRangeBytes / kSliceBytes / TunedScan::kListThreads * TunedScan::kListThreads;
  static constexpr int kBytes = kRangeSlices * kSliceBytes;
  static constexpr int kSparse = 2;  // heads of a slice, at most
};

// A warp finds the first of `count` sorted values that is not below `bound`. It starts with a guess, and searches up to 2^14
// places around it: most lists are nearly even.
template <class Value>
__device__ __forceinline__ std::uint64_t first_not_below(const Value *values, std::uint64_t count, std::uint64_t bound,
                                                         double share) {
  const auto guess = static_cast<std::int64_t>(fmin(share, 1.0) * static_cast<double>(count));
  const auto around = [&](int lane) {
    const std::int64_t distance = lane < 16 ? -(1 << (15 - lane)) : (1 << (lane - 16)) >> 1;
    return max(guess + distance, std::int64_t(-1));
  };
  const auto is_below = [&](std::uint64_t place) { return place < count && static_cast<std::uint64_t>(values[place]) < bound; };
  const std::int64_t own = around(lane_id());
  const int nearer = __popc(__ballot_sync(kAllLanes, own < 0 || is_below(static_cast<std::uint64_t>(own))));
  std::uint64_t first = nearer > 0 ? static_cast<std::uint64_t>(around(nearer - 1) + 1) : 0;
  std::uint64_t end = nearer < 32 ? min(static_cast<std::uint64_t>(around(nearer)), count) : count;
  while (first < end) {
    // Each lane looks at the last value of its share.
    const std::uint64_t step = (end - first + 31) / 32;
    const std::uint64_t last = first + (lane_id() + 1) * step - 1;
    const int below = __popc(__ballot_sync(kAllLanes, last < end && is_below(last)));
    end = min(end, first + (below + 1) * step - 1);
    first += below * step;
  }
  return first;
}

// Calls set(offset) for all offsets of the list, with several loads of a thread in flight. Called by a block.
template <class Offset, class Set>
__device__ __forceinline__ void for_all(const Offset *offsets, std::uint64_t count, Set set) {
  constexpr unsigned kAtOnce = TunedScan::kListLoads * TunedScan::kListThreads;
  Offset some[TunedScan::kListLoads];
  for (; count >= kAtOnce; count -= kAtOnce, offsets += kAtOnce) {
#pragma unroll
    for (int i = 0; i < TunedScan::kListLoads; ++i) {
      some[i] = offsets[threadIdx.x + i * TunedScan::kListThreads];
    }
#pragma unroll
    for (int i = 0; i < TunedScan::kListLoads; ++i) {
      set(some[i]);
    }
  }
  const auto rest = static_cast<unsigned>(count);
#pragma unroll
  for (int i = 0; i < TunedScan::kListLoads; ++i) {
    if (threadIdx.x + i * TunedScan::kListThreads < rest) {
      some[i] = offsets[threadIdx.x + i * TunedScan::kListThreads];
    }
  }
#pragma unroll
  for (int i = 0; i < TunedScan::kListLoads; ++i) {
    if (threadIdx.x + i * TunedScan::kListThreads < rest) {
      set(some[i]);
    }
  }
}

// Makes the heads of a block's slices from the list of their heads, by bits.
template <int kItems, class Heads, class Offset>
__device__ __forceinline__ void sparse_heads(const Offset *offsets, std::uint64_t count, std::uint64_t first_slice,
                                             Heads *heads, unsigned slices, unsigned *words, const StoreForNext &store) {
  constexpr int kWords = sizeof(Heads) / 4;
  const auto begin = static_cast<std::uint32_t>(first_slice * kItems);
  for_all(offsets, count, [&](Offset offset) {
    const std::uint32_t place = static_cast<std::uint32_t>(offset) - begin;  // modulo 2^32, since places are few
    const std::uint32_t bit = place % kItems;
    if (place / kItems < slices) {  // always, unless offsets fall
      atomicOr(&words[place / kItems * kWords + bit / 32], 1u << bit % 32);
    }
  });
  __syncthreads();
  // Slices fill whole tiles, a multiple of a warp.
  for (unsigned vector = threadIdx.x; vector < slices * kWords / 4; vector += TunedScan::kListThreads) {
    store(reinterpret_cast<uint4 *>(heads + first_slice) + vector, reinterpret_cast<const uint4 *>(words)[vector]);
  }
}

// The same of one range; by bytes, which are 0 before and after.
template <int kItems, class Heads, class Offset>
__device__ __forceinline__ void dense_heads(const Offset *offsets, std::uint64_t count, std::uint64_t first_slice, Heads *heads,
                                            unsigned slices, unsigned char *marks, const StoreForNext &store) {
  const auto begin = static_cast<std::uint32_t>(first_slice * kItems);
  for_all(offsets, count, [&](Offset offset) {
    const std::uint32_t place = static_cast<std::uint32_t>(offset) - begin;
    if (place < slices * kItems) {  // always, unless offsets fall
      marks[place] = 1;
    }
  });
  __syncthreads();
  for (unsigned slice = threadIdx.x; slice < slices; slice += TunedScan::kListThreads) {
    // The first segment needs no offset.
    Heads of_slice = kNoHeads<Heads> | static_cast<Heads>(first_slice + slice == 0);
    of_slice |= gathered_marks<Heads, kItems>(marks + slice * kItems);
    zero_marks<kItems>(marks + slice * kItems);
    store(heads + first_slice + slice, of_slice);
  }
  __syncthreads();
}

// The heads of `slices` slices of kItems elements.
template <int kItems, class Heads, class Offset>
__global__ void __launch_bounds__(TunedScan::kListThreads)
    list_heads_kernel(const Offset *offsets, std::uint64_t segments, Heads *heads, std::uint64_t slices, int ranges,
                      bool is_kept) {
  using Geometry = ListGeometry<kItems, Heads>;
  constexpr int kWords = sizeof(Heads) / 4;
  __shared__ __align__(16) unsigned char marks[Geometry::kBytes];
  __shared__ std::uint64_t ends[TunedScan::kMostRanges + 1];
  let_next_kernel_begin();
  const StoreForNext store(is_kept);
  const std::uint64_t first_slice = static_cast<std::uint64_t>(blockIdx.x) * ranges * Geometry::kRangeSlices;
  const auto own_slices =
      static_cast<unsigned>(min(slices - first_slice, static_cast<std::uint64_t>(ranges) * Geometry::kRangeSlices));
  const auto range_begin = [&](int range) {
    return first_slice + min(static_cast<unsigned>(range) * Geometry::kRangeSlices, own_slices);
  };
  const int warp = static_cast<int>(threadIdx.x) / 32;
  auto *words = reinterpret_cast<unsigned *>(marks);
  if (warp < 2) {
    const std::uint64_t slice = first_slice + warp * own_slices;
    const std::uint64_t end =
        first_not_below(offsets, segments, slice * kItems, static_cast<double>(slice) / static_cast<double>(slices));
    if (lane_id() == 0) {
      ends[warp * ranges] = end;
    }
  } else {
    for (unsigned i = threadIdx.x - 64; i < own_slices * kWords; i += TunedScan::kListThreads - 64) {
      // The first segment needs no offset.
      words[i] = (i % kWords == kWords - 1 ? 1u << 31 : 0) | static_cast<unsigned>(first_slice + i == 0);
    }
  }
  __syncthreads();
  const std::uint64_t first = ends[0];
  const std::uint64_t count = max(ends[ranges], first) - first;  // none, if offsets fall
  if (count <= Geometry::kSparse * own_slices) {
    sparse_heads<kItems>(offsets + first, count, first_slice, heads, own_slices, words, store);
    return;
  }
  if (warp > 0 && warp < ranges) {
    const double share = static_cast<double>(range_begin(warp) - first_slice) / own_slices;
    const std::uint64_t end = first + first_not_below(offsets + first, count, range_begin(warp) * kItems, share);
    if (lane_id() == 0) {
      ends[warp] = end;
    }
  }
  for (int i = threadIdx.x; i < Geometry::kRangeSlices * kItems / 4; i += TunedScan::kListThreads) {
    words[i] = 0;
  }
  __syncthreads();
  for (int range = 0; range < ranges; ++range) {
    dense_heads<kItems>(offsets + ends[range], max(ends[range + 1], ends[range]) - ends[range], range_begin(range), heads,
                        static_cast<unsigned>(range_begin(range + 1) - range_begin(range)), marks, store);
  }
}

}  // namespace upsweep::cuda::detail
