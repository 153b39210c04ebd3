// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means over boxes, of the four corners of each in an exclusive summed-area table.
#pragma once

#include <upsweep/cuda/device/scan_problem.cuh>

#include <cstdint>
#include <type_traits>

namespace upsweep::cuda {

// How far the box of a pixel reaches, by its depth: `strength` * |1 - focus / depth| pixels, at most `most`. 0 in the plane of
// focus, up to `strength` behind it, as the circle of confusion of a thin lens. NaNs are in focus.
template <class Depth>
struct circle_of_confusion {
  const Depth *depth;  // device pointer, a depth for each pixel: images x height x width
  float focus;
  float strength;
  std::uint64_t most;

  __host__ __device__ circle_of_confusion(const Depth *depths, float in_focus, float pixels, std::uint64_t at_most)
      : depth(depths), focus(in_focus), strength(pixels), most(at_most) {}

  __device__ __forceinline__ std::uint64_t operator()(std::uint64_t pixel) const {
    const float radius = strength * fabsf(1.0f - focus / static_cast<float>(depth[pixel]));
    if (!(radius > 0)) {
      return 0;
    }
    return radius < static_cast<float>(most) ? static_cast<std::uint64_t>(roundf(radius)) : most;
  }
};

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

// Sum    of the table; integers are unsigned, and Total is what a box's sum is taken for
// table  of each image, (height + 1) x (width + 1) pixels
template <class Sum_, class Total_, class Out_, class Radius_, int kChannels_>
struct BoxProblem {
  using Sum = Sum_;
  using Total = Total_;
  using Out = Out_;
  static constexpr int kChannels = kChannels_;

  const Sum *table;
  Out *output;
  Radius_ radius;
  std::uint64_t height, width;
  std::uint64_t table_pitch, table_stride, out_pitch, out_stride;
  std::uint32_t blocks_across, blocks_down;  // of an image
  ScanState *of_workspace;
};

inline constexpr int kBoxColumns = 32, kBoxRows = 8, kBoxSteps = 4;  // a thread has pixels in several rows

// As the CPU library has it: the product and the sum are rounded on their own.
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

template <class Problem>
__device__ __forceinline__ void filter_pixel(const Problem &problem, std::uint64_t image, std::uint64_t y, std::uint64_t x) {
  using Sum = typename Problem::Sum;
  constexpr int kChannels = Problem::kChannels;
  const std::uint64_t radius = problem.radius((image * problem.height + y) * problem.width + x);
  const std::uint64_t top = y > radius ? y - radius : 0, left = x > radius ? x - radius : 0;
  const std::uint64_t bottom = problem.height - y > radius ? y + radius + 1 : problem.height;
  const std::uint64_t right = problem.width - x > radius ? x + radius + 1 : problem.width;
  const double share = 1.0 / static_cast<double>((bottom - top) * (right - left));
  const Sum *const table = problem.table + image * problem.table_stride;
  const Sum *const above = table + top * problem.table_pitch, *const below = table + bottom * problem.table_pitch;
  Sum sums[kChannels];
#pragma unroll
  for (int k = 0; k < kChannels; ++k) {
    sums[k] = (below[right * kChannels + k] - below[left * kChannels + k]) -
              (above[right * kChannels + k] - above[left * kChannels + k]);
  }
  auto *const to = problem.output + image * problem.out_stride + y * problem.out_pitch + x * kChannels;
#pragma unroll
  for (int k = 0; k < kChannels; ++k) {
    to[k] = mean_of<typename Problem::Out>(static_cast<typename Problem::Total>(sums[k]), share);
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
