// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A summed-area table in one pass: a block for each tile, which it has in registers from the load to the store.
//
//   1. each lane adds up its elements of a row; the block scans the lanes' sums of all rows in shared memory
//   2. the sums of the tile's rows go to the tiles on the right, and those of the tiles on the left are added
//   3. each lane adds up its rows; the block scans the warps' sums of all columns
//   4. the sums of the tile's columns, now of the table, go to the tiles below, and those of the tiles above are added
//
// Sources: Emoto et al. 2018, "An Optimal Parallel Algorithm for Computing the Summed Area Table on the GPU" (one pass with
// look-back in both directions); Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back".
#pragma once

#include <upsweep/cuda/device/calls.cuh>
#include <upsweep/cuda/device/summed_area_rows.cuh>

namespace upsweep::cuda::detail {

// The sum of what the tiles before `rank` in a row (or a column) have published, `step` words from one to the next; `words`
// points to this tile's own word. Words of the tiles of the group are asked for at once, as many as registers permit.
template <class Sum>
__device__ __forceinline__ Sum sum_of_tiles_before(const TileWord<Sum> *words, std::uint64_t step, std::uint32_t rank,
                                                   std::uint32_t tag) {
  constexpr std::uint32_t kAtOnce = sizeof(Sum) == 4 ? 8 : 4;
  const std::uint32_t in_group = rank % kAreaGroup;
  const std::uint32_t count = in_group + (rank > in_group ? 1 : 0);  // with the last tile of the group before
  const TileWord<Sum> *from = words - count * step;
  Sum sum = 0;
  for (std::uint32_t done = 0; done < count; done += kAtOnce, from += kAtOnce * step) {
    TileWord<Sum> loaded[kAtOnce];
    for (;;) {
      std::uint32_t difference = 0;
#pragma unroll
      for (std::uint32_t i = 0; i < kAtOnce; ++i) {
        loaded[i].mark(tag);
        if (done + i < count) {
          loaded[i] = from[i * step].load();
        }
      }
#pragma unroll
      for (std::uint32_t i = 0; i < kAtOnce; ++i) {
        difference |= loaded[i].difference_to(tag);
      }
      if (difference == 0) {
        break;
      }
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kAtOnce; ++i) {
      sum += loaded[i].value();  // 0 for those that were not loaded
    }
  }
  return sum;
}

// Publishes a tile's total, and returns the sum of those before. No tile waits for the last one in its row or column.
template <class Sum>
__device__ __forceinline__ Sum exchange(TileWord<Sum> *word, std::uint64_t step, std::uint32_t rank, std::uint32_t tiles,
                                        std::uint32_t tag, Sum total) {
  const bool is_read = rank + 1 < tiles;
  const bool is_last_of_group = rank % kAreaGroup == kAreaGroup - 1;
  if (is_read && !is_last_of_group) {
    word->publish(total, tag);
  }
  const Sum before = sum_of_tiles_before(word, step, rank, tag);
  if (is_read && is_last_of_group) {
    word->publish(before + total, tag);
  }
  return before;
}

template <class Problem>
struct AreaShared {
  using Sum = typename Problem::Sum;
  using Tile = AreaTile<Sum, Problem::kChannels>;
  static constexpr int kLine = 33;  // lanes, and one place so that lines begin in different banks

  union {
    Sum lanes[Tile::kRowWords * kLine];         // of each row and channel: the lanes' sums, then the sums before them
    Sum staging[Tile::kWarps][Tile::kColumns];  // afterwards
  };
  Sum columns[Tile::kWarps][Tile::kColumns];  // the warps' sums, then the sums above them
  std::uint32_t call, ticket;
  bool is_last_block;
};

template <class Problem>
class AreaBlock {
  using In = typename Problem::In;
  using Sum = typename Problem::Sum;
  using Tile = AreaTile<Sum, Problem::kChannels>;
  using Shared = AreaShared<Problem>;
  static constexpr int kChannels = Problem::kChannels, kVector = Tile::kVector, kWarpRows = Tile::kWarpRows;

public:
  __device__ __forceinline__ AreaBlock(const Problem &problem, Shared &shared)
      : problem_(problem), shared_(shared), tag_(shared.call + 1), warp_(static_cast<int>(threadIdx.x) / 32),
        place_(AreaPlace::of_ticket(problem, shared.ticket)),
        tile_((std::uint64_t(place_.image) * problem.tiles_down + place_.down) * problem.tiles_across + place_.across),
        first_row_(std::uint64_t(place_.down) * Tile::kRows), first_column_(std::uint64_t(place_.across) * Tile::kColumns),
        rows_left_(problem.height - first_row_), left_(problem.row - first_column_) {}

