// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a checked scan along an axis to a launch: how the array is cut into tiles, and which blocks share a strip.
#pragma once

#include <upsweep/cuda/device/axis_kernel.cuh>
#include <upsweep/cuda/device/launch.cuh>

#include <algorithm>
#include <numeric>

namespace upsweep::cuda::detail {

inline constexpr std::uint64_t kAxisWarps = 8;
// A block has room for at least five tiles of the larger size in 227 KiB, and for two of the smaller one in 64 KiB.
inline constexpr std::size_t kAxisTileBytes = 32 * 1024;
inline constexpr std::size_t kSmallAxisTileBytes = 16 * 1024;
// Short axes are cut into smaller tiles, so that there is one for every multiprocessor of a large GPU.
inline constexpr std::uint64_t kFewestAxisTiles = 256;

// Columns that a lane takes at once: 8 bytes of them.
template <class In>
inline constexpr int axis_columns = sizeof(In) == 1                       ? 8
                                    : sizeof(In) == 2                     ? 4
                                    : sizeof(In) == 4 && alignof(In) == 4 ? 2
                                                                          : 1;

inline AxisCut cut_axis(std::uint64_t rows, std::uint64_t inner, std::size_t element_bytes, int columns, bool is_dense,
                        std::size_t tile_bytes) {
  AxisCut cut;
  const std::uint64_t packs = inner / columns;
  const std::size_t pack_bytes = columns * element_bytes;
  cut.strips = (packs + 31) / 32;
  cut.across = static_cast<int>((packs + cut.strips - 1) / cut.strips);
  if (cut.strips > 1) {
    // Strips of about the same width, each of whole 32-byte sectors.
    const auto sector = static_cast<int>(32 / std::gcd<std::size_t>(32, pack_bytes));
    cut.across = (cut.across + sector - 1) / sector * sector;
    cut.strips = (packs + cut.across - 1) / cut.across;
  }
  cut.ranks = 32 / cut.across;
  const std::size_t row_bytes = cut.across * pack_bytes;
  // The part of a warp is whole vectors of a dense tile.
  const std::uint64_t unit = is_dense ? 16 / std::gcd<std::size_t>(16, row_bytes) : 1;
  const std::uint64_t unit_rows = kAxisWarps * cut.ranks * unit;
  std::uint64_t units = std::max<std::uint64_t>(tile_bytes / (unit_rows * row_bytes), 1);
  units = std::min(units, std::max<std::uint64_t>(rows * cut.strips / kFewestAxisTiles / unit_rows, 1));
  if (cut.ranks > 1 && units % 2 == 0) {
    // Odd, so that the rows of neighbouring ranks begin in different banks.
    --units;
  }
  cut.lane_rows = static_cast<int>(unit * units);
  const std::uint64_t tile_rows = kAxisWarps * cut.warp_rows();
  cut.chunks = (rows + tile_rows - 1) / tile_rows;
  cut.is_dense = is_dense;
  return cut;
}

inline std::uint64_t axis_words(const AxisCut &cut, int columns) { return cut.strips * cut.chunks * cut.across * columns; }

// How many blocks share a strip, so that all blocks have about as many tiles. Every tile's block reads the totals of so many.
inline std::uint32_t axis_members(const AxisCut &cut, std::uint64_t blocks) {
  const double tile_rows = static_cast<double>(kAxisWarps * cut.warp_rows());
  std::uint32_t best = 1;
  double least = 0;
  for (std::uint64_t members = 1; members <= std::min(blocks, cut.chunks); ++members) {
    const std::uint64_t groups = std::min(blocks / members, cut.strips);
    const std::uint64_t tiles = (cut.strips + groups - 1) / groups * ((cut.chunks + members - 1) / members);
    const double cost = static_cast<double>(tiles) * (1 + static_cast<double>(members - 1) / tile_rows);
    if (members == 1 || cost < least) {
      best = static_cast<std::uint32_t>(members);
      least = cost;
    }
  }
  return best;
}

template <class Problem, class Geometry>
cudaError_t launch_axis(Problem &problem, const DeviceLimits &limits, std::size_t tile_bytes, cudaStream_t stream) {
  const auto space = static_cast<std::size_t>(limits.shared_bytes);
  // Tiles of large elements may be larger than aimed at.
  const std::size_t bytes =
      std::max(tile_bytes, static_cast<std::size_t>(kAxisWarps * problem.cut.warp_rows() * problem.cut.across *
                                                    Geometry::kColumns * sizeof(typename Problem::In)));
  const std::size_t stage_bytes = Geometry::aligned(Geometry::stage_bytes(bytes));
  const auto stages =
      static_cast<int>(std::min<std::size_t>((space - Geometry::kHeaderBytes) / stage_bytes, Geometry::kMostStages));
  if (stages < 2) {
    return cudaErrorInvalidConfiguration;
  }
  const auto kernel = axis_kernel<Problem, Geometry>;
  const std::size_t shared = Geometry::kHeaderBytes + stages * stage_bytes;
  const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
  if (error != cudaSuccess) {
    return error;
  }
  problem.members = axis_members(problem.cut, limits.multiprocessors);
  const std::uint64_t groups = std::min(limits.multiprocessors / problem.members + std::uint64_t(0), problem.cut.strips);
  cudaLaunchConfig_t launch = {};
  launch.gridDim = static_cast<unsigned>(groups * problem.members);
  launch.blockDim = Geometry::kThreads;
  launch.dynamicSmemBytes = shared;
  launch.stream = stream;
  // Blocks that share a strip wait for each other: all must run at once.
  cudaLaunchAttribute cooperative;
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  launch.attrs = &cooperative;
  launch.numAttrs = problem.members > 1 ? 1 : 0;
  return cudaLaunchKernelEx(&launch, kernel, problem, stages, static_cast<std::uint32_t>(stage_bytes));
}

// What the arrays of a scan along an axis are for the copy engine.
template <class Problem>
struct AxisAccess {
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  bool is_bulk = false, is_dense = false;

