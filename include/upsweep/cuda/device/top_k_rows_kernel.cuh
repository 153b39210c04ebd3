// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of some ranks of each row: a block finds the key of the last rank digit by digit, and collects the elements up
// to it, in their order.
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/sort_order.cuh>
#include <upsweep/cuda/device/sort_tile.cuh>
#include <upsweep/cuda/device/values.cuh>

namespace upsweep::cuda::detail {

// The elements of ranks 0 to number - 1 of each row, or, for a single rank, the element of last_rank.
template <class Order_, class Value_>
struct TopKRowsProblem {
  using Order = Order_;
  using Bits = typename Order::Bits;
  using Value = Value_;
  static constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;

  const Bits *keys_in;
  Bits *keys_out;  // may be null
  const Value *values_in;
  Value *values_out;
  Later<std::uint64_t> rows;
  std::uint64_t length, number, last_rank;
  bool is_single;
  int begin_bit;  // of an encoded key; lower bits are ignored
  ScanState *of_workspace;
};

inline constexpr int kRowsThreads = 512, kRowsWarps = kRowsThreads / 32;
inline constexpr int kRowsItems = 8;  // a thread's loads in flight
inline constexpr int kRowsTile = kRowsThreads * kRowsItems;
inline constexpr int kRowsDigitBits = 11;  // three readings for keys of 32 bits, two for 16; 8 KiB of counters
inline constexpr int kRowsDigits = 1 << kRowsDigitBits;

// Collects elements whose digits from `shift` on are less than `prefix`, and the first `wanted` elements with equal digits.
template <class Bits>
struct Threshold {
  Bits prefix;
  int shift;
  std::uint32_t wanted;
};

template <class Problem>
class RowSelection {
  using Bits = typename Problem::Bits;

public:
  struct Shared {
    std::uint32_t counters[kRowsDigits];
    std::uint32_t warp_totals[kRowsWarps];
    std::uint32_t counts[kRowsItems * kRowsWarps];  // of a tile: below the prefix in the lower half, equal in the upper
    std::uint32_t digit, before, count, total;
  };

  __device__ __forceinline__ RowSelection(const Problem &problem, Shared &shared, std::uint64_t row)
      : problem_(problem), shared_(shared), row_(row), keys_(problem.keys_in + row * problem.length) {}

  __device__ __forceinline__ void select() {
    Threshold<Bits> threshold{0, 8 * static_cast<int>(sizeof(Bits)), static_cast<std::uint32_t>(problem_.last_rank) + 1};
    bool is_found = false;
    while (threshold.shift > problem_.begin_bit && !is_found) {
      is_found = find_digit(threshold);
    }
    collect(threshold);
  }

private:
  __device__ __forceinline__ void load(Bits (&keys)[kRowsItems], std::uint64_t first) const {
#pragma unroll
    for (int i = 0; i < kRowsItems; ++i) {
      const std::uint64_t index = first + i * kRowsThreads + threadIdx.x;
      if (index < problem_.length) {
        keys[i] = keys_[index];
      }
    }
  }

