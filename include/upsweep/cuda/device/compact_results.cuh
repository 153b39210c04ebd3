// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of a compaction's warp: it packs the kept elements of its part of a tile in shared memory, and stores them from
// there.
#pragma once

#include <upsweep/cuda/device/compact_masks.cuh>
#include <upsweep/cuda/device/pipeline_store.cuh>
#include <upsweep/cuda/device/tuning_compact.cuh>

namespace upsweep::cuda::detail {

// The offset of the results in a vector of memory, in elements, and whether vectors can be stored.
template <class Geometry, class Output, class Out = typename Geometry::Out>
struct Alignment {
  static constexpr int kElementBytes = static_cast<int>(sizeof(Out));
  // Elements of another type are converted singly.
  static constexpr bool kMayCopy = Geometry::kBulkOut && std::is_pointer_v<Output> &&
                                   std::is_same_v<std::remove_pointer_t<Output>, Out> && 16 % kElementBytes == 0;
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

  // Stores `count` elements from shared memory, where the first one has the same offset in a vector. A few elements are stored
  // singly: a bulk copy takes as long as some rows.
  __device__ __forceinline__ void store(Output to, const Out *results, int count) const {
    if constexpr (kMayCopy) {
      if (can_copy && count * kElementBytes >= TunedCompact::kFewestBulkBytes) {
        const int first = (kVectorItems - skipped) % kVectorItems;
        store_results<Geometry, Out>(to, reinterpret_cast<const unsigned char *>(results), 0, first, count);
        return;
      }
    }
    copy_elements(results, to, 0, count);
  }
};

// A warp's results of a tile.
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

  // `first` is the index of the part's first element in the array of `end` elements.
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

  // The length of a run is known where the next run begins, or where the array ends.
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

  // Calls put(place, is_kept, the number kept before, element) for all places of the warp.
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

}  // namespace upsweep::cuda::detail
