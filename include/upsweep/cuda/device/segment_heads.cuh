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

// From a sorted list of the heads of a warp's part; `begin` is the array's index of its first element, `Position` the type in
// which the list is kept: an index of the array, or of the part.
template <class Geometry, class Position>
__device__ __forceinline__ typename Geometry::Heads heads_by_list(const Position *list, std::uint32_t count, Position begin) {
  using Heads = typename Geometry::Heads;
  const Position lane_begin = begin + static_cast<Position>(lane_id() * Geometry::kItems);
  std::uint32_t first = 0;
  for (std::uint32_t end = count; first < end;) {
    const std::uint32_t middle = (first + end) / 2;
    if (list[middle] < lane_begin) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  Heads heads = 0;
  for (; first < count; ++first) {
    const auto place = static_cast<std::uint32_t>(list[first] - lane_begin);
    if (place >= Geometry::kItems) {
      break;
    }
    heads |= static_cast<Heads>(1) << place;
  }
  return heads;
}

// From a long list in global memory. It goes to shared memory in pieces of as many heads as the part has elements, read all
// at once, since each read takes long.
template <class Geometry, class Offset>
__device__ __forceinline__ typename Geometry::Heads heads_by_long_list(const Offset *list, std::uint64_t count,
                                                                       std::uint64_t begin, std::uint16_t *scratch) {
  typename Geometry::Heads heads = 0;
  while (count > 0) {
    const auto piece = static_cast<std::uint32_t>(count < Geometry::kWarpItems ? count : Geometry::kWarpItems);
    Offset offsets[Geometry::kItems];
#pragma unroll
    for (int i = 0; i < Geometry::kItems; ++i) {
      const std::uint32_t at = i * 32 + lane_id();
      offsets[i] = list[at < piece ? at : piece - 1];
    }
#pragma unroll
    for (int i = 0; i < Geometry::kItems; ++i) {
      scratch[i * 32 + lane_id()] = static_cast<std::uint16_t>(static_cast<std::uint64_t>(offsets[i]) - begin);
    }
    __syncwarp();
    heads |= heads_by_list<Geometry, std::uint16_t>(scratch, piece, 0);
    __syncwarp();
    list += piece;
    count -= piece;
  }
  return heads;
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
