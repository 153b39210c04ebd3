// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning of scans of whole arrays.
#pragma once

#include <upsweep/cuda/device/tuning.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

// Numbers of the pipeline for one class of totals.
struct ScanRecord {
  int vectors;     // 16-byte vectors of a thread's slice, about
  int most_warps;  // that reduce, and as many that scan
};

template <int kMajor>
struct TuningOfScan {
  // The pipeline (scan_launch.cuh). H200, H100, 2^20 to 2^28 elements: docs/decisions/cuda-scan-pipeline.md. Smaller tiles cost
  // more time in each role; larger tiles leave room for few stages. The classes are totals of up to 4 bytes, of up to 8, and
  // larger totals, which take more registers. With the marks of segments a total has 4 bytes more.
  static constexpr ScanRecord kScan[3] = {{7, 7}, {7, 6}, {9, 4}};
  static constexpr int kVectorsOfSegmentedBytes = 3;  // a slice in segments has up to 64 elements, for a mask of its heads

  // Short arrays (scan_few_kernel.cuh). H200, H100, 2^10 to 2^22 elements: docs/decisions/cuda-scan-short-arrays.md.
  static constexpr int kFewThreads = 512;
  static constexpr int kFewRows = 4;     // vectors of a thread, from kOneRowBlocks blocks of one vector on
  static constexpr int kLongerRows = 8;  // where sums go first
  static constexpr int kOneRowBlocks = 96;
  static constexpr int kReadingBlocks = 4;  // that read all elements before their tiles; twice as many in any order

  // Heads of segments from a list of offsets (segment_list_kernel.cuh). H200: docs/decisions/cuda-scan-segments.md.
  static constexpr int kListThreads = 256;
  static constexpr int kListLoads = 16;                  // of a thread, in flight together
  static constexpr int kListRangeBytes = 32 * 1024;      // of shared memory, for the heads of a range of slices
  static constexpr std::uint64_t kMostRanges = 4;        // of a block
  static constexpr std::uint64_t kListBlocks = 600;      // blocks with one range each, before a block gets several
  static constexpr std::uint64_t kKeptBytes = 24 << 20;  // of masks that the cache keeps for the scan
};
using TunedScan = TuningOfScan<kTunedMajor>;

}  // namespace upsweep::cuda::detail
