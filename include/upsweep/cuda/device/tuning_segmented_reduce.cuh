// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning of reductions of segments and rows, and of the expansion of runs. H100. The numbers of blocks and threads fix the
// order of sums: other numbers give other results.
#pragma once

#include <upsweep/cuda/device/tuning.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

template <int kMajor>
struct TuningOfSegmentedReduce {
  static constexpr int kThreads = 256;
  static constexpr int kBlocks = 396;
  // Rows of whole vectors (reduce_rows_kernel.cuh): blocks on a multiprocessor; a warp takes rows of more steps if there are
  // this many rows.
  static constexpr int kRowsBlocks = 4;
  static constexpr std::uint64_t kRowSteps = 4;
  static constexpr std::uint64_t kManyRows = 4096;
  static constexpr int kItems = 16;         // of a lane, of elements of up to 4 bytes
  static constexpr int kExpandVectors = 4;  // of a lane
};
using TunedSegmentedReduce = TuningOfSegmentedReduce<kTunedMajor>;

}  // namespace upsweep::cuda::detail
