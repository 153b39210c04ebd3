// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning of reductions (reduce_kernel.cuh). H100. The numbers of blocks and threads fix the order of sums: other numbers give
// other results.
#pragma once

#include <upsweep/cuda/device/tuning.cuh>

namespace upsweep::cuda::detail {

template <int kMajor>
struct TuningOfReduce {
  static constexpr int kThreads = 512;
  static constexpr int kBlocks = 396;      // three on each multiprocessor
  static constexpr int kBlocksAtOnce = 3;  // on a multiprocessor, where totals have up to 8 bytes
  static constexpr int kVectors = 4;       // of a thread, loaded together
  static constexpr int kElements = 8;      // the same where there are no vectors
};
using TunedReduce = TuningOfReduce<kTunedMajor>;

}  // namespace upsweep::cuda::detail
