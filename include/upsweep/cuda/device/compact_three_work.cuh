// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions in three ways: compactions that count two kinds of elements, and store the others as a third.
#pragma once

#include <upsweep/cuda/device/compact_results.cuh>
#include <upsweep/cuda/device/pipeline_kernel.cuh>

namespace upsweep::cuda::detail {

// Elements of the first or of the second kind.
template <class First, class Second>
struct KeepInThree : Whole {
  First first;
  Second second;

  __host__ KeepInThree(First f, Second s) : first(f), second(s) {}
  template <class In>
  __device__ __forceinline__ bool keeps(const In *elements, const Mark *, int place) const {
    return first(elements[place]);
  }
};
template <class First, class Second>
struct KeepSecondOfThree {
  static constexpr bool kIsMask = false;
  static constexpr bool kContinued = false;
  const KeepInThree<First, Second> &both;

  template <class In, class Mark>
  __device__ __forceinline__ bool keeps(const In *elements, const Mark *, int place) const {
    return !both.first(elements[place]) && both.second(elements[place]);
  }
};

template <class First, class Second>
__device__ __forceinline__ KeepSecondOfThree<First, Second> second_of(const KeepInThree<First, Second> &both) {
  return {both};
}

// The numbers of elements of the first two kinds.
template <class Number>
struct CountsOfTwo {
  Number first, second;

  CountsOfTwo() = default;
  __host__ __device__ __forceinline__ constexpr CountsOfTwo(Number f, Number s) : first(f), second(s) {}
  template <class Other>
  __host__ __device__ __forceinline__ constexpr CountsOfTwo(const CountsOfTwo<Other> &other)
      : first(other.first), second(other.second) {}
};
struct AddCountsOfTwo {
  template <class Number>
  __device__ __forceinline__ CountsOfTwo<Number> operator()(const CountsOfTwo<Number> &left,
                                                            const CountsOfTwo<std::uint32_t> &right) const {
    return {left.first + right.first, left.second + right.second};
  }
};

template <class Problem, class Geometry>
struct ThreeWork;

// As CompactProblem.
template <class Input_, class Output_, class SecondOutput, class ThirdOutput, class First, class Second, class Number>
struct CompactThreeProblem {
  using Input = Input_;
  using Output = Output_;
  using Segments = KeepInThree<First, Second>;
  using In = std::remove_cv_t<typename std::iterator_traits<Input>::value_type>;
  using Out = std::conditional_t<std::is_void_v<typename std::iterator_traits<Output>::value_type>, In,
                                 std::remove_cv_t<typename std::iterator_traits<Output>::value_type>>;
  static constexpr Rejects kRejects = Rejects::kThree;
  static constexpr bool kCounts = false;
  using Element = CountsOfTwo<std::uint32_t>;
  using Prefix = CountsOfTwo<std::uint64_t>;
  using Op = AddCountsOfTwo;
  template <class Geometry>
  using Work = typename Geometry::Work;
  template <class Geometry>
  using WorkOnRows = ThreeWork<CompactThreeProblem, Geometry>;
  static constexpr bool kBackward = false;
  static constexpr bool kInitial = true;

  Input input;
  Output output;
  SecondOutput second;
  ThirdOutput third;
  Later<std::uint64_t> count;
  Op op;
  Later<Prefix> initial;  // 0
  Number *kept;           // of the first kind, and of the second
  Segments segments;
  ScanState *state;
  TileWord<Element> *words;
  std::uint64_t words_bytes;
};

// A warp's results of a tile.
template <class Problem, class Geometry>
class ThreeResults {
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  using Row = typename Geometry::Row;
  using Part = WarpPart<Problem, Geometry>;

public:
  // `memory` is the warp's place for results; `kept` and `second` are the warp's numbers of elements of both kinds.
  __device__ __forceinline__ ThreeResults(const Problem &problem, const Part &part, int kept, int second, unsigned char *memory)
      : problem_(problem), part_(part), kept_(kept), second_(second), memory_(memory) {}

