// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of scans along an axis: one block on each multiprocessor, whose warps have the roles of axis_pipeline.cuh.
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>
#include <upsweep/cuda/device/axis_load.cuh>
#include <upsweep/cuda/device/axis_look_back.cuh>
#include <upsweep/cuda/device/axis_roll.cuh>
#include <upsweep/cuda/device/call_state.cuh>

namespace upsweep::cuda::detail {

// A lane's work on its rows of a tile.
template <class Problem, class Geometry>
class AxisWork {
  using T = typename Problem::T;
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  using Totals = typename Geometry::Totals;
  static constexpr int kColumns = Geometry::kColumns;

public:
  __device__ __forceinline__ explicit AxisWork(const Problem &problem)
      : problem_(problem), initial_(Problem::kInitial ? problem.initial.get() : T()) {}

  // The totals of the lane's rows since the last head. The lane has at least one row.
  template <class Tiles>
  __device__ __forceinline__ Totals reduce(const Tiles &tiles, const unsigned char *tile,
                                           const AxisLane<Problem, Geometry> &lane, const Heads &heads) const {
    Totals totals;
    const auto start = [&](int place, bool is_head) {
      const Pack<In, kColumns> pack = read<In>(tile, place);
#pragma unroll
      for (int i = 0; i < kColumns; ++i) {
        totals.elements[i] = first(problem_.transform_in(pack.elements[i]), is_head);
      }
    };
    const auto go_on = [&](int, int, const Pack<In, kColumns> &pack) {
#pragma unroll
      for (int i = 0; i < kColumns; ++i) {
        totals.elements[i] = problem_.op(totals.elements[i], static_cast<T>(problem_.transform_in(pack.elements[i])));
      }
    };
    const bool is_head = heads.not_before(lane.begin) == lane.begin;
    start(place_of(tiles, lane, lane.begin), is_head);
    for_rows(tiles, tile, lane, heads, lane.begin + 1, [&](int, int place) { start(place, true); }, go_on);
    return totals;
  }

  // `before` has the totals before the rows, if any. write(row, place, results) stores a row's results.
  template <class Tiles, class Write>
  __device__ __forceinline__ void scan(const Tiles &tiles, unsigned char *tile, const AxisLane<Problem, Geometry> &lane,
                                       const Heads &heads, Totals before, bool has_before, const Write &write) const {
    const auto start = [&](int row, int place, bool is_head) {
      const Pack<In, kColumns> pack = read<In>(tile, place);
      Pack<Out, kColumns> results;
#pragma unroll
      for (int i = 0; i < kColumns; ++i) {
        before.elements[i] = first(problem_.transform_in(pack.elements[i]), is_head);
        results.elements[i] = problem_.transform_out(Problem::kInclusive ? before.elements[i] : initial_);
      }
      write(row, place, results);
    };
    const auto go_on = [&](int row, int place, const Pack<In, kColumns> &pack) {
      Pack<Out, kColumns> results;
#pragma unroll
      for (int i = 0; i < kColumns; ++i) {
        const T next = problem_.op(before.elements[i], static_cast<T>(problem_.transform_in(pack.elements[i])));
        results.elements[i] = problem_.transform_out(Problem::kInclusive ? next : before.elements[i]);
        before.elements[i] = next;
      }
      write(row, place, results);
    };
    int row = lane.begin;
    if (!has_before) {
      // The lane begins with a head.
      start(row, place_of(tiles, lane, row), true);
      ++row;
    }
    for_rows(tiles, tile, lane, heads, row, [&](int at, int place) { start(at, place, true); }, go_on);
  }

private:
  template <class Tiles>
  __device__ __forceinline__ int place_of(const Tiles &tiles, const AxisLane<Problem, Geometry> &lane, int row) const {
    return tiles.place_of_row(row) * problem_.cut.across + lane.pack;
  }

