// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass of a radix sort: every key goes to its place by one digit, in one sweep over the array.
//
// A block sorts its tile by the digit in shared memory, so that keys with the same digit are adjacent, and stores them as runs.
//
// Source: Adinets and Merrill 2022, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs"; ranks in a warp by ballot
// (Ashkiani et al. 2016, "GPU Multisplit").
#pragma once

#include <upsweep/cuda/device/sort_rows.cuh>
#include <upsweep/cuda/device/sort_tile.cuh>

#include <utility>

namespace upsweep::cuda::detail {

// The first pass encodes keys as it reads them, and the last pass decodes keys as it writes them.
// Offset  unsigned integer for the places in the output
template <class Order_, class Value_, class Offset_>
struct SortPassProblem {
  using Order = Order_;
  using Bits = typename Order::Bits;
  using Value = Value_;
  using Offset = Offset_;
  static constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;

  const Bits *keys_in;
  Bits *keys_out;
  const Value *values_in;
  Value *values_out;
  Later<std::uint64_t> count;
  DigitPlace place;
  bool is_first, is_last;
  const unsigned long long *counts;  // of all digits
  unsigned *ticket;
  DigitRows rows;
  DigitRows next_rows;  // of the next pass
};

template <class Pass, int kThreads_, int kItems_, int kBlocks_>
struct SortGeometry {
  static constexpr int kThreads = kThreads_, kItems = kItems_, kBlocks = kBlocks_;  // of a multiprocessor
  static constexpr int kWarps = kThreads / 32;
  static constexpr int kTileItems = kThreads * kItems;
  static_assert(kThreads >= kDigits && kTileItems <= 1 << 16);

  struct Shared {
    alignas(16) std::uint32_t counts[kWarps][kDigits];  // of a warp's keys, less one; later their places in the tile
    typename Pass::Bits keys[kTileItems];
    typename Pass::Value values[Pass::kHasValues ? kTileItems : 1];
    typename Pass::Offset begins[kDigits];  // of the runs in the output, less their begins in the tile
    std::uint32_t warp_totals[kDigits / 32];
    unsigned long long warp_sums[kDigits / 32];
    unsigned ticket;
  };
};

template <class Pass, class Geometry>
class SortTile {
  using Bits = typename Pass::Bits;
  using Value = typename Pass::Value;
  using Offset = typename Pass::Offset;
  using Shared = typename Geometry::Shared;
  static constexpr int kThreads = Geometry::kThreads, kItems = Geometry::kItems, kWarps = Geometry::kWarps;

public:
  __device__ __forceinline__ SortTile(const Pass &pass, Shared &shared, std::uint64_t tile, std::uint64_t count)
      : pass_(pass), shared_(shared), warp_(static_cast<int>(threadIdx.x) / 32), tile_(tile),
        first_(tile * Geometry::kTileItems),
        valid_(static_cast<unsigned>(min(count - first_, std::uint64_t(Geometry::kTileItems)))) {}

  __device__ __forceinline__ void sort() {
    const bool is_digit = threadIdx.x < kDigits;
    Bits keys[kItems];
    unsigned ranks[kItems];
    load_keys(keys);
    rank_in_warps<kItems>(keys, ranks, pass_.place, shared_.counts[warp_]);
    __syncthreads();
    const std::uint32_t total = is_digit ? publish() : 0;
    const std::uint32_t begin = sum_of_digits_before(total, shared_.warp_totals);
    if (is_digit) {
      place_warps<kWarps>(shared_.counts, begin);
      shared_.begins[threadIdx.x] = static_cast<Offset>(0) - begin;
    }
    __syncthreads();
    unsigned places[kItems];
    scatter(keys, ranks, places);
    if constexpr (kIsEarly) {
      Value values[kItems];
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        load_value(values[i], i);  // they arrive during the wait for counts
      }
      add_counts_before();
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        shared_.values[places[i]] = values[i];
      }
    } else {
      add_counts_before();
      if constexpr (Pass::kHasValues) {
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
          Value value;
          load_value(value, i);
          shared_.values[places[i]] = value;
        }
      }
    }
    __syncthreads();
    if (is_digit && tile_ % DigitRows::kSpan == DigitRows::kSpan - 1) {
      pass_.rows.begin_span(tile_ / DigitRows::kSpan + 1, static_cast<int>(threadIdx.x),
                            static_cast<Offset>(shared_.begins[threadIdx.x] + begin + total));
    }
    if (valid_ == Geometry::kTileItems) {
      store<true>();
    } else {
      store<false>();
    }
  }

