// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the arrays that are scanned by whole rows, cuts them into tiles and stages, and launches their kernel.
#pragma once

#include <upsweep/cuda/device/arguments.cuh>
#include <upsweep/cuda/device/axis_rows_kernel.cuh>
#include <upsweep/cuda/device/gpu_part.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/tuning_axis.cuh>
#include <upsweep/cuda/device/tuning_axis_rows.cuh>

#include <algorithm>
#include <limits>
#include <numeric>

namespace upsweep::cuda::detail {

inline constexpr int kRowsSharedBytes = 216 * 1024;   // two tiles of an exchange and their totals, or loose rows
inline constexpr std::uint64_t kMostPacks = 1024;     // of a row
inline constexpr std::uint64_t kNarrowPacks = 256;    // one for each thread
inline constexpr std::uint64_t kMiddlingPacks = 512;  // two

// The columns of a pack: they fill a word.
template <class Problem>
inline constexpr int rows_columns = sizeof(typename Problem::In) < 4 ? 4 / static_cast<int>(sizeof(typename Problem::In)) : 1;

// Elements that the kernel is made for; totals of several words would take too many registers.
template <class Problem>
inline constexpr bool can_have_rows =
    is_contiguous<typename Problem::Input> && is_contiguous<typename Problem::Output> &&
    sizeof(typename Problem::In) == sizeof(typename Problem::Out) && 8 % sizeof(typename Problem::In) == 0 &&
    sizeof(typename Problem::T) * rows_columns<Problem> <= 16;

// Columns of each strip but the last if there are `strips`: whole lines of the cache, where there are several.
template <class Problem>
int strip_columns(std::uint64_t inner, std::uint64_t strips) {
  constexpr std::uint64_t kLine = 128 / sizeof(typename Problem::In);
  const std::uint64_t columns = (inner + strips - 1) / strips;
  return static_cast<int>(strips == 1 ? columns : (columns + kLine - 1) / kLine * kLine);
}

// Whether rows of the input and their results have the same offset from a vector.
template <class Problem>
bool lie_alike(const Problem &problem) {
  constexpr std::uint64_t kBytes = sizeof(typename Problem::In);
  const auto apart = [](std::uint64_t a, std::uint64_t b) { return (a - b) * kBytes % 16; };
  return (reinterpret_cast<std::uintptr_t>(problem.input) - reinterpret_cast<std::uintptr_t>(problem.output)) % 16 == 0 &&
         apart(problem.in_strides.along, problem.out_strides.along) == 0 &&
         (problem.rows == problem.length || apart(problem.in_strides.batch, problem.out_strides.batch) == 0);
}

inline bool has_narrow_gaps(std::uint64_t row_bytes, std::uint64_t along_bytes) {
  return along_bytes <= row_bytes + row_bytes / TunedAxisRows::kWidestGap;
}

// The layout of loose rows in stages: each row has the same offset from a vector as in memory. Rows with narrow gaps are loaded
// with the gaps, as one piece. Other rows never share a vector.
template <class Problem>
void lay_out_rows(const Problem &problem, RowsCut &cut) {
  constexpr std::uint64_t kBytes = sizeof(typename Problem::In);
  const std::uint64_t row_bytes = cut.columns * kBytes;
  const auto pitch = [](std::uint64_t least, std::uint64_t along_bytes) {
    return static_cast<int>(least + (along_bytes - least) % 16);
  };
  const std::uint64_t in_along = problem.in_strides.along * kBytes;
  const std::uint64_t out_along = problem.out_strides.along * kBytes;
  cut.in_pitch = has_narrow_gaps(row_bytes, in_along) ? static_cast<int>(in_along) : pitch(row_bytes + 30, in_along);
  // Results that are stored as one piece are faster in separate places.
  const bool is_in_place = lie_alike(problem) && (out_along != row_bytes || in_along == row_bytes);
  cut.out_pitch = is_in_place ? cut.in_pitch : pitch(row_bytes, out_along);
  cut.result_stages = is_in_place ? 0 : TunedAxisRows::kResultStages;
}

// The number of stages that fit.
template <class Geometry>
int stages_for(const RowsCut &cut, std::size_t shared_bytes) {
  const std::size_t fixed = Geometry::header_bytes(cut) + cut.result_stages * Geometry::results_bytes(cut);
  const std::size_t stages = shared_bytes > fixed ? (shared_bytes - fixed) / Geometry::stage_bytes(cut) : 0;
  return static_cast<int>(std::min<std::size_t>(stages, Geometry::kMostStages));
}

// Rows of a stage with several packs a thread, at most cut.rank_rows. All are read together, since a remainder of a few rows
// takes as long as a full step.
template <class Geometry>
int wide_stage_rows(const RowsCut &cut, int unit) {
  const int step = std::lcm(unit, Geometry::kRowsAtOnce);
  return cut.rank_rows < step ? cut.rank_rows : cut.rank_rows / step * step;
}

template <class Problem, class Geometry>
RowsCut cut_rows(const Problem &problem, std::uint64_t strips, std::size_t shared_bytes, const RowsRecord &tuning) {
  const std::uint64_t batches = problem.rows / problem.length;
  RowsCut cut = {};
  cut.extent = (batches - 1) * problem.in_strides.batch + (problem.length - 1) * problem.in_strides.along + problem.inner;
  cut.columns = strip_columns<Problem>(problem.inner, strips);
  cut.strips = (problem.inner + cut.columns - 1) / cut.columns;
  cut.across = (cut.columns + Geometry::kColumns - 1) / Geometry::kColumns;
  cut.ranks = Geometry::kMayRank ? Geometry::kRoleThreads / cut.across : 1;
  int pitch = cut.across * Geometry::kPackBytes;
  if (Geometry::kLoose) {
    lay_out_rows(problem, cut);
    pitch = cut.in_pitch;
  }
  const std::size_t ranks_bytes = static_cast<std::size_t>(pitch) * cut.ranks;
  // Stages are whole vectors if rows are close, and not much longer than a batch.
  const std::size_t unit = Geometry::kLoose ? 1 : 16 / std::gcd(std::size_t(16), ranks_bytes);
  const std::size_t most = std::max<std::size_t>(tuning.stage_bytes / (ranks_bytes * unit), 1);
  const std::uint64_t needed = (problem.length + unit * cut.ranks - 1) / (unit * cut.ranks);
  cut.rank_rows = static_cast<int>(unit * std::min<std::uint64_t>(most, needed));
  // A slice is copied as whole vectors.
  const int slice_unit = static_cast<int>(16 / std::gcd(std::size_t(16), sizeof(typename Geometry::Totals)));
  cut.slice = ((cut.across + kClusterBlocks - 1) / kClusterBlocks + slice_unit - 1) / slice_unit * slice_unit;
  if (Geometry::kExchange && !Geometry::kMayRank) {
    cut.rank_rows = wide_stage_rows<Geometry>(cut, static_cast<int>(unit));
  }
  cut.stages = stages_for<Geometry>(cut, shared_bytes);
  cut.loads_ahead = static_cast<int>(std::max<std::size_t>(tuning.bytes_ahead / Geometry::stage_bytes(cut), 2));
  cut.tile_rows = problem.length;
  if (Geometry::kExchange) {
    const std::size_t rows_bytes = ranks_bytes * cut.rank_rows;
    std::uint64_t tile_stages = (tuning.tile_bytes + rows_bytes - 1) / rows_bytes;
    // A batch is longer than a cluster's part of it in a wave.
    const std::uint64_t of_batch = (problem.length + cut.stage_rows() - 1) / cut.stage_rows();
    tile_stages = std::clamp<std::uint64_t>(tile_stages, 1, std::max<std::uint64_t>((of_batch - 1) / (kClusterBlocks - 1), 1));
    // A whole tile, and a stage more, is loaded before its prefix is known.
    cut.tile_rows = std::min<std::uint64_t>(tile_stages, std::max(cut.stages - 1, 1)) * cut.stage_rows();
  }
  cut.chunks = (problem.length + cut.tile_rows - 1) / cut.tile_rows;
  cut.tiles = batches * cut.strips * cut.chunks;
  return cut;
}

inline cudaLaunchAttribute in_clusters() {
  cudaLaunchAttribute dimension = {};
  dimension.id = cudaLaunchAttributeClusterDimension;
  dimension.val.clusterDim = {kClusterBlocks, 1, 1};
  return dimension;
}

// The number of clusters of a kernel's blocks that are resident together: not all multiprocessors are in groups of that size.
// All such kernels have the same number: a multiprocessor holds one block.
template <class... Parameters>
cudaError_t most_clusters(void (*kernel)(Parameters...), int threads, std::size_t shared, int &clusters) {
  int device = 0;
  const cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) {
    return error;
  }
  static KeptOfDevices kept;
  return kept.get(device, clusters, [&](int &number) {
    cudaLaunchAttribute attribute = in_clusters();
    const cudaLaunchConfig_t launch = launch_config(kClusterBlocks, threads, shared, nullptr, &attribute, 1);
    const cudaError_t asked = cudaOccupancyMaxActiveClusters(&number, kernel, &launch);
    return asked == cudaSuccess && number == 0 ? kNotThisWay : asked;
  });
}