  // Calls at_head(row, place) or go_on(row, place, pack) for each row of the lane from `row` on; `place` is the place of its
  // pack in the tile. Several packs are read before the first is processed: the compiler must assume that its result overwrites
  // the others.
  template <class Tiles, class AtHead, class GoOn>
  __device__ __forceinline__ void for_rows(const Tiles &tiles, const unsigned char *tile,
                                           const AxisLane<Problem, Geometry> &lane, const Heads &heads, int row,
                                           const AtHead &at_head, const GoOn &go_on) const {
    constexpr int kAtOnce = sizeof(Pack<In, kColumns>) <= 16 ? 8 : 2;
    const int step = Problem::kBackward && Geometry::kBulkIn ? -problem_.cut.across : problem_.cut.across;
    int place = place_of(tiles, lane, row);
    for (int head = heads.not_before(row); row < lane.end; head = heads.after(head)) {
      const int stop = min(head, lane.end);
      for (; row + kAtOnce <= stop; row += kAtOnce, place += kAtOnce * step) {
        Pack<In, kColumns> packs[kAtOnce];
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
          packs[i] = read<In>(tile, place + i * step);
        }
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
          go_on(row + i, place + i * step, packs[i]);
        }
      }
#pragma unroll 1
      for (; row < stop; ++row, place += step) {
        go_on(row, place, read<In>(tile, place));
      }
      if (row < lane.end) {
        at_head(row, place);
        ++row;
        place += step;
      }
    }
  }
  template <class E>
  __device__ __forceinline__ static Pack<E, kColumns> read(const unsigned char *tile, int place) {
    return reinterpret_cast<const Pack<E, kColumns> *>(tile)[place];
  }
  __device__ __forceinline__ T first(const T &element, bool is_head) const {
    T value = element;
    if constexpr (Problem::kInitial) {
      if (is_head) {
        value = problem_.op(initial_, element);
      }
    }
    return value;
  }

  const Problem &problem_;
  T initial_;
};

template <class Problem, class Geometry>
__device__ __forceinline__ void reduce_axis_tiles(const Problem &problem, AxisTiles<Problem, Geometry> tiles,
                                                  AxisStorage<Geometry> storage, int stages, int warp) {
  using Totals = typename Geometry::Totals;
  const AxisWork<Problem, Geometry> work(problem);
  const int across = problem.cut.across;
  for (RingPlace place; tiles.is_any(); tiles.advance(), place.advance(stages)) {
    auto &stage = storage.stage(place.stage);
    stage.full.wait(place.parity);
    const AxisLane<Problem, Geometry> lane(problem, tiles, warp);
    const Heads heads(problem, tiles.first_row());
    const bool has_rows = lane.begin < lane.end;
    Totals totals;
    if (has_rows) {
      totals = work.reduce(tiles, storage.tile(place.stage), lane, heads);
    }
    // Hillis and Steele's scan over the ranks. If a rank has rows, all lower ranks have rows.
    bool has_head = heads.is_any(lane.begin, lane.end);
    for (int distance = 1; distance < problem.cut.ranks; distance *= 2) {
      const Totals lower = shuffle_up(totals, distance * across);
      const bool lower_has_head = shuffle_up(static_cast<int>(has_head), distance * across) != 0;
      if (lane.rank >= distance && has_rows) {
        if (!has_head) {
          totals = combined_packs(true, lower, totals, problem.op);
        }
        has_head |= lower_has_head;
      }
    }
    if (problem.cut.ranks > 1) {
      stage.before_lane[warp * 32 + lane_id()] = shuffle_up(totals, across);
    }
    if (lane.rank == problem.cut.ranks - 1 && has_rows) {
      stage.before_warp[warp * 32 + lane.pack] = totals;
    }
    arrive_as_warp(stage.reduced);
  }
}

// Turns each warp's total into the total of all warps before it. The last total is the tile's.
template <class Problem, class Geometry>
__device__ __forceinline__ void publish_axis_tiles(const Problem &problem, AxisTiles<Problem, Geometry> tiles,
                                                   AxisStorage<Geometry> storage, int stages) {
  using Totals = typename Geometry::Totals;
  constexpr int kWarps = Geometry::kWarps;
  const std::uint32_t tag = storage.header().call + 1;
  const int pack = lane_id();
  const auto warp_rows = static_cast<int>(problem.cut.warp_rows());
  for (RingPlace place; tiles.is_any(); tiles.advance(), place.advance(stages)) {
    auto &stage = storage.stage(place.stage);
    stage.full.wait(place.parity);
    const Heads heads(problem, tiles.first_row());
    // An incomplete warp is the last of its strip, and needs no total.
    const int whole_warps = tiles.valid_rows() / warp_rows;
    stage.reduced.wait(place.parity);
    if (pack < problem.cut.across && pack * Geometry::kColumns < tiles.valid_columns()) {
      Totals total;
#pragma unroll
      for (int warp = 0; warp < kWarps; ++warp) {
        if (warp <= whole_warps) {
          const Totals more = stage.before_warp[warp * 32 + pack];
          if (warp > 0) {
            stage.before_warp[warp * 32 + pack] = total;
          }
          if (warp < whole_warps) {
            const bool goes_on = warp > 0 && !heads.is_any(warp * warp_rows, (warp + 1) * warp_rows);
            total = combined_packs(goes_on, total, more, problem.op);
          }
        }
      }
      if (whole_warps == kWarps) {
        stage.total[pack] = total;
        if (tiles.members() > 1) {
          tiles.words_of_chunk(tiles.chunk())[pack].publish(total, tag);
        }
      }
    }
    arrive_as_warp(stage.published);
  }
}

