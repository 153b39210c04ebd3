// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compaction's work in the pipeline: the reducers find which elements are kept and count them; then the finishers put
// them side by side in shared memory, and have them stored.
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

// A warp's part of a tile.
template <class Problem, class Geometry>
struct WarpPart {
  const typename Problem::In *elements;
  const typename Geometry::Mark *marks;
  typename Geometry::Row *rows;
  PlacesWithElements places;

  __device__ __forceinline__ WarpPart(const Tiling<Problem, Geometry> &tiling, ScanStorage<Geometry> storage, int stage,
                                      int warp) {
    using Mark = typename Geometry::Mark;
    const int part = warp * Geometry::kWarpItems;
    const std::int64_t tile = storage.stage(stage).tile;
    elements = reinterpret_cast<const typename Problem::In *>(storage.tile(stage)) + part;
    marks = reinterpret_cast<const Mark *>(storage.marks(stage) + Geometry::kBytesBeforeMarks) + Geometry::marks_of(part);
    rows = storage.stage(stage).rows[warp];
    places = {max(tiling.lead_of(tile) - part, 0), min(tiling.valid(tile) - part, Geometry::kWarpItems)};
  }

  // 0 behind the last element, where the highest place is below the lowest.
  __device__ __forceinline__ int count() const { return max(places.high - places.low, 0); }
};

// Whole vectors of fewer bytes are stored element by element: a bulk copy takes as long as some rows do.
inline constexpr int kFewestBulkBytes = 256;

// Where results begin in a vector of memory, and whether vectors of it can be stored. In whole elements.
template <class Geometry, class Output, class Out = typename Geometry::Out>
struct Alignment {
  static constexpr int kElementBytes = static_cast<int>(sizeof(Out));
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
  __device__ __forceinline__ void store(Output to, const Out *results, int count) const {
    if constexpr (kMayCopy) {
      if (can_copy && count * kElementBytes >= kFewestBulkBytes) {
        const int first = (kVectorItems - skipped) % kVectorItems;
        store_results<Geometry, Out>(to, reinterpret_cast<const unsigned char *>(results), 0, first, count);
        return;
      }
    }
    copy_elements(results, to, 0, count);
  }
};

// How many bits are 1. Not the intrinsic: the compiler would move that into a branch of the lanes that store, where rows wait
// for each other.
__device__ __forceinline__ int count_bits(std::uint32_t mask) {
  int count;
  asm volatile("popc.b32 %0, %1;" : "=r"(count) : "r"(mask));
  return count;
}

// Which elements of a warp's part are kept, as masks of its rows.
template <class Problem, class Geometry>
class CompactMasks {
  using Keep = typename Problem::Segments;
  using Row = typename Geometry::Row;
  using Part = WarpPart<Problem, Geometry>;

public:
  __device__ __forceinline__ CompactMasks(const Keep &keep, const Part &part, bool begins) {
    if constexpr (Keep::kIsMask) {
      copy_masks(part);
    } else if (part.count() == Geometry::kWarpItems && !begins) {
      find_kept([&](int i) { return keep.keeps(part.elements, part.marks, i); });
    } else {
      find_kept([&](int i) {
        return part.places.has(i) && ((begins && i == part.places.low) || keep.keeps(part.elements, part.marks, i));
      });
    }
  }

  // The warp's total, in all lanes.
  __device__ __forceinline__ std::uint32_t count_into(Row *rows) const {
    std::uint32_t count = 0;
#pragma unroll
    for (int m = 0; m < Geometry::kMasks; ++m) {
      count += __popc(kept_[m]);
    }
    const std::uint32_t total = warp_inclusive<32>(count, AddCounts());
    std::uint32_t before = total - count;
    if (lane_id() < Geometry::kRows / Geometry::kMasks) {
#pragma unroll
      for (int m = 0; m < Geometry::kMasks; ++m) {
        rows[lane_id() * Geometry::kMasks + m] = {kept_[m], before};
        before += __popc(kept_[m]);
      }
    }
    return shuffle_from(total, 31);
  }