// The fewest strips, of `packs` packs each, that hold a row.
template <class Problem>
std::uint64_t fewest_strips(std::uint64_t inner, std::uint64_t packs) {
  const std::uint64_t columns = packs * rows_columns<Problem>;
  return (inner + columns - 1) / columns;
}

template <class Problem>
bool is_dense(const Problem &problem, const axis_strides &strides) {
  return strides.along == problem.inner && strides.batch == problem.length * problem.inner;
}

// Close rows, in batches of the right size.
template <class Problem>
bool lies_in_close_rows(const Problem &problem) {
  const std::size_t row_bytes = problem.inner * sizeof(typename Problem::In);
  return is_dense(problem, problem.in_strides) && is_dense(problem, problem.out_strides) && lie_alike(problem) &&
         reinterpret_cast<std::uintptr_t>(problem.input) % (rows_columns<Problem> * sizeof(typename Problem::In)) == 0 &&
         problem.length >= TunedAxisRows::kFewestBatchBytes / row_bytes && row_bytes <= TunedAxisRows::kMostRowBytes &&
         problem.inner % rows_columns<Problem> == 0 && problem.inner <= kMostPacks * rows_columns<Problem>;
}

// Any other rows that are long enough.
template <class Problem>
bool lies_in_loose_rows(const Problem &problem) {
  constexpr std::uint64_t kBytes = sizeof(typename Problem::In);
  const std::uint64_t row_bytes = problem.inner * kBytes;
  const bool are_pieces =
      !has_narrow_gaps(row_bytes, problem.in_strides.along * kBytes) || problem.out_strides.along != problem.inner;
  return (!are_pieces || row_bytes >= TunedAxisRows::kFewestPieceBytes) &&
         problem.length >= TunedAxisRows::kFewestBatchBytes / row_bytes;
}

