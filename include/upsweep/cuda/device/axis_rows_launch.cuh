// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arrays go by whole rows, how they are cut into tiles and stages, and the launch of their kernel.
#pragma once

#include <upsweep/cuda/device/axis_rows_kernel.cuh>
#include <upsweep/cuda/device/launch.cuh>

#include <algorithm>
#include <numeric>

namespace upsweep::cuda::detail {

// Measured on an H200 (docs/cuda-scan.md).
struct RowsTuning {
  std::size_t stage_bytes, tile_bytes, bytes_ahead;
};
inline constexpr RowsTuning kBatchTuning = {32 * 1024, 0, 64 * 1024};
inline constexpr RowsTuning kExchangeTuning = {16 * 1024, 64 * 1024, 32 * 1024};
inline constexpr RowsTuning kWideExchangeTuning = {16 * 1024, 96 * 1024, 32 * 1024};
inline constexpr int kExchangeSharedBytes = 216 * 1024;  // two tiles and what goes with them
// An exchange is for arrays of so many bytes, so that each block has several tiles; with rows of so many packs, and batches
// that are much longer than tiles.
inline constexpr std::uint64_t kFewestExchangedBytes = std::uint64_t(32) << 20;
inline constexpr std::uint64_t kFewestExchangedBatchBytes = std::uint64_t(1) << 20;
inline constexpr std::uint64_t kFewestExchangedPacks = 16;
// Rows of so many words go by an exchange even where they could go as pieces or boxes; wide ones in arrays of so many bytes.
inline constexpr std::uint64_t kFewestPreferredPacks = 20;
inline constexpr std::uint64_t kMostPreferredPacks = 512;
inline constexpr std::uint64_t kFewestPreferredWideBytes = std::uint64_t(128) << 20;
inline constexpr std::size_t kMostRowBytes = 16 * 1024;
inline constexpr std::uint64_t kMostPacks = 1024;           // of a row
inline constexpr std::uint64_t kNarrowPacks = 256;          // one for each thread
inline constexpr std::size_t kFewestBatchBytes = 8 * 1024;  // smaller stages take as long
// Blocks with a batch less than others wait for those. Kernels that exchange totals are faster where fewer blocks are busy than
// this share of them, in the mean; those that read element by element are slower even then.
inline constexpr double kFewestBusy = 0.8;
inline constexpr double kFewestBusyForElements = 0.25;

template <class Geometry>
RowsCut cut_rows(std::uint64_t batches, std::uint64_t length, std::uint64_t inner, std::size_t shared_bytes,
                 const RowsTuning &tuning) {
  RowsCut cut;
  cut.across = static_cast<int>(inner / Geometry::kColumns);
  cut.ranks = Geometry::kMayRank ? Geometry::kRoleThreads / cut.across : 1;
  const std::size_t ranks_bytes = static_cast<std::size_t>(cut.across) * Geometry::kPackBytes * cut.ranks;
  // Stages are whole vectors, and not much longer than a batch.
  const std::size_t unit = 16 / std::gcd(std::size_t(16), ranks_bytes);
  const std::size_t most = std::max<std::size_t>(tuning.stage_bytes / (ranks_bytes * unit), 1);
  const std::uint64_t needed = (length + unit * cut.ranks - 1) / (unit * cut.ranks);
  cut.rank_rows = static_cast<int>(unit * std::min<std::uint64_t>(most, needed));
  const std::size_t stage_bytes = Geometry::stage_bytes(cut);
  cut.stages =
      static_cast<int>(std::min<std::size_t>((shared_bytes - Geometry::kHeaderBytes) / stage_bytes, Geometry::kMostStages));
  cut.loads_ahead = static_cast<int>(std::max<std::size_t>(tuning.bytes_ahead / stage_bytes, 2));
  cut.tile_rows = length;
  if (Geometry::kExchange) {
    const std::size_t tile_stages = std::max<std::size_t>(tuning.tile_bytes / (ranks_bytes * cut.rank_rows), 1);
    cut.tile_rows = tile_stages * cut.stage_rows();
  }
  cut.chunks = (length + cut.tile_rows - 1) / cut.tile_rows;
  cut.tiles = batches * cut.chunks;
  return cut;
}

template <class Problem, class Geometry>
cudaError_t launch_rows(const Problem &problem, const RowsCut &cut, std::uint64_t blocks, cudaStream_t stream) {
  if (cut.stages < 2 || (Geometry::kExchange && cut.tile_rows >= static_cast<std::uint64_t>(cut.stages) * cut.stage_rows())) {
    return cudaErrorInvalidConfiguration;
  }
  const auto kernel = axis_rows_kernel<Problem, Geometry>;
  const std::size_t shared = Geometry::kHeaderBytes + cut.stages * Geometry::stage_bytes(cut);
  const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
  if (error != cudaSuccess) {
    return error;
  }
  // Blocks that exchange totals wait for each other.
  return launch_together(kernel, static_cast<unsigned>(std::min(blocks, cut.tiles)), Geometry::kExchange, Geometry::kThreads,
                         shared, stream, problem, cut);
}

// Columns of a pack: as many as make a word.
template <class Problem>
inline constexpr int rows_columns = sizeof(typename Problem::In) < 4 ? 4 / static_cast<int>(sizeof(typename Problem::In)) : 1;

// Elements that the kernel is made for; totals of several words would take too many registers.
template <class Problem>
inline constexpr bool can_have_rows =
    is_contiguous<typename Problem::Input> && is_contiguous<typename Problem::Output> &&
    sizeof(typename Problem::In) == sizeof(typename Problem::Out) && 8 % sizeof(typename Problem::In) == 0 &&
    sizeof(typename Problem::T) * rows_columns<Problem> <= 16;

// Arrays without gaps as the copy engine can take them, with batches and rows of the right size.
template <class Problem>
bool lies_in_whole_rows(const Problem &problem) {
  const std::size_t row_bytes = problem.inner * sizeof(typename Problem::In);
  const auto is_dense = [&](const axis_strides &strides) {
    return strides.along == problem.inner && strides.batch == problem.length * problem.inner;
  };
  return is_dense(problem.in_strides) && is_dense(problem.out_strides) && is_vector_aligned(problem.input) &&
         is_vector_aligned(problem.output) && problem.length * row_bytes % 16 == 0 &&
         problem.length >= kFewestBatchBytes / row_bytes && row_bytes <= kMostRowBytes &&
         problem.inner % rows_columns<Problem> == 0 && problem.inner <= kMostPacks * rows_columns<Problem>;
}

// The same with enough batches for the GPU. `is_by_element` tells how the array would be read otherwise.
template <class Problem>
bool is_for_rows(const Problem &problem, const DeviceLimits &limits, bool is_by_element) {
  if constexpr (can_have_rows<Problem>) {
    const std::uint64_t batches = problem.rows / problem.length;
    const auto blocks = static_cast<std::uint64_t>(limits.multiprocessors);
    const std::uint64_t turns = (batches + blocks - 1) / blocks;
    const double fewest = (is_by_element ? kFewestBusyForElements : kFewestBusy) * static_cast<double>(turns * blocks);
    return limits.major >= 9 && lies_in_whole_rows(problem) && static_cast<double>(batches) >= fewest;
  } else {
    return false;
  }
}

// Few batches, which would be read element by element otherwise.
template <class Problem>
bool is_for_exchange(const Problem &problem, const DeviceLimits &limits) {
  if constexpr (can_have_rows<Problem>) {
    const std::uint64_t blocks = std::min(limits.multiprocessors, kMostExchangers);
    const std::uint64_t packs = problem.inner / rows_columns<Problem>;
    const std::uint64_t batch_bytes = problem.length * problem.inner * sizeof(typename Problem::In);
    return limits.major >= 9 && limits.shared_bytes >= kExchangeSharedBytes && lies_in_whole_rows(problem) &&
           packs >= kFewestExchangedPacks && batch_bytes >= kFewestExchangedBatchBytes &&
           problem.rows / problem.length * batch_bytes >= kFewestExchangedBytes &&
           (packs + kSlicePacks - 1) / kSlicePacks <= blocks;
  } else {
    return false;
  }
}

// Few batches that could go as pieces or boxes, but are slower so. Measured for words; pieces of odd rows are fast, and so are
// boxes that begin at lines of the cache.
template <class Problem>
bool prefers_exchange(const Problem &problem, const DeviceLimits &limits) {
  constexpr bool kIsWord = sizeof(typename Problem::In) == 4 && sizeof(typename Problem::T) == 4;
  const std::uint64_t inner = problem.inner;
  const bool is_whole_lines = inner > 128 && inner % 32 == 0;
  return kIsWord && inner >= kFewestPreferredPacks && inner <= kMostPreferredPacks && inner % 2 == 0 && !is_whole_lines &&
         (inner <= kNarrowPacks || problem.rows * inner * 4 >= kFewestPreferredWideBytes) && is_for_exchange(problem, limits);
}

template <class Problem, bool kExchange, int kAcross>
cudaError_t launch_rows_of(const Problem &problem, const DeviceLimits &limits, cudaStream_t stream) {
  using Geometry = RowsGeometry<Problem, rows_columns<Problem>, kAcross, kExchange>;
  constexpr RowsTuning kTuning = !kExchange ? kBatchTuning : kAcross == 1 ? kExchangeTuning : kWideExchangeTuning;
  static_assert(Geometry::kMostTiles * kTuning.tile_bytes < kFewestExchangedBatchBytes, "a thread has heads of two batches");
  const RowsCut cut =
      cut_rows<Geometry>(problem.rows / problem.length, problem.length, problem.inner, limits.shared_bytes, kTuning);
  const int blocks = kExchange ? std::min(limits.multiprocessors, kMostExchangers) : limits.multiprocessors;
  return launch_rows<Problem, Geometry>(problem, cut, static_cast<std::uint64_t>(blocks), stream);
}

template <bool kExchange, class Problem>
cudaError_t launch_rows(const Problem &problem, const DeviceLimits &limits, cudaStream_t stream) {
  if constexpr (can_have_rows<Problem>) {
    return problem.inner <= kNarrowPacks * rows_columns<Problem>
               ? launch_rows_of<Problem, kExchange, 1>(problem, limits, stream)
               : launch_rows_of<Problem, kExchange, 4>(problem, limits, stream);
  } else {
    return cudaErrorInvalidConfiguration;
  }
}

// Bytes of the words of an exchange.
template <class T, class In>
std::uint64_t most_rows_words_bytes(std::uint64_t rows, std::uint64_t inner) {
  constexpr int kColumns = sizeof(In) < 4 ? 4 / static_cast<int>(sizeof(In)) : 1;
  const std::uint64_t packs = inner / kColumns;
  if (sizeof(T) * kColumns > 16 || packs > kMostPacks || rows * inner * sizeof(In) < kFewestExchangedBytes) {
    return 0;
  }
  // Of two waves; wide rows have those of one.
  return 2 * kMostExchangers * ((packs + kSlicePacks - 1) / kSlicePacks * kSlicePacks + packs) *
         sizeof(TileWord<Pack<T, kColumns>>);
}

}  // namespace upsweep::cuda::detail
