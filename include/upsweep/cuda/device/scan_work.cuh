// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scan's work in the pipeline: the reducers add up slices, the scanners scan them and have the results stored.
#pragma once

#include <upsweep/cuda/device/byte_register.cuh>
#include <upsweep/cuda/device/pipeline_kernel.cuh>
#include <upsweep/cuda/device/pipeline_store.cuh>
#include <upsweep/cuda/device/segment_heads.cuh>

namespace upsweep::cuda::detail {

template <class Problem>
inline constexpr bool takes_elements_as_they_are =
    std::is_same_v<typename Problem::In, typename Problem::T> && std::is_same_v<typename Problem::Out, typename Problem::T> &&
    std::is_same_v<decltype(Problem::transform_in), Unchanged> && std::is_same_v<decltype(Problem::transform_out), Unchanged>;

// Scans of bytes with an operator that works on four bytes of a register (byte_register.cuh).
template <class Problem>
inline constexpr bool is_of_bytes =
    !Problem::Segments::kSegmented && may_be_byte_register<typename Problem::T, typename Problem::Op> &&
    takes_elements_as_they_are<Problem>;

// A thread's work on its slice. Slices are numbered in the order of the scan.
template <class Problem, class Geometry>
class SliceWork {
  using T = typename Problem::T;
  using Element = typename Problem::Element;
  using Heads = typename Geometry::Heads;
  static constexpr bool kSegmented = Problem::Segments::kSegmented;
  using Byte = ByteRegister<T, typename Problem::Op>;
  // With a possible lead, or with several loading warps, a thread lacks registers for bytes in fours.
  static constexpr bool kOfBytes = Geometry::kBulkIn && !Geometry::kMayLead && is_of_bytes<Problem>;
  static constexpr int kVectorItems = 16 / static_cast<int>(sizeof(typename Problem::In));  // where there may be a lead

public:
  __device__ __forceinline__ SliceWork(const Problem &problem, int warp)
      : problem_(problem), rank_(warp * 32 + lane_id()), initial_(Problem::kInitial ? problem.initial.get() : T()) {}

  // The slice's number, in the order of memory.
  __device__ __forceinline__ int place() const { return Problem::kBackward ? Geometry::kWarps * 32 - 1 - rank_ : rank_; }
  __device__ __forceinline__ int rank() const { return rank_; }

  // Fills the slice's places outside the array with the tile's first element, so that the operator sees only elements.
  __device__ __forceinline__ void pad(unsigned char *tile, int lead, int valid) const {
    auto *places = reinterpret_cast<typename Problem::In *>(tile);
    const typename Problem::In filler = places[Problem::kBackward ? Geometry::kTileItems - 1 : lead];
    const int first = rank_ * Geometry::kItems;
#pragma unroll 1
    for (int i = first; i < lead; ++i) {
      places[i] = filler;
    }
#pragma unroll 1
    for (int i = first > valid ? first : valid; i < first + Geometry::kItems; ++i) {
      places[Problem::kBackward ? Geometry::kTileItems - 1 - i : i] = filler;
    }
  }

  __device__ __forceinline__ Heads find_heads(const typename Geometry::Stage &stage, const unsigned char *marks) const {
    if constexpr (Geometry::kMarked) {
      const auto *tile_marks = reinterpret_cast<const typename Geometry::Mark *>(marks + Geometry::kBytesBeforeMarks);
      return heads_by_mark<Geometry>(problem_.segments, tile_marks + rank_ * Geometry::kItems, stage.tile == 0 && rank_ == 0);
    } else {
      return heads_by_row<Geometry>(problem_.segments.length, stage.after_head + rank_ * Geometry::kItems);
    }
  }

  template <class SliceIn, class Op>
  __device__ __forceinline__ Element reduce(const SliceIn &slice, Heads heads, Op op) const {
    if constexpr (kOfBytes) {
      return reduce_bytes(slice, op);
    } else {
      return reduce_elements(slice, heads);
    }
  }

