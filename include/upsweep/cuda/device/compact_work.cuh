// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compaction's work in the pipeline: the reducers find which elements are kept and count them; then the finishers pack them
// in shared memory and store them.
#pragma once

#include <upsweep/cuda/device/compact_results.cuh>
#include <upsweep/cuda/device/pipeline_kernel.cuh>

namespace upsweep::cuda::detail {

template <class Problem, class Geometry>
struct CompactWork {
  __device__ __forceinline__ static void partial(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                 ScanStorage<Geometry> storage, int stages, int warp) {
    for_tiles(storage, stages, [&](auto &stage, RingPlace place) {
      const WarpPart<Problem, Geometry> part(tiling, storage, place.stage, warp);
      // No element is before the first of the array.
      constexpr bool kLooksBefore = Problem::Segments::kLooksBefore || Problem::kRejects == Rejects::kDroppedWithMarks;
      const bool begins = kLooksBefore && stage.tile == 0 && warp == 0;
      const CompactMasks<Problem, Geometry> masks(problem.segments, part, begins);
      const std::uint32_t kept = masks.count_into(part.rows);
      typename Problem::Element total;
      if constexpr (Problem::kCounts) {
        const int last = masks.last_kept();
        total = {kept, static_cast<std::uint32_t>(last >= 0 ? part.places.high - last : part.count())};
      } else {
        total = kept;
      }
      if (lane_id() == 0) {
        stage.before_warp[warp] = total;
      }
      arrive_as_warp(stage.reduced);
    });
  }

  __device__ __forceinline__ static void finish(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                ScanStorage<Geometry> storage, int stages, int warp) {
    unsigned char *const memory = storage.base + Geometry::kHeaderBytes + warp * Geometry::kWarpResultBytes;
    for_seeded_tiles(storage, stages, [&](auto &stage, RingPlace place) {
      const std::int64_t tile = stage.tile;
      const WarpPart<Problem, Geometry> part(tiling, storage, place.stage, warp);
      const auto last = part.rows[Geometry::kRows - 1];
      const int kept = static_cast<int>(last.before) + __popc(last.kept);
      const auto before = total_before_warp(problem, stage, warp);
      const bool ends = tile == tiling.tiles - 1 && warp == Geometry::kWarps - 1;
      if (lane_id() == 0) {
        if (ends) {
          *problem.kept =
              static_cast<std::remove_pointer_t<decltype(problem.kept)>>(kept_of(before) + static_cast<unsigned>(kept));
        }
        wait_for_bulk_reads<0>();  // of the tile before
      }
      __syncwarp();
      const CompactResults<Problem, Geometry> results(problem, part, kept, memory);
      if constexpr (Problem::kRejects == Rejects::kDropped) {
        results.store_kept(before, stage.empty);
      } else if constexpr (Problem::kRejects == Rejects::kDroppedWithMarks) {
        results.store_with_marks(before, stage.empty);
      } else if constexpr (Problem::kCounts) {
        results.store_runs(before, ends, stage.empty);
      } else {
        const std::int64_t first = tiling.first(tile) + warp * Geometry::kWarpItems + part.places.low;
        results.store_both(before, first, tiling.count - tiling.lead, stage.empty);
      }
    });
  }

  // Called by one thread for an empty array.
  __device__ __forceinline__ static void finish_none(const Problem &problem) { *problem.kept = 0; }
};

}  // namespace upsweep::cuda::detail
