// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The digits of sort keys, the count of each in an array, and the lanes of a warp with the same digit.
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>
#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/kernel_before.cuh>
#include <upsweep/cuda/device/sort_order.cuh>
#include <upsweep/cuda/device/values.cuh>

namespace upsweep::cuda::detail {

inline constexpr int kDigitBits = 8;
inline constexpr int kDigits = 1 << kDigitBits;

// A digit's place in the keys.
struct DigitPlace {
  int shift;
  unsigned mask;

  template <class Bits>
  __device__ __forceinline__ unsigned of(Bits bits) const {
    return static_cast<unsigned>(bits >> shift) & mask;
  }
};

// The relevant bits of the keys, in digits of equal width, up to kDigitBits.
struct SortBits {
  int begin, end, places;

  __host__ __device__ __forceinline__ DigitPlace place(int i) const {
    const int from = (end - begin) * i / places, to = (end - begin) * (i + 1) / places;
    return {from < to ? begin + from : 0, (1u << (to - from)) - 1};
  }
};

// The lanes whose digit has the same bit as this lane's digit. Uses assembly, since the compiler takes twice the instructions.
__device__ __forceinline__ unsigned lanes_with_same_bit(unsigned digit, int bit) {
  unsigned lanes;
  asm("{ .reg .pred is_set;\n"
      "  .reg .b32 masked;\n"
      "  and.b32 masked, %1, %2;\n"
      "  setp.ne.u32 is_set, masked, 0;\n"
      "  vote.sync.ballot.b32 %0, is_set, 0xffffffff;\n"
      "  @!is_set not.b32 %0, %0; }"
      : "=r"(lanes)
      : "r"(digit), "r"(1u << bit));
  return lanes;
}

// The lanes with the same digit as this lane. All lanes call.
__device__ __forceinline__ unsigned lanes_with_same(unsigned digit) {
  unsigned lanes = lanes_with_same_bit(digit, 0) & lanes_with_same_bit(digit, 1);
#pragma unroll
  for (int bit = 2; bit < kDigitBits; bit += 2) {
    asm("lop3.b32 %0, %0, %1, %2, 0x80;"
        : "+r"(lanes)
        : "r"(lanes_with_same_bit(digit, bit)), "r"(lanes_with_same_bit(digit, bit + 1)));
  }
  return lanes;
}

// The sum over all digits before the thread's own, of the first kDigits threads; all threads of the block call.
template <class Sum>
__device__ __forceinline__ Sum sum_of_digits_before(Sum value, Sum (&warp_totals)[kDigits / 32]) {
  const int warp = static_cast<int>(threadIdx.x) / 32;
  Sum inclusive = value;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const Sum before = shuffle_up(inclusive, distance);
    inclusive += lane_id() >= distance ? before : Sum(0);
  }
  if (warp < kDigits / 32 && lane_id() == 31) {
    warp_totals[warp] = inclusive;
  }
  __syncthreads();
  Sum before = inclusive - value;
#pragma unroll
  for (int w = 0; w < kDigits / 32 - 1; ++w) {
    before += w < warp ? warp_totals[w] : Sum(0);
  }
  return before;
}

// The arguments of the kernel before the passes. It counts the digits of all places, clears the first pass's words, and
// invalidates the workspace.
template <class Bits_, class Order_>
struct CountDigitsProblem {
  using Bits = Bits_;
  using Order = Order_;

  const Bits *keys;
  Later<std::uint64_t> count;
  unsigned long long *counts;  // kDigits for each place
  SortBits bits;
  std::uint32_t *words;
  std::uint64_t words_to_clear;
  ScanState *state;
};

inline constexpr int kCountingThreads = 1024;
inline constexpr int kCountingItems = 8;

// Measured on an H100: each digit has several counters, so that the lanes of a warp rarely collide in a bank. The counters fill
// the 64 KiB that every GPU has.
template <int kPlaces>
inline constexpr int kCountingColumns = kPlaces <= 4 ? 16 : 64 / kPlaces;

template <class Counting, int kPlaces>
__global__ void __launch_bounds__(kCountingThreads) count_digits_kernel(const __grid_constant__ Counting counting) {
  using Bits = typename Counting::Bits;
  constexpr int kColumns = kCountingColumns<kPlaces>;
  extern __shared__ __align__(16) std::uint32_t counters[];
  spoil_workspace(counting.state);
  for (int i = static_cast<int>(threadIdx.x); i < kPlaces * kDigits * kColumns; i += kCountingThreads) {
    counters[i] = 0;
  }
  const std::uint64_t threads = std::uint64_t(gridDim.x) * kCountingThreads;
  for (std::uint64_t i = std::uint64_t(blockIdx.x) * kCountingThreads + threadIdx.x; i < counting.words_to_clear;
       i += threads) {
    counting.words[i] = 0;
  }
  __syncthreads();
  const std::uint64_t count = counting.count.get();
  const int column = lane_id() % kColumns;
  DigitPlace places[kPlaces];
#pragma unroll
  for (int p = 0; p < kPlaces; ++p) {
    places[p] = counting.bits.place(min(p, counting.bits.places - 1));
  }
  const auto add = [&](Bits key) {
    key = Counting::Order::encode(key);
#pragma unroll
    for (int p = 0; p < kPlaces; ++p) {
      if (p < counting.bits.places) {
        atomicAdd(&counters[(p * kDigits + places[p].of(key)) * kColumns + column], 1u);
      }
    }
  };
  constexpr std::uint64_t kTile = kCountingThreads * kCountingItems;
  for (std::uint64_t first = blockIdx.x * kTile; first < count; first += gridDim.x * kTile) {
    const Bits *const keys = counting.keys + first + threadIdx.x;
    if (count - first >= kTile) {
      Bits loaded[kCountingItems];
#pragma unroll
      for (int i = 0; i < kCountingItems; ++i) {
        loaded[i] = keys[i * kCountingThreads];
      }
#pragma unroll
      for (int i = 0; i < kCountingItems; ++i) {
        add(loaded[i]);
      }
    } else {
      for (std::uint64_t i = threadIdx.x; i < count - first; i += kCountingThreads) {
        add(counting.keys[first + i]);
      }
    }
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < counting.bits.places * kDigits; i += kCountingThreads) {
    unsigned long long sum = 0;
    for (int c = 0; c < kColumns; ++c) {
      sum += counters[i * kColumns + (c + i) % kColumns];
    }
    if (sum > 0) {
      atomicAdd(&counting.counts[i], sum);
    }
  }
}

}  // namespace upsweep::cuda::detail