  // `before` is the total of all earlier elements, if has_before.
  template <class SliceIn, class SliceOut, class Op>
  __device__ __forceinline__ void scan(const SliceIn &slice, SliceOut &results, T before, bool has_before, Heads heads, Op op,
                                       int last) const {
    if constexpr (kOfBytes) {
      scan_bytes(slice, results, before, has_before, op, last);
    } else {
      scan_elements(slice, results, before, has_before, heads, last);
    }
  }

  // The same for a slice that begins with `lead` places before the array's first element.
  template <class SliceIn, class Op>
  __device__ __forceinline__ T reduce_after(int lead, const SliceIn &slice, Op op) const {
    T total = element(slice, 0);
#pragma unroll
    for (int i = 1; i < Geometry::kItems; ++i) {
      total = combined(i >= kVectorItems || i > lead, total, element(slice, i), op);
    }
    return total;
  }
  template <class SliceIn, class SliceOut, class Op>
  __device__ __forceinline__ void scan_after(int lead, const SliceIn &slice, SliceOut &results, T before, bool has_before,
                                             Op op, int last) const {
#pragma unroll
    for (int i = 0; i < Geometry::kItems; ++i) {
      T next = element(slice, i);
      if (i >= kVectorItems || i > lead || (i == lead && has_before)) {
        next = op(before, next);
      } else if (has_before) {
        next = before;
      }
      results.put(i, problem_.transform_out(Problem::kInclusive ? next : before));
      if constexpr (Problem::kTotal) {
        if (i == last) {
          *problem_.total = next;
        }
      }
      before = next;
    }
  }

private:
  template <class SliceIn>
  __device__ __forceinline__ Element reduce_elements(const SliceIn &slice, Heads heads) const {
    T total = start(slice, 0, heads);
#pragma unroll
    for (int i = 1; i < Geometry::kItems; ++i) {
      total = step(total, slice, i, heads);
    }
    if constexpr (kSegmented) {
      return {total, heads != 0 ? 1u : 0u};
    } else {
      return total;
    }
  }

  template <class SliceIn, class SliceOut>
  __device__ __forceinline__ void scan_elements(const SliceIn &slice, SliceOut &results, T before, bool has_before, Heads heads,
                                                int last) const {
#pragma unroll
    for (int i = 0; i < Geometry::kItems; ++i) {
      const T next = i > 0 || has_before ? step(before, slice, i, heads) : start(slice, 0, heads);
      if constexpr (Problem::kInclusive) {
        results.put(index(i), problem_.transform_out(next));
      } else {
        results.put(index(i), problem_.transform_out(kSegmented && is_head(heads, i) ? initial_ : before));
      }
      if constexpr (Problem::kTotal) {
        if (i == last) {
          *problem_.total = next;
        }
      }
      before = next;
    }
  }

  template <class SliceIn, class Op>
  __device__ __forceinline__ T reduce_bytes(const SliceIn &slice, Op op) const {
    Byte total = slice.template get_byte<Byte>(index(0));
#pragma unroll
    for (int i = 1; i < Geometry::kItems; ++i) {
      total = combined(total, slice.template get_byte<Byte>(index(i)), op);
    }
    return total.value();
  }
  template <class SliceIn, class SliceOut, class Op>
  __device__ __forceinline__ void scan_bytes(const SliceIn &slice, SliceOut &results, const T &first, bool has_before, Op op,
                                             int last) const {
    Byte before(first);
#pragma unroll
    for (int i = 0; i < Geometry::kItems; ++i) {
      Byte next = slice.template get_byte<Byte>(index(i));
      if (i > 0 || has_before) {
        next = combined(before, next, op);
      }
      results.put_byte(index(i), Problem::kInclusive ? next : before);
      if constexpr (Problem::kTotal) {
        if (i == last) {
          *problem_.total = next.value();
        }
      }
      before = next;
    }
  }

