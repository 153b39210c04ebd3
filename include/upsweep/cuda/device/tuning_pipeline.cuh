// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning of the pipeline (pipeline_kernel.cuh) for scans, compactions and recurrences alike. H200, H100, 2^20 to 2^28 elements:
// docs/decisions/cuda-scan-pipeline.md.
#pragma once

#include <upsweep/cuda/device/tuning.cuh>

namespace upsweep::cuda::detail {

template <int kMajor>
struct TuningOfPipeline {
  static constexpr int kTileBytes = 29 * 1024;  // with marks, at most
  static constexpr int kMostStages = 16;        // more stages are not faster
  static constexpr int kLoadsAhead = 3;         // tiles of a block that load together; later loads delay the look-back
  static constexpr int kElementLoaders = 8;     // warps that load by element
};
using TunedPipeline = TuningOfPipeline<kTunedMajor>;

}  // namespace upsweep::cuda::detail
