// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a checked request to the launch of a compaction.
#pragma once

#include <upsweep/cuda/device/arguments.cuh>
#include <upsweep/cuda/device/compact_work.cuh>

namespace upsweep::cuda::detail {

template <class Problem>
struct CompactTuning {
  static constexpr int kRows = rows_of_warp(std::max(sizeof(typename Problem::In), sizeof(typename Problem::Out)));
#ifndef UPSWEEP_COMPACT_WARPS
#define UPSWEEP_COMPACT_WARPS 8
#define UPSWEEP_COMPACT_ROWS 1
#define UPSWEEP_COMPACT_BULK true
#endif
  // Totals of over 4 bytes take more registers.
  static constexpr int kWarps = sizeof(typename Problem::Element) > 4 ? 6 : UPSWEEP_COMPACT_WARPS;

  template <bool kBulk>
  using Geometry = CompactGeometry<Problem, kWarps, UPSWEEP_COMPACT_ROWS * kRows, kBulk, kBulk && UPSWEEP_COMPACT_BULK>;
  static_assert(32 * kRows >=
                static_cast<int>(fewest_warp_items(std::max(sizeof(typename Problem::In), sizeof(typename Problem::Out)))));
};

template <class Problem>
bool can_load_in_bulk(const Problem &problem) {
  using Mark = typename Problem::Segments::Mark;
  if constexpr (!is_contiguous<typename Problem::Input> || sizeof(Mark) > 16 || 16 % sizeof(Mark) != 0) {
    return false;
  } else if constexpr (Problem::Segments::kMarked) {
    return is_vector_aligned(problem.input) && is_vector_aligned(problem.segments.marks);
  } else {
    return 16 % sizeof(typename Problem::In) == 0 ? is_element_aligned(problem.input) : is_vector_aligned(problem.input);
  }
}

template <class Problem>
cudaError_t launch_compaction(const Problem &problem, std::uint64_t most, cudaStream_t stream) {
  DeviceLimits limits;
  const cudaError_t error = DeviceLimits::of_current(limits);
  if (error != cudaSuccess) {
    return error;
  }
  using Tuning = CompactTuning<Problem>;
  if constexpr (is_contiguous<typename Problem::Input>) {
    if (limits.major >= 9 && can_load_in_bulk(problem)) {
      // The first tile may begin with places before the first element.
      return launch_scan<Problem, typename Tuning::template Geometry<true>>(problem, most > 0 ? most + 15 : 0, limits, stream);
    }
  }
  return launch_scan<Problem, typename Tuning::template Geometry<false>>(problem, most, limits, stream);
}

// What compactions need of their arguments, and the launch.
template <Rejects kRejects, class In, class Out, class Rejected, class Keep, class Number>
cudaError_t compact(const workspace &space, In in, Out out, Rejected rejected, Number *kept, Count count, Keep keep,
                    cudaStream_t stream) {
  using Problem = CompactProblem<In, Out, Rejected, Keep, Number, kRejects>;
  static_assert(std::is_trivially_copyable_v<typename Problem::In> && sizeof(typename Problem::In) <= 64,
                "elements must be trivially copyable and of at most 64 bytes");
  if (count.most > kMostElements || count.is_null || kept == nullptr ||
      (count.most > 0 && (is_null(in) || is_null(out) || is_null(rejected)))) {
    return cudaErrorInvalidValue;
  }
  if constexpr (Keep::kMarked) {
    if (count.most > 0 && keep.marks == nullptr) {
      return cudaErrorInvalidValue;
    }
  }
  const std::size_t needed = words_workspace_bytes(count.most, sizeof(typename Problem::Element),
                                                   std::max(sizeof(typename Problem::In), sizeof(typename Problem::Out)));
  if (is_pool(space)) {
    return with_pool_workspace(needed, stream, [&](const workspace &own) {
      return compact<kRejects>(own, in, out, rejected, kept, count, keep, stream);
    });
  }
  if (space.data == nullptr || !is_vector_aligned(space.data) || space.bytes < needed) {
    return cudaErrorInvalidValue;
  }
  auto *bytes = static_cast<unsigned char *>(space.data);
  const Problem problem{in,
                        out,
                        rejected,
                        {count.most, count.pointer},
                        {},
                        {},
                        kept,
                        keep,
                        reinterpret_cast<ScanState *>(bytes),
                        reinterpret_cast<TileWord<typename Problem::Element> *>(bytes + kStateBytes),
                        space.bytes - kStateBytes};
  return launch_compaction(problem, count.most, stream);
}

}  // namespace upsweep::cuda::detail
