// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means over boxes, from the four corners of each box in an exclusive summed-area table.
#pragma once

#include <upsweep/common/box_filter.h>
#include <upsweep/cuda/device/call_state.cuh>

#include <cstdint>
#include <type_traits>

namespace upsweep::cuda {

using common::circle_of_confusion;

namespace detail {

struct RadiusOfAll {
  std::uint64_t most;

  __device__ __forceinline__ std::uint64_t operator()(std::uint64_t) const { return most; }
};

template <class Radius>
struct RadiusOfEach {
  const Radius *radii;
  std::uint64_t most;

  __device__ __forceinline__ std::uint64_t operator()(std::uint64_t pixel) const {
    const Radius radius = radii[pixel];
    return radius > Radius(0) ? static_cast<std::uint64_t>(radius) : 0;
  }
};

// Sum    the type of the table's elements; unsigned for integers
// Total  the type of a box's sum. If it has 128 bits, there are two tables, of the elements' lower and upper halves.
// table  the tables of all images, (height + 1) x (width + 1) pixels each
template <class Sum_, class Total_, class Out_, class Radius_, int kChannels_>
struct BoxProblem {
  using Sum = Sum_;
  using Total = Total_;
  using Out = Out_;
  static constexpr int kChannels = kChannels_;
  static constexpr bool kHasHalves = sizeof(Total) == 16;

  const Sum *table, *upper_table;
  Out *output;
  Radius_ radius;
  std::uint64_t height, width;
  std::uint64_t table_pitch, table_stride, out_pitch, out_stride;
  std::uint32_t blocks_across, blocks_down;  // of an image
  ScanState *of_workspace;
};

inline constexpr int kBoxColumns = 32, kBoxRows = 8, kBoxSteps = 4;  // a thread has pixels in several rows

// The product and the sum are rounded separately, as in the CPU library.
template <class Out, class Total>
__device__ __forceinline__ Out mean_of(Total total, double share) {
  const double mean = __dmul_rn(static_cast<double>(total), share);
  if constexpr (std::is_integral_v<Out>) {
    return static_cast<Out>(floor(__dadd_rn(mean, 0.5)));
  } else if constexpr (std::is_arithmetic_v<Out>) {
    return static_cast<Out>(mean);
  } else {
    return static_cast<Out>(static_cast<float>(mean));
  }
}

// The mean of 64-bit integers, which may be too large for doubles. A mean halfway between two integers becomes the greater one.
template <class Out, class Total>
__device__ __forceinline__ Out mean_of_halves(Total total, std::uint64_t count, double share) {
  if constexpr (std::is_integral_v<Out>) {
    const Total divisor = static_cast<Total>(count) * 2, dividend = total * 2 + static_cast<Total>(count);
    return static_cast<Out>(dividend / divisor - (dividend % divisor < 0 ? 1 : 0));
  } else {
    return mean_of<Out>(total, share);
  }
}

// The sum of channel k over a box of a table, from the corners above it and below.
template <class Sum>
__device__ __forceinline__ Sum box_sum(const Sum *above, const Sum *below, std::uint64_t left, std::uint64_t right) {
  return (below[right] - below[left]) - (above[right] - above[left]);
}

template <class Problem>
__device__ __forceinline__ void filter_pixel(const Problem &problem, std::uint64_t image, std::uint64_t y, std::uint64_t x) {
  constexpr int kChannels = Problem::kChannels;
  const std::uint64_t radius = problem.radius((image * problem.height + y) * problem.width + x);
  const std::uint64_t top = y > radius ? y - radius : 0, left = x > radius ? x - radius : 0;
  const std::uint64_t bottom = problem.height - y > radius ? y + radius + 1 : problem.height;
  const std::uint64_t right = problem.width - x > radius ? x + radius + 1 : problem.width;
  const std::uint64_t count = (bottom - top) * (right - left);
  const double share = 1.0 / static_cast<double>(count);
  const std::uint64_t above = image * problem.table_stride + top * problem.table_pitch;
  const std::uint64_t below = image * problem.table_stride + bottom * problem.table_pitch;
  using Total = typename Problem::Total;
  using Out = typename Problem::Out;
  Total sums[kChannels];
#pragma unroll
  for (int k = 0; k < kChannels; ++k) {
    const std::uint64_t l = left * kChannels + k, r = right * kChannels + k;
    sums[k] = static_cast<Total>(box_sum(problem.table + above, problem.table + below, l, r));
    if constexpr (Problem::kHasHalves) {
      using Upper = std::conditional_t<(Total(-1) < Total(0)), std::int64_t, std::uint64_t>;
      const auto upper = static_cast<Upper>(box_sum(problem.upper_table + above, problem.upper_table + below, l, r));
      sums[k] += static_cast<Total>(upper) * (static_cast<Total>(1) << 32);
    }
  }
  Out *const to = problem.output + image * problem.out_stride + y * problem.out_pitch + x * kChannels;
#pragma unroll
  for (int k = 0; k < kChannels; ++k) {
    if constexpr (Problem::kHasHalves) {
      to[k] = mean_of_halves<Out>(sums[k], count, share);
    } else {
      to[k] = mean_of<Out>(sums[k], share);
    }
  }
}

template <class Problem>
__global__ void __launch_bounds__(kBoxColumns *kBoxRows) box_filter_kernel(const __grid_constant__ Problem problem) {
  spoil_workspace(problem.of_workspace);
  const std::uint32_t row_of_blocks = blockIdx.x / problem.blocks_across;
  const std::uint32_t image = row_of_blocks / problem.blocks_down;
  const std::uint64_t x =
      std::uint64_t(blockIdx.x - row_of_blocks * problem.blocks_across) * kBoxColumns + threadIdx.x % kBoxColumns;
  std::uint64_t y =
      std::uint64_t(row_of_blocks - image * problem.blocks_down) * (kBoxRows * kBoxSteps) + threadIdx.x / kBoxColumns;
  if (x >= problem.width) {
    return;
  }
#pragma unroll
  for (int step = 0; step < kBoxSteps; ++step, y += kBoxRows) {
    if (y < problem.height) {
      filter_pixel(problem, image, y, x);
    }
  }
}

}  // namespace detail

}  // namespace upsweep::cuda
