// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stores of a pipeline's warp.
#pragma once

#include <upsweep/cuda/device/pipeline_load.cuh>

namespace upsweep::cuda::detail {

// Stores the results of a warp from shared to global memory: places [low, high) of its part, which begins at `to`. Whole
// vectors begin at `from`.
template <class Geometry, class Out = typename Geometry::Out, class Output>
__device__ __forceinline__ void store_results(Output to, const unsigned char *results, int low, int from, int high) {
  const Out *elements = reinterpret_cast<const Out *>(results);
  if constexpr (Geometry::kBulkOut) {
    const int bytes = (high - from) * static_cast<int>(sizeof(Out)) / 16 * 16;
    copy_few_elements(elements, to, low, min(from, high));
    copy_few_elements(elements, to, from + bytes / static_cast<int>(sizeof(Out)), high);
    if (lane_id() == 0) {
      if (bytes > 0) {
        bulk_store(to + from, elements + from, bytes);
      }
      commit_bulk_stores();
    }
  } else {
    copy_elements(elements, to, low, high);
  }
}

// The place of a warp's results of a tile before they are stored: over the elements, or in either of the warp's two separate
// places. It also decides when the stage is free.
template <class Geometry>
class ResultPlaces {
public:
  __device__ __forceinline__ ResultPlaces(ScanStorage<Geometry> storage, int warp) : storage_(storage), warp_(warp) {}

  // The place for the results of the tile's part from element `part` on. All lanes have read its elements.
  __device__ __forceinline__ unsigned char *next(int stage, int part) {
    if constexpr (Geometry::kInPlace) {
      return storage_.tile(stage) + part * static_cast<int>(sizeof(typename Geometry::Out));
    } else {
      unsigned char *const bytes = storage_.results(warp_, which_);
      which_ ^= 1;
      arrive_as_warp(storage_.stage(stage).empty);
      if (lane_id() == 0) {
        wait_for_bulk_reads<1>();
      }
      __syncwarp();
      return bytes;
    }
  }

  // Called after store_results(). A stage is free when the copy engine has read it, as it has all stages but the newest. With
  // marks there are few stages, so the warp also waits for the newest, and the loader gets a stage earlier.
  __device__ __forceinline__ void release(int stage) {
    if constexpr (Geometry::kInPlace && Geometry::kBulkOut) {
      if (lane_id() == 0) {
        wait_for_bulk_reads<Geometry::kMarked ? 0 : 1>();
      }
      const int read = Geometry::kMarked ? stage : occupied_;
      if (read >= 0) {
        arrive_as_warp(storage_.stage(read).empty);
      }
      occupied_ = Geometry::kMarked ? -1 : stage;
    } else if constexpr (Geometry::kInPlace) {
      arrive_as_warp(storage_.stage(stage).empty);
    }
  }
  // After the last tile: the loader may wait for a stage, to tell others that no tile comes.
  __device__ __forceinline__ void finish() const {
    if (occupied_ >= 0) {
      arrive_as_warp(storage_.stage(occupied_).empty);
    }
  }

private:
  ScanStorage<Geometry> storage_;
  int warp_;
  int which_ = 0;
  int occupied_ = -1;
};

}  // namespace upsweep::cuda::detail
