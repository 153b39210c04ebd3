// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader of a scan along an axis.
#pragma once

#include <upsweep/cuda/device/axis_pipeline.cuh>
#include <upsweep/cuda/device/scan_load.cuh>

namespace upsweep::cuda::detail {

// Where a tile that is one piece begins in memory, in elements.
template <class Problem, class Geometry>
__device__ __forceinline__ std::uint64_t dense_begin(const Problem &problem, const AxisTiles<Problem, Geometry> &tiles,
                                                     const axis_strides &strides) {
  return problem.row_offset(tiles.first_row() + (Problem::kBackward ? tiles.valid_rows() - 1 : 0), strides);
}

template <class Problem, class Geometry>
__device__ __forceinline__ void bulk_load_dense(const Problem &problem, const AxisTiles<Problem, Geometry> &tiles,
                                                unsigned char *tile, Barrier &full) {
  using In = typename Problem::In;
  const int count = tiles.valid_rows() * tiles.pitch();
  const unsigned bytes = static_cast<unsigned>(count * sizeof(In)) / 16 * 16;
  const In *source = problem.input + dense_begin(problem, tiles, problem.in_strides);
  In *places = reinterpret_cast<In *>(tile);
  if (lane_id() == 0 && bytes > 0) {
    bulk_load(places, source, bytes, full);
  }
  copy_elements(source, places, static_cast<int>(bytes / sizeof(In)), count);
  __syncwarp();
  if (lane_id() == 0) {
    full.arrive_and_expect(bytes);
  }
}

template <class Problem, class Geometry>
__device__ __forceinline__ void bulk_load_rows(const Problem &problem, const AxisTiles<Problem, Geometry> &tiles,
                                               unsigned char *tile, Barrier &full) {
  using In = typename Problem::In;
  const int valid = tiles.valid_rows();
  const unsigned bytes = tiles.valid_columns() * sizeof(In);
  const unsigned pitch = tiles.pitch() * sizeof(In);
  if (lane_id() == 0) {
    full.arrive_and_expect(valid * bytes);
  }
  __syncwarp();
  const In *source = problem.input + tiles.first_column();
  for (int row = lane_id(); row < valid; row += 32) {
    bulk_load(tile + row * pitch, source + problem.row_offset(tiles.first_row() + row, problem.in_strides), bytes, full);
  }
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
                                                AxisStorage<Geometry> storage, int stages, int loader) {
  RingPlace place;
  for (int loaded = 0; tiles.is_any(); tiles.advance(), place.advance(stages), ++loaded) {
    auto &stage = storage.stage(place.stage);
    if (loaded >= stages) {
      stage.empty.wait(place.parity ^ 1);
    }
    if constexpr (!Geometry::kBulkIn) {
      load_rows_by_element(problem, tiles, storage.tile(place.stage), loader);
      arrive_after_copies(stage.full);
    } else if (problem.cut.is_dense) {
      bulk_load_dense(problem, tiles, storage.tile(place.stage), stage.full);
    } else {
      bulk_load_rows(problem, tiles, storage.tile(place.stage), stage.full);
    }
  }
}

}  // namespace upsweep::cuda::detail
