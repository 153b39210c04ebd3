// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning of compactions (compact_launch.cuh). H100, 2^28 elements: docs/decisions/cuda-compaction.md. Tiles of up to 24 KiB
// without marks, and of 30 KiB with them, leave room for more stages.
#pragma once

#include <upsweep/cuda/device/tuning.cuh>

namespace upsweep::cuda::detail {

template <int kMajor>
struct TuningOfCompact {
  static constexpr int kWarps = 6;
  static constexpr int kTileBytes = 32 * 1024;
  static constexpr int kWarpBytes = 4096;         // of a warp's part of a tile
  static constexpr int kCombineWarps = 8;         // the reducers of a reduction by key have the most work
  static constexpr int kCombineWarpBytes = 2048;  // of its values, or of its keys
  static constexpr int kBytesWarps = 8;           // of selections of bytes
  static constexpr int kBytesVectors = 5;
  static constexpr int kFewestBulkBytes = 256;  // of a warp's results that the copy engine stores
  static constexpr int kFewThreads = 512;
  static constexpr int kFewRows = 4;    // of a warp of a short array, of elements of up to 8 bytes
  static constexpr int kMoreRows = 16;  // and where arrays are longer
};
using TunedCompact = TuningOfCompact<kTunedMajor>;

}  // namespace upsweep::cuda::detail
