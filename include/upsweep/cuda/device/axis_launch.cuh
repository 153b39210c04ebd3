// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a checked scan along an axis: decides how the array is cut into tiles, and which blocks share a strip.
#pragma once

#include <upsweep/cuda/device/arguments.cuh>
#include <upsweep/cuda/device/axis_columns_launch.cuh>
#include <upsweep/cuda/device/axis_kernel.cuh>
#include <upsweep/cuda/device/axis_rows_launch.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/tuning_axis.cuh>

#include <algorithm>
#include <numeric>

namespace upsweep::cuda::detail {

// The columns of a lane: 8 bytes of them, but 4 columns of bytes.
template <class In>
inline constexpr int axis_columns = sizeof(In) <= 2                       ? 4
                                    : sizeof(In) == 4 && alignof(In) == 4 ? 2
                                                                          : 1;
// The columns of a wide lane: 16 bytes of them, with larger tiles. Wide lanes are faster if a strip is whole rows, and if no
// blocks share a strip (docs/decisions/cuda-scan-axes.md). Totals of several words would take too much room.
template <class T, class In>
inline constexpr int axis_wide_columns =
    (sizeof(In) == 4 || sizeof(In) == 8) && alignof(In) == sizeof(In) && sizeof(T) <= 8 ? 16 / static_cast<int>(sizeof(In))
                                                                                        : axis_columns<In>;

// The way tiles are loaded: as one piece of memory each, as boxes of a matrix, or by elements.
enum class AxisAccess { kPieces, kBoxes, kElements };

// `blocks` is 0 if it is unknown. Only the fields that do not depend on it are then valid.
template <class In>
AxisCut cut_axis(std::uint64_t rows, std::uint64_t inner, int columns, AxisAccess access, std::size_t tile_bytes,
                 std::uint64_t blocks) {
  constexpr std::uint64_t kWarps = axis_warps<sizeof(In)>;
  AxisCut cut;
  const std::uint64_t packs = inner / columns;
  const std::size_t pack_bytes = columns * sizeof(In);
  cut.strips = (packs + 31) / 32;
  if (access == AxisAccess::kBoxes && cut.strips > blocks / 2 && blocks > 0) {
    // No blocks share a strip. Narrower strips keep all blocks busy.
    cut.strips = std::min((cut.strips + blocks - 1) / blocks * blocks, packs);
  }
  cut.across = static_cast<int>((packs + cut.strips - 1) / cut.strips);
  if (cut.strips > 1) {
    // Strips of about the same width, each of whole 32-byte sectors.
    const auto sector = static_cast<int>(32 / std::gcd<std::size_t>(32, pack_bytes));
    cut.across = (cut.across + sector - 1) / sector * sector;
    cut.strips = (packs + cut.across - 1) / cut.across;
  }
  cut.ranks = 32 / cut.across;
  const std::size_t row_bytes = cut.across * pack_bytes;
  // A warp's part of a piece is whole vectors; its part of a box begins at a multiple of 128 bytes.
  const std::size_t alignment = access == AxisAccess::kPieces ? 16 : access == AxisAccess::kBoxes ? 128 : 1;
  const std::uint64_t unit = alignment / std::gcd(alignment, row_bytes);
  const std::uint64_t unit_rows = kWarps * cut.ranks * unit;
  std::uint64_t units = std::max<std::uint64_t>(tile_bytes / (unit_rows * row_bytes), 1);
  units = std::min(units, std::max<std::uint64_t>(rows * cut.strips / TunedAxis::kFewestTiles / unit_rows, 1));
  cut.lane_rows = static_cast<int>(unit * units);
  const std::uint64_t tile_rows = kWarps * cut.warp_rows();
  cut.tile_rows = static_cast<int>(tile_rows);
  cut.chunks = (rows + tile_rows - 1) / tile_rows;
  cut.is_dense = access == AxisAccess::kPieces;
  return cut;
}

// Bytes of the words of a scan whose lanes take kColumns columns.
template <class T, int kColumns>
std::uint64_t axis_words_bytes(const AxisCut &cut) {
  return cut.strips * (cut.chunks + cut.groups()) * cut.across * sizeof(TileWord<Pack<T, kColumns>>);
}

// Whether tiles are added in groups.
inline bool adds_groups(const AxisCut &cut, std::uint64_t members) {
  return members > TunedAxis::kMembersInTurn * static_cast<std::uint64_t>(cut.ranks);
}

// The number of blocks that share a strip, so that all blocks have about equally many tiles. If several blocks share one, each
// tile reads totals, at the cost of `read` rows.
inline std::uint32_t axis_members(const AxisCut &cut, std::uint64_t blocks) {
  const double tile_rows = static_cast<double>(cut.tile_rows);
  std::uint32_t best = 1;
  double least = 0;
  for (std::uint64_t members = 1; members <= std::min(blocks, cut.chunks); ++members) {
    const std::uint64_t groups = std::min(blocks / members, cut.strips);
    const std::uint64_t tiles = (cut.strips + groups - 1) / groups * ((cut.chunks + members - 1) / members);
    const double read = adds_groups(cut, members) ? AxisCut::kGroupChunks + static_cast<double>(members) / AxisCut::kGroupChunks
                                                  : static_cast<double>(members - 1);
    const double cost = static_cast<double>(tiles) * (1 + read / tile_rows);
    if (members == 1 || cost < least) {
      best = static_cast<std::uint32_t>(members);
      least = cost;
    }
  }
  return best;
}

// The mean share of busy blocks.
inline double axis_use(const AxisCut &cut, std::uint64_t blocks) {
  const std::uint64_t members = axis_members(cut, blocks);
  const std::uint64_t groups = std::min(blocks / members, cut.strips);
  const std::uint64_t tiles = (cut.strips + groups - 1) / groups * ((cut.chunks + members - 1) / members);
  return static_cast<double>(cut.strips * cut.chunks) / static_cast<double>(tiles * blocks);
}

template <class Problem, class Geometry>
cudaError_t launch_axis(Problem &problem, const AxisMaps &maps, const DeviceLimits &limits, std::size_t tile_bytes,
                        cudaStream_t stream) {
  const auto space = static_cast<std::size_t>(limits.shared_bytes);
  // Tiles of large elements may exceed the target.
  const std::size_t bytes =
      std::max(tile_bytes, static_cast<std::size_t>(static_cast<std::size_t>(problem.cut.tile_rows) * problem.cut.across *
                                                    Geometry::kColumns * sizeof(typename Problem::In)));
  const std::size_t stage_bytes = Geometry::aligned(Geometry::stage_bytes(bytes));
  const auto stages =
      static_cast<int>(std::min<std::size_t>((space - Geometry::kHeaderBytes) / stage_bytes, Geometry::kMostStages));
  if (stages < 2) {
    return cudaErrorInvalidConfiguration;
  }
  const auto kernel = axis_kernel<Problem, Geometry>;
  const std::size_t shared = Geometry::kHeaderBytes + stages * stage_bytes;
  const cudaError_t error = allow_shared_memory<std::pair<Problem, Geometry>>(kernel, limits);
  if (error != cudaSuccess) {
    return error;
  }
  const auto blocks = static_cast<std::uint64_t>(multiprocessors_of(stream, limits));
  // Blocks do not share strips that are narrower than the workspace allows for.
  const bool may_share = axis_words_bytes<typename Problem::T, Geometry::kColumns>(problem.cut) <= problem.words_bytes;
  problem.members = may_share ? axis_members(problem.cut, blocks) : 1;
  problem.group_chunks = adds_groups(problem.cut, problem.members) ? AxisCut::kGroupChunks : 1;
  const std::uint64_t groups = std::min(blocks / problem.members, problem.cut.strips);
  return launch(kernel, static_cast<unsigned>(groups * problem.members), Geometry::kThreads, shared, stream, problem, maps,
                stages, static_cast<std::uint32_t>(stage_bytes));
}

// The input with tiles as boxes, or the output with warps' parts as boxes.
template <class Problem>
BoxedMatrix box_matrix(const Problem &problem, const AxisCut &cut, int columns, bool is_input) {
  constexpr std::size_t kBytes = sizeof(typename Problem::In);
  BoxedMatrix matrix;
  matrix.data = is_input ? static_cast<const void *>(problem.input) : static_cast<const void *>(problem.output);
  matrix.row_bytes = problem.inner * kBytes;
  matrix.rows = problem.rows;
  matrix.pitch_bytes = (is_input ? problem.in_strides : problem.out_strides).along * kBytes;
  matrix.box_bytes = static_cast<std::uint32_t>(cut.across * columns * kBytes);
  matrix.box_rows = static_cast<std::uint32_t>(is_input ? cut.tile_rows : cut.warp_rows());
  return matrix;
}

// The form in which the copy engine takes the arrays, if lanes take `columns` columns.
template <class Problem>
AxisAccess axis_access(const Problem &problem, int columns, std::size_t tile_bytes) {
  using In = typename Problem::In;
  if constexpr (is_contiguous<typename Problem::Input> && is_contiguous<typename Problem::Output> &&
                sizeof(In) == sizeof(typename Problem::Out)) {
    const auto is_even = [&](const axis_strides &strides) { return strides.batch == problem.length * strides.along; };
    if (problem.inner % columns != 0 || !is_vector_aligned(problem.input) || !is_vector_aligned(problem.output) ||
        !is_even(problem.in_strides) || !is_even(problem.out_strides)) {
      return AxisAccess::kElements;
    }
    const std::uint64_t row_bytes = problem.inner * sizeof(In);
    if (problem.inner <= 32 * static_cast<std::uint64_t>(columns) && problem.in_strides.along == problem.inner &&
        problem.out_strides.along == problem.inner && (!Problem::kBackward || problem.rows * row_bytes % 16 == 0)) {
      return AxisAccess::kPieces;
    }
    const AxisCut cut = cut_axis<typename Problem::In>(problem.rows, problem.inner, columns, AxisAccess::kBoxes, tile_bytes, 0);
    if (kHasMaps && row_bytes % 16 == 0 && problem.in_strides.along * sizeof(In) % 16 == 0 &&
        problem.out_strides.along * sizeof(In) % 16 == 0 && box_matrix(problem, cut, columns, true).fits() &&
        box_matrix(problem, cut, columns, false).fits()) {
      return AxisAccess::kBoxes;
    }
  }
  return AxisAccess::kElements;
}

// Launches with the copy engine; returns false if the array does not suit it.
template <int kColumns, class Problem>
bool launch_bulk_axis(Problem &problem, const DeviceLimits &limits, std::size_t tile_bytes, cudaStream_t stream,
                      cudaError_t &error) {
  if constexpr (is_contiguous<typename Problem::Input> && is_contiguous<typename Problem::Output> &&
                sizeof(typename Problem::In) == sizeof(typename Problem::Out)) {
    const AxisAccess access = axis_access(problem, kColumns, tile_bytes);
    if (limits.major < 9 || access == AxisAccess::kElements) {
      return false;
    }
    AxisMaps maps = {};
    problem.cut =
        cut_axis<typename Problem::In>(problem.rows, problem.inner, kColumns, access, tile_bytes, limits.multiprocessors);
    error = cudaSuccess;
    if (access == AxisAccess::kBoxes) {
      error = box_matrix(problem, problem.cut, kColumns, true).encode(maps.in);
      if (error == cudaSuccess) {
        error = box_matrix(problem, problem.cut, kColumns, false).encode(maps.out);
      }
    }
    if (error == cudaSuccess) {
      error = launch_axis<Problem, AxisGeometry<Problem, kColumns, true>>(problem, maps, limits, tile_bytes, stream);
    }
    return true;
  } else {
    return false;
  }
}

// The size of wide lanes' tiles, or 0 if narrow lanes are faster.
template <int kColumns, class Problem>
std::size_t wide_tile_bytes(const Problem &problem, const DeviceLimits &limits) {
  using In = typename Problem::In;
  if (problem.inner <= 32 * static_cast<std::uint64_t>(axis_columns<In>)) {
    return 0;
  }
  switch (axis_access(problem, kColumns, TunedAxis::kWideBoxBytes)) {
  case AxisAccess::kPieces: return TunedAxis::kWidePieceBytes;
  case AxisAccess::kBoxes: {
    const auto blocks = static_cast<std::uint64_t>(limits.multiprocessors);
    const auto cut = [&](int columns, std::size_t tile_bytes) {
      return cut_axis<In>(problem.rows, problem.inner, columns, AxisAccess::kBoxes, tile_bytes, blocks);
    };
    const AxisCut wide = cut(kColumns, TunedAxis::kWideBoxBytes);
    const std::uint32_t members = axis_members(wide, blocks);
    const bool has_whole_sectors = problem.in_strides.along * sizeof(In) % 32 == 0;
    const bool is_faster =
        members == 1 ||
        (members <= TunedAxis::kMostWideMembers &&
         (!has_whole_sectors ||
          axis_use(wide, blocks) > TunedAxis::kWideUse * axis_use(cut(axis_columns<In>, TunedAxis::kTileBytes), blocks)));
    return is_faster ? TunedAxis::kWideBoxBytes : 0;
  }
  default: return 0;
  }
}

// Launches with the most columns a lane that the copy engine can load; returns false if it can load none.
template <class Problem>
bool launch_any_bulk_axis(Problem &problem, const DeviceLimits &limits, bool is_large, std::size_t tile_bytes,
                          cudaStream_t stream, cudaError_t &error) {
  constexpr int kColumns = axis_columns<typename Problem::In>;
  constexpr int kWideColumns = axis_wide_columns<typename Problem::T, typename Problem::In>;
  if constexpr (kWideColumns > kColumns) {
    const std::size_t wide_bytes = is_large ? wide_tile_bytes<kWideColumns>(problem, limits) : 0;
    if (wide_bytes > 0 && launch_bulk_axis<kWideColumns>(problem, limits, wide_bytes, stream, error)) {
      return true;
    }
  }
  if (launch_bulk_axis<kColumns>(problem, limits, tile_bytes, stream, error)) {
    return true;
  }
  if constexpr (kColumns > 1) {
    return launch_bulk_axis<1>(problem, limits, tile_bytes, stream, error);
  } else {
    return false;
  }
}

// Takes independent batches of whole rows, or columns, if there are enough of them; otherwise tiles that exchange totals.
template <class Problem>
cudaError_t launch_axis(Problem problem, const DeviceLimits &limits, cudaStream_t stream) {
  using In = typename Problem::In;
  if (problem.length <= few_rows<In> && has_columns_enough(problem, 1)) {
    return launch_columns(problem, stream);
  }
  if (is_for_rows(problem, limits, false)) {
    return launch_rows<false, false>(problem, limits, 1, stream);
  }
  cudaError_t error = cudaSuccess;
  if (prefers_exchange(problem, limits)) {
    error = launch_rows<true, false>(problem, limits, 1, stream);
    if (error != kNotThisWay) {
      return error;
    }
  }
  const bool is_large = limits.shared_bytes >= static_cast<int>(6 * TunedAxis::kTileBytes);
  const std::size_t tile_bytes = is_large ? TunedAxis::kTileBytes : TunedAxis::kSmallTileBytes;
  if (launch_any_bulk_axis(problem, limits, is_large, tile_bytes, stream, error)) {
    return error;
  }
  if (is_for_rows(problem, limits, true)) {
    return launch_rows<false, false>(problem, limits, 1, stream);
  }
  if (is_for_exchange(problem, limits, 1, false)) {
    error = launch_rows<true, false>(problem, limits, 1, stream);
    if (error != kNotThisWay) {
      return error;
    }
  }
  if (const std::uint64_t strips = strips_for_rows(problem, limits, TunedAxis::kFewestBusy); strips > 0) {
    return launch_rows<false, true>(problem, limits, strips, stream);
  }
  if constexpr (can_exchange_loose<Problem>) {
    const std::uint64_t strips = fewest_strips<Problem>(problem.inner, most_loose_packs<Problem>);
    if (is_for_exchange(problem, limits, strips, true)) {
      error = launch_rows<true, true>(problem, limits, strips, stream);
      if (error != kNotThisWay) {
        return error;
      }
    }
  }
  if (const std::uint64_t strips = strips_for_rows(problem, limits, TunedAxis::kFewestBusyForElements); strips > 0) {
    return launch_rows<false, true>(problem, limits, strips, stream);
  }
  if (has_columns_enough(problem, TunedAxis::kColumnsForElements)) {
    return launch_columns(problem, stream);
  }
  problem.cut = cut_axis<typename Problem::In>(problem.rows, problem.inner, 1, AxisAccess::kElements, tile_bytes, 0);
  return launch_axis<Problem, AxisGeometry<Problem, 1, false>>(problem, AxisMaps{}, limits, tile_bytes, stream);
}

// The most bytes of words over all cuts of an array, with kColumns columns a lane.
template <class T, class In, int kColumns>
std::uint64_t most_axis_words_bytes(std::uint64_t rows, std::uint64_t inner) {
  std::uint64_t most = 0;
  for (const std::size_t tile_bytes :
       {TunedAxis::kTileBytes, TunedAxis::kSmallTileBytes, TunedAxis::kWidePieceBytes, TunedAxis::kWideBoxBytes}) {
    for (const AxisAccess access : {AxisAccess::kPieces, AxisAccess::kBoxes, AxisAccess::kElements}) {
      if (inner % kColumns == 0 && (access != AxisAccess::kPieces || inner <= 32 * kColumns)) {
        most = std::max(most, axis_words_bytes<T, kColumns>(cut_axis<In>(rows, inner, kColumns, access, tile_bytes, 0)));
      }
    }
  }
  return most;
}

}  // namespace upsweep::cuda::detail
