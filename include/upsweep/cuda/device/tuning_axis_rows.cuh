// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning of scans along an axis by whole rows (axis_rows_launch.cuh). H200: docs/decisions/clusters-exchange-totals.md,
// docs/decisions/cuda-scan-alignment.md.
#pragma once

#include <upsweep/cuda/device/tuning.cuh>

#include <cstddef>
#include <cstdint>

namespace upsweep::cuda::detail {

// Tiles have at least tile_bytes, in whole stages; 0: whole batches.
struct RowsRecord {
  std::size_t stage_bytes, tile_bytes, bytes_ahead;
};

template <int kMajor>
struct TuningOfAxisRows {
  static constexpr RowsRecord kBatchRows = {32 * 1024, 0, 64 * 1024};
  static constexpr RowsRecord kExchangeRows = {24 * 1024, 43 * 1024, 48 * 1024};
  static constexpr RowsRecord kWideExchangeRows = {24 * 1024, 62 * 1024, 48 * 1024};  // of several packs a thread
  static constexpr int kRowsMostStages = 24;
  static constexpr std::uint64_t kMostPacedStages = 32;  // of a batch; blocks with longer ones are far apart anyway
  static constexpr std::size_t kMostRowBytes = 16 * 1024;
  static constexpr std::size_t kFewestBatchBytes = 8 * 1024;  // smaller stages take as long
  // Rows are loose if they have gaps, or consist of partial vectors.
  static constexpr std::uint64_t kFewestPieceBytes = 384;  // of a loose row that is copied as one piece
  static constexpr std::uint64_t kWidestGap = 8;           // a row's bytes over its gap's bytes, to be loaded with it
  static constexpr int kResultStages = 2;                  // of results whose layout differs from that of the elements
  static constexpr std::uint64_t kFewestStripBytes = 1024;
  // The fewest bytes of an array in which totals are exchanged:
  static constexpr std::uint64_t kFewestExchangedBytes = 6 << 20;
  static constexpr std::uint64_t kFewestExchangedLooseBytes = 48 << 20;  // loose rows of several packs a thread
  static constexpr std::uint64_t kFewestExchangedBatchBytes = 1 << 20;   // of a batch
  static constexpr std::uint64_t kFewestExchangedPacks = 16;             // of a row
  // The same for arrays that pieces or boxes could take too, with rows of at least kFewestPreferredPacks, by the packs of a
  // row:
  static constexpr std::uint64_t kFewestPreferredPacks = 20;
  static constexpr std::uint64_t kFewestPreferredBytes = 32 << 20;          // up to one a thread
  static constexpr std::uint64_t kFewestPreferredMiddlingBytes = 48 << 20;  // up to two, words in no whole sectors
  static constexpr std::uint64_t kFewestPreferredWideBytes = 96 << 20;      // others
};
using TunedAxisRows = TuningOfAxisRows<kTunedMajor>;

}  // namespace upsweep::cuda::detail
