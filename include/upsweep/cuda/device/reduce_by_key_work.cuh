// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction by key in the compaction's pipeline. The reducers replace values by the totals of their runs so far, within a
// warp's part; where a run ends, that total is kept, together with the next run's key.
#pragma once

#include <upsweep/cuda/device/compact_work.cuh>

namespace upsweep::cuda::detail {

// The total of the last run, and how many runs begin.
template <class T, class Number>
struct RunTotal {
  T value;
  Number kept;

  RunTotal() = default;
  __device__ __forceinline__ RunTotal(const T &v, Number k) : value(v), kept(k) {}
  template <class Other>
  __device__ __forceinline__ RunTotal(const RunTotal<T, Other> &other) : value(other.value), kept(other.kept) {}
};
template <class Op>
struct AddRunTotals {
  Op op;

  template <class T, class Number>
  __device__ __forceinline__ RunTotal<T, Number> operator()(const RunTotal<T, Number> &left,
                                                            const RunTotal<T, std::uint32_t> &right) const {
    RunTotal<T, Number> sum(right.value, left.kept + right.kept);
    if (right.kept == 0) {
      sum.value = op(left.value, right.value);
    }
    return sum;
  }
};

template <class Problem, class Geometry>
struct ReduceByKeyWork;

template <class T_, class Input_, class OutKeys, class Totals, class Keys, class Equal, class RunOp, class Number>
struct ReduceByKeyProblem {
  using T = T_;
  using Input = Input_;
  using Output = Totals;
  using Segments = KeepFirstOfKeys<Keys, Equal>;
  using In = T;
  using Out = T;
  using Element = RunTotal<T, std::uint32_t>;
  using Prefix = RunTotal<T, std::uint64_t>;
  using Op = AddRunTotals<RunOp>;
  template <class Geometry>
  using Work = typename Geometry::Work;
  template <class Geometry>
  using WorkOnRows = ReduceByKeyWork<ReduceByKeyProblem, Geometry>;
  static constexpr Rejects kRejects = Rejects::kCombined;
  static constexpr bool kBackward = false;
  static constexpr bool kInitial = false;

  Input input;
  Output output;  // the totals
  OutKeys keys;   // an output
  Later<std::uint64_t> count;
  Op op;
  Number *kept;
  Segments segments;
  ScanState *state;
  TileWord<Element> *words;
  std::uint64_t words_bytes;
};

template <class Problem, class Geometry>
struct ReduceByKeyWork {
  using T = typename Problem::T;
  using Key = typename Geometry::Mark;
  using Element = typename Problem::Element;
  using Prefix = typename Problem::Prefix;
  using Row = typename Geometry::Row;
  using Part = WarpPart<Problem, Geometry>;

  __device__ __forceinline__ static void partial(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                 ScanStorage<Geometry> storage, int stages, int warp) {
    for_tiles(storage, stages, [&](auto &stage, RingPlace place) {
      const Part part(tiling, storage, place.stage, warp);
      const CompactMasks<Problem, Geometry> masks(problem.segments, part, stage.tile == 0 && warp == 0);
      const std::uint32_t kept = masks.count_into(part.rows);
      __syncwarp();
      T value;
      if (part.count() == 0) {
        value = problem.input[tiling.first(stage.tile)];  // some element, whose results are unused
      } else {
        auto *values = reinterpret_cast<T *>(storage.tile(place.stage)) + warp * Geometry::kWarpItems;
        scan_runs(problem, part, values);
        __syncwarp();
        value = values[part.places.high - 1];
      }
      if (lane_id() == 0) {
        stage.before_warp[warp] = Element(value, kept);
      }
      arrive_as_warp(stage.reduced);
    });
  }

  __device__ __forceinline__ static void finish(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                ScanStorage<Geometry> storage, int stages, int warp) {
    unsigned char *const memory = storage.base + Geometry::kHeaderBytes + warp * Geometry::kWarpResultBytes;
    for_seeded_tiles(storage, stages, [&](auto &stage, RingPlace place) {
      const std::int64_t tile = stage.tile;
      if (lane_id() == 0) {
        wait_for_bulk_reads<0>();  // of the tile before
      }
      __syncwarp();
      const Part part(tiling, storage, place.stage, warp);
      const Row last = part.rows[Geometry::kRows - 1];
      const int kept = static_cast<int>(last.before) + __popc(last.kept);
      // The first warp of the first tile has no predecessor, and its first element begins a run.
      Prefix before(part.elements[0], 0);
      if (tile > 0) {
        before = total_before_warp(problem, stage, warp);
      } else if (warp > 0) {
        before = stage.before_warp[warp];
      }
      const bool ends = tile == tiling.tiles - 1 && part.count() > 0 && tiling.valid(tile) <= (warp + 1) * Geometry::kWarpItems;
      if (ends && lane_id() == 0) {
        store_last(problem, part, before, kept);
      }
      store(problem, part, before, kept, memory, stage.empty);
    });
  }

