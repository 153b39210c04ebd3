// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader of a scan along an axis.
#pragma once

#include <upsweep/cuda/device/axis_pace.cuh>
#include <upsweep/cuda/device/axis_pipeline.cuh>
#include <upsweep/cuda/device/scan_load.cuh>

namespace upsweep::cuda::detail {

template <class Problem, class Geometry>
__device__ __forceinline__ void bulk_load_dense(const Problem &problem, const AxisTiles<Problem, Geometry> &tiles,
                                                unsigned char *tile, Barrier &full) {
  using In = typename Problem::In;
  const int count = tiles.valid_rows() * tiles.pitch();
  const unsigned bytes = static_cast<unsigned>(count * sizeof(In)) / 16 * 16;
  const In *source = problem.input + tiles.memory_row(0, tiles.valid_rows()) * tiles.pitch();
  In *places = reinterpret_cast<In *>(tile);
  if (lane_id() == 0 && bytes > 0) {
    bulk_load(places, source, bytes, full);
  }
  copy_elements(source, places, static_cast<int>(bytes / sizeof(In)), count);
  __syncwarp();
  if (lane_id() == 0) {
    full.arrive_and_expect(bytes);
  }
  arrive_beside_first_lane(full);
}

// Several warps that load element by element: any iterator, any strides, any GPU.
template <class Problem, class Geometry>
__device__ __forceinline__ void load_rows_by_element(const Problem &problem, const AxisTiles<Problem, Geometry> &tiles,
                                                     unsigned char *tile, int loader) {
  using In = typename Problem::In;
  constexpr int kAtOnce = sizeof(In) <= 4 ? 8 : sizeof(In) <= 16 ? 4 : 1;
  constexpr bool kIsAsync = std::is_pointer_v<typename Problem::Input> &&
                            (sizeof(In) == 4 || sizeof(In) == 8 || sizeof(In) == 16) && alignof(In) == sizeof(In);
  static_assert(Geometry::kColumns == 1);
  In *const places = reinterpret_cast<In *>(tile);
  const int rank = lane_id() / problem.cut.across;
  const int column = lane_id() % problem.cut.across;
  const int valid = tiles.valid_rows();
  if (rank >= problem.cut.ranks || column >= tiles.valid_columns()) {
    return;
  }
  const auto from = problem.input + (tiles.first_column() + column);
  const int step = Geometry::kLoaders * problem.cut.ranks;
  for (int first = loader * problem.cut.ranks + rank; first < valid; first += kAtOnce * step) {
    In elements[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int row = min(first + i * step, valid - 1);
      const auto source = from + problem.row_offset(tiles.first_row() + row, problem.in_strides);
      if constexpr (kIsAsync) {
        copy_asynchronously(places + row * tiles.pitch() + column, source);
      } else {
        elements[i] = *source;
      }
    }
    if constexpr (!kIsAsync) {
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        const int row = min(first + i * step, valid - 1);
        places[row * tiles.pitch() + column] = elements[i];
      }
    }
  }
}

template <class Problem, class Geometry>
__device__ __forceinline__ void load_axis_tile(const Problem &problem, const AxisTiles<Problem, Geometry> &tiles,
                                               unsigned char *tile, Barrier &full, const AxisMaps &maps, int loader) {
  if constexpr (!Geometry::kBulkIn) {
    load_rows_by_element(problem, tiles, tile, loader);
    arrive_after_copies(full);
  } else if (problem.cut.is_dense) {
    bulk_load_dense(problem, tiles, tile, full);
  } else {
    if (lane_id() == 0) {
      const auto rows = static_cast<int>(tiles.tile_rows());
      full.arrive_and_expect(rows * tiles.pitch() * sizeof(typename Problem::In));
      box_load(tile, maps.in, tiles.first_column() * sizeof(typename Problem::In), tiles.memory_row(0, rows), full);
    }
    arrive_beside_first_lane(full);
  }
}

// By one thread: draws the tiles of a block, and gives them to stages. A tile is drawn only when its stage is about to be free:
// until it is loaded, all later tiles of its strip wait for it.
template <class Problem, class Geometry>
class AxisAssigner {
public:
  __device__ __forceinline__ AxisAssigner(const Problem &problem, AxisStorage<Geometry> storage, int stages)
      : storage_(storage), stages_(stages), drawer_(problem, storage.header().ticket),
        // Boxes of different strips; pieces of the same rows are loaded in order anyway.
        is_paced_(Geometry::kBulkIn && !problem.cut.is_dense),
        pacer_(*problem.state, is_paced_ ? drawer_.tiles_of_block() : 0) {}

  __device__ __forceinline__ void begin() { next_ = drawer_.next(); }

  // Gives the next tile to the stage, or none.
  __device__ __forceinline__ void assign(RingPlace place) {
    auto &stage = storage_.stage(place.stage);
    if (assigned_ >= stages_) {
      stage.empty.wait(place.parity ^ 1);
    }
    stage.tile = next_;
    stage.assigned.arrive();
    ++assigned_;
  }

  // After a tile's load has begun; `place` is the next one.
  __device__ __forceinline__ void draw(RingPlace place) {
    pacer_.begin();
    // More loads at once only make those of the look-back wait behind them.
    while (assigned_ - loaded_ >= kLoadsAhead || assigned_ - loaded_ >= stages_) {
      storage_.stage(loading_.stage).full.wait(loading_.parity);
      loading_.advance(stages_);
      ++loaded_;
    }
    if (assigned_ >= stages_) {
      storage_.stage(place.stage).seeded.wait(place.parity ^ 1);
    }
    pacer_.wait();
    next_ = drawer_.next();
  }

  // After the first stage without a tile, at `place`: not all readers look at that one.
  __device__ __forceinline__ void finish(RingPlace place) {
    for (int i = 1; i < Geometry::kReaders; ++i) {
      place.advance(stages_);
      assign(place);
    }
    pacer_.finish();
  }

private:
  AxisStorage<Geometry> storage_;
  int stages_;
  AxisDrawer<Problem> drawer_;
  bool is_paced_;
  Pacer pacer_;
  AxisTile next_;
  int assigned_ = 0, loaded_ = 0;
  RingPlace loading_;
};

template <class Problem, class Geometry>
__device__ __forceinline__ void load_axis_tiles(const Problem &problem, AxisStorage<Geometry> storage, const AxisMaps &maps,
                                                int stages, int loader) {
  const bool assigns = loader == 0 && lane_id() == 0;
  AxisAssigner<Problem, Geometry> assigner(problem, storage, stages);
  if (assigns) {
    assigner.begin();
  }
  RingPlace place;
  for (;;) {
    auto &stage = storage.stage(place.stage);
    if (assigns) {
      assigner.assign(place);
    }
    __syncwarp();
    stage.assigned.wait(place.parity);
    const AxisTiles<Problem, Geometry> tiles(problem, stage.tile);
    if (!tiles.is_any()) {
      if (Geometry::kBulkIn && lane_id() == 0) {
        stage.full.arrive();
      }
      if constexpr (Geometry::kBulkIn) {
        arrive_beside_first_lane(stage.full);
      } else {
        stage.full.arrive();
      }
      break;
    }
    load_axis_tile(problem, tiles, storage.tile(place.stage), stage.full, maps, loader);
    place.advance(stages);
    if (assigns) {
      assigner.draw(place);
    }
    __syncwarp();
  }
  if (assigns) {
    assigner.finish(place);
  }
}

}  // namespace upsweep::cuda::detail
