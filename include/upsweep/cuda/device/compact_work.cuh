// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compaction's work in the pipeline: the reducers find which elements are kept and count them; then the finishers put the
// kept ones side by side in shared memory, and have them stored.
#pragma once

#include <upsweep/cuda/device/compact_pipeline.cuh>
#include <upsweep/cuda/device/compact_problem.cuh>
#include <upsweep/cuda/device/pipeline_kernel.cuh>
#include <upsweep/cuda/device/scan_store.cuh>

namespace upsweep::cuda::detail {

// Which places of a warp's part hold elements.
struct PlacesWithElements {
  int low, high;

  __device__ __forceinline__ bool has(int place) const { return place >= low && place < high; }
};

// Whole vectors of fewer bytes are stored element by element: a bulk copy takes as long as some rows do.
inline constexpr int kFewestBulkBytes = 256;

// Where results begin in a vector of memory, and whether vectors of it can be stored. In whole elements.
template <class Geometry, class Output>
struct Alignment {
  static constexpr int kElementBytes = static_cast<int>(sizeof(typename Geometry::Out));
  static constexpr bool kMayCopy = Geometry::kBulkOut && std::is_pointer_v<Output> && 16 % kElementBytes == 0;
  static constexpr int kVectorItems = kMayCopy ? 16 / kElementBytes : 1;
  int skipped = 0;
  bool can_copy = false;

  __device__ __forceinline__ explicit Alignment(Output to) {
    if constexpr (kMayCopy) {
      const auto past = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(to) % 16);
      skipped = static_cast<int>(past) / kElementBytes;
      can_copy = past % kElementBytes == 0;
    }
  }

  // `count` elements from shared memory, where the first one has as many places of a vector before it.
  __device__ __forceinline__ void store(Output to, const typename Geometry::Out *results, int count) const {
    if constexpr (kMayCopy) {
      if (can_copy && count * kElementBytes >= kFewestBulkBytes) {
        const int first = (kVectorItems - skipped) % kVectorItems;
        store_results<Geometry>(to, reinterpret_cast<const unsigned char *>(results), 0, first, count);
        return;
      }
    }
    copy_elements(results, to, 0, count);
  }
};

template <class Problem, class Geometry>
class CompactWork {
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  using Mark = typename Geometry::Mark;
  using Row = typename Geometry::Row;
  using Keep = typename Problem::Segments;
  static constexpr bool kHasRejects = Problem::kRejects != Rejects::kDropped;

public:
  __device__ __forceinline__ static void partial(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                 ScanStorage<Geometry> storage, int stages, int warp) {
    const int part = warp * Geometry::kWarpItems;
    for (RingPlace place;; place.advance(stages)) {
      auto &stage = storage.stage(place.stage);
      stage.full.wait(place.parity);
      if (stage.tile == kNoTile) {
        return;
      }
      const PlacesWithElements places = places_of(tiling, stage.tile, part);
      const In *elements = reinterpret_cast<const In *>(storage.tile(place.stage)) + part;
      const Mark *marks = reinterpret_cast<const Mark *>(storage.marks(place.stage) + Geometry::kBytesBeforeMarks) + part;
      // No element is before the first of the array.
      const bool begins = Keep::kLooksBefore && stage.tile == 0 && warp == 0;
      std::uint32_t kept[Geometry::kMasks] = {};
      if constexpr (Keep::kIsMask) {
        copy_masks(kept, reinterpret_cast<const Mark *>(storage.marks(place.stage) + Geometry::kBytesBeforeMarks), warp, places);
      } else if (places.low <= 0 && places.high >= Geometry::kWarpItems && !begins) {
        find_kept(kept, [&](int i) { return problem.segments.keeps(elements, marks, i); });
      } else {
        find_kept(kept, [&](int i) {
          return places.has(i) && ((begins && i == places.low) || problem.segments.keeps(elements, marks, i));
        });
      }
      const std::uint32_t total = count_kept(kept, stage.rows[warp]);
      if (lane_id() == 0) {
        stage.before_warp[warp] = total;
      }
      arrive_as_warp(stage.reduced);
    }
  }