  // The last place of a kept one in all of the warp, or -1.
  __device__ __forceinline__ int last_kept() const {
    int last = -1;
#pragma unroll
    for (int m = 0; m < Geometry::kMasks; ++m) {
      if (kept_[m] != 0) {
        last = (lane_id() * Geometry::kMasks + m) * 32 + 31 - __clz(static_cast<int>(kept_[m]));
      }
    }
    return warp_total<32>(last, maximum(), 32);
  }

private:
  // Lane i gets the masks of rows i * kMasks to (i + 1) * kMasks - 1.
  template <class Keeps>
  __device__ __forceinline__ void find_kept(const Keeps &keeps) {
    constexpr int kLanes = Geometry::kRows / Geometry::kMasks;
#pragma unroll(Geometry::kMasks == 1 ? 32 : 8)
    for (int lane = 0; lane < kLanes; ++lane) {
#pragma unroll
      for (int m = 0; m < Geometry::kMasks; ++m) {
        const int row = lane * Geometry::kMasks + m;
        const std::uint32_t mask = __ballot_sync(kAllLanes, keeps(row * 32 + lane_id()));
        if (lane == lane_id()) {
          kept_[m] = mask;
        }
      }
    }
  }

  // The same from the tile's masks; with them, the places of elements begin with the tile.
  __device__ __forceinline__ void copy_masks(const Part &part) {
#pragma unroll
    for (int m = 0; m < Geometry::kMasks; ++m) {
      const int row = lane_id() * Geometry::kMasks + m;
      const int left = part.places.high - row * 32;
      if (row < Geometry::kRows && left > 0) {
        kept_[m] = part.marks[row] & (left < 32 ? (1u << left) - 1 : ~0u);
      }
    }
  }

  std::uint32_t kept_[Geometry::kMasks] = {};
};

// What a warp stores of a tile.
template <class Problem, class Geometry>
class CompactResults {
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  using Row = typename Geometry::Row;
  using Part = WarpPart<Problem, Geometry>;
  using ToKept = Alignment<Geometry, typename Problem::Output>;

public:
  // `memory` is the warp's place for results.
  __device__ __forceinline__ CompactResults(const Problem &problem, const Part &part, int kept, unsigned char *memory)
      : problem_(problem), part_(part), kept_(kept), memory_(memory) {}

  __device__ __forceinline__ void store_kept(std::uint64_t before, Barrier &is_read) const {
    const auto to = problem_.output + before;
    const ToKept at(to);
    Out *const results = outputs() + at.skipped;
    compact([&](int, bool is_kept, int index, const In &element) {
      if (is_kept) {
        results[index] = element;
      }
    });
    end_compaction(is_read);
    at.store(to, results, kept_);
  }

  __device__ __forceinline__ void store_with_marks(std::uint64_t before, Barrier &is_read) const {
    using Mark = typename Geometry::Mark;
    const auto to = problem_.output + before;
    const auto marks_to = problem_.rejected + before;
    const ToKept at(to);
    const Alignment<Geometry, std::decay_t<decltype(marks_to)>, Mark> marks_at(marks_to);
    Out *const results = outputs() + at.skipped;
    Mark *const marks = reinterpret_cast<Mark *>(memory_ + Geometry::kOutBytes) + marks_at.skipped;
    compact([&](int i, bool is_kept, int index, const In &element) {
      if (is_kept) {
        results[index] = element;
        marks[index] = part_.marks[i];
      }
    });
    end_compaction(is_read);
    at.store(to, results, kept_);
    marks_at.store(marks_to, marks, kept_);
  }

  // `first` is the array's index of the part's first element, of `end`.
  __device__ __forceinline__ void store_both(std::uint64_t before, std::uint64_t first, std::uint64_t end,
                                             Barrier &is_read) const {
    constexpr bool kReversed = Problem::kRejects == Rejects::kReversed;
    const int rejected = part_.count() - kept_;
    const auto to = problem_.output + before;
    const auto rejected_to = [&] {
      if constexpr (kReversed) {
        return problem_.output + (end - (first - before) - rejected);
      } else {
        return problem_.rejected + (first - before);
      }
    }();
    const ToKept at(to);
    const Alignment<Geometry, std::decay_t<decltype(rejected_to)>> rejected_at(rejected_to);
    constexpr int kVectorItems = ToKept::kVectorItems;
    Out *const results = outputs() + at.skipped;
    Out *const rejected_results =
        outputs() + (at.skipped + kept_ + kVectorItems - 1) / kVectorItems * kVectorItems + rejected_at.skipped;
    compact([&](int i, bool is_kept, int index, const In &element) {
      const int other = i - part_.places.low - index;
      Out *const result = is_kept ? results + index : rejected_results + (kReversed ? rejected - 1 - other : other);
      if (part_.places.has(i)) {
        *result = element;
      }
    });
    end_compaction(is_read);
    at.store(to, results, kept_);
    rejected_at.store(rejected_to, rejected_results, rejected);
  }

