// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a checked scan: chooses the kernel, and the numbers of blocks and stages.
#pragma once

#include <upsweep/cuda/device/arguments.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/pipeline_launch.cuh>
#include <upsweep/cuda/device/scan_few_kernel.cuh>
#include <upsweep/cuda/device/scan_geometry.cuh>
#include <upsweep/cuda/device/scan_work.cuh>
#include <upsweep/cuda/device/segment_list_kernel.cuh>
#include <upsweep/cuda/device/tuning_pipeline.cuh>
#include <upsweep/cuda/device/tuning_scan.cuh>
#include <upsweep/cuda/workspace.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace upsweep::cuda::detail {

template <class Problem>
struct ScanTuning {
  using In = typename Problem::In;
  using Segments = typename Problem::Segments;
  static constexpr bool kHasLargerTotals = sizeof(typename Problem::T) > 8;
  static constexpr ScanRecord kRecord = TunedScan::kScan[kHasLargerTotals ? 2 : sizeof(typename Problem::Element) > 4 ? 1 : 0];
  static constexpr int kVectors =
      Segments::kSegmented && sizeof(In) == 1 ? TunedScan::kVectorsOfSegmentedBytes : kRecord.vectors;
  static constexpr int kItems = items_for(sizeof(In), sizeof(typename Problem::Out), kVectors);
  static constexpr int kWarpBytes =
      32 * kItems * static_cast<int>(sizeof(In) + (Segments::kMarked ? sizeof(typename Segments::Mark) : 0));
  static constexpr int kFitting = TunedPipeline::kTileBytes / kWarpBytes;
  static constexpr int kWarps = std::clamp(kFitting, 2, kRecord.most_warps);

  // The workspace has a word for each tile.
  static_assert(kItems >= static_cast<int>(fewest_items(Problem::kLargest)) && kWarps >= 2);
  static_assert(!Segments::kListed ||
                kItems >= static_cast<int>(fewest_items_of_heads(Problem::kLargest)) * (kItems <= 32 ? 1 : 2));

  template <bool kBulk, bool kMayLead = false>
  using Geometry = ScanGeometry<Problem, kWarps, kVectors, kBulk, kBulk, kMayLead>;
};

template <class Problem, class Geometry>
cudaError_t launch_few(const Problem &problem, std::uint64_t places, cudaStream_t stream) {
  const auto blocks =
      static_cast<unsigned>(std::max<std::uint64_t>((places + Geometry::kTileItems - 1) / Geometry::kTileItems, 1));
  // The last word of the blocks' group is behind all others.
  const std::uint32_t words_end =
      Geometry::Words::place(std::min(blocks, 4u) - 1) + (blocks + 3) / 4 * Geometry::Words::kLaneStep;
  if (words_end * sizeof(TileWord<typename Problem::T>) > problem.words_bytes) {
    return kNotThisWay;
  }
  return launch(scan_few_kernel<Problem, Geometry>, blocks, Geometry::kThreads, 0, stream, problem);
}

// Whether the pipeline can take the arrays of a problem as whole vectors from any begin on (sm_90 and newer).
template <class Problem>
bool can_begin_there(const Problem &problem) {
  if constexpr (can_begin_anywhere<Problem>) {
    return is_element_aligned(problem.input) && is_element_aligned(problem.output);
  } else {
    return false;
  }
}

template <class Problem, FewAccess kAccess>
cudaError_t launch_few(const Problem &problem, std::uint64_t most, cudaStream_t stream) {
  using Short = FewGeometry<Problem, TunedScan::kFewThreads, 1, kAccess>;
  using Long = FewGeometry<Problem, TunedScan::kFewThreads, TunedScan::kFewRows, kAccess>;
  std::uint64_t places = most;
  if constexpr (Short::kVectors) {
    // The places without elements before the first one; backward they depend on the count, which may be known later.
    const auto past = reinterpret_cast<std::uintptr_t>(problem.input) % 16 / sizeof(typename Problem::In);
    places += Problem::kBackward ? Short::kItems - 1 : past;
  }
  if (places <= TunedScan::kOneRowBlocks * static_cast<std::uint64_t>(Short::kTileItems)) {
    return launch_few<Problem, Short>(problem, places, stream);
  }
  if (places <= kFewBlocks * static_cast<std::uint64_t>(Long::kTileItems)) {
    return launch_few<Problem, Long>(problem, places, stream);
  }
  // Longer rows are faster than the pipeline if sums go first.
  if constexpr (Short::kVectors && adds_in_any_order<Problem>) {
    using Longer = FewGeometry<Problem, TunedScan::kFewThreads, TunedScan::kLongerRows, kAccess>;
    if (places <= kFewBlocks * static_cast<std::uint64_t>(Longer::kTileItems)) {
      return launch_few<Problem, Longer>(problem, places, stream);
    }
  }
  return kNotThisWay;
}

// Whether blocks may read the elements before their tiles while others store: the scan must write nothing that it reads.
template <class Problem>
bool may_read_before(const Problem &problem, std::uint64_t count) {
  constexpr std::size_t kBytes = sizeof(typename Problem::T);
  bool may = !overlap(problem.input, count * sizeof(typename Problem::In), problem.output, 1);
  if constexpr (Problem::kTotal) {
    may = may && !overlap(problem.input, count * sizeof(typename Problem::In), problem.total, kBytes) &&
          !overlap(problem.initial.pointer, kBytes, problem.total, kBytes);
  }
  return may;
}

// The most blocks that read all elements before their tiles faster than totals travel between blocks. There may be twice as
// many if threads may read side by side, and vectors have few elements.
template <class Problem, class Geometry>
inline constexpr int most_reading_blocks =
    adds_in_any_order<Problem> && Geometry::kItems <= 4 ? 2 * TunedScan::kReadingBlocks : TunedScan::kReadingBlocks;

