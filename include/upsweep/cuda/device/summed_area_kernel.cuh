// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A summed-area table in one pass. A block has its tile in registers from the load to the store.
//
//   1. each lane adds up its elements of a row; the block scans the lanes' sums of all rows in shared memory
//   2. the sums of the tile's rows go to the tiles on the right, and the left tiles' sums are added
//   3. each lane adds up its rows; the block scans the warps' sums of all columns
//   4. the sums of the tile's columns, now of the table, go to the tiles below, and the upper tiles' sums are added
//
// Sources: Emoto et al. 2018, "An Optimal Parallel Algorithm for Computing the Summed Area Table on the GPU" (one pass with
// look-back in both directions); Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back".
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/summed_area_rows.cuh>

namespace upsweep::cuda::detail {

// The sum of `count` words at distances of kStep, at most kMost of them, which tiles publish earlier or later. It requests all
// words together, and then the missing words again.
template <int kMost, int kStep, class Sum>
__device__ __forceinline__ Sum sum_of_words(const TileWord<Sum> *words, int count, std::uint32_t tag) {
  TileWord<Sum> loaded[kMost];
#pragma unroll
  for (int i = 0; i < kMost; ++i) {
    loaded[i].mark(tag);
    if (i < count) {
      loaded[i] = words[i * kStep].load();
    }
  }
  for (;;) {
    std::uint32_t difference = 0;
#pragma unroll
    for (int i = 0; i < kMost; ++i) {
      difference |= loaded[i].difference_to(tag);
    }
    if (difference == 0) {
      break;
    }
#pragma unroll
    for (int i = 0; i < kMost; ++i) {
      if (loaded[i].difference_to(tag) != 0) {
        loaded[i] = words[i * kStep].load();
      }
    }
  }
  Sum sum = loaded[0].value();
#pragma unroll
  for (int i = 1; i < kMost; ++i) {
    sum += loaded[i].value();  // 0 for words that were not loaded
  }
  return sum;
}

// The exchange of kCount totals of a tile, in a row or a column of tiles: it publishes its own totals, and adds the earlier
// tiles' totals. Thread i has total i; kReaders threads read the words for each.
template <class Sum, int kCount, int kThreads>
class AreaExchange {
  static constexpr int kReaders = kThreads / kCount < 2 ? 1 : kThreads / kCount < 4 ? 2 : 4;
  static constexpr int kShare = static_cast<int>(kAreaGroup) / kReaders;
  static constexpr int kMostAtOnce = sizeof(Sum) == 4 ? 8 : 4;
  static constexpr int kAtOnce = kShare < kMostAtOnce ? kShare : kMostAtOnce;

public:
  // words  of this tile
  // rank   of the tile, of `tiles`
  __device__ __forceinline__ AreaExchange(TileWord<Sum> *words, std::uint32_t rank, std::uint32_t tiles, std::uint32_t tag)
      : words_(words), rank_(rank), is_read_(rank + 1 < tiles), is_last_of_group_(rank % kAreaGroup == kAreaGroup - 1),
        tag_(tag) {}

  __device__ __forceinline__ bool has_total() const { return threadIdx.x < kCount; }

  __device__ __forceinline__ void publish(Sum total) const {
    if (is_read_ && !is_last_of_group_) {
      words_[threadIdx.x].publish(total, tag_);
    }
  }
  // Called by all threads: stores in shared[i] the part that thread i adds to its total's sum, which is the whole sum if there
  // is a single reader.
  __device__ __forceinline__ void read(Sum *shared) const {
    const int total = static_cast<int>(threadIdx.x) % kCount, reader = static_cast<int>(threadIdx.x) / kCount;
    const int in_group = static_cast<int>(rank_ % kAreaGroup);
    const int count = in_group + (static_cast<int>(rank_) > in_group ? 1 : 0);  // with the last tile of the group before
    if (rank_ == 0 || reader >= kReaders) {
      return;
    }
    const TileWord<Sum> *const from = words_ + total - count * kCount;
    const int end = min(count, (reader + 1) * kShare);
    Sum sum = 0;
    for (int i = reader * kShare; i < end; i += kAtOnce) {
      sum += sum_of_words<kAtOnce, kCount>(from + i * kCount, end - i, tag_);
    }
    shared[threadIdx.x] = sum;
  }
  static constexpr bool kNeedsBarrier = kReaders > 1;
  // Called by the threads with totals: returns the sum of the earlier totals. The last tile of a group publishes it, with its
  // own total added.
  __device__ __forceinline__ Sum sum_before(const Sum *shared, Sum total) const {
    Sum before = 0;
    if (rank_ > 0) {
#pragma unroll
      for (int i = 0; i < kReaders; ++i) {
        before += shared[i * kCount + threadIdx.x];
      }
    }
    if (is_read_ && is_last_of_group_) {
      words_[threadIdx.x].publish(before + total, tag_);
    }
    return before;
  }

private:
  TileWord<Sum> *words_;
  std::uint32_t rank_;
  bool is_read_, is_last_of_group_;
  std::uint32_t tag_;
};

template <class Problem>
struct alignas(16) AreaShared {
  using Sum = typename Problem::Sum;
  using Tile = AreaTile<Sum, Problem::kChannels>;
  static constexpr int kInVector = 16 / sizeof(Sum);
  static constexpr int kLine = 32 + kInVector;  // lanes, and a vector that puts eight threads' lines in different banks

