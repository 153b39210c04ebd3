// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which the CUDA library combines elements, for `reproducible` calls. On a GPU it follows from threads, warps of
// 32 threads, and blocks; see docs/decisions/cuda-scan-pipeline.md and docs/cpu-reproducible.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace upsweep::cpu::detail {

constexpr std::size_t kLanes = 32;        // of a warp
constexpr std::size_t kGroupTiles = 128;  // tiles whose totals are added as a tree
constexpr std::size_t kLaneTiles = kGroupTiles / kLanes;

// The division of a scan into tiles: a thread has a slice of kItems neighbours, a tile kWarps warps. The numbers must equal
// ScanRecord's and items_for()'s in upsweep/cuda/device.
template <std::size_t kTotalBytes, std::size_t kInBytes, std::size_t kOutBytes>
struct CudaTile {
  static constexpr std::size_t kVectors = kTotalBytes > 8 ? 9 : 7;  // about 16 bytes for a slice
  static constexpr std::size_t kMostWarps = kTotalBytes > 8 ? 4 : kTotalBytes > 4 ? 6 : 7;
  static constexpr std::size_t kTileBytes = std::size_t(29) * 1024;
  static constexpr std::size_t kUnit =
      std::max(16 / std::gcd(kInBytes, std::size_t(16)), 16 / std::gcd(kOutBytes, std::size_t(16)));
  static constexpr std::size_t kUnits = 2 * kVectors * 16 / (kUnit * (kInBytes + kOutBytes));
  static constexpr std::size_t kItems = kUnit * (kUnits | 1);
  static constexpr std::size_t kWarpItems = kLanes * kItems;
  static constexpr std::size_t kWarps = std::clamp<std::size_t>(kTileBytes / (kWarpItems * kInBytes), 2, kMostWarps);
  static constexpr std::size_t kTileItems = kWarps * kWarpItems;
};

// Replaces each value by the total of the values up to it, in steps of doubled distance (Hillis and Steele 1986).
template <std::size_t kWidth, class T, class Op>
void scan_lanes(T *values, const Op &op) {
  for (std::size_t distance = 1; distance < kWidth; distance *= 2) {
    T before[kWidth];
    std::copy_n(values, kWidth, before);
    for (std::size_t lane = distance; lane < kWidth; ++lane) {
      values[lane] = op(before[lane - distance], before[lane]);
    }
  }
}

// The total of 1 to 32 values, by pairs, pairs of pairs and so on. It overwrites them.
template <class T, class Op>
T reduce_lanes(T *values, std::size_t count, const Op &op) {
  for (std::size_t distance = 1; distance < count; distance *= 2) {
    for (std::size_t lane = 0; lane + distance < count; lane += 2 * distance) {
      values[lane] = op(values[lane], values[lane + distance]);
    }
  }
  return values[0];
}

// The total of up to 512 threads: first of each warp, then of the warps.
template <class T, class Op>
T reduce_threads(T *values, std::size_t count, const Op &op) {
  T warps[kLanes];
  std::size_t some = 0;
  for (std::size_t first = 0; first < count; first += kLanes) {
    warps[some++] = reduce_lanes(values + first, std::min(kLanes, count - first), op);
  }
  return reduce_lanes(warps, some, op);
}

// The totals of an array's tiles up to a place: whole groups of 128 are added in order, and the totals of the last group are
// kept.
template <class T>
struct TileTotals {
  T groups{};  // if has_groups
  bool has_groups = false;
  std::uint32_t count = 0;
  T tiles[kGroupTiles]{};

  template <class Op>
  void append(const T &tile, const Op &op) {
    tiles[count++] = tile;
    if (count == kGroupTiles) {
      const T group = tree(op);
      groups = has_groups ? op(groups, group) : group;
      has_groups = true;
      count = 0;
    }
  }
  bool has_total() const { return has_groups || count > 0; }
  template <class Op>
  T total(const Op &op) const {
    if (count == 0) {
      return groups;
    }
    return has_groups ? op(groups, tree(op)) : tree(op);
  }

private:
  // A lane adds four tiles in order; lanes are added in pairs.
  template <class Op>
  T tree(const Op &op) const {
    T lanes[kLanes];
    std::size_t some = 0;
    for (std::size_t first = 0; first < count; first += kLaneTiles) {
      T sum = tiles[first];
      for (std::size_t i = first + 1; i < std::min<std::size_t>(first + kLaneTiles, count); ++i) {
        sum = op(sum, tiles[i]);
      }
      lanes[some++] = sum;
    }
    return reduce_lanes(lanes, some, op);
  }
};

}  // namespace upsweep::cpu::detail