// All vectors before a tile are whole: there are no places without elements before the first one.
template <class Problem>
cudaError_t launch_few_reading(const Problem &problem, std::uint64_t count, cudaStream_t stream) {
  using OfOneRow = FewGeometry<Problem, TunedScan::kFewThreads, 1, FewAccess::kVectors>;
  constexpr int kMost = most_reading_blocks<Problem, OfOneRow>;
  using Geometry = FewGeometry<Problem, TunedScan::kFewThreads, 1, FewAccess::kVectors, kMost - 1>;
  const std::uint64_t blocks = (count + Geometry::kTileItems - 1) / Geometry::kTileItems;
  if (problem.count.pointer != nullptr || !is_vector_aligned(problem.input + (Problem::kBackward ? count : 0)) || blocks == 0 ||
      blocks > kMost || (blocks > 1 && !may_read_before(problem, count))) {
    return kNotThisWay;
  }
  return launch(scan_few_kernel<Problem, Geometry>, static_cast<unsigned>(blocks), Geometry::kThreads, 0, stream, problem);
}

// Launches with vectors, if possible.
template <class Problem>
cudaError_t launch_few_as_vectors(const Problem &problem, std::uint64_t most, cudaStream_t stream) {
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  if constexpr (is_contiguous<typename Problem::Input> && is_contiguous<typename Problem::Output> &&
                sizeof(In) == sizeof(Out) && 16 % sizeof(In) == 0) {
    if (is_element_aligned(problem.input) && is_element_aligned(problem.output)) {
      const cudaError_t error = launch_few_reading(problem, most, stream);
      return error != kNotThisWay ? error : launch_few<Problem, FewAccess::kVectors>(problem, most, stream);
    }
    // Pointers to structs alone may lie otherwise, and no kernel need be compiled for others.
    if constexpr (alignof(In) == sizeof(In) && alignof(Out) == sizeof(Out)) {
      return kNotThisWay;
    } else {
      return launch_few<Problem, FewAccess::kElements>(problem, most, stream);
    }
  } else {
    return launch_few<Problem, FewAccess::kElements>(problem, most, stream);
  }
}

// The heads of segments, for a scan of `count` elements. The workspace has the bytes for them (scan_call.cuh).
template <class Geometry, class Offset>
cudaError_t list_heads(const ByOffset<Offset> &segments, std::uint64_t count, cudaStream_t stream) {
  using HeadBits = typename Geometry::Heads;
  const std::uint64_t slices = (count + Geometry::kTileItems - 1) / Geometry::kTileItems * Geometry::kSlices;
  constexpr std::uint64_t kRangeSlices = ListGeometry<Geometry::kItems, HeadBits>::kRangeSlices;
  const std::uint64_t all_ranges = (slices + kRangeSlices - 1) / kRangeSlices;
  const int ranges = static_cast<int>(
      std::clamp<std::uint64_t>((all_ranges + TunedScan::kListBlocks - 1) / TunedScan::kListBlocks, 1, TunedScan::kMostRanges));
  return launch(list_heads_kernel<Geometry::kItems, HeadBits, Offset>,
                static_cast<unsigned>((all_ranges + ranges - 1) / ranges), TunedScan::kListThreads, 0, stream, segments.offsets,
                segments.segments, static_cast<HeadBits *>(segments.heads), slices, ranges,
                slices * sizeof(HeadBits) <= TunedScan::kKeptBytes);
}

template <bool kReproducible, class Problem>
cudaError_t launch_scan(const Problem &problem, std::uint64_t most, cudaStream_t stream) {
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  using Mark = typename Problem::Segments::Mark;
  constexpr bool kContiguous = is_all_contiguous<Problem>;
  if constexpr (!Problem::Segments::kSegmented && !kReproducible) {
    const cudaError_t error = launch_few_as_vectors(problem, most, stream);
    if (error != kNotThisWay) {
      return error;
    }
  }
  DeviceLimits limits;
  const cudaError_t error = DeviceLimits::of_current(limits);
  if (error != cudaSuccess) {
    return error;
  }
  if constexpr (kContiguous && sizeof(Mark) <= 16 && 16 % sizeof(Mark) == 0) {
    // Arrays that begin at vectors have a separate kernel if other arrays have none, or if the general kernel is slower.
    if constexpr (!can_begin_anywhere<Problem> || is_of_bytes<Problem>) {
      if (limits.major >= 9 && can_copy_in_bulk(problem, most, problem.count.pointer == nullptr)) {
        return launch_pipeline<Problem, typename ScanTuning<Problem>::template Geometry<true>>(problem, most, limits, stream);
      }
    }
    if constexpr (can_begin_anywhere<Problem>) {
      // The begins of tiles depend on the input's address, and so do sums that are not exact.
      if (limits.major >= 9 && (!kReproducible || is_vector_aligned(problem.input)) && can_begin_there(problem)) {
        return launch_pipeline<Problem, typename ScanTuning<Problem>::template Geometry<true, true>>(problem, most, limits,
                                                                                                     stream);
      }
    }
  }
  // Pointers to structs alone may lie otherwise, and no kernel need be compiled for others.
  if constexpr (has_always_copy_engine && can_begin_anywhere<Problem> && !kReproducible && alignof(In) == sizeof(In) &&
                alignof(Out) == sizeof(Out)) {
    return cudaErrorMisalignedAddress;
  } else {
    return launch_pipeline<Problem, typename ScanTuning<Problem>::template Geometry<false>>(problem, most, limits, stream);
  }
}

}  // namespace upsweep::cuda::detail