  __device__ __forceinline__ static void finish(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                ScanStorage<Geometry> storage, int stages, int warp) {
    const int part = warp * Geometry::kWarpItems;
    const std::uint64_t elements_end = tiling.count - tiling.lead;
    auto *results = reinterpret_cast<Out *>(storage.base + Geometry::kHeaderBytes + warp * Geometry::kWarpResultBytes);
    for (RingPlace place;; place.advance(stages)) {
      auto &stage = storage.stage(place.stage);
      stage.full.wait(place.parity);
      const std::int64_t tile = stage.tile;
      if (tile == kNoTile) {
        break;
      }
      stage.seeded.wait(place.parity);
      const Row last = stage.rows[warp][Geometry::kRows - 1];
      const int kept = static_cast<int>(last.before) + __popc(last.kept);
      const std::uint64_t before = stage.prefix + (warp > 0 ? stage.before_warp[warp] : 0);
      if (tile == tiling.tiles - 1 && warp == Geometry::kWarps - 1 && lane_id() == 0) {
        *problem.kept = before + static_cast<unsigned>(kept);
      }
      if (lane_id() == 0) {
        wait_for_bulk_reads<0>();  // of the tile before
      }
      __syncwarp();
      const PlacesWithElements places = places_of(tiling, tile, part);
      const In *elements = reinterpret_cast<const In *>(storage.tile(place.stage)) + part;
      const auto to = problem.output + before;
      const Alignment<Geometry, typename Problem::Output> at(to);
      Out *const kept_results = results + at.skipped;
      if constexpr (!kHasRejects) {
        compact(stage.rows[warp], elements, [&](int, bool is_kept, int index, const In &element) {
          if (is_kept) {
            kept_results[index] = element;
          }
        });
        fence_before_bulk_store();
        __syncwarp();
        arrive_as_warp(stage.empty);
        at.store(to, kept_results, kept);
      } else {
        const int low = max(places.low, 0);
        const int rejected = max(min(places.high, Geometry::kWarpItems) - low, 0) - kept;
        const std::uint64_t first = tiling.first(tile) + part + low;  // of the array
        const auto rejected_to = [&] {
          if constexpr (Problem::kRejects == Rejects::kReversed) {
            return problem.output + (elements_end - (first - before) - rejected);
          } else {
            return problem.rejected + (first - before);
          }
        }();
        const Alignment<Geometry, std::decay_t<decltype(rejected_to)>> rejected_at(rejected_to);
        constexpr int kVectorItems = decltype(at)::kVectorItems;
        Out *const rejected_results =
            results + (at.skipped + kept + kVectorItems - 1) / kVectorItems * kVectorItems + rejected_at.skipped;
        compact(stage.rows[warp], elements, [&](int i, bool is_kept, int index, const In &element) {
          const int other = i - low - index;
          const int rejected_index = Problem::kRejects == Rejects::kReversed ? rejected - 1 - other : other;
          Out *const result = is_kept ? kept_results + index : rejected_results + rejected_index;
          if (places.has(i)) {
            *result = element;
          }
        });
        fence_before_bulk_store();
        __syncwarp();
        arrive_as_warp(stage.empty);
        at.store(to, kept_results, kept);
        rejected_at.store(rejected_to, rejected_results, rejected);
      }
      __syncwarp();
    }
    if (lane_id() == 0) {
      wait_for_bulk_reads<0>();
    }
  }

  __device__ __forceinline__ static void finish_none(const Problem &problem) { *problem.kept = 0; }

private:
  __device__ __forceinline__ static PlacesWithElements places_of(const Tiling<Problem, Geometry> &tiling, std::int64_t tile,
                                                                 int part) {
    return {tiling.lead_of(tile) - part, tiling.valid(tile) - part};
  }

  // Lane i gets the masks of rows i * kMasks to (i + 1) * kMasks - 1.
  template <class Keeps>
  __device__ __forceinline__ static void find_kept(std::uint32_t (&kept)[Geometry::kMasks], const Keeps &keeps) {
    constexpr int kLanes = Geometry::kRows / Geometry::kMasks;
#pragma unroll(Geometry::kMasks == 1 ? 32 : 8)
    for (int lane = 0; lane < kLanes; ++lane) {
#pragma unroll
      for (int m = 0; m < Geometry::kMasks; ++m) {
        const int row = lane * Geometry::kMasks + m;
        const std::uint32_t mask = __ballot_sync(kAllLanes, keeps(row * 32 + lane_id()));
        if (lane == lane_id()) {
          kept[m] = mask;
        }
      }
    }
  }

  // The same from the tile's masks; with them, the places of elements begin with the tile.
  __device__ __forceinline__ static void copy_masks(std::uint32_t (&kept)[Geometry::kMasks], const std::uint32_t *masks, int warp,
                                                    const PlacesWithElements &places) {
#pragma unroll
    for (int m = 0; m < Geometry::kMasks; ++m) {
      const int row = lane_id() * Geometry::kMasks + m;
      const int left = places.high - row * 32;
      if (row < Geometry::kRows && left > 0) {
        kept[m] = masks[warp * Geometry::kRows + row] & (left < 32 ? (1u << left) - 1 : ~0u);
      }
    }
  }

  // The warp's total, in all lanes.
  __device__ __forceinline__ static std::uint32_t count_kept(const std::uint32_t (&kept)[Geometry::kMasks], Row *rows) {
    std::uint32_t count = 0;
#pragma unroll
    for (int m = 0; m < Geometry::kMasks; ++m) {
      count += __popc(kept[m]);
    }
    const std::uint32_t total = warp_inclusive<32>(count, AddCounts());
    std::uint32_t before = total - count;
    if (lane_id() < Geometry::kRows / Geometry::kMasks) {
#pragma unroll
      for (int m = 0; m < Geometry::kMasks; ++m) {
        rows[lane_id() * Geometry::kMasks + m] = {kept[m], before};
        before += __popc(kept[m]);
      }
    }
    return shuffle_from(total, 31);
  }

  // put(place, is_kept, how many are kept before, element) for all places of the warp.
  template <class Put>
  __device__ __forceinline__ static void compact(const Row *rows, const In *elements, const Put &put) {
    const std::uint32_t lanes_before = (1u << lane_id()) - 1;
#pragma unroll 1
    for (int first = 0; first < Geometry::kRows; first += Geometry::kRowsAtOnce) {
      Row row[Geometry::kRowsAtOnce];
      In element[Geometry::kRowsAtOnce];
#pragma unroll
      for (int i = 0; i < Geometry::kRowsAtOnce; ++i) {
        row[i] = rows[first + i];
        element[i] = elements[(first + i) * 32 + lane_id()];
      }
#pragma unroll
      for (int i = 0; i < Geometry::kRowsAtOnce; ++i) {
        const int index = static_cast<int>(row[i].before) + __popc(row[i].kept & lanes_before);
        put((first + i) * 32 + lane_id(), (row[i].kept >> lane_id() & 1) != 0, index, element[i]);
      }
    }
  }
};

}  // namespace upsweep::cuda::detail