// The copy engine stores a warp's results: rows [begin, end) of its part of the tile.
template <class Problem, class Geometry>
__device__ __forceinline__ void bulk_store_rows(const Problem &problem, const AxisTiles<Problem, Geometry> &tiles,
                                                const AxisMaps &maps, const unsigned char *tile, int begin, int end) {
  using Out = typename Problem::Out;
  if (problem.cut.is_dense) {
    const int first = min(tiles.place_of_row(begin), tiles.place_of_row(end - 1)) * tiles.pitch();
    const int count = (end - begin) * tiles.pitch();
    const int whole = count * static_cast<int>(sizeof(Out)) / 16 * 16 / static_cast<int>(sizeof(Out));
    const Out *results = reinterpret_cast<const Out *>(tile) + first;
    Out *to = problem.output + tiles.memory_row(begin, end) * tiles.pitch();
    copy_few_elements(results, to, whole, count);
    if (lane_id() == 0 && whole > 0) {
      bulk_store(to, results, whole * sizeof(Out));
    }
  } else if (Problem::kBackward && static_cast<std::uint64_t>(end - begin) < problem.cut.warp_rows()) {
    // The copy engine loads boxes that begin below row 0, but does not store such boxes.
    for (int row = begin + lane_id(); row < end; row += 32) {
      bulk_store(problem.output + tiles.memory_row(row, row + 1) * problem.out_strides.along + tiles.first_column(),
                 tile + tiles.place_of_row(row) * tiles.pitch() * sizeof(Out), tiles.valid_columns() * sizeof(Out));
    }
  } else if (lane_id() == 0) {
    // Always a whole part; its elements behind the array are not written.
    const int rows = static_cast<int>(problem.cut.warp_rows());
    const int first = min(tiles.place_of_row(begin), tiles.place_of_row(begin + rows - 1));
    box_store(maps.out, tiles.first_column() * sizeof(Out), tiles.memory_row(begin, begin + rows),
              tile + first * tiles.pitch() * sizeof(Out));
  }
  commit_bulk_stores();
}

template <class Problem, class Geometry>
__device__ __forceinline__ void scan_axis_tiles(const Problem &problem, AxisTiles<Problem, Geometry> tiles,
                                                AxisStorage<Geometry> storage, const AxisMaps &maps, int stages, int warp) {
  using Out = typename Problem::Out;
  using Totals = typename Geometry::Totals;
  constexpr int kColumns = Geometry::kColumns;
  const AxisWork<Problem, Geometry> work(problem);
  const auto warp_rows = static_cast<int>(problem.cut.warp_rows());
  int occupied = -1;
  for (RingPlace place; tiles.is_any(); tiles.advance(), place.advance(stages)) {
    if (Geometry::kBulkOut && occupied >= 0) {
      // The stage is free when the copy engine has read the results of all lanes.
      wait_for_bulk_reads<0>();
      arrive_as_warp(storage.stage(occupied).empty);
    }
    auto &stage = storage.stage(place.stage);
    unsigned char *tile = storage.tile(place.stage);
    stage.full.wait(place.parity);
    const AxisLane<Problem, Geometry> lane(problem, tiles, warp);
    const Heads heads(problem, tiles.first_row());
    const int warp_begin = warp * warp_rows;
    stage.seeded.wait(place.parity);
    if (lane.begin < lane.end) {
      // The total before the tile, before the warp in it, and before the lane in the warp, since the last head.
      bool has_before = false;
      Totals before;
      if (!heads.is_any(0, lane.begin + 1)) {
        before = stage.prefix[lane.pack];
        has_before = true;
      }
      if (warp > 0 && !heads.is_any(warp_begin, lane.begin + 1)) {
        before = combined_packs(has_before, before, stage.before_warp[warp * 32 + lane.pack], problem.op);
        has_before = true;
      }
      if (lane.rank > 0 && !heads.is_any(lane.begin, lane.begin + 1)) {
        before = combined_packs(has_before, before, stage.before_lane[warp * 32 + lane_id()], problem.op);
        has_before = true;
      }
      if constexpr (Geometry::kBulkOut) {
        work.scan(tiles, tile, lane, heads, before, has_before, [&](int, int at, const Pack<Out, kColumns> &results) {
          reinterpret_cast<Pack<Out, kColumns> *>(tile)[at] = results;
        });
      } else {
        const auto to = problem.output + (tiles.first_column() + lane.pack * kColumns);
        work.scan(tiles, tile, lane, heads, before, has_before, [&](int row, int, const Pack<Out, kColumns> &results) {
          const auto row_to = to + problem.row_offset(tiles.first_row() + row, problem.out_strides);
#pragma unroll
          for (int i = 0; i < kColumns; ++i) {
            row_to[i] = results.elements[i];
          }
        });
      }
    }
    if constexpr (Geometry::kBulkOut) {
      fence_before_bulk_store();
      __syncwarp();
      const int warp_end = min(warp_begin + warp_rows, tiles.valid_rows());
      if (warp_begin < warp_end) {
        bulk_store_rows(problem, tiles, maps, tile, warp_begin, warp_end);
      }
      occupied = place.stage;
    } else {
      arrive_as_warp(stage.empty);
    }
  }
  wait_for_bulk_reads<0>();
}

