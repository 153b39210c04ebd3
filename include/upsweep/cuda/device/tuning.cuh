// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All numbers of the kernels that were found by measurement, by class of architecture and of type: what a new card needs is a
// record here. bench/cuda/tune.py measures others in their place (docs/cuda-tuning.md).
//
// Numbers that follow from a format, a limit of the language or each other stay where they are used.
#pragma once

#include <upsweep/cuda/version.cuh>

#include <cstddef>
#include <cstdint>

namespace upsweep::cuda::detail {

// Of a scan's pipeline, for one class of totals.
struct ScanRecord {
  int vectors;     // 16-byte vectors of a thread's slice, about
  int most_warps;  // that reduce, and as many that scan
};

// Of whole rows along an axis. Tiles have at least tile_bytes, in whole stages; 0: whole batches.
struct RowsRecord {
  std::size_t stage_bytes, tile_bytes, bytes_ahead;
};

// For compute capability kMajor, and for any that has no record of its own.
template <int kMajor>
struct TuningOf {
  // Scans of whole arrays (launch.cuh). H200, H100, 2^20 to 2^28 elements: docs/decisions/cuda-scan-pipeline.md. Smaller tiles
  // are held up by the time that each takes in every role, larger ones by the few stages that there is room for. Totals of up
  // to 4 bytes, up to 8, more, which take more registers; with the marks of segments a total has 4 bytes more.
  static constexpr ScanRecord kScan[] = {{7, 7}, {7, 6}, {9, 4}};
  static constexpr int kVectorsOfSegmentedBytes = 3;  // a slice in segments has up to 64 elements, for a mask of its heads
  static constexpr int kTileBytes = 29 * 1024;        // with marks, at most
  static constexpr int kMostStages = 16;              // more bring no more speed
  static constexpr int kLoadsAhead = 3;               // tiles of a block that load at once; later loads delay the look-back
  static constexpr int kElementLoaders = 8;           // warps that load by element

  // Short arrays (scan_few.cuh). H200, H100, 2^10 to 2^22 elements: docs/decisions/cuda-scan-short-arrays.md.
  static constexpr int kFewThreads = 512;
  static constexpr int kFewRows = 4;     // vectors of a thread, from kOneRowBlocks blocks of one vector on
  static constexpr int kLongerRows = 8;  // where sums go first
  static constexpr int kOneRowBlocks = 96;
  static constexpr int kReadingBlocks = 4;  // that read all elements before their tiles; twice as many in any order

  // Heads of segments from a list of offsets (segment_list.cuh). H200: docs/decisions/cuda-scan-segments.md.
  static constexpr int kListThreads = 256;
  static constexpr int kListLoads = 16;                  // of a thread, under way at once
  static constexpr int kListRangeBytes = 32 * 1024;      // of shared memory, for the heads of a range of slices
  static constexpr std::uint64_t kMostRanges = 4;        // of a block
  static constexpr std::uint64_t kListBlocks = 600;      // with one range each, before any has several
  static constexpr std::uint64_t kKeptBytes = 24 << 20;  // of masks that the cache keeps for the scan

  // Compactions (compact_launch.cuh). H100, 2^28 elements: docs/decisions/cuda-compaction.md. Tiles of up to 24 KiB without
  // marks, and of 30 KiB with them, leave room for more stages.
  static constexpr int kCompactWarps = 6;
  static constexpr int kCompactTileBytes = 32 * 1024;
  static constexpr int kCompactWarpBytes = 4096;  // of a warp's part of a tile
  static constexpr int kCombineWarps = 8;         // the reducers of a reduction by key have most to do
  static constexpr int kCombineWarpBytes = 2048;  // of its values, or of its keys
  static constexpr int kCompactBytesWarps = 8;    // of selections of bytes
  static constexpr int kCompactBytesVectors = 5;
  static constexpr int kFewestBulkBytes = 256;  // of a warp's results that the copy engine stores
  static constexpr int kCompactFewThreads = 512;
  static constexpr int kCompactFewRows = 4;    // of a warp of a short array, of elements of up to 8 bytes
  static constexpr int kCompactMoreRows = 16;  // and where arrays are longer

