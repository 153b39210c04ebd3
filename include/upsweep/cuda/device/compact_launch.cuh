// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a checked compaction.
#pragma once

#include <upsweep/cuda/device/arguments.cuh>
#include <upsweep/cuda/device/call_arrays.cuh>
#include <upsweep/cuda/device/compact_bytes.cuh>
#include <upsweep/cuda/device/compact_few_kernel.cuh>
#include <upsweep/cuda/device/compact_work.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/pipeline_launch.cuh>
#include <upsweep/cuda/device/tuning_compact.cuh>

namespace upsweep::cuda::detail {

template <class Problem>
struct CompactTuning {
  using In = typename Problem::In;
  using Keep = typename Problem::Segments;
  static constexpr std::size_t kLargest = std::max(sizeof(In), sizeof(typename Problem::Out));
  static constexpr std::size_t kMarkBytes = Keep::kMarked && !Keep::kIsMask ? sizeof(typename Keep::Mark) : 0;
  static constexpr bool kCombines = Problem::kRejects == Rejects::kCombined;
  static constexpr int kRows =
      rows_of_warp(std::max(kLargest, kMarkBytes), kCombines ? TunedCompact::kCombineWarpBytes : TunedCompact::kWarpBytes);
  static constexpr int kWarpBytes = 32 * kRows * static_cast<int>(kLargest + kMarkBytes);
  static constexpr int kWarps =
      std::clamp(TunedCompact::kTileBytes / kWarpBytes, 2, kCombines ? TunedCompact::kCombineWarps : TunedCompact::kWarps);
  // The workspace has a word for each tile.
  static_assert(32 * kRows * kWarps >= 2 * static_cast<int>(fewest_warp_items(kLargest)));

  static constexpr bool kIsOfBytes = sizeof(In) == 1 && sizeof(typename Problem::Out) == 1 && !Keep::kLooksBefore &&
                                     !Keep::kIsMask && sizeof(typename Keep::Mark) == 1 &&
                                     Problem::kRejects == Rejects::kDropped;
  template <bool kBulk>
  using Geometry =
      std::conditional_t<kIsOfBytes,
                         CompactBytesGeometry<Problem, TunedCompact::kBytesWarps, TunedCompact::kBytesVectors, kBulk, kBulk>,
                         CompactGeometry<Problem, kWarps, kRows, kBulk, kBulk>>;

