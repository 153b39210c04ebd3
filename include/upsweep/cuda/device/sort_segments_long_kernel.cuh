// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long segments: a sweep for each digit over the tiles of all of them (sort_pass_kernel.cuh). Each segment has its own counts,
// and its own rows of them.
#pragma once

#include <upsweep/cuda/device/sort_pass_kernel.cuh>
#include <upsweep/cuda/device/sort_segments_problem.cuh>

namespace upsweep::cuda::detail {

// The memory of all long segments; a segment's part follows from its number and its first tile.
struct LongSegments {
  const unsigned long long *long_and_tiles;
  const LongSegment *segments;
  std::uint32_t *segment_of_tile;
  unsigned long long *counts;  // kDigits for each place and segment
  int places;
  DigitRows rows[2];

  // The most rows of `number` segments with `tiles` tiles in all.
  __host__ __device__ static constexpr std::uint64_t rows_of(std::uint64_t tiles, std::uint64_t number, int wide) {
    return tiles / wide + number;
  }

  __device__ __forceinline__ std::uint32_t number() const { return static_cast<std::uint32_t>(*long_and_tiles >> 32); }
  __device__ __forceinline__ std::uint32_t tiles() const { return static_cast<std::uint32_t>(*long_and_tiles); }
  __device__ __forceinline__ unsigned long long *counts_of(std::uint32_t segment, int place) const {
    return counts + (std::uint64_t(segment) * places + place) * kDigits;
  }
  __device__ __forceinline__ DigitRows rows_of_segment(std::uint32_t segment, std::uint32_t first_tile, int pass) const {
    const DigitRows &all = rows[pass % 2];
    return {all.spans + rows_of(first_tile, segment, DigitRows::kSpan) * kDigits,
            all.tiles + std::uint64_t(first_tile) * kDigits,
            all.groups + rows_of(first_tile, segment, DigitRows::kWide) * kDigits};
  }
};

// Clears the counts and the rows of the first pass, and notes the segment of each tile. A block does this for each segment.
template <int kThreads>
__global__ void __launch_bounds__(kThreads) prepare_long_segments_kernel(const LongSegments all, unsigned tile_items) {
  wait_for_kernel_before();
  let_next_kernel_begin();
  const std::uint32_t number = all.number();
  for (std::uint32_t s = blockIdx.x; s < number; s += gridDim.x) {
    const LongSegment segment = all.segments[s];
    const std::uint64_t tiles = (segment.count + tile_items - 1) / tile_items;
    const DigitRows rows = all.rows_of_segment(s, segment.first_tile, 0);
    for (int place = 0; place < all.places; ++place) {
      all.counts_of(s, place)[threadIdx.x] = 0;
    }
    for (std::uint64_t tile = threadIdx.x; tile < tiles; tile += blockDim.x) {
      all.segment_of_tile[segment.first_tile + tile] = s;
    }
    for (std::uint64_t tile = 0; tile < tiles; ++tile) {
      rows.clear(tile);
    }
    rows.spans[tiles / DigitRows::kSpan * kDigits + threadIdx.x] = 0;  // the last tile may begin this span
  }
}

inline constexpr int kCountingLongThreads = 512;
inline constexpr int kCountingLongItems = 8;

// Counts each digit of each place in each segment. A block takes adjacent tiles, and adds up the tiles of a segment.
template <class Problem, int kPlaces>
__global__ void __launch_bounds__(kCountingLongThreads)
    count_long_segments_kernel(const __grid_constant__ Problem problem, const LongSegments all, unsigned tile_items) {
  using Bits = typename Problem::Bits;
  constexpr int kColumns = kPlaces <= 4 ? 8 : 32 / kPlaces;  // as in count_digits_kernel, by half
  __shared__ std::uint32_t counters[kPlaces * kDigits * kColumns];
  wait_for_kernel_before();
  let_next_kernel_begin();
  const int column = lane_id() % kColumns;
  DigitPlace places[kPlaces];
#pragma unroll
  for (int p = 0; p < kPlaces; ++p) {
    places[p] = problem.bits.place(min(p, problem.bits.places - 1));
  }
  const std::uint64_t tiles = all.tiles();
  const std::uint64_t share = (tiles + gridDim.x - 1) / gridDim.x;
  const std::uint64_t end = min((blockIdx.x + 1) * share, tiles);
  for (int i = static_cast<int>(threadIdx.x); i < kPlaces * kDigits * kColumns; i += kCountingLongThreads) {
    counters[i] = 0;
  }
  __syncthreads();
  for (std::uint64_t tile = blockIdx.x * share; tile < end; ++tile) {
    const std::uint32_t s = all.segment_of_tile[tile];
    const LongSegment segment = all.segments[s];
    const std::uint64_t first = (tile - segment.first_tile) * tile_items;
    const auto valid = static_cast<unsigned>(min(segment.count - first, std::uint64_t(tile_items)));
    const Bits *const keys = problem.keys_in + segment.begin + first;
    for (unsigned base = 0; base < valid; base += kCountingLongItems * kCountingLongThreads) {
      Bits loaded[kCountingLongItems];
#pragma unroll
      for (int k = 0; k < kCountingLongItems; ++k) {
        const unsigned i = base + k * kCountingLongThreads + threadIdx.x;
        if (i < valid) {
          loaded[k] = keys[i];
        }
      }
#pragma unroll
      for (int k = 0; k < kCountingLongItems; ++k) {
        if (base + k * kCountingLongThreads + threadIdx.x < valid) {
          const Bits key = Problem::Order::encode(loaded[k]);
#pragma unroll
          for (int p = 0; p < kPlaces; ++p) {
            if (p < problem.bits.places) {
              atomicAdd(&counters[(p * kDigits + places[p].of(key)) * kColumns + column], 1u);
            }
          }
        }
      }
    }
    if (tile + 1 == end || all.segment_of_tile[tile + 1] != s) {
      __syncthreads();
      for (int i = static_cast<int>(threadIdx.x); i < problem.bits.places * kDigits; i += kCountingLongThreads) {
        std::uint32_t sum = 0;
        for (int c = 0; c < kColumns; ++c) {
          std::uint32_t &counter = counters[i * kColumns + (c + i) % kColumns];
          sum += counter;
          counter = 0;
        }
        if (sum > 0) {
          atomicAdd(all.counts_of(s, 0) + i, static_cast<unsigned long long>(sum));
        }
      }
      __syncthreads();
    }
  }
}

template <class Pass, class Geometry>
struct LongShared {
  typename Geometry::Shared tile;
  Pass pass;  // of the tile's segment
  std::uint64_t tile_of_segment;
  bool is_any;
};

// `pass` has the arrays of all segments. Tickets are drawn in the tiles' order, so a block waits only for blocks that began
// before it.
template <class Pass, class Geometry>
__global__ void __launch_bounds__(Geometry::kThreads, Geometry::kBlocks)
    sort_long_segments_kernel(const __grid_constant__ Pass pass, const __grid_constant__ LongSegments all, int number_of_pass) {
  extern __shared__ __align__(16) unsigned char sort_long_bytes[];
  auto &shared = *reinterpret_cast<LongShared<Pass, Geometry> *>(sort_long_bytes);
  wait_for_kernel_before();
  let_next_kernel_begin();
  for (;;) {
    if (threadIdx.x == 0) {
      const std::uint32_t ticket = atomicAdd(pass.ticket, 1u);
      shared.is_any = ticket < all.tiles();
      if (shared.is_any) {
        const std::uint32_t s = all.segment_of_tile[ticket];
        const LongSegment segment = all.segments[s];
        Pass &own = shared.pass;
        own = pass;
        own.keys_in += segment.begin;
        own.keys_out += segment.begin;
        if constexpr (Pass::kHasValues) {
          own.values_in = own.values_in == nullptr ? nullptr : own.values_in + segment.begin;
          own.values_out += segment.begin;
        }
        own.count = {segment.count, nullptr};
        own.counts = all.counts_of(s, number_of_pass);
        own.rows = all.rows_of_segment(s, segment.first_tile, number_of_pass);
        own.next_rows = all.rows_of_segment(s, segment.first_tile, number_of_pass + 1);
        shared.tile_of_segment = ticket - segment.first_tile;
      }
    }
    __syncthreads();
    if (!shared.is_any) {
      return;
    }
    const std::uint64_t tile = shared.tile_of_segment;
    if (tile == 0) {
      const bool is_digit = threadIdx.x < kDigits;
      const auto begin = sum_of_digits_before(is_digit ? shared.pass.counts[threadIdx.x] : 0ull, shared.tile.warp_sums);
      if (is_digit) {
        shared.pass.rows.begin_span(0, static_cast<int>(threadIdx.x), begin);
      }
    }
    SortTile<Pass, Geometry>(shared.pass, shared.tile, tile, shared.pass.count.value).sort();
    __syncthreads();
  }
}

}  // namespace upsweep::cuda::detail
