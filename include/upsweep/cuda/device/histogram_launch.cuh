// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a checked histogram: decides where it is counted, and by how many blocks.
#pragma once

#include <upsweep/cuda/device/histogram_kernel.cuh>
#include <upsweep/cuda/device/launch.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace upsweep::cuda::detail {

// If a block has no room for all bins, blocks count separate ranges of bins and read the same samples. With more ranges than
// this, bins are counted in memory.
inline constexpr std::uint32_t kMostRanges = 12;
inline constexpr std::uint32_t kMostLogColumns = 5;
inline constexpr std::uint32_t kLogCacheSlots = 13;
// Counting in memory takes one part of the bins after the other, so that each part stays in the second-level cache.
inline constexpr std::uint64_t kMostBytesOfCounts = std::uint64_t(16) << 20;
inline constexpr std::uint64_t kFewestBytesOfBlock = 32 * 1024;
// A count of a block has 32 bits.
inline constexpr std::uint64_t kMostSamplesOfBlock = std::uint64_t(1) << 31;

// Fills in where `problem` is counted; false: in memory.
template <class Problem>
bool fits_tables(Problem &problem, std::size_t room, std::size_t guide_bytes, std::size_t &shared) {
  const std::uint32_t bins = Problem::kBytes ? kByteValues : problem.bins_counted;
  constexpr std::size_t kBinBytes = std::size_t(4) * Problem::Sum::kWords * Problem::kCounted;
  problem.levels_at = 0;
  problem.log_columns = 0;
  problem.ranges = static_cast<std::uint32_t>((bins * kBinBytes + room - 32 * kBinBytes - 1) / (room - 32 * kBinBytes));
  // Whole groups of bins, which are shuffled among the banks.
  problem.range = ((bins + problem.ranges - 1) / problem.ranges + 31) / 32 * 32;
  shared = problem.range * kBinBytes;
  if (problem.ranges > kMostRanges) {
    return false;
  }
  if (guide_bytes > 0 && shared + 16 + guide_bytes <= room) {
    room -= 16 + guide_bytes;
  } else {
    guide_bytes = 0;
  }
  while (problem.ranges == 1 && problem.log_columns < kMostLogColumns && 2 * shared <= room) {
    shared *= 2;
    ++problem.log_columns;
  }
  if (guide_bytes > 0) {
    problem.levels_at = static_cast<std::uint32_t>((shared + 15) / 16 * 16);
    shared = problem.levels_at + guide_bytes;
  }
  return true;
}

template <class Problem>
cudaError_t launch_clearing(const Problem &problem, int multiprocessors, cudaStream_t stream) {
  constexpr int kThreads = 256;
  const std::uint64_t counts = std::uint64_t(problem.bins_counted) * Problem::kCounted;
  const std::uint64_t blocks = std::min<std::uint64_t>((counts + kThreads - 1) / kThreads, 8 * multiprocessors);
  return launch(clear_counts_kernel<typename Problem::Counter>, static_cast<unsigned>(blocks), kThreads, 0, stream,
                problem.counts, counts);
}

template <class Problem, HistogramWay kWay>
cudaError_t launch_counting_samples(const Problem &problem, const DeviceLimits &limits, std::uint64_t blocks,
                                    std::size_t shared, cudaStream_t stream) {
  const auto kernel = histogram_kernel<Problem, kWay>;
  cudaError_t error = allow_shared_memory<std::pair<Problem, std::integral_constant<HistogramWay, kWay>>>(kernel, limits);
  if (error == cudaSuccess && !problem.clears) {
    error = launch_clearing(problem, limits.multiprocessors, stream);
  }
  if (error != cudaSuccess) {
    return error;
  }
  // The kernel waits for the one that clears the counts before its first count in memory.
  const auto attribute = limits.major >= 9 && !problem.clears ? early() : cudaLaunchAttribute{};
  return launch_with(attribute, kernel, static_cast<unsigned>(blocks), kHistogramThreads, shared, stream, problem);
}

// Counts in memory, since tables do not fit.
template <class Problem>
cudaError_t launch_counting_in_memory(Problem problem, const DeviceLimits &limits, std::uint64_t blocks, std::uint64_t samples,
                                      cudaStream_t stream) {
  const std::uint64_t counts = std::uint64_t(problem.bins_counted) * Problem::kCounted;
  const std::uint64_t most = kMostBytesOfCounts / sizeof(typename Problem::Counter);
  // With few samples, reading them again costs more than it saves.
  const auto parts = static_cast<std::uint32_t>(samples > 2 * counts ? (counts + most - 1) / most : 1);
  const std::uint32_t range = (problem.bins_counted + parts - 1) / parts;
  const std::size_t shared = std::size_t(4 * (Problem::Sum::kWords + 1)) << kLogCacheSlots;
  problem.ranges = 1;
  problem.log_columns = kLogCacheSlots;
  problem.range = std::min(range, problem.bins_counted);
  cudaError_t error = launch_counting_samples<Problem, HistogramWay::kCache>(problem, limits, blocks, shared, stream);
  for (std::uint32_t begin = range; begin < problem.bins_counted && error == cudaSuccess; begin += range) {
    problem.begin = begin;
    problem.range = std::min(range, problem.bins_counted - begin);
    error = launch(histogram_kernel<Problem, HistogramWay::kCache>, static_cast<unsigned>(blocks), kHistogramThreads, shared,
                   stream, problem);
  }
  return error;
}

// `pixels` in all rows, at most.
template <class Problem>
cudaError_t launch_histogram(Problem problem, std::uint64_t pixels, std::size_t guide_bytes, cudaStream_t stream) {
  DeviceLimits limits;
  const cudaError_t error = DeviceLimits::of_current(limits);
  if (error != cudaSuccess) {
    return error;
  }
  problem.clears = false;
  if (pixels == 0) {
    return launch_clearing(problem, limits.multiprocessors, stream);
  }
  constexpr int kAtOnce = Problem::kBytes ? 2 : 1;  // blocks on a multiprocessor
  std::size_t shared;
  const std::size_t room = static_cast<std::size_t>(limits.shared_bytes) / kAtOnce - (kAtOnce > 1 ? 1024 : 0);
  const bool is_table = fits_tables(problem, room, guide_bytes, shared);
  const std::uint64_t samples = pixels * Problem::kChannels;
  const std::uint64_t at_most = std::max<std::uint64_t>(kAtOnce * limits.multiprocessors / (is_table ? problem.ranges : 1), 1);
  // A block counts more samples than it has bins to add up in the end.
  const std::uint64_t fewest =
      std::max<std::uint64_t>(kFewestBytesOfBlock / sizeof(typename Problem::Sample) + 1, is_table ? problem.range : 0);
  const std::uint64_t blocks = std::max((samples + kMostSamplesOfBlock - 1) / kMostSamplesOfBlock,
                                        std::clamp<std::uint64_t>(samples / fewest, 1, at_most));
  if constexpr (!Problem::kBytes) {  // whose values always fit
    if (!is_table) {
      return launch_counting_in_memory(problem, limits, blocks, samples, stream);
    }
  }
  problem.clears = blocks * problem.ranges == 1;
  if constexpr (Problem::Bins::kInShared && !Problem::kBytes) {
    if (problem.levels_at > 0) {
      return launch_counting_samples<Problem, HistogramWay::kGuidedTable>(problem, limits, blocks * problem.ranges, shared,
                                                                          stream);
    }
  }
  return launch_counting_samples<Problem, HistogramWay::kTable>(problem, limits, blocks * problem.ranges, shared, stream);
}

}  // namespace upsweep::cuda::detail