  Sum lanes[Tile::kRowWords * kLine];         // of each row and channel: the lanes' sums, then the sums before them
  Sum columns[Tile::kWarps][Tile::kColumns];  // the warps' sums, then the sums above them, then rows to be stored
  Sum before[Tile::kThreads];                 // each thread's sum of the earlier tiles
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
  using Row = RowVectors<In, kVector>;

public:
  __device__ __forceinline__ AreaBlock(const Problem &problem, Shared &shared, const AreaPlace &place, std::uint32_t tag)
      : problem_(problem), shared_(shared), place_(place), tag_(tag), warp_(static_cast<int>(threadIdx.x) / 32) {
    const std::uint64_t rows = problem.height - first_row(), columns = problem.row - first_column();
    rows_ = rows < Tile::kRows ? static_cast<int>(rows) : Tile::kRows;
    columns_ = columns < Tile::kColumns ? static_cast<int>(columns) : Tile::kColumns;
  }

  __device__ __forceinline__ void run() {
    Row rows[kWarpRows];
    load(rows);
    add_up_lanes(rows);
    __syncthreads();
    exchange_rows();
    add_up_columns(rows);
    __syncthreads();
    exchange_columns();
    store(rows);
    if (problem_.has_zeros) {
      store_zeros();
    }
  }

private:
  struct alignas(16) SumVector {
    Sum sums[Shared::kInVector];
  };

  __device__ __forceinline__ std::uint64_t first_row() const { return std::uint64_t(place_.down) * Tile::kRows; }
  __device__ __forceinline__ std::uint64_t first_column() const { return std::uint64_t(place_.across) * Tile::kColumns; }
  // The tile's number, row by row and column by column.
  __device__ __forceinline__ std::uint32_t number_by_rows() const {
    return (place_.image * problem_.tiles_down + place_.down) * problem_.tiles_across + place_.across;
  }
  __device__ __forceinline__ std::uint32_t number_by_columns() const {
    return (place_.image * problem_.tiles_across + place_.across) * problem_.tiles_down + place_.down;
  }

  // The channel of a lane's element i; element i + kChannels has the same channel.
  __device__ __forceinline__ int channel(int i) const {
    return kVector % kChannels == 0
               ? i % kChannels
               : static_cast<int>((static_cast<std::uint32_t>(first_column() % kChannels) + lane_id() * kVector + i) %
                                  kChannels);
  }
  __device__ __forceinline__ Sum &lane_sum(int row, int i) const {
    return shared_.lanes[((warp_ * kWarpRows + row) * kChannels + channel(i)) * Shared::kLine + lane_id()];
  }
  // The first element of the tile's part of the warp's first row.
  __device__ __forceinline__ std::uint64_t begin_of(const ImageLayout &layout) const {
    return place_.image * layout.stride + (first_row() + warp_ * kWarpRows) * layout.pitch + first_column();
  }
  __device__ __forceinline__ bool has_row(int row) const { return warp_ * kWarpRows + row < rows_; }

  // A lane's elements of its warp's rows. Elements outside the image have 0 bits.
  __device__ __forceinline__ void load(Row (&rows)[kWarpRows]) const {
    const int first = lane_id() * kVector;
    const In *const from = problem_.input + begin_of(problem_.in) + first;
    if (first + kVector <= columns_ && problem_.in.is_vector) {
#pragma unroll
      for (int r = 0; r < kWarpRows; ++r) {
        rows[r].clear();
        if (has_row(r)) {
          rows[r].load(from + r * problem_.in.pitch);
        }
      }
    } else {
#pragma unroll
      for (int r = 0; r < kWarpRows; ++r) {
        rows[r].load(from + r * problem_.in.pitch, has_row(r) ? columns_ - first : 0);
      }
    }
  }

