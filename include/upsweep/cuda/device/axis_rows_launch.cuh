// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How batches of whole rows are cut into stages, and the launch of their kernel.
#pragma once

#include <upsweep/cuda/device/axis_rows_kernel.cuh>
#include <upsweep/cuda/device/launch.cuh>

#include <algorithm>
#include <numeric>

namespace upsweep::cuda::detail {

// Measured on an H200 (docs/cuda-scan.md).
inline constexpr std::size_t kRowsStageBytes = 32 * 1024;
inline constexpr std::size_t kRowsBytesAhead = 64 * 1024;
inline constexpr std::size_t kMostRowBytes = 16 * 1024;
inline constexpr std::size_t kFewestBatchBytes = 8 * 1024;  // smaller stages take as long
// Blocks with a batch less than others wait for those. Kernels that exchange totals are faster where fewer blocks are busy than
// this share of them, in the mean; those that read element by element are slower even then.
inline constexpr double kFewestBusy = 0.8;
inline constexpr double kFewestBusyForElements = 0.25;

template <class Geometry>
RowsCut cut_rows(std::uint64_t batches, std::uint64_t length, std::uint64_t inner, std::size_t shared_bytes) {
  RowsCut cut;
  cut.batches = batches;
  cut.across = static_cast<int>(inner / Geometry::kColumns);
  cut.ranks = Geometry::kMayRank ? Geometry::kRoleThreads / cut.across : 1;
  const std::size_t ranks_bytes = static_cast<std::size_t>(cut.across) * Geometry::kPackBytes * cut.ranks;
  // Stages are whole vectors, and not much longer than a batch.
  const std::size_t unit = 16 / std::gcd(std::size_t(16), ranks_bytes);
  const std::size_t most = std::max<std::size_t>(kRowsStageBytes / (ranks_bytes * unit), 1);
  const std::uint64_t needed = (length + unit * cut.ranks - 1) / (unit * cut.ranks);
  cut.rank_rows = static_cast<int>(unit * std::min<std::uint64_t>(most, needed));
  const std::size_t stage_bytes = Geometry::stage_bytes(cut);
  cut.stages =
      static_cast<int>(std::min<std::size_t>((shared_bytes - Geometry::kHeaderBytes) / stage_bytes, Geometry::kMostStages));
  cut.loads_ahead = static_cast<int>(std::max<std::size_t>(kRowsBytesAhead / stage_bytes, 2));
  return cut;
}

template <class Problem, class Geometry>
cudaError_t launch_rows(const Problem &problem, const RowsCut &cut, unsigned blocks, cudaStream_t stream) {
  if (cut.stages < 2) {
    return cudaErrorInvalidConfiguration;
  }
  const auto kernel = axis_rows_kernel<Problem, Geometry>;
  const std::size_t shared = Geometry::kHeaderBytes + cut.stages * Geometry::stage_bytes(cut);
  const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
  if (error != cudaSuccess) {
    return error;
  }
  kernel<<<blocks, Geometry::kThreads, shared, stream>>>(problem, cut);
  return cudaGetLastError();
}

// Columns of a pack: as many as make a word.
template <class Problem>
inline constexpr int rows_columns = sizeof(typename Problem::In) < 4 ? 4 / static_cast<int>(sizeof(typename Problem::In)) : 1;

// Elements that the kernel is made for; totals of several words would take too many registers.
template <class Problem>
inline constexpr bool can_have_rows =
    is_contiguous<typename Problem::Input> && is_contiguous<typename Problem::Output> &&
    sizeof(typename Problem::In) == sizeof(typename Problem::Out) && 8 % sizeof(typename Problem::In) == 0 &&
    sizeof(typename Problem::T) * rows_columns<Problem> <= 16;

// Arrays without gaps as the copy engine can take them, with batches and rows of the right size.
template <class Problem>
bool lies_in_whole_rows(const Problem &problem) {
  const std::size_t row_bytes = problem.inner * sizeof(typename Problem::In);
  const auto is_dense = [&](const axis_strides &strides) {
    return strides.along == problem.inner && strides.batch == problem.length * problem.inner;
  };
  return is_dense(problem.in_strides) && is_dense(problem.out_strides) && is_vector_aligned(problem.input) &&
         is_vector_aligned(problem.output) && problem.length * row_bytes % 16 == 0 &&
         problem.length >= kFewestBatchBytes / row_bytes && row_bytes <= kMostRowBytes &&
         problem.inner % rows_columns<Problem> == 0 && problem.inner <= 1024 * rows_columns<Problem>;
}

// The same with enough batches for the GPU. `is_by_element` tells how the array would be read otherwise.
template <class Problem>
bool is_for_rows(const Problem &problem, const DeviceLimits &limits, bool is_by_element) {
  if constexpr (can_have_rows<Problem>) {
    const std::uint64_t batches = problem.rows / problem.length;
    const auto blocks = static_cast<std::uint64_t>(limits.multiprocessors);
    const std::uint64_t turns = (batches + blocks - 1) / blocks;
    const double fewest = (is_by_element ? kFewestBusyForElements : kFewestBusy) * static_cast<double>(turns * blocks);
    return limits.major >= 9 && lies_in_whole_rows(problem) && static_cast<double>(batches) >= fewest;
  } else {
    return false;
  }
}

template <class Problem, int kAcross, int kWarps>
cudaError_t launch_rows_of(const Problem &problem, const DeviceLimits &limits, cudaStream_t stream) {
  using Geometry = RowsGeometry<Problem, rows_columns<Problem>, kAcross, kWarps>;
  const std::uint64_t batches = problem.rows / problem.length;
  const RowsCut cut = cut_rows<Geometry>(batches, problem.length, problem.inner, limits.shared_bytes);
  const auto blocks = std::min(batches, static_cast<std::uint64_t>(limits.multiprocessors));
  return launch_rows<Problem, Geometry>(problem, cut, static_cast<unsigned>(blocks), stream);
}

template <class Problem>
cudaError_t launch_rows(const Problem &problem, const DeviceLimits &limits, cudaStream_t stream) {
  if constexpr (can_have_rows<Problem>) {
    return problem.inner <= 256 * rows_columns<Problem> ? launch_rows_of<Problem, 1, 8>(problem, limits, stream)
                                                        : launch_rows_of<Problem, 4, 8>(problem, limits, stream);
  } else {
    return cudaErrorInvalidConfiguration;
  }
}

}  // namespace upsweep::cuda::detail
