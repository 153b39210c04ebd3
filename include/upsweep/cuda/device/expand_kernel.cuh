// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel that writes the elements of runs: warps have equal shares of the results, whatever the runs, tile by tile. In a
// tile of one run all results are the same; in others the places at which runs begin are marked, and each result has the last
// mark before it.
#pragma once

#include <upsweep/cuda/device/reduce_segments_kernel.cuh>
#include <upsweep/cuda/device/tuning_segmented_reduce.cuh>

namespace upsweep::cuda::detail {

// The ends of runs, by an inclusive sum of their lengths. The highest bit distinguishes them from the words of other calls with
// the same workspace.
inline constexpr std::uint64_t kNoWord = std::uint64_t(1) << 63;
struct OffsetsOfRuns {
  const std::uint64_t *ends;
  __device__ __forceinline__ std::uint64_t operator()(std::uint64_t k) const { return k == 0 ? 0 : ends[k - 1] & ~kNoWord; }
};

template <class Values_, class Output_, class Offsets_, class Number_>
struct ExpandProblem {
  using Value = std::remove_cv_t<typename std::iterator_traits<Values_>::value_type>;

  Values_ values;
  Output_ output;
  Offsets_ offsets;
  Later<std::uint64_t> segments;  // runs
  Number_ *total;                 // may be null
};

// Lanes have kVectors vectors of neighbouring results, the lanes' vectors side by side, so that a warp stores whole lines.
template <class Problem, bool kAreVectors_>
struct ExpandGeometry {
  static constexpr bool kAreVectors = kAreVectors_;
  static constexpr int kBytes = static_cast<int>(sizeof(typename Problem::Value));
  static constexpr int kVectorItems = kBytes == 1 ? 8 : 16 % kBytes == 0 ? 16 / kBytes : kBytes <= 4 ? 4 : 1;
  static constexpr int kVectors = TunedSegmentedReduce::kExpandVectors;
  static constexpr int kTileItems = 32 * kVectors * kVectorItems;
  using Marks = std::uint32_t[kTileItems];
};

template <class Problem, class Geometry>
class ExpandTile {
  using Value = typename Problem::Value;
  static constexpr int kItems = Geometry::kVectorItems;
  struct alignas(Geometry::kAreVectors ? kItems * sizeof(Value) : alignof(Value)) Pack {
    Value elements[kItems];
  };
  static constexpr std::uint64_t kNever = ~std::uint64_t(0);

public:
  __device__ __forceinline__ ExpandTile(const Problem &problem, std::uint64_t runs, std::uint64_t total, std::uint32_t *marks)
      : problem_(problem), runs_(runs), total_(total), marks_(marks) {
    for (int i = lane_id(); i < Geometry::kTileItems; i += 32) {
      marks_[i] = 0;
    }
    __syncwarp();
  }

  // Tiles [tile, end), of which the first begins in the first run that ends behind its begin.
  __device__ __forceinline__ void run(std::uint64_t tile, std::uint64_t end) {
    window_ = first_end_after(tile * Geometry::kTileItems);
    begin_of_window_ = window_ < runs_ ? problem_.offsets(window_) : kNever;
    lane_end_ = end_of(window_ + lane_id());
    lane_end_after_ = end_of(window_ + 32 + lane_id());
    for (; tile < end; ++tile) {
      const std::uint64_t begin = tile * Geometry::kTileItems, tile_end = min(begin + Geometry::kTileItems, total_);
      const std::uint64_t first = window_ + cursor_;
      const bool is_one = shuffle_from(lane_end_, cursor_) >= tile_end;
      mark_begins(begin, tile_end, first);
      if (is_one) {
        store_one(begin, tile_end, first);
      } else {
        store_marked(begin, tile_end, first);
      }
    }
  }

private:
  __device__ __forceinline__ std::uint64_t end_of(std::uint64_t run) const {
    return run < runs_ ? problem_.offsets(run + 1) : kNever;
  }
  // A step looks at 32 runs.
  __device__ __forceinline__ std::uint64_t first_end_after(std::uint64_t position) const {
    std::uint64_t low = 0, high = runs_;
    while (low < high) {
      const std::uint64_t step = (high - low + 31) / 32;
      const std::uint64_t at = low + static_cast<std::uint64_t>(lane_id()) * step;
      const int before = __popc(__ballot_sync(kAllLanes, at < high && end_of(at) <= position));
      if (before == 0) {
        return low;
      }
      high = min(high, low + before * step);
      low += (before - 1) * step + 1;
    }
    return low;
  }