  // The rows of a warp that holds them in registers, in arrays with a tile for each block.
  static constexpr int kFewRows = kLargest <= 8 ? TunedCompact::kFewRows : kLargest <= 16 ? TunedCompact::kFewRows / 2 : 1;
  static constexpr int kMoreRows = TunedCompact::kMoreRows / (kLargest <= 8 ? 1 : kLargest <= 16 ? 2 : 4);
};

template <class Problem>
bool can_load_in_bulk(const Problem &problem) {
  using Mark = typename Problem::Segments::Mark;
  if constexpr (!is_contiguous<typename Problem::Input> || !has_contiguous_marks<typename Problem::Segments>() ||
                sizeof(Mark) > 16 || 16 % sizeof(Mark) != 0) {
    return false;
  } else if constexpr (Problem::Segments::kMarked) {
    return is_vector_aligned(problem.input) && is_vector_aligned(problem.segments.marks);
  } else {
    return 16 % sizeof(typename Problem::In) == 0 ? is_element_aligned(problem.input) : is_vector_aligned(problem.input);
  }
}

// Whether the copy engine can load all such arrays, so that no other kernel is compiled. Structs and marks may be at addresses
// that it cannot load.
template <class Problem>
inline constexpr bool loads_always_in_bulk =
    has_always_copy_engine && is_contiguous<typename Problem::Input> && !Problem::Segments::kMarked &&
    16 % sizeof(typename Problem::In) == 0 && alignof(typename Problem::In) == sizeof(typename Problem::In);

// Launches a block for each tile; kNotThisWay if there are too many tiles.
template <class Problem, int kRows>
cudaError_t launch_compact_few(const Problem &problem, std::uint64_t most, cudaStream_t stream) {
  constexpr std::uint64_t kTileItems = TunedCompact::kFewThreads * kRows;
  const std::uint64_t blocks = std::max<std::uint64_t>((most + kTileItems - 1) / kTileItems, 1);
  if (blocks > kCompactFewBlocks) {
    return kNotThisWay;
  }
  return launch(compact_few_kernel<Problem, kRows>, static_cast<unsigned>(blocks), TunedCompact::kFewThreads, 0, stream,
                problem);
}

template <class Problem>
cudaError_t launch_pipeline(const Problem &problem, std::uint64_t most, cudaStream_t stream) {
  using Geometries = CompactTuning<Problem>;
  DeviceLimits limits;
  const cudaError_t error = DeviceLimits::of_current(limits);
  if (error != cudaSuccess) {
    return error;
  }
  if constexpr (is_contiguous<typename Problem::Input> && has_contiguous_marks<typename Problem::Segments>()) {
    if (limits.major >= 9 && can_load_in_bulk(problem)) {
      // The first tile may begin with places before the first element.
      return launch_pipeline<Problem, typename Geometries::template Geometry<true>>(problem, most > 0 ? most + 15 : 0, limits,
                                                                                    stream);
    }
  }
  if constexpr (loads_always_in_bulk<Problem>) {
    return cudaErrorMisalignedAddress;
  } else {
    return launch_pipeline<Problem, typename Geometries::template Geometry<false>>(problem, most, limits, stream);
  }
}

template <class Problem>
cudaError_t launch_compaction(const Problem &problem, std::uint64_t most, cudaStream_t stream) {
  using Geometries = CompactTuning<Problem>;
  cudaError_t error = launch_compact_few<Problem, Geometries::kFewRows>(problem, most, stream);
  if (error == kNotThisWay) {
    error = launch_compact_few<Problem, Geometries::kMoreRows>(problem, most, stream);
  }
  return error == kNotThisWay ? launch_pipeline(problem, most, stream) : error;
}

// Selections and runs may be in place, and so may the keys of calls by key. Partitions may not.
template <Rejects kRejects, class In, class Out, class Rejected, class Keep, class Number>
bool are_apart_of_compaction(In in, Out out, Rejected rejected, Number *kept, const Keep &keep, std::uint64_t n) {
  constexpr bool kIsPartition = kRejects == Rejects::kReversed || kRejects == Rejects::kSeparate;
  constexpr bool kHasKeys = kRejects == Rejects::kDroppedWithMarks;
  constexpr unsigned kOfInput = kIsPartition ? kApart : kTogether;
  CallArray marks;
  if constexpr (Keep::kMarked) {
    marks = reads(keep.marks, Keep::kIsMask ? n / 32 + (n % 32 != 0 ? 1 : 0) : n,
                  kHasKeys       ? kValuesTogether
                  : kIsPartition ? kApart
                                 : group_with_input(keep.marks, in));
  }
  const CallArray first = kRejects == Rejects::kReversed ? writes(out, n) : writes_some(out, n, kOfInput);
  return are_apart_in(
      {marks, reads(in, n, kOfInput), first, writes_some(rejected, n, kHasKeys ? kValuesTogether : kApart), writes(kept, 1)});
}

// Checks the arguments of compactions, and launches them.
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
    if (count.most > 0 && is_null(keep.marks)) {
      return cudaErrorInvalidValue;
    }
  }
  if (!are_apart_of_compaction<kRejects>(in, out, rejected, kept, keep, count.known())) {
    return cudaErrorInvalidValue;
  }
  const std::size_t needed = words_workspace_bytes(count.most, sizeof(typename Problem::Element),
                                                   std::max(sizeof(typename Problem::In), sizeof(typename Problem::Out)));
  return with_workspace(space, needed, stream, [&](const workspace &own) {
    auto *bytes = static_cast<unsigned char *>(own.data);
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
                          own.bytes - kStateBytes};
    if constexpr (kRejects == Rejects::kDroppedWithMarks) {
      return launch_pipeline(problem, count.most, stream);
    } else {
      return launch_compaction(problem, count.most, stream);
    }
  });
}

}  // namespace upsweep::cuda::detail
