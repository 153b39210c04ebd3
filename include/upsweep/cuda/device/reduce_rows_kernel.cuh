// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of reductions of rows that are whole vectors. As many lanes of a warp as a row keeps busy add up a row in steps,
// while the next step is loaded. Unlike the equal shares of reduce_segments_kernel.cuh, rows need no search, and no total stays
// open between warps.
#pragma once

#include <upsweep/cuda/device/reduce_segments_kernel.cuh>
#include <upsweep/cuda/device/tuning_segmented_reduce.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

// A lane's vectors of 16 bytes in a step: side by side, or interleaved among the row's lanes if the operator commutes.
template <class Problem>
class RowOfLanes {
  using T = typename Problem::T;
  using In = typename Problem::In;
  static constexpr int kItems = 16 / static_cast<int>(sizeof(In));
  static constexpr bool kAnyOrder = is_commutative<typename Problem::Op, T>;

public:
  static constexpr int kVectors = 4;
  static constexpr int kLaneItems = kVectors * kItems;

  // length  of a row, in vectors
  __device__ __forceinline__ RowOfLanes(const Problem &problem, std::uint64_t rows, std::uint64_t length, int lanes)
      : problem_(problem), rows_(rows), length_(length), lanes_(lanes), lane_(lane_id() & (lanes - 1)) {}

  // Step `step` of a row; a row behind the last has no elements.
  __device__ __forceinline__ void load(std::uint64_t row, std::uint64_t step) {
    first_ = step * static_cast<std::uint64_t>(lanes_ * kVectors);
    row_ = row;
    const std::uint64_t end = row < rows_ ? length_ : 0;
    const auto left = end > first_ ? end - first_ : 0;
    vectors_ = static_cast<int>(left < static_cast<std::uint64_t>(lanes_ * kVectors) ? left : lanes_ * kVectors);
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      if (place_of(v) < vectors_) {
        slices_[v].load(problem_.input + index_of(v));
      }
    }
  }

  // Adds the step to the totals of lanes, or in order to the row's total, which its lane 0 has.
  __device__ __forceinline__ void add_to(T &total, bool &has_total) const {
    if constexpr (kAnyOrder) {
      if (place_of(0) < vectors_) {
        total = combined(has_total, total, total_of_lane(), problem_.op);
        has_total = true;
      }
    } else {
      T all{};
      if (place_of(0) < vectors_) {
        all = total_of_lane();
      }
      all = total_of_lanes(all, (vectors_ + kVectors - 1) / kVectors);
      total = combined(has_total, total, all, problem_.op);
      has_total = true;
    }
  }
  // The row's total, in its lane 0, after its last step.
  __device__ __forceinline__ T total_of_row(const T &total) const {
    if constexpr (kAnyOrder) {
      return total_of_lanes(total, static_cast<int>(length_ < static_cast<std::uint64_t>(lanes_) ? length_ : lanes_));
    } else {
      return total;
    }
  }
  __device__ __forceinline__ bool is_first_lane() const { return lane_ == 0; }
  // Takes the step that another object has loaded.
  __device__ __forceinline__ void take(const RowOfLanes &other) {
    row_ = other.row_;
    first_ = other.first_;
    vectors_ = other.vectors_;
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      slices_[v] = other.slices_[v];
    }
  }

private:
  // The vector's number in the step, and its first element in the array.
  __device__ __forceinline__ int place_of(int v) const { return kAnyOrder ? v * lanes_ + lane_ : lane_ * kVectors + v; }
  __device__ __forceinline__ std::uint64_t index_of(int v) const {
    return (row_ * length_ + first_ + static_cast<std::uint64_t>(place_of(v))) * kItems;
  }
  __device__ __forceinline__ T total_of_lane() const {
    T total = total_of_slice(problem_, slices_[0], index_of(0));
#pragma unroll
    for (int v = 1; v < kVectors; ++v) {
      if (place_of(v) < vectors_) {
        total = problem_.op(total, total_of_slice(problem_, slices_[v], index_of(v)));
      }
    }
    return total;
  }
  // The total of the first `count` lanes of the row, in its lane 0.
  __device__ __forceinline__ T total_of_lanes(T total, int count) const {
    for (int distance = 1; distance < lanes_; distance *= 2) {
      const T upper = shuffle_down(total, distance);
      if (lane_ + distance < count && (lane_ & (2 * distance - 1)) == 0) {
        total = problem_.op(total, upper);
      }
    }
    return total;
  }

  const Problem &problem_;
  std::uint64_t rows_, length_;
  int lanes_, lane_;
  std::uint64_t row_ = 0, first_ = 0;
  int vectors_ = 0;  // of the row's, in the step
  Slice<In, kItems> slices_[kVectors];
};

// lanes  of a row, a power of two: all lanes of a warp if a row has more than a step
template <class Problem>
__global__ void __launch_bounds__(TunedSegmentedReduce::kThreads, TunedSegmentedReduce::kRowsBlocks)
    reduce_rows_kernel(const __grid_constant__ Problem problem, const int lanes) {
  using T = typename Problem::T;
  using Row = RowOfLanes<Problem>;
  const std::uint64_t rows = problem.segments.get(), length = problem.offsets.length * sizeof(typename Problem::In) / 16;
  const auto step_vectors = static_cast<std::uint64_t>(lanes * Row::kVectors);
  const std::uint64_t steps = (length + step_vectors - 1) / step_vectors;
  const auto rows_of_warp = static_cast<std::uint64_t>(32 / lanes);
  const std::uint64_t rows_at_once = static_cast<std::uint64_t>(gridDim.x) * kSegmentWarps * rows_of_warp;
  const std::uint64_t warp = static_cast<std::uint64_t>(blockIdx.x) * kSegmentWarps + threadIdx.x / 32;
  std::uint64_t first = warp * rows_of_warp, step = 0;  // of the lanes' first row
  const auto own = static_cast<std::uint64_t>(lane_id() / lanes);
  Row now(problem, rows, length, lanes), next(problem, rows, length, lanes);
  now.load(first + own, 0);
  T total{};
  bool has_total = false;
  while (first < rows) {
    const bool is_last = step + 1 == steps;
    const std::uint64_t row = first + own;
    first += is_last ? rows_at_once : 0;
    step = is_last ? 0 : step + 1;
    next.load(first + own, step);
    now.add_to(total, has_total);
    if (is_last) {
      const T of_row = now.total_of_row(total);
      if (now.is_first_lane() && row < rows) {
        problem.store(row, of_row);
      }
      has_total = false;
    }
    now.take(next);
  }
}

}  // namespace upsweep::cuda::detail