  // The length of a run is known where the next one begins, or where the array ends.
  __device__ __forceinline__ void store_runs(const Runs<std::uint64_t> &before, bool ends, Barrier &is_read) const {
    const auto to = problem_.output + before.kept;
    const ToKept at(to);
    Out *const results = outputs() + at.skipped;
    auto *const places = reinterpret_cast<typename Geometry::Place *>(memory_ + Geometry::kOutBytes);
    compact([&](int i, bool is_kept, int index, const In &element) {
      if (is_kept) {
        results[index] = element;
        places[index] = static_cast<typename Geometry::Place>(i);
      }
    });
    end_compaction(is_read);
    at.store(to, results, kept_);
    const auto lengths = problem_.rejected + before.kept;
    for (int i = lane_id(); i < kept_; i += 32) {
      if (i > 0) {
        lengths[i - 1] = places[i] - places[i - 1];
      } else if (before.kept > 0) {
        *(lengths - 1) = before.since + (places[0] - part_.places.low);
      }
    }
    if (ends && lane_id() == 0 && before.kept + kept_ > 0) {
      *(lengths + (kept_ - 1)) = kept_ > 0 ? part_.places.high - places[kept_ - 1] : before.since + part_.count();
    }
  }

private:
  __device__ __forceinline__ Out *outputs() const { return reinterpret_cast<Out *>(memory_); }

  // The stage is free when all results are in their places.
  __device__ __forceinline__ static void end_compaction(Barrier &is_read) {
    fence_before_bulk_store();
    __syncwarp();
    arrive_as_warp(is_read);
  }

  // put(place, is_kept, how many are kept before, element) for all places of the warp.
  template <class Put>
  __device__ __forceinline__ void compact(const Put &put) const {
    const std::uint32_t lanes_before = (1u << lane_id()) - 1;
#pragma unroll 1
    for (int first = 0; first < Geometry::kRows; first += Geometry::kRowsAtOnce) {
      Row row[Geometry::kRowsAtOnce];
      In element[Geometry::kRowsAtOnce];
      int index[Geometry::kRowsAtOnce];
#pragma unroll
      for (int i = 0; i < Geometry::kRowsAtOnce; ++i) {
        row[i] = part_.rows[first + i];
        element[i] = part_.elements[(first + i) * 32 + lane_id()];
      }
#pragma unroll
      for (int i = 0; i < Geometry::kRowsAtOnce; ++i) {
        index[i] = static_cast<int>(row[i].before) + count_bits(row[i].kept & lanes_before);
      }
#pragma unroll
      for (int i = 0; i < Geometry::kRowsAtOnce; ++i) {
        put((first + i) * 32 + lane_id(), (row[i].kept >> lane_id() & 1) != 0, index[i], element[i]);
      }
    }
  }

  const Problem &problem_;
  const Part &part_;
  int kept_;
  unsigned char *memory_;
};

template <class Problem, class Geometry>
struct CompactWork {
  __device__ __forceinline__ static void partial(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                 ScanStorage<Geometry> storage, int stages, int warp) {
    for (RingPlace place;; place.advance(stages)) {
      auto &stage = storage.stage(place.stage);
      stage.full.wait(place.parity);
      if (stage.tile == kNoTile) {
        return;
      }
      const WarpPart<Problem, Geometry> part(tiling, storage, place.stage, warp);
      // No element is before the first of the array.
      const bool begins = Problem::Segments::kLooksBefore && stage.tile == 0 && warp == 0;
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
    }
  }

  __device__ __forceinline__ static void finish(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                ScanStorage<Geometry> storage, int stages, int warp) {
    unsigned char *const memory = storage.base + Geometry::kHeaderBytes + warp * Geometry::kWarpResultBytes;
    for (RingPlace place;; place.advance(stages)) {
      auto &stage = storage.stage(place.stage);
      stage.full.wait(place.parity);
      const std::int64_t tile = stage.tile;
      if (tile == kNoTile) {
        break;
      }
      stage.seeded.wait(place.parity);
      const WarpPart<Problem, Geometry> part(tiling, storage, place.stage, warp);
      const auto last = part.rows[Geometry::kRows - 1];
      const int kept = static_cast<int>(last.before) + __popc(last.kept);
      auto before = stage.prefix;
      if (warp > 0) {
        before = problem.op(before, stage.before_warp[warp]);
      }
      const bool ends = tile == tiling.tiles - 1 && warp == Geometry::kWarps - 1;
      if (lane_id() == 0) {
        if (ends) {
          *problem.kept = kept_of(before) + static_cast<unsigned>(kept);
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
      __syncwarp();
    }
    if (lane_id() == 0) {
      wait_for_bulk_reads<0>();
    }
  }

  // By one thread, of an array without elements.
  __device__ __forceinline__ static void finish_none(const Problem &problem) { *problem.kept = 0; }
};

}  // namespace upsweep::cuda::detail
