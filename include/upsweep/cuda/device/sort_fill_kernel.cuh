// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the sorted array of keys of a single digit: each key by its count.
#pragma once

#include <upsweep/cuda/device/sort_digits_kernel.cuh>

namespace upsweep::cuda::detail {

inline constexpr int kFillThreads = 512;

// A thread writes 16 neighbours together, from an aligned address on.
template <class Order>
__global__ void __launch_bounds__(kFillThreads)
    fill_digits_kernel(const unsigned long long *counts, const Later<std::uint64_t> number, std::uint8_t *out) {
  __shared__ unsigned long long ends[kDigits];
  __shared__ unsigned long long warp_totals[kDigits / 32];
  const unsigned long long own = threadIdx.x < kDigits ? counts[threadIdx.x] : 0;
  const unsigned long long before = sum_of_digits_before(own, warp_totals);
  if (threadIdx.x < kDigits) {
    ends[threadIdx.x] = before + own;
  }
  __syncthreads();
  const auto count = static_cast<std::int64_t>(number.get());
  const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) % 16);
  const std::int64_t step = std::int64_t(gridDim.x) * kFillThreads * 16;
  for (std::int64_t at = (std::int64_t(blockIdx.x) * kFillThreads + threadIdx.x) * 16 - past; at < count; at += step) {
    const std::int64_t first = at < 0 ? 0 : at;
    // The first digit whose keys end behind this place.
    int digit = 0;
#pragma unroll
    for (int half = kDigits / 2; half > 0; half /= 2) {
      digit += static_cast<std::int64_t>(ends[digit + half - 1]) <= first ? half : 0;
    }
    std::uint32_t words[4] = {};
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      while (at + i >= first && at + i < count && static_cast<std::int64_t>(ends[digit]) <= at + i) {
        ++digit;
      }
      words[i / 4] |= std::uint32_t(Order::decode(static_cast<std::uint8_t>(digit))) << (8 * (i % 4));
    }
    if (at >= 0 && at + 16 <= count) {
      *reinterpret_cast<uint4 *>(out + at) = {words[0], words[1], words[2], words[3]};
    } else {
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        if (at + i >= 0 && at + i < count) {
          out[at + i] = static_cast<std::uint8_t>(words[i / 4] >> (8 * (i % 4)));
        }
      }
    }
  }
}

}  // namespace upsweep::cuda::detail