  __device__ __forceinline__ void run() {
    Sum sums[kWarpRows][kVector];
    load(sums);
    add_up_lanes(sums);
    __syncthreads();
    if (threadIdx.x < Tile::kRowWords) {
      scan_lanes();
    }
    __syncthreads();
    add_rows(sums);
    __syncthreads();
    if (threadIdx.x < Tile::kColumns) {
      scan_warps();
    }
    __syncthreads();
    store(sums);
    if (problem_.has_zeros) {
      store_zeros();
    }
  }

private:
  // The channel of a lane's element i; that of element i + kChannels is the same.
  __device__ __forceinline__ int channel(int i) const {
    return kVector % kChannels == 0
               ? i % kChannels
               : static_cast<int>((static_cast<std::uint32_t>(first_column_ % kChannels) + lane_id() * kVector + i) %
                                  kChannels);
  }
  __device__ __forceinline__ Sum &lane_sum(int row, int i) const {
    return shared_.lanes[((warp_ * kWarpRows + row) * kChannels + channel(i)) * Shared::kLine + lane_id()];
  }
  // The first element of row `row` of the warp.
  __device__ __forceinline__ std::uint64_t begin_of(const ImageLayout &layout, int row) const {
    return place_.image * layout.stride + (first_row_ + warp_ * kWarpRows + row) * layout.pitch + first_column_;
  }
  __device__ __forceinline__ bool has_row(int row) const { return warp_ * kWarpRows + row < rows_left_; }

  __device__ __forceinline__ void load(Sum (&sums)[kWarpRows][kVector]) const {
    const int first = lane_id() * kVector;
    const int valid = first >= left_ ? 0 : static_cast<int>(min(left_ - first, std::uint64_t(kVector)));
    const In *from = problem_.input + begin_of(problem_.in, 0) + first;
#pragma unroll
    for (int r = 0; r < kWarpRows; ++r) {
      load_row(problem_, from + r * problem_.in.pitch, has_row(r) ? valid : 0, sums[r]);
    }
  }

  __device__ __forceinline__ void add_up_lanes(const Sum (&sums)[kWarpRows][kVector]) const {
#pragma unroll
    for (int r = 0; r < kWarpRows; ++r) {
#pragma unroll
      for (int i = 0; i < kChannels; ++i) {
        Sum sum = sums[r][i];
#pragma unroll
        for (int k = i + kChannels; k < kVector; k += kChannels) {
          sum += sums[r][k];
        }
        lane_sum(r, i) = sum;
      }
    }
  }

