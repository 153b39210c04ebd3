// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader of a scan along an axis.
#pragma once

#include <upsweep/cuda/device/axis_pace.cuh>
#include <upsweep/cuda/device/axis_pipeline.cuh>
#include <upsweep/cuda/device/pipeline_load.cuh>
#include <upsweep/cuda/device/tuning_pipeline.cuh>

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
  copy_few_elements(source, places, static_cast<int>(bytes / sizeof(In)), count);
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
__device__ __forceinline__ void load_axis_tiles(const Problem &problem, AxisTiles<Problem, Geometry> tiles,
                                                AxisStorage<Geometry> storage, const AxisMaps &maps, int stages, int loader) {
  RingPlace place, loading;
  // Only boxes of different strips need a pace; pieces of the same rows are loaded in order anyway.
  const bool is_paced = Geometry::kBulkIn && !problem.cut.is_dense && lane_id() == 0;
  Pacer pacer(*problem.state, tiles.most_of_a_block(), tiles.blocks());
  for (int loaded = 0; tiles.is_any(); tiles.advance(), place.advance(stages), ++loaded) {
    auto &stage = storage.stage(place.stage);
    if (loaded >= stages) {
      stage.empty.wait(place.parity ^ 1);
    }
    // Further loads only delay the look-back's loads.
    if (loaded >= TunedPipeline::kLoadsAhead) {
      storage.stage(loading.stage).full.wait(loading.parity);
      loading.advance(stages);
    }
    if constexpr (!Geometry::kBulkIn) {
      load_rows_by_element(problem, tiles, storage.tile(place.stage), loader);
      arrive_after_copies(stage.full);
    } else if (problem.cut.is_dense) {
      bulk_load_dense(problem, tiles, storage.tile(place.stage), stage.full);
    } else {
      if (lane_id() == 0) {
        const auto rows = static_cast<int>(tiles.tile_rows());
        pacer.wait();
        stage.full.arrive_and_expect(rows * tiles.pitch() * sizeof(typename Problem::In));
        box_load(storage.tile(place.stage), maps.in, tiles.first_column() * sizeof(typename Problem::In),
                 tiles.memory_row(0, rows), stage.full);
        pacer.begin();
      }
      arrive_beside_first_lane(stage.full);
    }
  }
  if (is_paced) {
    pacer.finish();
  }
}

}  // namespace upsweep::cuda::detail