  // Whether all elements with the digits found so far are wanted.
  __device__ __forceinline__ bool find_digit(Threshold<Bits> &threshold) {
    constexpr int kOwn = kRowsDigits / kRowsThreads;
    const int bits =
        threshold.shift - problem_.begin_bit < kRowsDigitBits ? threshold.shift - problem_.begin_bit : kRowsDigitBits;
    const int next = threshold.shift - bits;
    const bool is_first = threshold.shift == static_cast<int>(8 * sizeof(Bits));
    for (int i = static_cast<int>(threadIdx.x); i < kRowsDigits; i += kRowsThreads) {
      shared_.counters[i] = 0;
    }
    __syncthreads();
    for (std::uint64_t first = 0; first < problem_.length; first += kRowsTile) {
      Bits keys[kRowsItems];
      load(keys, first);
#pragma unroll
      for (int i = 0; i < kRowsItems; ++i) {
        const Bits key = Problem::Order::encode(keys[i]);
        const bool is_there = first + i * kRowsThreads + threadIdx.x < problem_.length;
        if (is_there && (is_first || static_cast<Bits>(key >> threshold.shift) == threshold.prefix)) {
          atomicAdd(&shared_.counters[static_cast<unsigned>(key >> next) & ((1u << bits) - 1)], 1u);
        }
      }
    }
    __syncthreads();
    std::uint32_t own[kOwn], sum = 0;
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      own[i] = shared_.counters[threadIdx.x * kOwn + i];
      sum += own[i];
    }
    std::uint32_t before = sum_before(sum);
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      if (before < threshold.wanted && threshold.wanted - before <= own[i]) {
        shared_.digit = threadIdx.x * kOwn + i;
        shared_.before = before;
        shared_.count = own[i];
      }
      before += own[i];
    }
    __syncthreads();
    threshold.prefix = static_cast<Bits>((is_first ? Bits(0) : static_cast<Bits>(threshold.prefix << bits)) | shared_.digit);
    threshold.shift = next;
    threshold.wanted -= shared_.before;
    return !problem_.is_single && threshold.wanted == shared_.count;
  }

  // The sum over all earlier threads.
  __device__ __forceinline__ std::uint32_t sum_before(std::uint32_t own) {
    std::uint32_t inclusive = own;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      const std::uint32_t other = shuffle_up(inclusive, distance);
      inclusive += lane_id() >= distance ? other : 0;
    }
    if (lane_id() == 31) {
      shared_.warp_totals[threadIdx.x / 32] = inclusive;
    }
    __syncthreads();
    std::uint32_t before = inclusive - own;
    for (unsigned w = 0; w < threadIdx.x / 32; ++w) {
      before += shared_.warp_totals[w];
    }
    return before;
  }

  // Elements are in rows of a block's threads, so they are ordered by rows, warps and lanes.
  __device__ __forceinline__ void collect(const Threshold<Bits> &threshold) {
    std::uint64_t below = 0, equal = 0;  // before the tile
    for (std::uint64_t first = 0; first < problem_.length; first += kRowsTile) {
      Bits keys[kRowsItems];
      unsigned are_below[kRowsItems], are_equal[kRowsItems];
      load(keys, first);
#pragma unroll
      for (int i = 0; i < kRowsItems; ++i) {
        const bool is_there = first + i * kRowsThreads + threadIdx.x < problem_.length;
        const Bits digits = static_cast<Bits>(Problem::Order::encode(keys[i]) >> threshold.shift);
        are_below[i] = __ballot_sync(kAllLanes, is_there && digits < threshold.prefix);
        are_equal[i] = __ballot_sync(kAllLanes, is_there && digits == threshold.prefix);
        if (lane_id() == 0) {
          shared_.counts[i * kRowsWarps + threadIdx.x / 32] = __popc(are_below[i]) | __popc(are_equal[i]) << 16;
        }
      }
      __syncthreads();
      scan_counts();
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kRowsItems; ++i) {
        const unsigned lane = 1u << lane_id();
        const std::uint32_t before = shared_.counts[i * kRowsWarps + threadIdx.x / 32];
        const std::uint64_t below_before = below + (before & 0xffff) + __popc(are_below[i] & (lane - 1));
        const std::uint64_t equal_before = equal + (before >> 16) + __popc(are_equal[i] & (lane - 1));
        const bool is_below = (are_below[i] & lane) != 0, is_equal = (are_equal[i] & lane) != 0;
        const std::uint64_t index = first + i * kRowsThreads + threadIdx.x;
        if (problem_.is_single) {
          if (is_equal && equal_before == threshold.wanted - 1) {
            store(0, keys[i], index);
          }
        } else if (is_below || (is_equal && equal_before < threshold.wanted)) {
          store(below_before + (equal_before < threshold.wanted ? equal_before : threshold.wanted), keys[i], index);
        }
      }
      below += shared_.total & 0xffff;
      equal += shared_.total >> 16;
      __syncthreads();
      const bool has_equal = equal >= threshold.wanted;
      if (has_equal && (problem_.is_single || below + threshold.wanted == problem_.number)) {
        break;  // all are collected
      }
    }
  }

  // Called by the first warp: the sum of the counts before each count.
  __device__ __forceinline__ void scan_counts() {
    constexpr int kOwn = kRowsItems * kRowsWarps / 32;
    if (threadIdx.x >= 32) {
      return;
    }
    std::uint32_t own[kOwn], sum = 0;
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      own[i] = shared_.counts[threadIdx.x * kOwn + i];
      sum += own[i];
    }
    std::uint32_t inclusive = sum;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      const std::uint32_t other = shuffle_up(inclusive, distance);
      inclusive += lane_id() >= distance ? other : 0;
    }
    std::uint32_t before = inclusive - sum;
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      shared_.counts[threadIdx.x * kOwn + i] = before;
      before += own[i];
    }
    if (lane_id() == 31) {
      shared_.total = inclusive;
    }
  }

  __device__ __forceinline__ void store(std::uint64_t place, Bits key, std::uint64_t index) const {
    const std::uint64_t to = row_ * problem_.number + place;
    if (problem_.keys_out != nullptr) {
      problem_.keys_out[to] = key;
    }
    if constexpr (Problem::kHasValues) {
      problem_.values_out[to] =
          value_at(problem_.values_in == nullptr ? nullptr : problem_.values_in + row_ * problem_.length, index);
    }
  }

  const Problem &problem_;
  Shared &shared_;
  const std::uint64_t row_;
  const Bits *const keys_;
};

template <class Problem>
__global__ void __launch_bounds__(kRowsThreads) select_ranks_of_rows_kernel(const __grid_constant__ Problem problem) {
  __shared__ typename RowSelection<Problem>::Shared shared;
  spoil_workspace(problem.of_workspace);
  const std::uint64_t rows = problem.rows.get();
  for (std::uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    RowSelection<Problem>(problem, shared, row).select();
    __syncthreads();
  }
}

}  // namespace upsweep::cuda::detail
