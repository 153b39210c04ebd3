// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps by which a block sorts its tile by a digit, each thread with some elements in registers: those of a warp are side
// by side, in rows of 32.
#pragma once

#include <upsweep/cuda/device/sort_digits.cuh>

namespace upsweep::cuda::detail {

struct NoValue {};

// The value of an element; its index where there is no array of them.
template <class Value>
__device__ __forceinline__ Value value_at(const Value *values, std::uint64_t index) {
  if constexpr (std::is_integral_v<Value>) {
    if (values == nullptr) {
      return static_cast<Value>(index);
    }
  }
  return values[index];
}

// The rank of each of the first `used` keys among those of the warp with the same digit, in their order. Leaves in `counts` the
// warp's count of each digit, less one.
template <int kItems, class Bits>
__device__ __forceinline__ void rank_in_warps(const Bits (&keys)[kItems], unsigned (&ranks)[kItems], DigitPlace place,
                                              std::uint32_t (&counts_of_warp)[kDigits], int used = kItems) {
  constexpr std::uint32_t kNone = ~0u;
  auto *const vectors = reinterpret_cast<uint4 *>(counts_of_warp);
  vectors[lane_id()] = {kNone, kNone, kNone, kNone};
  vectors[lane_id() + 32] = {kNone, kNone, kNone, kNone};
  __syncwarp();
  volatile std::uint32_t *const counts = counts_of_warp;
  const unsigned lanes_before = (1u << lane_id()) - 1;
  const unsigned lanes_after = ~lanes_before << 1;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (i >= used) {
      break;
    }
    const unsigned digit = place.of(keys[i]);
    const unsigned same = lanes_with_same(digit);
    ranks[i] = counts[digit] + __popc(same & lanes_before) + 1;
    __syncwarp();
    if ((same & lanes_after) == 0) {  // the last of them
      counts[digit] = ranks[i];
    }
    __syncwarp();
  }
}

// How many keys of the tile have the thread's digit.
template <int kWarps>
__device__ __forceinline__ std::uint32_t total_of_warps(const std::uint32_t (&counts)[kWarps][kDigits]) {
  std::uint32_t total = kWarps;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    total += counts[w][threadIdx.x];
  }
  return total;
}

// Where each warp's keys of the thread's digit begin, from the begin of its run on, in place of their counts.
template <int kWarps>
__device__ __forceinline__ void place_warps(std::uint32_t (&counts)[kWarps][kDigits], std::uint32_t begin) {
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    const std::uint32_t count = counts[w][threadIdx.x] + 1;
    counts[w][threadIdx.x] = begin;
    begin += count;
  }
}

// Keys, or their values, go to their places in the tile.
template <int kItems, class T, class Bits>
__device__ __forceinline__ void scatter_in_tile(const T (&elements)[kItems], const Bits (&keys)[kItems],
                                                const unsigned (&ranks)[kItems], DigitPlace place,
                                                const std::uint32_t (&begins)[kDigits], T *tile) {
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    tile[begins[place.of(keys[i])] + ranks[i]] = elements[i];
  }
}

}  // namespace upsweep::cuda::detail
