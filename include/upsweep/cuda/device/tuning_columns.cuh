// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning of columns with a thread each, of reductions and recurrences (column_chunks.cuh). H100. Columns are cut into chunks of
// at least kFewestChunkRows rows where there are fewer columns than kEnough, or than kEnoughToRead where threads only read.
#pragma once

#include <upsweep/cuda/device/tuning.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

template <int kMajor>
struct TuningOfColumns {
  static constexpr std::uint64_t kEnough = 1 << 15;
  static constexpr std::uint64_t kEnoughToRead = 1 << 19;
  static constexpr std::uint64_t kFewestChunkRows = 64;
  static constexpr int kThreads = 128;  // of a block; also of scans of short axes
};
using TunedColumns = TuningOfColumns<kTunedMajor>;

}  // namespace upsweep::cuda::detail