  // Marks where runs begin in the tile, behind its first one, and goes on behind the runs that end in it.
  __device__ __forceinline__ void mark_begins(std::uint64_t begin, std::uint64_t tile_end, std::uint64_t first) {
    for (;;) {
      const std::uint64_t lower_end = shuffle_up(lane_end_, 1);
      const std::uint64_t run_begin = lane_id() == 0 ? begin_of_window_ : lower_end;
      if (lane_id() >= cursor_ && run_begin > begin && run_begin < tile_end && run_begin < lane_end_) {
        marks_[run_begin - begin] = static_cast<std::uint32_t>(window_ + lane_id() - first);
      }
      cursor_ += __popc(__ballot_sync(kAllLanes, lane_id() >= cursor_ && lane_end_ <= tile_end));
      if (cursor_ < 32) {
        break;
      }
      // The ends of the next 32 runs were loaded ahead; further loads follow.
      cursor_ = 0;
      window_ += 32;
      begin_of_window_ = shuffle_from(lane_end_, 31);
      lane_end_ = lane_end_after_;
      lane_end_after_ = end_of(window_ + 32 + lane_id());
    }
    __syncwarp();
  }

  __device__ __forceinline__ void store_one(std::uint64_t begin, std::uint64_t tile_end, std::uint64_t run) const {
    const Value value = problem_.values[run];
    Pack pack;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      pack.elements[i] = value;
    }
#pragma unroll
    for (int v = 0; v < Geometry::kVectors; ++v) {
      store(pack, begin + (v * 32 + lane_id()) * kItems, tile_end);
    }
  }

  __device__ __forceinline__ void store_marked(std::uint64_t begin, std::uint64_t tile_end, std::uint64_t first) {
    std::uint32_t before = 0;  // the run at the end of the vectors before
    Pack packs[Geometry::kVectors];
#pragma unroll
    for (int v = 0; v < Geometry::kVectors; ++v) {
      std::uint32_t runs[kItems], most = 0;
      take_marks(marks_ + (v * 32 + lane_id()) * kItems, runs);
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        most = max(most, runs[i]);
      }
      most = max(before, warp_inclusive<32>(most, maximum{}));
      std::uint32_t run = shuffle_up(most, 1);
      run = lane_id() == 0 ? before : run;
      before = shuffle_from(most, 31);
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        run = max(run, runs[i]);
        packs[v].elements[i] = problem_.values[first + run];
      }
    }
    __syncwarp();
#pragma unroll
    for (int v = 0; v < Geometry::kVectors; ++v) {
      store(packs[v], begin + (v * 32 + lane_id()) * kItems, tile_end);
    }
  }

  // The marks are 0 again for the next tile.
  __device__ __forceinline__ static void take_marks(std::uint32_t *marks, std::uint32_t (&runs)[kItems]) {
    if constexpr (kItems % 4 == 0) {
#pragma unroll
      for (int i = 0; i < kItems; i += 4) {
        auto *const vector = reinterpret_cast<uint4 *>(marks + i);
        const uint4 four = *vector;
        *vector = make_uint4(0, 0, 0, 0);
        runs[i] = four.x;
        runs[i + 1] = four.y;
        runs[i + 2] = four.z;
        runs[i + 3] = four.w;
      }
    } else {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        runs[i] = marks[i];
        marks[i] = 0;
      }
    }
  }

  __device__ __forceinline__ void store(const Pack &pack, std::uint64_t at, std::uint64_t tile_end) const {
    if constexpr (Geometry::kAreVectors) {
      if (at + kItems <= tile_end) {
        *reinterpret_cast<Pack *>(problem_.output + at) = pack;
        return;
      }
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (at + i < tile_end) {
        problem_.output[at + i] = pack.elements[i];
      }
    }
  }

  const Problem &problem_;
  std::uint64_t runs_, total_;
  std::uint32_t *marks_;
  // The first of the 32 runs whose ends the lanes hold; `cursor_` of them have ended already.
  std::uint64_t window_ = 0;
  int cursor_ = 0;
  std::uint64_t begin_of_window_ = 0;
  std::uint64_t lane_end_ = 0, lane_end_after_ = 0;  // lane_end_after_: of the next 32
};

template <class Problem, class Geometry>
__global__ void __launch_bounds__(TunedSegmentedReduce::kThreads, 3) expand_kernel(const __grid_constant__ Problem problem) {
  __shared__ __align__(16) typename Geometry::Marks marks[kSegmentWarps];
  const std::uint64_t runs = problem.segments.get();
  const std::uint64_t total = runs > 0 ? problem.offsets(runs) : 0;
  const std::uint64_t tiles = (total + Geometry::kTileItems - 1) / Geometry::kTileItems;
  const std::uint64_t each = (tiles + kShares - 1) / kShares;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const std::uint64_t first = (blockIdx.x * std::uint64_t(kSegmentWarps) + warp) * each;
  if (first < tiles) {
    ExpandTile<Problem, Geometry>(problem, runs, total, marks[warp]).run(first, min(first + each, tiles));
  }
  if (problem.total != nullptr && blockIdx.x == 0 && threadIdx.x == 0) {
    *problem.total = static_cast<std::remove_reference_t<decltype(*problem.total)>>(total);
  }
}

}  // namespace upsweep::cuda::detail
