// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of a slice start a segment, as a mask: bit i for element i in the order of the scan.
#pragma once

#include <upsweep/cuda/device/scan_pipeline.cuh>

namespace upsweep::cuda::detail {

// From the marks of the tile, which have been loaded; `marks` are those of the slice.
template <class Geometry, class Segments>
__device__ __forceinline__ typename Geometry::Heads heads_by_mark(const Segments &segments,
                                                                  const typename Geometry::Mark *marks, bool is_first) {
  using Heads = typename Geometry::Heads;
  using Mark = typename Geometry::Mark;
  Heads heads = is_first ? 1 : 0;
  Mark before = is_first ? marks[0] : marks[-1];
  const auto add_head = [&](int i, const Mark &mark) {
    heads |= static_cast<Heads>(segments.is_head(before, mark)) << i;
    before = mark;
  };
  if constexpr (Geometry::kItems * sizeof(Mark) % 4 == 0) {
    Slice<Mark, Geometry::kItems> slice;
    slice.load(marks);
#pragma unroll
    for (int i = 0; i < Geometry::kItems; ++i) {
      add_head(i, slice.get(i));
    }
  } else {
#pragma unroll
    for (int i = 0; i < Geometry::kItems; ++i) {
      add_head(i, marks[i]);
    }
  }
  return heads;
}

// From the length of rows: the slice begins `begin` elements behind the begin of a row. One division, of 32 bits if that does.
template <class Geometry>
__device__ __forceinline__ typename Geometry::Heads heads_by_row(std::uint64_t length, std::uint64_t begin) {
  using Heads = typename Geometry::Heads;
  const bool is_short = (begin | length) >> 32 == 0;
  const std::uint64_t past = is_short ? static_cast<std::uint32_t>(begin) % static_cast<std::uint32_t>(length) : begin % length;
  Heads heads = 0;
  for (std::uint64_t i = past == 0 ? 0 : length - past; i < Geometry::kItems; i += length) {
    heads |= static_cast<Heads>(1) << i;
  }
  return heads;
}

// The first of values [first, end), which are sorted, that is not below `bound`; by a thread.
template <class Value>
__device__ __forceinline__ std::uint64_t first_not_below(const Value *values, std::uint64_t first, std::uint64_t end,
                                                         std::uint64_t bound) {
  while (first < end) {
    const std::uint64_t middle = first + (end - first) / 2;
    if (static_cast<std::uint64_t>(values[middle]) < bound) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first;
}

// Bytes of a lane, as words where they are.
template <int kItems>
__device__ __forceinline__ void zero_marks(unsigned char *marks) {
  if constexpr (kItems % 4 == 0) {
#pragma unroll
    for (int w = 0; w < kItems / 4; ++w) {
      reinterpret_cast<unsigned *>(marks)[w] = 0;
    }
  } else {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      marks[i] = 0;
    }
  }
}

// Bytes of 0 and 1 as bits.
template <class Heads, int kItems>
__device__ __forceinline__ Heads gathered_marks(const unsigned char *marks) {
  Heads heads = 0;
  if constexpr (kItems % 4 == 0) {
#pragma unroll
    for (int w = 0; w < kItems / 4; ++w) {
      // The product has the lowest bits of bytes 0 to 3 side by side in its highest bits.
      const unsigned bits = reinterpret_cast<const unsigned *>(marks)[w] * 0x10204080u >> 28;
      heads |= static_cast<Heads>(bits) << (4 * w);
    }
  } else {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      heads |= static_cast<Heads>(marks[i]) << i;
    }
  }
  return heads;
}

// The heads of a warp's part of a tile, from the list of where they are; the part begins at the array's element `begin`. Each
// becomes a byte among those of the part, `marks`, where its lane finds it. `kAtOnce` rows of 32 heads are read at once.
template <class Geometry, int kAtOnce, class Offset>
__device__ __forceinline__ typename Geometry::Heads heads_by_list(const Offset *list, std::uint64_t count, std::uint64_t begin,
                                                                  unsigned char *marks) {
  unsigned char *const own_marks = marks + lane_id() * Geometry::kItems;
  zero_marks<Geometry::kItems>(own_marks);
  __syncwarp();
  for (std::uint64_t done = 0; done < count; done += 32 * kAtOnce) {
    Offset offsets[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const std::uint64_t at = done + i * 32 + lane_id();
      offsets[i] = list[at < count ? at : count - 1];
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      marks[static_cast<std::uint64_t>(offsets[i]) - begin] = 1;
    }
  }
  __syncwarp();
  return gathered_marks<typename Geometry::Heads, Geometry::kItems>(own_marks);
}

// Where in the list of all heads those of each part of an array begin; for `parts` parts and the end.
template <class Offset>
__global__ void find_first_heads_kernel(const Offset *offsets, std::uint64_t segments, std::uint64_t part_items,
                                        std::uint64_t parts, TileWord<std::uint64_t> *first_heads) {
  const std::uint64_t part = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (part > parts) {
    return;
  }
  const std::uint64_t begin = part == parts ? segments : first_not_below(offsets, 0, segments, part * part_items);
  first_heads[part].publish(begin, kNoCall);
}

}  // namespace upsweep::cuda::detail