  __device__ __forceinline__ static void finish_none(const Problem &problem) { *problem.kept = 0; }

private:
  // Each value becomes the total of its run up to it, within the warp's part. Several rows are scanned together, so that their
  // shuffles overlap.
  __device__ __forceinline__ static void scan_runs(const Problem &problem, const Part &part, T *values) {
    constexpr int kAtOnce = Geometry::kRowsAtOnce;
    const std::uint32_t up_to_lane = (2u << lane_id()) - 1;
    const auto op = problem.op.op;
    T carried = values[0];
#pragma unroll 1
    for (int first = 0; first * 32 < part.places.high; first += kAtOnce) {
      T value[kAtOnce], total[kAtOnce];
      std::uint32_t heads[kAtOnce];
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        value[i] = values[min((first + i) * 32 + lane_id(), part.places.high - 1)];
        heads[i] = part.rows[first + i].kept;
      }
#pragma unroll
      for (int distance = 1; distance < 32; distance *= 2) {
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
          const int first_lane = 31 - __clz(static_cast<int>((heads[i] & up_to_lane) | 1u));
          const T sum = op(shuffle_up(value[i], distance), value[i]);
          value[i] = chosen(lane_id() - distance >= first_lane, sum, value[i]);
        }
      }
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        total[i] = shuffle_from(value[i], 31);
      }
      __syncwarp();
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        const bool goes_on = first + i > 0 && (heads[i] & up_to_lane) == 0;
        value[i] = chosen(goes_on, op(carried, value[i]), value[i]);
        carried = chosen(first + i > 0 && heads[i] == 0, op(carried, total[i]), total[i]);
        const int place = (first + i) * 32 + lane_id();
        if (place < part.places.high) {
          values[place] = value[i];
        }
      }
    }
  }

  // Called by one lane of the warp that has the array's last element.
  __device__ __forceinline__ static void store_last(const Problem &problem, const Part &part, const Prefix &before, int kept) {
    const std::uint64_t runs = before.kept + static_cast<unsigned>(kept);
    T total = part.elements[part.places.high - 1];
    if (kept == 0) {
      total = problem.op.op(before.value, total);
    }
    problem.output[runs - 1] = total;
    *problem.kept = runs;
  }

  __device__ __forceinline__ static void store(const Problem &problem, const Part &part, const Prefix &before, int kept,
                                               unsigned char *memory, Barrier &is_read) {
    using Keys = std::decay_t<decltype(problem.keys)>;
    // No run ends where the first one begins.
    const int skipped = before.kept == 0 && kept > 0 ? 1 : 0;
    const auto totals_to = problem.output + (before.kept + skipped - (kept > 0 ? 1 : 0));
    const auto keys_to = problem.keys + before.kept;
    const Alignment<Geometry, typename Problem::Output> totals_at(totals_to);
    const Alignment<Geometry, Keys, Key> keys_at(keys_to);
    T *const totals = reinterpret_cast<T *>(memory) + totals_at.skipped - skipped;
    Key *const keys = reinterpret_cast<Key *>(memory + Geometry::kOutBytes) + keys_at.skipped;
    const std::uint32_t lanes_before = (1u << lane_id()) - 1;
    constexpr int kAtOnce = Geometry::kRowsAtOnce;
#pragma unroll 1
    for (int first = 0; first < Geometry::kRows; first += kAtOnce) {
      Row row[kAtOnce];
      Key key[kAtOnce];
      T total[kAtOnce];
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        const int place = (first + i) * 32 + lane_id();
        row[i] = part.rows[first + i];
        key[i] = part.marks[place];
        total[i] = part.elements[max(place - 1, 0)];
      }
      int index[kAtOnce];
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        index[i] = static_cast<int>(row[i].before) + count_bits(row[i].kept & lanes_before);
        // The first run that ends may have begun in an earlier part, or at the begin of this part.
        const T all = problem.op.op(before.value, total[i]);
        total[i] = chosen(first + i + lane_id() > 0, chosen(index[i] == 0 && before.kept > 0, all, total[i]), before.value);
      }
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        if ((row[i].kept >> lane_id() & 1) != 0) {
          keys[index[i]] = key[i];
          if (index[i] >= skipped) {
            totals[index[i]] = total[i];
          }
        }
      }
    }
    fence_before_bulk_store();
    __syncwarp();
    arrive_as_warp(is_read);
    totals_at.store(totals_to, totals + skipped, kept - skipped);
    keys_at.store(keys_to, keys, kept);
  }
};

}  // namespace upsweep::cuda::detail