// Whether `batches` batches keep enough blocks busy on average.
inline bool has_batches_enough(std::uint64_t batches, const DeviceLimits &limits, double fewest_busy) {
  const auto blocks = static_cast<std::uint64_t>(limits.multiprocessors);
  const std::uint64_t turns = (batches + blocks - 1) / blocks;
  return static_cast<double>(batches) >= fewest_busy * static_cast<double>(turns * blocks);
}

// Close rows with enough batches for the GPU. `is_by_element`: the array is otherwise read by element.
template <class Problem>
bool is_for_rows(const Problem &problem, const DeviceLimits &limits, bool is_by_element) {
  if constexpr (can_have_rows<Problem>) {
    return limits.major >= 9 && lies_in_close_rows(problem) &&
           has_batches_enough(problem.rows / problem.length, limits,
                              is_by_element ? TunedAxis::kFewestBusyForElements : TunedAxis::kFewestBusy);
  } else {
    return false;
  }
}

// The number of strips that gives loose rows enough batches for the GPU, or 0.
template <class Problem>
std::uint64_t strips_for_rows(const Problem &problem, const DeviceLimits &limits, double fewest_busy) {
  if constexpr (can_have_rows<Problem>) {
    if (limits.major < 9 || limits.shared_bytes < kRowsSharedBytes || !lies_in_loose_rows(problem)) {
      return 0;
    }
    const std::uint64_t batches = problem.rows / problem.length;
    const std::uint64_t fewest = fewest_strips<Problem>(problem.inner, kMostPacks);
    const std::uint64_t most = std::min<std::uint64_t>(
        problem.inner * sizeof(typename Problem::In) / TunedAxisRows::kFewestStripBytes, limits.multiprocessors);
    for (std::uint64_t strips = fewest; strips <= std::max(fewest, most); ++strips) {
      const std::uint64_t columns = strip_columns<Problem>(problem.inner, strips);
      if (has_batches_enough(batches * ((problem.inner + columns - 1) / columns), limits, fewest_busy)) {
        return strips;
      }
    }
  }
  return 0;
}