  // Reductions (reduce_kernel.cuh), reductions of segments, searches and others. H100. The numbers of blocks and threads of
  // reductions fix the order of sums: a record that changes them has other results.
  static constexpr int kReduceThreads = 512;
  static constexpr int kReduceBlocks = 396;      // three on each multiprocessor
  static constexpr int kReduceBlocksAtOnce = 3;  // on a multiprocessor, where totals have up to 8 bytes
  static constexpr int kReduceVectors = 4;       // of a thread at once
  static constexpr int kReduceElements = 8;      // the same where there are no vectors
  static constexpr int kSegmentThreads = 256;
  static constexpr int kSegmentBlocks = 396;
  // Rows of whole vectors (reduce_rows_kernel.cuh): blocks on a multiprocessor; a warp takes rows of more steps where there are
  // so many rows.
  static constexpr int kReduceRowsBlocks = 4;
  static constexpr std::uint64_t kRowSteps = 4;
  static constexpr std::uint64_t kManyRows = 4096;
  static constexpr int kSegmentItems = 16;  // of a lane, of elements of up to 4 bytes
  static constexpr int kExpandVectors = 4;  // of a lane
  static constexpr int kFindThreads = 256;
  static constexpr int kFindBlocks = 528;  // four on each multiprocessor
  static constexpr int kFindVectors = 4;   // of a thread at once
  static constexpr int kAdjacentThreads = 256;
  static constexpr int kAdjacentVectors = 4;  // of a thread

  // Columns with a thread each, of reductions and recurrences (column_chunks.cuh). H100. They are cut into chunks of at least
  // kFewestChunkRows rows where there are fewer of them than kColumnsEnough, or kColumnsEnoughToRead where threads only read.
  static constexpr std::uint64_t kColumnsEnough = 1 << 15;
  static constexpr std::uint64_t kColumnsEnoughToRead = 1 << 19;
  static constexpr std::uint64_t kFewestChunkRows = 64;
  static constexpr int kColumnThreads = 128;  // of a block; also of scans of short axes

  // Linear recurrences (recurrence_launch.cuh). H100: docs/decisions/cuda-recurrence.md.
  static constexpr int kRecurrenceVectors = 7;
  static constexpr int kRecurrenceVectorsOfBytes = 3;
  static constexpr int kRecurrenceWarps = 6;
  static constexpr int kRecurrenceWarpsOfLarger = 4;  // of totals of over 8 bytes
  static constexpr int kRecurrenceMostRows = 32;      // of a column that are read at once, in 128 bytes at most

  // Scans along an axis by a thread for each column (axis_columns_launch.cuh). H200: docs/decisions/cuda-scan-axes.md.
  static constexpr std::uint64_t kShortAxis = 32;                // rows, up to which that is fastest
  static constexpr std::uint64_t kShortAxisOfSmall = 16;         // of elements of less than 4 bytes
  static constexpr std::uint64_t kRowsForVectors = 3;            // with more rows a thread reads enough without vectors
  static constexpr std::uint64_t kColumnsForElements = 1 << 16;  // of arrays that would go by element

