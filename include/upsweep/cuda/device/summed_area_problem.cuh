// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request of a summed-area table, and its tiles.
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/tile_word.cuh>
#include <upsweep/cuda/device/values.cuh>

namespace upsweep::cuda::detail {

// Rows of `row` elements, channels side by side in a pixel; distances in elements.
struct ImageLayout {
  std::uint64_t pitch;   // from row to row
  std::uint64_t stride;  // from image to image
  bool is_vector;        // all rows begin at whole vectors
};

// In         elements of the image
// Sum        elements of the table
// kChannels  1 to 4
template <class In_, class Sum_, class Transform_, int kChannels_>
struct SummedAreaProblem {
  using In = In_;
  using Sum = Sum_;
  static constexpr int kChannels = kChannels_;
  static constexpr bool kIsPlain = std::is_same_v<Transform_, Unchanged>;

  const In *input;
  Sum *output;  // the sum of the first pixel alone; an exclusive table has zeros before it and above it
  Transform_ transform;
  std::uint64_t height, row;
  ImageLayout in, out;
  bool has_zeros;
  std::uint32_t tiles_across, tiles_down, tiles;  // of an image, and of all
  ScanState *state;
  TileWord<Sum> *words;  // for each tile, Tile::kRowWords words for its rows and channels, then Tile::kColumns words
  std::uint64_t words_bytes;

  __device__ __forceinline__ Sum sum_of(const In &element) const {
    const auto value = transform(element);
    if constexpr (std::is_arithmetic_v<decltype(value)>) {
      return static_cast<Sum>(value);
    } else {
      return static_cast<Sum>(static_cast<float>(value));  // 16-bit floats
    }
  }
};

// A lane has kVector neighbouring elements of each of the kWarpRows rows of its warp in registers, 128 bytes of sums; a tile is
// 64 rows of 512 bytes of sums. A lane has all channels of a pixel.
template <class Sum, int kChannels_>
struct AreaTile {
  static constexpr int kChannels = kChannels_;
  static constexpr int kVector = sizeof(Sum) == 4 || kChannels > 2 ? 4 : 2;
  static constexpr int kWarps = 8, kThreads = 32 * kWarps;
  static constexpr int kRows = 1024 / (kVector * static_cast<int>(sizeof(Sum)));
  static constexpr int kWarpRows = kRows / kWarps;
  static constexpr int kColumns = 32 * kVector;
  static constexpr int kRowWords = kRows * kChannels;
  static constexpr std::size_t kWordsBytes = (kRowWords + kColumns) * word_bytes(sizeof(Sum));
  static_assert(kVector >= kChannels && kRowWords <= kThreads && kColumns <= kThreads);

  // The tiles of an image. An image without pixels has a tile, too, which writes an exclusive table's zeros.
  static constexpr std::uint64_t across(std::uint64_t row) { return row == 0 ? 1 : (row - 1) / kColumns + 1; }
  static constexpr std::uint64_t down(std::uint64_t height) { return height == 0 ? 1 : (height - 1) / kRows + 1; }
};

// The number of tiles in a row, or in a column, whose totals are added for the next tile. The last of them publishes the total
// of all tiles up to it instead of its own. So a tile reads at most kAreaGroup words, and the bracketing of sums is fixed.
inline constexpr std::uint32_t kAreaGroup = 16;
// The width in tiles of the panels that images are processed in, each from its top down. Tiles in flight then have few other
// tiles in flight on their left, and few above.
inline constexpr std::uint32_t kAreaPanel = 16;

struct AreaPlace {
  std::uint32_t image, down, across;

  template <class Problem>
  __device__ __forceinline__ static AreaPlace of_ticket(const Problem &problem, std::uint32_t ticket) {
    const std::uint32_t of_image = problem.tiles_down * problem.tiles_across;
    const std::uint32_t image = ticket / of_image;
    const std::uint32_t rank = ticket - image * of_image;
    const std::uint32_t panel_tiles = problem.tiles_down * kAreaPanel;
    const std::uint32_t panel = problem.tiles_across > kAreaPanel ? rank / panel_tiles : 0;
    const std::uint32_t in_panel = rank - panel * panel_tiles;
    const std::uint32_t width = min(problem.tiles_across - panel * kAreaPanel, kAreaPanel);
    const std::uint32_t down = in_panel / width;
    return {image, down, panel * kAreaPanel + in_panel - down * width};
  }
};

}  // namespace upsweep::cuda::detail