// Called by one thread of each block.
template <class Problem, class Header>
__device__ __forceinline__ void begin_axis_call(const Problem &problem, Header &header) {
  const auto needs_nothing = [](std::uint32_t) { return false; };
  const RollCall roll =
      problem.members > 1 ? call_roll(problem.state, gridDim.x, needs_nothing, [] {}) : draw(problem.state, gridDim.x);
  header.call = roll.call;
  header.place = AxisPlace(roll.place, problem.members, roll.present);
  if (roll.is_last && roll.call != kLastCall) {
    end_call(problem.state, roll.call + 1);
  }
}

template <class Problem, class Geometry>
__global__ void __launch_bounds__(Geometry::kThreads, 1)
    axis_kernel(const __grid_constant__ Problem problem, const __grid_constant__ AxisMaps maps, const int stages,
                const std::uint32_t stage_bytes) {
  extern __shared__ __align__(128) unsigned char shared[];
  const AxisStorage<Geometry> storage{shared, stage_bytes};
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (threadIdx.x == 0) {
    begin_axis_call(problem, storage.header());
  } else if (warp > 0 && warp <= stages && lane_id() == 0) {
    auto &stage = storage.stage(warp - 1);
    stage.full.initialise(Geometry::kLoadArrivals);
    stage.reduced.initialise(Geometry::kWarps * kWarpArrivals);
    stage.published.initialise(kWarpArrivals);
    stage.read.initialise(kWarpArrivals);
    stage.seeded.initialise(kWarpArrivals);
    stage.empty.initialise(Geometry::kWarps * kWarpArrivals);
    fence_barrier_initialisation();
  }
  __syncthreads();

  const AxisTiles<Problem, Geometry> tiles(problem, storage.header().place);
  if (!storage.header().place.is_in()) {
    // Too late for the roll call.
  } else if (warp < Geometry::kWarps) {
    reduce_axis_tiles(problem, tiles, storage, stages, warp);
  } else if (warp < Geometry::kLoader) {
    scan_axis_tiles(problem, tiles, storage, maps, stages, warp - Geometry::kWarps);
  } else if (warp < Geometry::kPublisher) {
    load_axis_tiles(problem, tiles, storage, maps, stages, warp - Geometry::kLoader);
  } else if (warp == Geometry::kPublisher) {
    publish_axis_tiles(problem, tiles, storage, stages);
  } else {
    const AxisLookBack<Problem, Geometry> look_back(problem, storage.header().call + 1);
    if (warp < Geometry::kLookBack) {
      look_back.read(tiles, storage, stages, warp - Geometry::kReader);
    } else {
      look_back.put_together(tiles, storage, stages);
    }
  }
  if (storage.header().call == kLastCall) {
    start_calls_anew(problem, storage.header().is_last_block);
  }
}

}  // namespace upsweep::cuda::detail