  __device__ __forceinline__ void get(const Row &row, int r, Sum (&sums)[kVector]) const {
    In elements[kVector];
    row.get(elements);
    const int valid = has_row(r) ? columns_ - lane_id() * kVector : 0;
#pragma unroll
    for (int i = 0; i < kVector; ++i) {
      // Elements of 0 bits are 0 as sums, unless a transform changes them.
      sums[i] = Problem::kIsPlain || i < valid ? problem_.sum_of(elements[i]) : Sum(0);
    }
  }

  __device__ __forceinline__ void add_up_lanes(const Row (&rows)[kWarpRows]) const {
#pragma unroll
    for (int r = 0; r < kWarpRows; ++r) {
      Sum sums[kVector];
      get(rows[r], r, sums);
#pragma unroll
      for (int i = 0; i < kChannels; ++i) {
#pragma unroll
        for (int k = i + kChannels; k < kVector; k += kChannels) {
          sums[i] += sums[k];
        }
        lane_sum(r, i) = sums[i];
      }
    }
  }

  // Turns the lanes' sums into the sums of all earlier lanes in the image's row, with a thread for each row and channel.
  __device__ __forceinline__ void exchange_rows() const {
    const AreaExchange<Sum, Tile::kRowWords, Tile::kThreads> exchange(
        problem_.words + std::uint64_t(number_by_rows()) * Tile::kRowWords, place_.across, problem_.tiles_across, tag_);
    auto *const line = reinterpret_cast<SumVector *>(shared_.lanes + threadIdx.x * Shared::kLine);
    constexpr int kVectors = 32 / Shared::kInVector;
    Sum total = 0;
    if (exchange.has_total() && problem_.tiles_across > 1) {
      SumVector parts = line[0];
#pragma unroll 2
      for (int v = 1; v < kVectors; ++v) {
        const SumVector vector = line[v];
#pragma unroll
        for (int i = 0; i < Shared::kInVector; ++i) {
          parts.sums[i] += vector.sums[i];
        }
      }
#pragma unroll
      for (int i = 0; i < Shared::kInVector; ++i) {
        total += parts.sums[i];
      }
      exchange.publish(total);
    }
    exchange.read(shared_.before);
    if (exchange.kNeedsBarrier) {
      __syncthreads();
    }
    if (exchange.has_total()) {
      Sum before = exchange.sum_before(shared_.before, total);
#pragma unroll 2
      for (int v = 0; v < kVectors; ++v) {
        SumVector vector = line[v];
#pragma unroll
        for (int i = 0; i < Shared::kInVector; ++i) {
          const Sum sum = vector.sums[i];
          vector.sums[i] = before;
          before += sum;
        }
        line[v] = vector;
      }
    }
    __syncthreads();
  }

  // Adds to `columns` a lane's part of row r, of sums of the image's row.
  __device__ __forceinline__ void add_row(Row &row, int r, Sum (&columns)[kVector]) const {
    Sum sums[kVector];
    row.forget();
    get(row, r, sums);
#pragma unroll
    for (int i = 0; i < kVector; ++i) {
      sums[i] += i < kChannels ? lane_sum(r, i) : sums[i < kChannels ? 0 : i - kChannels];
      columns[i] += sums[i];
    }
  }
  __device__ __forceinline__ SumVector *warp_columns() const {
    return reinterpret_cast<SumVector *>(shared_.columns[warp_] + lane_id() * kVector);
  }

  __device__ __forceinline__ void add_up_columns(Row (&rows)[kWarpRows]) const {
    Sum columns[kVector] = {};
#pragma unroll
    for (int r = 0; r < kWarpRows; ++r) {
      add_row(rows[r], r, columns);
    }
    SumVector vectors[kVector / Shared::kInVector];
    std::memcpy(vectors, columns, sizeof columns);
#pragma unroll
    for (int v = 0; v < kVector / Shared::kInVector; ++v) {
      warp_columns()[v] = vectors[v];
    }
  }

