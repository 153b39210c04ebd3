// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heads of all slices of an array, from the list of where its segments begin: a kernel before the scan, which then reads a
// mask for each slice. With all threads of the GPU it reads the list as fast as memory gives it; those warps of a scan that
// there is room for have too few loads under way (docs/cuda-scan.md).
#pragma once

#include <upsweep/cuda/device/segment_heads.cuh>

#include <algorithm>

namespace upsweep::cuda::detail {

// Measured on an H200 (docs/cuda-scan.md). A block goes through some ranges of slices, one after the other; it looks for all
// their ends in the list at once, with a warp for each.
inline constexpr int kListThreads = 256;
inline constexpr int kListLoads = 16;  // of a thread that are under way at once
inline constexpr std::uint64_t kMostRanges = 4;
inline constexpr std::uint64_t kFewestListBlocks = 1024;  // that go through several
// Slices of a range, whose elements have a byte of shared memory each: 32 KiB of them at most.
template <int kItems>
inline constexpr int range_slices = 32 * 1024 / kItems / kListThreads * kListThreads;

// The first of `count` values, which are sorted, that is not below `bound`; by a warp.
template <class Value>
__device__ __forceinline__ std::uint64_t first_not_below(const Value *values, std::uint64_t count, std::uint64_t bound) {
  std::uint64_t first = 0;
  std::uint64_t end = count;
  while (first < end) {
    // Each lane looks at the last value of its share.
    const std::uint64_t step = (end - first + 31) / 32;
    const std::uint64_t last = first + (lane_id() + 1) * step - 1;
    const bool is_below = last < end && static_cast<std::uint64_t>(values[last]) < bound;
    const int below = __popc(__ballot_sync(kAllLanes, is_below));
    end = min(end, first + (below + 1) * step - 1);
    first += below * step;
  }
  return first;
}

// Sets the marks of heads [first, end) of the list; the first mark is that of element `begin`. By a block.
template <class Offset>
__device__ __forceinline__ void set_marks(const Offset *offsets, std::uint64_t first, std::uint64_t end, std::uint64_t begin,
                                          unsigned char *marks) {
  // Modulo 2^32, since marks are few.
  const auto set = [&](Offset offset) { marks[static_cast<std::uint32_t>(offset) - static_cast<std::uint32_t>(begin)] = 1; };
  std::uint64_t at = first + threadIdx.x;
  for (; at + (kListLoads - 1) * kListThreads < end; at += kListLoads * kListThreads) {
    Offset some[kListLoads];
#pragma unroll
    for (int i = 0; i < kListLoads; ++i) {
      some[i] = offsets[at + i * kListThreads];
    }
#pragma unroll
    for (int i = 0; i < kListLoads; ++i) {
      set(some[i]);
    }
  }
  for (; at < end; at += kListThreads) {
    set(offsets[at]);
  }
}

// The heads of `slices` slices of kItems elements.
template <int kItems, class Heads, class Offset>
__global__ void __launch_bounds__(kListThreads)
    list_heads_kernel(const Offset *offsets, std::uint64_t segments, Heads *heads, std::uint64_t slices, int ranges) {
  constexpr int kRangeSlices = range_slices<kItems>;
  __shared__ __align__(4) unsigned char marks[kRangeSlices * kItems];
  __shared__ std::uint64_t ends[kMostRanges + 1];
  const std::uint64_t first_slice = static_cast<std::uint64_t>(blockIdx.x) * ranges * kRangeSlices;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp <= ranges) {
    const std::uint64_t end = first_not_below(offsets, segments, (first_slice + warp * kRangeSlices) * kItems);
    if (lane_id() == 0) {
      ends[warp] = end;
    }
  }
  for (int slice = threadIdx.x; slice < kRangeSlices; slice += kListThreads) {
    zero_marks<kItems>(marks + slice * kItems);
  }
  __syncthreads();
  for (int range = 0; range < ranges; ++range) {
    const std::uint64_t begin = first_slice + range * kRangeSlices;
    const bool is_empty = ends[range] == ends[range + 1];
    if (!is_empty) {
      set_marks(offsets, ends[range], ends[range + 1], begin * kItems, marks);
      __syncthreads();
    }
    for (int slice = threadIdx.x; slice < kRangeSlices && begin + slice < slices; slice += kListThreads) {
      Heads of_slice = kNoHeads<Heads>;
      if (!is_empty) {
        of_slice |= gathered_marks<Heads, kItems>(marks + slice * kItems);
        zero_marks<kItems>(marks + slice * kItems);
      }
      // The first segment needs no offset.
      heads[begin + slice] = of_slice | static_cast<Heads>(begin + slice == 0);
    }
    if (!is_empty) {
      __syncthreads();
    }
  }
}

// For a scan of `count` elements. The workspace has the bytes for it (launch.cuh).
template <class Geometry, class Offset>
cudaError_t list_heads(const ByOffset<Offset> &segments, std::uint64_t count, cudaStream_t stream) {
  using Heads = typename Geometry::Heads;
  const std::uint64_t slices = (count + Geometry::kTileItems - 1) / Geometry::kTileItems * Geometry::kSlices;
  constexpr std::uint64_t kRangeSlices = range_slices<Geometry::kItems>;
  const std::uint64_t all_ranges = (slices + kRangeSlices - 1) / kRangeSlices;
  const int ranges = static_cast<int>(std::clamp<std::uint64_t>(all_ranges / kFewestListBlocks, 1, kMostRanges));
  list_heads_kernel<Geometry::kItems, Heads>
      <<<static_cast<unsigned>((all_ranges + ranges - 1) / ranges), kListThreads, 0, stream>>>(
          segments.offsets, segments.segments, static_cast<Heads *>(segments.heads), slices, ranges);
  return cudaGetLastError();
}

}  // namespace upsweep::cuda::detail