  // `first` is the array's index of the part's first element.
  __device__ __forceinline__ void store(const typename Problem::Prefix &before, std::uint64_t first, Barrier &is_read) const {
    const auto to = problem_.output + before.first;
    const auto second_to = problem_.second + before.second;
    const auto third_to = problem_.third + (first - before.first - before.second);
    const Alignment<Geometry, std::decay_t<decltype(to)>> at(to);
    const Alignment<Geometry, std::decay_t<decltype(second_to)>> second_at(second_to);
    const Alignment<Geometry, std::decay_t<decltype(third_to)>> third_at(third_to);
    Out *const results = reinterpret_cast<Out *>(memory_) + at.skipped;
    Out *const second_results = behind(results + kept_) + second_at.skipped;
    Out *const third_results = behind(second_results + second_) + third_at.skipped;
    const std::uint32_t lanes_before = (1u << lane_id()) - 1;
#pragma unroll 4
    for (int i = 0; i < Geometry::kRows; ++i) {
      const Row row = part_.rows[i];
      const int place = i * 32 + lane_id();
      const In element = part_.elements[place];
      const int index = static_cast<int>(row.before) + count_bits(row.kept & lanes_before);
      const int second_index = static_cast<int>(row.second_before) + count_bits(row.second & lanes_before);
      Out *result = third_results + (place - part_.places.low - index - second_index);
      if ((row.second >> lane_id() & 1) != 0) {
        result = second_results + second_index;
      }
      if ((row.kept >> lane_id() & 1) != 0) {
        result = results + index;
      }
      if (part_.places.has(place)) {
        *result = element;
      }
    }
    fence_before_bulk_store();
    __syncwarp();
    arrive_as_warp(is_read);
    at.store(to, results, kept_);
    second_at.store(second_to, second_results, second_);
    third_at.store(third_to, third_results, part_.count() - kept_ - second_);
  }

private:
  // The first place of a vector behind results.
  __device__ __forceinline__ Out *behind(Out *end) const {
    const auto bytes = static_cast<std::size_t>(reinterpret_cast<unsigned char *>(end) - memory_);
    if constexpr (16 % sizeof(Out) == 0) {
      return reinterpret_cast<Out *>(memory_ + (bytes + 15) / 16 * 16);
    } else {
      return end;
    }
  }

  const Problem &problem_;
  const Part &part_;
  int kept_, second_;
  unsigned char *memory_;
};

template <class Problem, class Geometry>
struct ThreeWork {
  __device__ __forceinline__ static void partial(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                 ScanStorage<Geometry> storage, int stages, int warp) {
    for_tiles(storage, stages, [&](auto &stage, RingPlace place) {
      const WarpPart<Problem, Geometry> part(tiling, storage, place.stage, warp);
      const CompactMasks<Problem, Geometry> first(problem.segments, part, false);
      const CompactMasks<Problem, Geometry> second(second_of(problem.segments), part, false);
      typename Problem::Element total;
      total.first = first.count([&](int row, std::uint32_t kept, std::uint32_t before) {
        part.rows[row].kept = kept;
        part.rows[row].before = before;
      });
      total.second = second.count([&](int row, std::uint32_t kept, std::uint32_t before) {
        part.rows[row].second = kept;
        part.rows[row].second_before = before;
      });
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
      const int second = static_cast<int>(last.second_before) + __popc(last.second);
      const auto before = total_before_warp(problem, stage, warp);
      if (lane_id() == 0) {
        if (tile == tiling.tiles - 1 && warp == Geometry::kWarps - 1) {
          problem.kept[0] = before.first + static_cast<unsigned>(kept);
          problem.kept[1] = before.second + static_cast<unsigned>(second);
        }
        wait_for_bulk_reads<0>();  // of the tile before
      }
      __syncwarp();
      const std::int64_t first = tiling.first(tile) + warp * Geometry::kWarpItems + part.places.low;
      ThreeResults<Problem, Geometry>(problem, part, kept, second, memory).store(before, first, stage.empty);
    });
  }

  // Called by one thread for an empty array.
  __device__ __forceinline__ static void finish_none(const Problem &problem) { problem.kept[0] = problem.kept[1] = 0; }
};

}  // namespace upsweep::cuda::detail