  // Turns the warps' sums into the sums of all rows above in the image, with a thread for each column.
  __device__ __forceinline__ void exchange_columns() const {
    const AreaExchange<Sum, Tile::kColumns, Tile::kThreads> exchange(
        problem_.words + std::uint64_t(problem_.tiles) * Tile::kRowWords + std::uint64_t(number_by_columns()) * Tile::kColumns,
        place_.down, problem_.tiles_down, tag_);
    Sum total = 0;
    if (exchange.has_total()) {
#pragma unroll
      for (int w = 0; w < Tile::kWarps; ++w) {
        total += shared_.columns[w][threadIdx.x];
      }
      exchange.publish(total);
    }
    exchange.read(shared_.before);
    if (exchange.kNeedsBarrier) {
      __syncthreads();
    }
    if (exchange.has_total()) {
      Sum above = exchange.sum_before(shared_.before, total);
#pragma unroll
      for (int w = 0; w < Tile::kWarps; ++w) {
        const Sum sum = shared_.columns[w][threadIdx.x];
        shared_.columns[w][threadIdx.x] = above;
        above += sum;
      }
    }
    __syncthreads();
  }

  __device__ __forceinline__ void store(Row (&rows)[kWarpRows]) const {
    Sum columns[kVector];
    SumVector vectors[kVector / Shared::kInVector];
#pragma unroll
    for (int v = 0; v < kVector / Shared::kInVector; ++v) {
      vectors[v] = warp_columns()[v];
    }
    std::memcpy(columns, vectors, sizeof columns);
    Sum *to = problem_.output + begin_of(problem_.out);
    const int first = lane_id() * kVector;
#pragma unroll
    for (int r = 0; r < kWarpRows; ++r, to += problem_.out.pitch) {
      add_row(rows[r], r, columns);
      if (!has_row(r)) {
        break;
      }
      if (problem_.out.is_vector) {
        RowVectors<Sum, kVector> sums;
        sums.put(columns);
        sums.store(to + first, columns_ - first);
      } else {
        store_moved_row(to, columns_, shared_.columns[warp_], columns);
      }
    }
  }

  // The row above the table, the pixels on its left, and the corner.
  __device__ __forceinline__ void store_zeros() const {
    const auto thread = static_cast<int>(threadIdx.x);
    const auto pitch = static_cast<std::int64_t>(problem_.out.pitch);
    Sum *const image = problem_.output + place_.image * problem_.out.stride;
    if (place_.down == 0 && thread < columns_) {
      (image + first_column() + thread)[-pitch] = Sum(0);
    }
    if (place_.across == 0 && thread / kChannels < rows_) {
      (image + (first_row() + thread / kChannels) * pitch + thread % kChannels)[-kChannels] = Sum(0);
    }
    if (place_.down == 0 && place_.across == 0 && thread < kChannels) {
      (image + thread)[-pitch - kChannels] = Sum(0);
    }
  }

  const Problem &problem_;
  Shared &shared_;
  const AreaPlace place_;
  const std::uint32_t tag_;
  const int warp_;
  int rows_, columns_;  // of the tile
};

// The blocks of a multiprocessor, by the registers that hold a thread's elements.
template <class Problem>
inline constexpr int area_blocks = [] {
  using Tile = AreaTile<typename Problem::Sum, Problem::kChannels>;
  constexpr std::size_t kBytes = Tile::kRows * Tile::kColumns * sizeof(typename Problem::In);
  return kBytes <= 16384 ? 4 : 3;
}();

// Tickets are drawn in the order in which blocks begin, so a block waits only for blocks that began before it. Images of one
// tile each need none.
template <class Problem>
__global__ void __launch_bounds__(AreaTile<typename Problem::Sum, Problem::kChannels>::kThreads, area_blocks<Problem>)
    summed_area_kernel(const __grid_constant__ Problem problem) {
  __shared__ __align__(16) unsigned char bytes[sizeof(AreaShared<Problem>)];
  auto &shared = *reinterpret_cast<AreaShared<Problem> *>(bytes);
  if (problem.tiles_across == 1 && problem.tiles_down == 1) {
    AreaBlock<Problem>(problem, shared, AreaPlace{blockIdx.x, 0, 0}, 0).run();
    return;
  }
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
  AreaBlock<Problem> block(problem, shared, AreaPlace::of_ticket(problem, shared.ticket), shared.call + 1);
  block.run();
  if (shared.call == kLastCall) {
    start_calls_anew(problem, shared.is_last_block);
  }
}

}  // namespace upsweep::cuda::detail
