// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning of searches (find_kernel.cuh). H100.
#pragma once

#include <upsweep/cuda/device/tuning.cuh>

namespace upsweep::cuda::detail {

template <int kMajor>
struct TuningOfFind {
  static constexpr int kThreads = 256;
  static constexpr int kBlocks = 528;  // four on each multiprocessor
  static constexpr int kVectors = 4;   // of a thread, loaded together
};
using TunedFind = TuningOfFind<kTunedMajor>;

}  // namespace upsweep::cuda::detail