// The loose rows that take part in an exchange, and the most packs of their strips. Wider strips, and elements of 8 bytes, are
// slower than several strips, or than reading element by element.
template <class Problem>
inline constexpr bool can_exchange_loose = can_have_rows<Problem> && sizeof(typename Problem::In) <= 4;
template <class Problem>
inline constexpr std::uint64_t most_loose_packs = sizeof(typename Problem::In) == 4 ? kMostPacks : kNarrowPacks;

// Few long batches, which would be read element by element otherwise; loose rows in their fewest strips.
template <class Problem>
bool is_for_exchange(const Problem &problem, const DeviceLimits &limits, std::uint64_t strips, bool is_loose) {
  if constexpr (can_have_rows<Problem>) {
    constexpr std::uint64_t kBytes = sizeof(typename Problem::In);
    const std::uint64_t packs = problem.inner / rows_columns<Problem>;
    const std::uint64_t across = strip_columns<Problem>(problem.inner, strips) / rows_columns<Problem>;
    const std::uint64_t bytes = problem.rows * problem.inner * kBytes;
    const std::uint64_t fewest =
        is_loose && across > kNarrowPacks ? TunedAxisRows::kFewestExchangedLooseBytes : TunedAxisRows::kFewestExchangedBytes;
    return limits.major >= 9 && limits.shared_bytes >= kRowsSharedBytes &&
           (is_loose ? lies_in_loose_rows(problem) : lies_in_close_rows(problem)) &&
           packs >= TunedAxisRows::kFewestExchangedPacks &&
           problem.length * problem.inner * kBytes / strips >= TunedAxisRows::kFewestExchangedBatchBytes && bytes >= fewest;
  } else {
    return false;
  }
}

// Few batches that could be loaded as pieces or boxes, but are slower in this way. Measured for words and doubles; pieces of
// odd rows are fast, and so are boxes of doubles that begin at lines of the cache.
template <class Problem>
bool prefers_exchange(const Problem &problem, const DeviceLimits &limits) {
  constexpr std::uint64_t kBytes = sizeof(typename Problem::In);
  constexpr bool kIsWhole = (kBytes == 4 || kBytes == 8) && sizeof(typename Problem::T) == kBytes;
  const std::uint64_t inner = problem.inner;
  const bool has_fast_boxes = kBytes == 8 && inner > 128 && inner % 16 == 0;
  const bool are_words_in_parts = kBytes == 4 && inner * kBytes % 32 != 0;  // of sectors
  const std::uint64_t fewest_bytes = inner <= kNarrowPacks ? TunedAxisRows::kFewestPreferredBytes
                                     : inner <= kMiddlingPacks && are_words_in_parts
                                         ? TunedAxisRows::kFewestPreferredMiddlingBytes
                                         : TunedAxisRows::kFewestPreferredWideBytes;
  return kIsWhole && inner >= TunedAxisRows::kFewestPreferredPacks && inner % 2 == 0 && !has_fast_boxes &&
         (inner <= kMiddlingPacks || are_words_in_parts) && problem.rows * inner * kBytes >= fewest_bytes &&
         is_for_exchange(problem, limits, 1, false);
}

