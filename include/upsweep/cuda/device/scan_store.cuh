// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a warp of a pipeline stores results.
#pragma once

#include <upsweep/cuda/device/scan_load.cuh>

namespace upsweep::cuda::detail {

// The results of a warp from shared to global memory: places [low, high) of its part, which begins at `to`. Whole vectors begin
// at `from`.
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

}  // namespace upsweep::cuda::detail
