// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heads of a slice: a mask of the elements that start a segment, with bit i for element i in the order of the scan.
#pragma once

#include <upsweep/cuda/device/pipeline_stages.cuh>
#include <upsweep/cuda/device/slice.cuh>

namespace upsweep::cuda::detail {

// Computes heads from the tile's loaded marks; `marks` are the slice's marks. `is_first`: no mark is before them, and the first
// is a head, unless it continues a segment before the array.
template <class Geometry, class Segments>
__device__ __forceinline__ typename Geometry::Heads heads_by_mark(const Segments &segments,
                                                                  const typename Geometry::Mark *marks, bool is_first) {
  using Heads = typename Geometry::Heads;
  using Mark = typename Geometry::Mark;
  Heads heads = is_first ? 1 : 0;
  if constexpr (Segments::kContinued) {
    heads = is_first && *segments.continues == 0 ? 1 : 0;
  }
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

// Computes heads from the length of rows: the slice begins `begin` elements behind the begin of a row. It takes a single
// division, of 32 bits if they suffice.
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

// Clears the bytes of a slice, in words where possible.
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

}  // namespace upsweep::cuda::detail