template <class Problem, bool kExchange, bool kLoose, int kAcross>
cudaError_t launch_rows_of(const Problem &problem, const DeviceLimits &limits, std::uint64_t strips, cudaStream_t stream) {
  using Geometry = RowsGeometry<Problem, rows_columns<Problem>, kAcross, kExchange, kLoose>;
  constexpr RowsRecord kTuning = !kExchange     ? TunedAxisRows::kBatchRows
                                 : kAcross == 1 ? TunedAxisRows::kExchangeRows
                                                : TunedAxisRows::kWideExchangeRows;
  static_assert(kClusterBlocks * kTuning.tile_bytes < TunedAxisRows::kFewestExchangedBatchBytes,
                "a cluster has heads of two batches");
  const auto kernel = axis_rows_kernel<Problem, Geometry>;
  const auto most_shared = static_cast<std::size_t>(limits.shared_bytes);
  cudaError_t error = allow_shared_memory<std::pair<Problem, Geometry>>(kernel, limits);
  if (error != cudaSuccess) {
    return error;
  }
  std::uint64_t blocks = limits.multiprocessors;
  if constexpr (kExchange) {
    if (multiprocessors_of(stream, limits) < limits.multiprocessors) {
      return kNotThisWay;  // the number of clusters that fit a part of the GPU is unknown
    }
    int clusters = 0;
    error = most_clusters(kernel, Geometry::kThreads, most_shared, clusters);
    if (error != cudaSuccess) {
      return error;
    }
    blocks = static_cast<std::uint64_t>(kClusterBlocks * std::min(clusters, kMostClusters));
  }
  const RowsCut cut = cut_rows<Problem, Geometry>(problem, strips, most_shared, kTuning);
  if (cut.stages < 2) {
    return cudaErrorInvalidConfiguration;
  }
  const std::size_t shared =
      Geometry::header_bytes(cut) + cut.stages * Geometry::stage_bytes(cut) + cut.result_stages * Geometry::results_bytes(cut);
  if constexpr (kExchange) {
    if (cut.tile_rows >= static_cast<std::uint64_t>(cut.stages) * cut.stage_rows() || cut.chunks < kClusterBlocks ||
        cut.chunks > std::numeric_limits<int>::max() / 2 || cut.tiles > std::numeric_limits<std::uint32_t>::max()) {
      return cudaErrorInvalidConfiguration;
    }
    const std::uint64_t needed = (cut.tiles + kClusterBlocks - 1) / kClusterBlocks * kClusterBlocks;
    return launch_with(in_clusters(), kernel, static_cast<unsigned>(std::min(blocks, needed)), Geometry::kThreads, shared,
                       stream, problem, cut);
  } else {
    return launch(kernel, static_cast<unsigned>(std::min(blocks, cut.tiles)), Geometry::kThreads, shared, stream, problem, cut);
  }
}

template <bool kExchange, bool kLoose, class Problem>
cudaError_t launch_rows(const Problem &problem, const DeviceLimits &limits, std::uint64_t strips, cudaStream_t stream) {
  if constexpr (can_have_rows<Problem>) {
    if constexpr (!kExchange || !kLoose || most_loose_packs<Problem> > kNarrowPacks) {
      if (strip_columns<Problem>(problem.inner, strips) > static_cast<int>(kNarrowPacks) * rows_columns<Problem>) {
        if constexpr (kExchange && !kLoose) {
          if (problem.inner <= kMiddlingPacks * rows_columns<Problem>) {
            return launch_rows_of<Problem, kExchange, kLoose, 2>(problem, limits, strips, stream);
          }
        }
        return launch_rows_of<Problem, kExchange, kLoose, 4>(problem, limits, strips, stream);
      }
    }
    return launch_rows_of<Problem, kExchange, kLoose, 1>(problem, limits, strips, stream);
  } else {
    return cudaErrorInvalidConfiguration;
  }
}

// Bytes of the words of an exchange.
template <class T, class In>
std::uint64_t most_rows_words_bytes(std::uint64_t rows, std::uint64_t inner) {
  constexpr int kColumns = sizeof(In) < 4 ? 4 / static_cast<int>(sizeof(In)) : 1;
  const std::uint64_t packs = std::min((inner + kColumns - 1) / kColumns, kMostPacks);
  if (sizeof(T) * kColumns > 16 || rows * inner * sizeof(In) < TunedAxisRows::kFewestExchangedBytes) {
    return 0;
  }
  return kWordWaves * kMostClusters * packs * sizeof(TileWord<Pack<T, kColumns>>);
}

}  // namespace upsweep::cuda::detail