  // The place in the slice of element i of the scan's order.
  __device__ __forceinline__ static constexpr int index(int i) { return Problem::kBackward ? Geometry::kItems - 1 - i : i; }
  __device__ __forceinline__ static bool is_head(Heads heads, int i) { return (heads >> i & 1) != 0; }

  template <class SliceIn>
  __device__ __forceinline__ T element(const SliceIn &slice, int i) const {
    return problem_.transform_in(slice.get(index(i)));
  }

  // The first element of a slice or of a segment; a segment begins with the initial value.
  template <class SliceIn>
  __device__ __forceinline__ T start(const SliceIn &slice, int i, Heads heads) const {
    if constexpr (kSegmented && Problem::kInitial) {
      return is_head(heads, i) ? problem_.op(initial_, element(slice, i)) : element(slice, i);
    } else {
      return element(slice, i);
    }
  }

  template <class SliceIn>
  __device__ __forceinline__ T step(const T &before, const SliceIn &slice, int i, Heads heads) const {
    if constexpr (kSegmented) {
      if (is_head(heads, i)) {
        return start(slice, i, heads);
      }
    }
    return problem_.op(before, element(slice, i));
  }

  const Problem &problem_;
  int rank_;
  T initial_;
};

template <class Element>
__device__ __forceinline__ const auto &value_of(const Element &element) {
  if constexpr (is_run<Element>) {
    return element.value;
  } else {
    return element;
  }
}

template <class Problem, class Geometry>
__device__ __forceinline__ void reduce_tiles(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                             ScanStorage<Geometry> storage, int stages, int warp) {
  using Element = typename Problem::Element;
  const SliceWork<Problem, Geometry> work(problem, warp);
  const auto op = element_operator(problem);
  for_tiles(storage, stages, [&](auto &stage, RingPlace place) {
    const int valid = tiling.valid(stage.tile);
    const int lead = tiling.lead_of(stage.tile);
    if (Geometry::kBulkIn && (valid < Geometry::kTileItems || lead > 0)) {
      work.pad(storage.tile(place.stage), lead, valid);
    }
    Slice<typename Problem::In, Geometry::kItems> slice;
    slice.load(storage.tile(place.stage) + work.place() * decltype(slice)::kBytes);
    typename Geometry::Heads heads = 0;
    if constexpr (Problem::Segments::kSegmented) {
      if constexpr (Geometry::kListed) {
        heads = stage.heads[work.rank()] & ~kNoHeads<typename Geometry::Heads>;
      } else {
        heads = work.find_heads(stage, storage.marks(place.stage));
        stage.heads[work.rank()] = heads;
      }
    }
    Element total;
    if constexpr (Geometry::kMayLead) {
      total = lead > 0 && warp == 0 ? work.reduce_after(lane_id() == 0 ? lead : 0, slice, op) : work.reduce(slice, heads, op);
    } else {
      total = work.reduce(slice, heads, op);
    }
    total = warp_inclusive<32>(total, op);
    stage.before_lane[work.rank()] = shuffle_up(total, 1);
    if (lane_id() == 31) {
      stage.before_warp[warp] = total;
    }
    arrive_as_warp(stage.reduced);
  });
}

template <class Problem, class Geometry>
__device__ __forceinline__ void scan_tiles(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                           ScanStorage<Geometry> storage, int stages, int warp) {
  const SliceWork<Problem, Geometry> work(problem, warp);
  const int part = (Problem::kBackward ? Geometry::kWarps - 1 - warp : warp) * Geometry::kWarpItems;
  const auto op = element_operator(problem);
  ResultPlaces<Geometry> result_places(storage, warp);
  for_seeded_tiles(storage, stages, [&](auto &stage, RingPlace place) {
    const std::int64_t tile = stage.tile;
    bool has_before = tile > 0 || (Problem::kInitial && !Problem::Segments::kSegmented);
    if constexpr (Problem::Segments::kContinued) {
      has_before = has_before || *problem.segments.continues != 0;
    }
    auto before = stage.prefix;
    if (warp > 0) {
      const auto more = stage.before_warp[warp];
      before = combined(has_before, before, more, op);
      has_before = true;
    }
    if (lane_id() > 0) {
      const auto more = stage.before_lane[work.rank()];
      before = combined(has_before, before, more, op);
      has_before = true;
    }
    typename Geometry::Heads heads = 0;
    if constexpr (Problem::Segments::kSegmented) {
      heads = stage.heads[work.rank()];
    }
    Slice<typename Problem::In, Geometry::kItems> slice;
    Slice<typename Problem::Out, Geometry::kItems> results;
    slice.load(storage.tile(place.stage) + work.place() * decltype(slice)::kBytes);
    const int valid = tiling.valid(tile);
    const int last = Problem::kTotal && tile == tiling.tiles - 1 ? valid - 1 - work.rank() * Geometry::kItems : -1;
    const int lead = warp == 0 ? tiling.lead_of(tile) : 0;
    if constexpr (Geometry::kMayLead) {
      if (lead > 0) {
        work.scan_after(lane_id() == 0 ? lead : 0, slice, results, before, has_before, op, last);
      } else {
        work.scan(slice, results, before, has_before, heads, op, last);
      }
    } else {
      work.scan(slice, results, value_of(before), has_before, heads, op, last);
    }

    unsigned char *const part_bytes = result_places.next(place.stage, part);
    const int slice_of_part = Problem::kBackward ? 31 - lane_id() : lane_id();
    bool is_moved = false;
    if constexpr (Geometry::kMayLead) {
      is_moved = tiling.skew > 0;
      if (is_moved) {
        results.store_moved(part_bytes, storage.header().front[warp], tiling.skew * sizeof(typename Problem::Out));
      }
    }
    if (!is_moved) {
      results.store(part_bytes + slice_of_part * decltype(results)::kBytes);
    }
    fence_before_bulk_store();
    __syncwarp();
    const int first_valid = Problem::kBackward ? Geometry::kTileItems - valid - part : lead;
    const int low = first_valid > 0 ? first_valid : 0;
    const int end = Problem::kBackward ? Geometry::kWarpItems : valid - part;
    const int high = end < Geometry::kWarpItems ? end : Geometry::kWarpItems;
    if (low < high) {
      const auto to = problem.output + (tiling.first(tile) + part);
      if constexpr (Geometry::kMayLead) {
        const auto *front = reinterpret_cast<const typename Problem::Out *>(storage.header().front[warp]);
        constexpr int kVectorItems = 16 / static_cast<int>(sizeof(typename Problem::Out));
        const int moved = tiling.skew % kVectorItems;
        copy_few_elements(front, to, low, min(moved, high));
        copy_few_elements(front + (kVectorItems - moved), to, max(low, moved), min(tiling.skew, high));
        const int begin = max(low - tiling.skew, 0);
        store_results<Geometry>(to + tiling.skew, part_bytes, begin, tiling.vector_after(begin), high - tiling.skew);
      } else {
        store_results<Geometry>(to, part_bytes, low, low, high);
      }
    }
    result_places.release(place.stage);
  });
  result_places.finish();
}

template <class Problem, class Geometry>
struct ScanWork {
  __device__ __forceinline__ static void partial(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                 ScanStorage<Geometry> storage, int stages, int warp) {
    reduce_tiles(problem, tiling, storage, stages, warp);
  }
  __device__ __forceinline__ static void finish(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                ScanStorage<Geometry> storage, int stages, int warp) {
    scan_tiles(problem, tiling, storage, stages, warp);
  }
  // Called by one thread for an empty array.
  __device__ __forceinline__ static void finish_none(const Problem &problem) {
    if constexpr (Problem::kTotal && Problem::kInitial) {
      *problem.total = problem.initial.get();
    }
  }
};

}  // namespace upsweep::cuda::detail