  // By strips of columns (axis_launch.cuh). H200: docs/decisions/cuda-scan-axes.md. Lanes take several columns.
  static constexpr std::size_t kAxisTileBytes = 32 * 1024;       // five find room in 227 KiB
  static constexpr std::size_t kSmallAxisTileBytes = 16 * 1024;  // two in 64 KiB
  static constexpr std::size_t kWidePieceBytes = 64 * 1024;      // where lanes take 16 bytes: of tiles that are one piece
  static constexpr std::size_t kWideBoxBytes = 48 * 1024;        // and of boxes
  static constexpr std::uint64_t kFewestAxisTiles = 256;         // short axes have smaller tiles, for every multiprocessor
  static constexpr std::uint32_t kMostWideMembers = 12;          // blocks of a wide strip
  static constexpr double kWideUse = 1.02;                       // gain of busy blocks from which wide strips are taken
  static constexpr std::uint64_t kMembersInTurn = 20;            // whose totals are read one by one; of more, by groups
  static constexpr int kAxisWarps = 4;
  static constexpr int kAxisWarpsOfBytes = 8;  // bytes take many instructions each
  static constexpr int kAxisElementLoaders = 4;
  static constexpr int kAxisReaders = 2;  // warps that read totals
  static constexpr int kAxisMostStages = 8;
  static constexpr std::uint64_t kStepsAhead = 2;  // of the mean; with 1 blocks wait in vain, with 3 they drift
  // All blocks of a launch begin within about 10 us where there is room for them. Others are waited for as long as short
  // kernels take to end: about 0.6 ms.
  static constexpr long long kRollCallCycles = 1 << 20;
  static constexpr int kMostPolls = 64;  // of a count that stands still, of about 0.7 us each

  // By whole rows (axis_rows_launch.cuh). H200: docs/decisions/clusters-exchange-totals.md, cuda-scan-alignment.md.
  static constexpr RowsRecord kBatchRows = {32 * 1024, 0, 64 * 1024};
  static constexpr RowsRecord kExchangeRows = {24 * 1024, 43 * 1024, 48 * 1024};
  static constexpr RowsRecord kWideExchangeRows = {24 * 1024, 62 * 1024, 48 * 1024};  // of several packs a thread
  static constexpr int kRowsMostStages = 24;
  static constexpr std::uint64_t kMostPacedStages = 32;  // of a batch; blocks with longer ones are far apart anyway
  static constexpr std::size_t kMostRowBytes = 16 * 1024;
  static constexpr std::size_t kFewestBatchBytes = 8 * 1024;  // smaller stages take as long
  static constexpr double kFewestBusy = 0.8;              // share of the blocks that have a batch, else totals are exchanged
  static constexpr double kFewestBusyForElements = 0.25;  // the same where the array would go by element
  // Rows are loose if they have gaps or are no whole vectors.
  static constexpr std::uint64_t kFewestPieceBytes = 384;  // of loose rows that are copied each as a piece
  static constexpr std::uint64_t kWidestGap = 8;           // bytes of a row over those of the gap, to be loaded with it
  static constexpr int kResultStages = 2;                  // that results have where they lie otherwise than elements
  static constexpr std::uint64_t kFewestStripBytes = 1024;
  // Totals are exchanged in arrays of at least ... bytes
  static constexpr std::uint64_t kFewestExchangedBytes = 6 << 20;
  static constexpr std::uint64_t kFewestExchangedLooseBytes = 48 << 20;  // loose rows of several packs a thread
  static constexpr std::uint64_t kFewestExchangedBatchBytes = 1 << 20;   // of a batch
  static constexpr std::uint64_t kFewestExchangedPacks = 16;             // of a row
  // and, where pieces or boxes would do as well, of rows of at least kFewestPreferredPacks, by the packs of a row:
  static constexpr std::uint64_t kFewestPreferredPacks = 20;
  static constexpr std::uint64_t kFewestPreferredBytes = 32 << 20;          // up to one a thread
  static constexpr std::uint64_t kFewestPreferredMiddlingBytes = 48 << 20;  // up to two, words in no whole sectors
  static constexpr std::uint64_t kFewestPreferredWideBytes = 96 << 20;      // others
};

// The record that the code takes: that of its GPUs if they are of one class, else the general one.
#ifdef __CUDA_ARCH_LIST__
constexpr int tuned_major() {
  int major = 0;
  for (const int architecture : {__CUDA_ARCH_LIST__}) {
    major = major == 0 || major == architecture / 100 ? architecture / 100 : -1;
    if (major < 0) {
      return 0;
    }
  }
  return major;
}
using Tuning = TuningOf<tuned_major()>;
#else
using Tuning = TuningOf<0>;
#endif

}  // namespace upsweep::cuda::detail
