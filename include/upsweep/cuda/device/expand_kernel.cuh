// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel that writes the elements of runs: warps have equal shares of the results, whatever the runs, tile by tile. In a
// tile of one run all results are the same; in others the places at which runs begin are marked, and each result has the last
// mark before it.
#pragma once

#include <upsweep/cuda/device/reduce_segments_kernel.cuh>

namespace upsweep::cuda::detail {

// Where runs end, by an inclusive sum of their lengths. The highest bit tells them from the words of calls that have the same
// workspace.
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

template <class Problem, bool kVectors_>
struct ExpandGeometry {
  static constexpr bool kVectors = kVectors_;
  static constexpr int kBytes = static_cast<int>(sizeof(typename Problem::Value));
  static constexpr int kItems = kBytes <= 4 ? 16 : kBytes <= 8 ? 8 : 4;  // of a lane
  static constexpr int kTileItems = 32 * kItems;
  static constexpr int kMarksOfLane = kItems + 4;  // so that eight lanes meet in no bank
  using Marks = std::uint32_t[32 * kMarksOfLane];
};

template <class Problem, class Geometry>
class ExpandTile {
  using Value = typename Problem::Value;
  static constexpr int kItems = Geometry::kItems;

public:
  __device__ __forceinline__ ExpandTile(const Problem &problem, std::uint64_t runs, std::uint64_t total, std::uint32_t *marks)
      : problem_(problem), runs_(runs), total_(total), marks_(marks) {
#pragma unroll
    for (int i = 0; i < Geometry::kMarksOfLane; ++i) {
      marks_[i * 32 + lane_id()] = 0;
    }
    __syncwarp();
  }

  // Tiles [tile, end), of which the first begins in the first run that ends behind it.
  __device__ __forceinline__ void run(std::uint64_t tile, std::uint64_t end) {
    run_ = first_end_after(tile * Geometry::kTileItems);
    for (; tile < end; ++tile) {
      const std::uint64_t begin = tile * Geometry::kTileItems, tile_end = min(begin + Geometry::kTileItems, total_);
      if (end_of(run_) >= tile_end) {
        store_one(begin, tile_end);
        if (end_of(run_) == tile_end) {
          skip_ended(tile_end);
        }
      } else {
        const std::uint64_t first = run_;
        mark_begins(begin, tile_end);
        store_marked(begin, tile_end, first);
      }
    }
  }

private:
  __device__ __forceinline__ std::uint64_t end_of(std::uint64_t run) const {
    return run < runs_ ? problem_.offsets(run + 1) : ~std::uint64_t(0);
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
  // Behind a tile: the next one begins in the first run that ends behind it.
  __device__ __forceinline__ void skip_ended(std::uint64_t position) {
    int ended;
    do {
      ended = __popc(__ballot_sync(kAllLanes, end_of(run_ + lane_id()) <= position));
      run_ += ended;
    } while (ended == 32);
  }

  // Runs that begin in the tile, behind its first one.
  __device__ __forceinline__ void mark_begins(std::uint64_t begin, std::uint64_t tile_end) {
    const std::uint64_t first = run_;
    int ended;
    do {
      const std::uint64_t run = run_ + lane_id();
      const std::uint64_t run_end = end_of(run);
      const std::uint64_t run_begin = run < runs_ ? problem_.offsets(run) : ~std::uint64_t(0);
      if (run_begin > begin && run_begin < tile_end && run_begin < run_end) {
        const int place = static_cast<int>(run_begin - begin);
        marks_[place / kItems * Geometry::kMarksOfLane + place % kItems] = static_cast<std::uint32_t>(run - first);
      }
      ended = __popc(__ballot_sync(kAllLanes, run_end <= tile_end));
      run_ += ended;
    } while (ended == 32);
    __syncwarp();
  }

  __device__ __forceinline__ void store_one(std::uint64_t begin, std::uint64_t tile_end) const {
    const Value value = problem_.values[run_];
    Slice<Value, kItems> slice;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      slice.put(i, value);
    }
    store(slice, begin, tile_end);
  }

  __device__ __forceinline__ void store_marked(std::uint64_t begin, std::uint64_t tile_end, std::uint64_t first) {
    std::uint32_t runs[kItems];
    auto *const own = reinterpret_cast<uint4 *>(marks_ + lane_id() * Geometry::kMarksOfLane);
#pragma unroll
    for (int v = 0; v < kItems / 4; ++v) {
      const uint4 four = own[v];
      own[v] = make_uint4(0, 0, 0, 0);
      runs[4 * v] = four.x;
      runs[4 * v + 1] = four.y;
      runs[4 * v + 2] = four.z;
      runs[4 * v + 3] = four.w;
    }
    __syncwarp();
    std::uint32_t most = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      most = max(most, runs[i]);
    }
    most = warp_inclusive<32>(most, maximum{});
    std::uint32_t run = shuffle_up(most, 1);
    run = lane_id() == 0 ? 0 : run;
    Slice<Value, kItems> slice;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      run = max(run, runs[i]);
      slice.put(i, problem_.values[first + run]);
    }
    store(slice, begin, tile_end);
  }

  __device__ __forceinline__ void store(const Slice<Value, kItems> &slice, std::uint64_t begin, std::uint64_t tile_end) const {
    const std::uint64_t at = begin + lane_id() * kItems;
    if constexpr (Geometry::kVectors) {
      if (begin + Geometry::kTileItems <= tile_end) {
        slice.store(problem_.output + at);
        return;
      }
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (at + i < tile_end) {
        problem_.output[at + i] = slice.get(i);
      }
    }
  }

  const Problem &problem_;
  std::uint64_t runs_, total_;
  std::uint32_t *marks_;
  std::uint64_t run_ = 0;  // the first one that has not ended
};

template <class Problem, class Geometry>
__global__ void __launch_bounds__(kSegmentThreads) expand_kernel(const __grid_constant__ Problem problem) {
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