private:
  // Whether registers hold a thread's values, and values are few words.
  static constexpr bool kIsEarly =
      Pass::kHasValues && sizeof(Value) <= 8 && alignof(Value) >= (sizeof(Value) < 4 ? sizeof(Value) : 4);
  static constexpr int kColumns = kDigits / 4, kRowsAtOnce = kThreads / kColumns;

  // The place in the tile of this thread's element `i`: each warp has contiguous elements, in rows of one element for each
  // lane.
  __device__ __forceinline__ unsigned place(int i) const {
    return static_cast<unsigned>((warp_ * kItems + i) * 32 + lane_id());
  }

  // Places behind the last key hold the largest key, and so come last.
  __device__ __forceinline__ void load_keys(Bits (&keys)[kItems]) const {
    const Bits *const from = pass_.keys_in + first_;
    if (valid_ == Geometry::kTileItems) {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        keys[i] = from[place(i)];
      }
    } else {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        keys[i] = place(i) < valid_ ? from[place(i)] : pass_.is_first ? Pass::Order::decode(~Bits(0)) : ~Bits(0);
      }
    }
    if constexpr (!Pass::Order::kIsIdentity) {
      if (pass_.is_first) {
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
          keys[i] = Pass::Order::encode(keys[i]);
        }
      }
    }
  }

  // Returns the number of the tile's keys with the thread's digit.
  __device__ __forceinline__ std::uint32_t publish() {
    const std::uint32_t total = total_of_warps<kWarps>(shared_.counts);
    pass_.rows.publish(tile_, total);
    if (!pass_.is_last) {
      pass_.next_rows.clear(tile_);
    }
    return total;
  }

  // Stores the place of each in `places`.
  __device__ __forceinline__ void scatter(const Bits (&keys)[kItems], const unsigned (&ranks)[kItems],
                                          unsigned (&places)[kItems]) {
    const DigitPlace digits = pass_.place;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      places[i] = shared_.counts[warp_][digits.of(keys[i])] + ranks[i];
      shared_.keys[places[i]] = keys[i];
    }
  }

  __device__ __forceinline__ void load_value(Value &value, int i) const {
    if (place(i) < valid_) {
      value = value_at(pass_.values_in, first_ + place(i));
    }
  }

  // The count of each digit in all earlier tiles. A thread takes four digits of every eighth row, or so.
  __device__ __forceinline__ void add_counts_before() {
    constexpr int kRows = (2 * DigitRows::kWide - 2 + kRowsAtOnce - 1) / kRowsAtOnce;
    const int column = static_cast<int>(threadIdx.x) % kColumns;
    std::uint32_t sums[4] = {};
    add_rows(std::make_integer_sequence<int, kRows>(), column, sums);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (sums[i] > 0) {
        atomicAdd(&shared_.begins[4 * column + i], static_cast<Offset>(sums[i]));
      }
    }
    if (threadIdx.x < kDigits) {
      const std::uint64_t begin = pass_.rows.begin_of_span(tile_ / DigitRows::kSpan, static_cast<int>(threadIdx.x));
      atomicAdd(&shared_.begins[threadIdx.x], static_cast<Offset>(begin));
    }
  }
  template <int... kRows>
  __device__ __forceinline__ void add_rows(std::integer_sequence<int, kRows...>, int column, std::uint32_t (&sums)[4]) const {
    const int first = static_cast<int>(threadIdx.x) / kColumns;
    DigitWords words[] = {DigitWords(pass_.rows, tile_, first + kRows * kRowsAtOnce, column)...};
#pragma unroll
    for (DigitWords &of_row : words) {
      of_row.wait();
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        sums[i] += of_row.count(i);
      }
    }
  }

  template <bool kIsFull>
  __device__ __forceinline__ void store() {
    // Copies, since the pass may be in shared memory (sort_segments_long_kernel.cuh).
    const DigitPlace digits = pass_.place;
    Bits *const keys_out = pass_.keys_out;
    Value *const values_out = pass_.values_out;
    const bool is_last = pass_.is_last;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const unsigned from = i * kThreads + threadIdx.x;
      if (kIsFull || from < valid_) {
        Bits key = shared_.keys[from];
        const auto to = static_cast<Offset>(shared_.begins[digits.of(key)] + from);
        if constexpr (!Pass::Order::kIsIdentity) {
          key = is_last ? Pass::Order::decode(key) : key;
        }
        keys_out[to] = key;
        if constexpr (Pass::kHasValues) {
          values_out[to] = shared_.values[from];
        }
      }
    }
  }

  const Pass &pass_;
  Shared &shared_;
  const int warp_;
  const std::uint64_t tile_, first_;
  const unsigned valid_;
};

// Tickets are drawn in the order in which blocks begin, so a block waits only for blocks that began before it.
template <class Pass, class Geometry>
__global__ void __launch_bounds__(Geometry::kThreads, Geometry::kBlocks) sort_pass_kernel(const __grid_constant__ Pass pass) {
  extern __shared__ __align__(16) unsigned char sort_pass_bytes[];
  auto &shared = *reinterpret_cast<typename Geometry::Shared *>(sort_pass_bytes);
  wait_for_kernel_before();
  let_next_kernel_begin();
  const std::uint64_t count = pass.count.get();
  if (threadIdx.x == 0) {
    shared.ticket = atomicAdd(pass.ticket, 1u);
  }
  __syncthreads();
  const std::uint64_t tile = shared.ticket;
  if (tile == 0) {
    const bool is_digit = threadIdx.x < kDigits;
    const auto begin = sum_of_digits_before(is_digit ? pass.counts[threadIdx.x] : 0ull, shared.warp_sums);
    if (is_digit) {
      pass.rows.begin_span(0, static_cast<int>(threadIdx.x), begin);
    }
  }
  if (tile * Geometry::kTileItems < count) {
    SortTile<Pass, Geometry>(pass, shared, tile, count).sort();
  }
}

}  // namespace upsweep::cuda::detail