  explicit AxisAccess(const Problem &problem) {
    if constexpr (is_contiguous<typename Problem::Input> && is_contiguous<typename Problem::Output>) {
      if (is_vector_aligned(problem.input) && is_vector_aligned(problem.output) && sizeof(In) == sizeof(Out)) {
        const auto row_bytes = problem.inner * sizeof(In);
        is_dense = row_bytes <= 32 * axis_columns<In> * sizeof(In) && is_dense_array(problem, problem.in_strides) &&
                   is_dense_array(problem, problem.out_strides) && (!Problem::kBackward || problem.rows * row_bytes % 16 == 0);
        is_bulk = is_dense ||
                  (row_bytes % 16 == 0 && is_vectors(problem, problem.in_strides) && is_vectors(problem, problem.out_strides));
      }
    }
  }

private:
  static bool is_dense_array(const Problem &problem, const axis_strides &strides) {
    return strides.along == problem.inner && strides.batch == problem.length * problem.inner;
  }
  static bool is_vectors(const Problem &problem, const axis_strides &strides) {
    return strides.along * sizeof(In) % 16 == 0 && strides.batch * sizeof(In) % 16 == 0;
  }
};

template <class Problem>
cudaError_t launch_axis(Problem problem, const DeviceLimits &limits, cudaStream_t stream) {
  using In = typename Problem::In;
  constexpr int kColumns = axis_columns<In>;
  const AxisAccess<Problem> access(problem);
  const bool is_large = limits.shared_bytes >= static_cast<int>(6 * kAxisTileBytes);
  const std::size_t tile_bytes = is_large ? kAxisTileBytes : kSmallAxisTileBytes;
  const bool is_bulk = access.is_bulk && limits.major >= 9;
  const bool is_packed = is_bulk && problem.inner % kColumns == 0;
  // Lanes that take one column each go across fewer.
  const bool is_dense = is_bulk && access.is_dense && (is_packed || problem.inner <= 32);
  const int columns = is_packed ? kColumns : 1;
  problem.cut = cut_axis(problem.rows, problem.inner, sizeof(In), columns, is_dense, tile_bytes);
  if (axis_words(problem.cut, columns) * sizeof(TileWord<typename Problem::T>) > problem.words_bytes) {
    return cudaErrorInvalidValue;
  }
  if constexpr (is_contiguous<typename Problem::Input> && is_contiguous<typename Problem::Output> &&
                sizeof(In) == sizeof(typename Problem::Out)) {
    if (is_packed) {
      return launch_axis<Problem, AxisGeometry<Problem, kColumns, true>>(problem, limits, tile_bytes, stream);
    }
    if (is_dense) {
      return launch_axis<Problem, AxisGeometry<Problem, 1, true>>(problem, limits, tile_bytes, stream);
    }
  }
  return launch_axis<Problem, AxisGeometry<Problem, 1, false>>(problem, limits, tile_bytes, stream);
}

// Words of the largest of all ways in which an array may be cut.
inline std::uint64_t most_axis_words(std::uint64_t rows, std::uint64_t inner, std::size_t element_bytes, int columns) {
  std::uint64_t most = 0;
  for (const std::size_t tile_bytes : {kAxisTileBytes, kSmallAxisTileBytes}) {
    most = std::max(most, axis_words(cut_axis(rows, inner, element_bytes, 1, false, tile_bytes), 1));
    if (inner <= 32) {
      most = std::max(most, axis_words(cut_axis(rows, inner, element_bytes, 1, true, tile_bytes), 1));
    }
    if (inner % columns == 0) {
      const bool can_be_dense = inner <= 32 * static_cast<std::uint64_t>(columns);
      for (const bool is_dense : {false, can_be_dense}) {
        most = std::max(most, axis_words(cut_axis(rows, inner, element_bytes, columns, is_dense, tile_bytes), columns));
      }
    }
  }
  return most;
}

}  // namespace upsweep::cuda::detail
