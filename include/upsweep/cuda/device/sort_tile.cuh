// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps by which a block sorts its tile by a digit. Each thread has some elements in registers. A warp's elements are
// adjacent, in rows of 32.
#pragma once

#include <upsweep/cuda/device/sort_digits_kernel.cuh>

namespace upsweep::cuda::detail {

struct NoValue {};

// The value of an element; its index if there is no array of values.
template <class Value>
__device__ __forceinline__ Value value_at(const Value *values, std::uint64_t index) {
  if constexpr (std::is_integral_v<Value>) {
    if (values == nullptr) {
      return static_cast<Value>(index);
    }
  }
  return values[index];
}

// The rank of each of the first `used` keys among the warp's keys with the same digit, in their order. Stores the warp's count
// of each digit, less one, in `counts`.
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
    if ((same & lanes_after) == 0) {  // the last of these lanes
      counts[digit] = ranks[i];
    }
    __syncwarp();
  }
}

// The number of the tile's keys with the thread's digit.
template <int kWarps>
__device__ __forceinline__ std::uint32_t total_of_warps(const std::uint32_t (&counts)[kWarps][kDigits]) {
  std::uint32_t total = kWarps;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    total += counts[w][threadIdx.x];
  }
  return total;
}

// Replaces each warp's count of the thread's digit by the begin of its keys in the digit's run.
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
