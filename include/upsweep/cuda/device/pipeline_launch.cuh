// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of the pipeline (pipeline_kernel.cuh): of scans, compactions and recurrences.
#pragma once

#include <upsweep/cuda/device/arguments.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/pipeline_kernel.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace upsweep::cuda::detail {

// Whether marks, if there are any, are in memory.
template <class Segments>
constexpr bool has_contiguous_marks() {
  if constexpr (Segments::kMarked) {
    return is_contiguous<std::remove_cv_t<decltype(Segments::marks)>>;
  } else {
    return true;
  }
}
template <class Problem>
inline constexpr bool is_all_contiguous = is_contiguous<typename Problem::Input> && is_contiguous<typename Problem::Output> &&
                                          has_contiguous_marks<typename Problem::Segments>();

// Whether the copy engine can load and store the arrays of a problem of `count` elements (if that is known).
template <class Problem>
bool can_copy_in_bulk(const Problem &problem, std::uint64_t count, bool is_known) {
  if constexpr (is_all_contiguous<Problem>) {
    bool can = is_vector_aligned(problem.input) && is_vector_aligned(problem.output);
    if constexpr (Problem::kBackward) {
      can =
          can && is_known && count * sizeof(typename Problem::In) % 16 == 0 && count * sizeof(typename Problem::Out) % 16 == 0;
    }
    if constexpr (Problem::Segments::kMarked) {
      can = can && is_vector_aligned(problem.segments.marks);
    }
    return can;
  } else {
    return false;
  }
}

template <class Problem, class Geometry>
cudaError_t launch_pipeline(const Problem &problem, std::uint64_t most, const DeviceLimits &limits, cudaStream_t stream) {
  const auto space = static_cast<std::size_t>(limits.shared_bytes);
  const std::size_t fixed = Geometry::shared_bytes(0);
  const int stages = static_cast<int>(
      std::min<std::size_t>(space > fixed ? (space - fixed) / Geometry::kStageBytes : 0, Geometry::kMostStages));
  if (stages < Geometry::kFewestStages) {
    return cudaErrorInvalidConfiguration;
  }
  const auto kernel = pipeline_kernel<Problem, Geometry>;
  const std::size_t shared = Geometry::shared_bytes(stages);
  const cudaError_t error = allow_shared_memory<std::pair<Problem, Geometry>>(kernel, limits);
  if (error != cudaSuccess) {
    return error;
  }
  const std::uint64_t tiles = (most + Geometry::kTileItems - 1) / Geometry::kTileItems;
  const auto blocks = static_cast<unsigned>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(limits.multiprocessors), std::max<std::uint64_t>(tiles, 1)));
  // The preceding kernel makes the heads of segments.
  const auto attribute = Geometry::kListed && Geometry::kBulkIn ? early() : cudaLaunchAttribute{};
  return launch_with(attribute, kernel, blocks, Geometry::kThreads, shared, stream, problem, stages);
}

}  // namespace upsweep::cuda::detail
