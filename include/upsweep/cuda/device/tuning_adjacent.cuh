// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning of differences of neighbours (adjacent_kernel.cuh). H100.
#pragma once

#include <upsweep/cuda/device/tuning.cuh>

namespace upsweep::cuda::detail {

template <int kMajor>
struct TuningOfAdjacent {
  static constexpr int kThreads = 256;
  static constexpr int kVectors = 4;  // of a thread
};
using TunedAdjacent = TuningOfAdjacent<kTunedMajor>;

}  // namespace upsweep::cuda::detail