  // By a thread for each row and channel.
  __device__ __forceinline__ void scan_lanes() const {
    Sum *const line = shared_.lanes + threadIdx.x * Shared::kLine;
    Sum total = 0;
    if (problem_.tiles_across > 1) {
      Sum parts[4] = {};
#pragma unroll
      for (int i = 0; i < 32; i += 4) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          parts[k] += line[i + k];
        }
      }
      total = (parts[0] + parts[1]) + (parts[2] + parts[3]);
    }
    Sum before = exchange(problem_.words + tile_ * Tile::kRowWords + threadIdx.x, Tile::kRowWords, place_.across,
                          problem_.tiles_across, tag_, total);
#pragma unroll 8
    for (int i = 0; i < 32; ++i) {
      const Sum sum = line[i];
      line[i] = before;
      before += sum;
    }
  }

  // Makes sums of whole rows, and then of the warp's columns of them.
  __device__ __forceinline__ void add_rows(Sum (&sums)[kWarpRows][kVector]) const {
#pragma unroll
    for (int r = 0; r < kWarpRows; ++r) {
#pragma unroll
      for (int i = 0; i < kVector; ++i) {
        sums[r][i] += i < kChannels ? lane_sum(r, i) : sums[r][i < kChannels ? 0 : i - kChannels];
      }
    }
#pragma unroll
    for (int r = 1; r < kWarpRows; ++r) {
#pragma unroll
      for (int i = 0; i < kVector; ++i) {
        sums[r][i] += sums[r - 1][i];
      }
    }
#pragma unroll
    for (int i = 0; i < kVector; ++i) {
      shared_.columns[warp_][lane_id() * kVector + i] = sums[kWarpRows - 1][i];
    }
  }

  // By a thread for each column.
  __device__ __forceinline__ void scan_warps() const {
    Sum sums[Tile::kWarps];
    Sum total = 0;
#pragma unroll
    for (int w = 0; w < Tile::kWarps; ++w) {
      sums[w] = total;
      total += shared_.columns[w][threadIdx.x];
    }
    TileWord<Sum> *const words = problem_.words + std::uint64_t(problem_.tiles) * Tile::kRowWords;
    const Sum above =
        exchange(words + tile_ * Tile::kColumns + threadIdx.x, std::uint64_t(problem_.tiles_across) * Tile::kColumns,
                 place_.down, problem_.tiles_down, tag_, total);
#pragma unroll
    for (int w = 0; w < Tile::kWarps; ++w) {
      shared_.columns[w][threadIdx.x] = above + sums[w];
    }
  }

  __device__ __forceinline__ void store(Sum (&sums)[kWarpRows][kVector]) const {
    Sum above[kVector];
#pragma unroll
    for (int i = 0; i < kVector; ++i) {
      above[i] = shared_.columns[warp_][lane_id() * kVector + i];
    }
    Sum *to = problem_.output + begin_of(problem_.out, 0);
#pragma unroll
    for (int r = 0; r < kWarpRows; ++r) {
      if (has_row(r)) {
#pragma unroll
        for (int i = 0; i < kVector; ++i) {
          sums[r][i] += above[i];
        }
        store_row(problem_.out, to + r * problem_.out.pitch, left_, shared_.staging[warp_], sums[r]);
      }
    }
  }

  // The row above the table, the pixels on its left, and the corner.
  __device__ __forceinline__ void store_zeros() const {
    Sum *const image = problem_.output + place_.image * problem_.out.stride;
    if (place_.down == 0 && threadIdx.x < Tile::kColumns && threadIdx.x < left_) {
      (image + first_column_ + threadIdx.x)[-static_cast<std::int64_t>(problem_.out.pitch)] = Sum(0);
    }
    if (place_.across == 0 && threadIdx.x < Tile::kRowWords && threadIdx.x / kChannels < rows_left_) {
      const std::uint64_t row = first_row_ + threadIdx.x / kChannels;
      (image + row * problem_.out.pitch + threadIdx.x % kChannels)[-kChannels] = Sum(0);
    }
    if (place_.down == 0 && place_.across == 0 && threadIdx.x < kChannels) {
      (image + threadIdx.x)[-static_cast<std::int64_t>(problem_.out.pitch) - kChannels] = Sum(0);
    }
  }

  const Problem &problem_;
  Shared &shared_;
  const std::uint32_t tag_;
  const int warp_;
  const AreaPlace place_;
  const std::uint64_t tile_;
  const std::uint64_t first_row_, first_column_;
  const std::uint64_t rows_left_, left_;  // of the image, from the tile on
};

#ifndef UPSWEEP_AREA_BLOCKS
#define UPSWEEP_AREA_BLOCKS 4
#endif
// Tickets are drawn in the order in which blocks begin: all that a block waits for has begun before it.
template <class Problem>
__global__ void __launch_bounds__(AreaTile<typename Problem::Sum, Problem::kChannels>::kThreads, UPSWEEP_AREA_BLOCKS)
    summed_area_kernel(const __grid_constant__ Problem problem) {
  __shared__ __align__(16) unsigned char bytes[sizeof(AreaShared<Problem>)];
  auto &shared = *reinterpret_cast<AreaShared<Problem> *>(bytes);
  if (threadIdx.x == 0) {
    const unsigned long long drawn = atomicAdd(&problem.state->call_and_ticket, 1ull);
    shared.call = static_cast<std::uint32_t>(drawn >> 32);
    shared.ticket = static_cast<std::uint32_t>(drawn);
    check_workspace(problem.state, shared.call);
    if (shared.ticket == problem.tiles - 1 && shared.call != kLastCall) {
      end_call(problem.state, shared.call + 1);
    }
  }
  __syncthreads();
  AreaBlock<Problem>(problem, shared).run();
  if (shared.call == kLastCall) {
    start_calls_anew(problem, shared.is_last_block);
  }
}

}  // namespace upsweep::cuda::detail
