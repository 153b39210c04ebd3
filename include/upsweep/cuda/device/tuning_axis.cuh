// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning of scans along an axis by columns and by strips. H200: docs/decisions/cuda-scan-axes.md.
#pragma once

#include <upsweep/cuda/device/tuning.cuh>

#include <cstddef>
#include <cstdint>

namespace upsweep::cuda::detail {

template <int kMajor>
struct TuningOfAxis {
  // A thread for each column (axis_columns_launch.cuh).
  static constexpr std::uint64_t kShortAxis = 32;                // most rows for which this is fastest
  static constexpr std::uint64_t kShortAxisOfSmall = 16;         // of elements of less than 4 bytes
  static constexpr std::uint64_t kRowsForVectors = 3;            // with more rows a thread reads enough without vectors
  static constexpr std::uint64_t kColumnsForElements = 1 << 16;  // of arrays that would go by element

  // Strips of columns (axis_launch.cuh), of which a lane takes several.
  static constexpr std::size_t kTileBytes = 32 * 1024;       // five fit 227 KiB
  static constexpr std::size_t kSmallTileBytes = 16 * 1024;  // two in 64 KiB
  static constexpr std::size_t kWidePieceBytes = 64 * 1024;  // where lanes take 16 bytes: of tiles that are one piece
  static constexpr std::size_t kWideBoxBytes = 48 * 1024;    // and of boxes
  static constexpr std::uint64_t kFewestTiles = 256;         // short axes have smaller tiles, for every multiprocessor
  static constexpr std::uint32_t kMostWideMembers = 12;      // blocks of a wide strip
  static constexpr double kWideUse = 1.02;                   // gain of busy blocks from which wide strips are taken
  static constexpr std::uint64_t kMembersInTurn = 20;        // whose totals are read singly; with more members, by groups
  static constexpr int kWarps = 4;
  static constexpr int kWarpsOfBytes = 8;  // bytes take many instructions each
  static constexpr int kElementLoaders = 4;
  static constexpr int kReaders = 2;  // warps that read totals
  static constexpr int kMostStages = 8;
  static constexpr std::uint64_t kStepsAhead = 2;  // of the mean; with 1 blocks wait in vain, with 3 they drift
  // All blocks of a launch begin within about 10 us where there is room for them. Otherwise blocks wait as long as short
  // kernels take to end: about 0.6 ms.
  static constexpr long long kRollCallCycles = 1 << 20;
  static constexpr int kMostPolls = 64;  // of a count that stands still, of about 0.7 us each

  // Whole rows and strips: with a smaller share of blocks that have a batch, the blocks of a row exchange totals.
  static constexpr double kFewestBusy = 0.8;
  static constexpr double kFewestBusyForElements = 0.25;  // where the array would go by element
};
using TunedAxis = TuningOfAxis<kTunedMajor>;

}  // namespace upsweep::cuda::detail
