// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counts that blocks of a radix sort's pass exchange: the number of each digit in the earlier tiles.
//
// The tiles are in groups of 16, and the groups in spans of 16. A tile stores its counts, and adds them to its group's counts.
// The count before a tile is the sum over the earlier tiles of its group, the earlier groups of its span, and one word for
// everything before the span. These are at most 31 words for each digit, all requested together, whatever the number of tiles
// in flight.
#pragma once

#include <upsweep/cuda/device/sort_digits_kernel.cuh>

namespace upsweep::cuda::detail {

// Rows of kDigits words, all 0 before the pass.
struct DigitRows {
  static constexpr int kWide = 16;             // tiles of a group, and groups of a span
  static constexpr int kSpan = kWide * kWide;  // tiles
  static constexpr std::uint32_t kIsThere = 1u << 31;
  static constexpr std::uint32_t kArrival = kIsThere / kWide;  // of a tile in its group; below is the sum of counts
  static constexpr std::uint64_t kIsBegun = 1ull << 63;

  std::uint64_t *spans;   // where the digits begin in the output, for the first tile of each span
  std::uint32_t *tiles;   // counts
  std::uint32_t *groups;  // sums of counts

  static constexpr std::uint64_t spans_of(std::uint64_t tiles) { return tiles / kSpan + 1; }
  static constexpr std::uint64_t groups_of(std::uint64_t tiles) { return tiles / kWide + 1; }
  static constexpr std::uint64_t bytes(std::uint64_t tiles) {
    return kDigits * (spans_of(tiles) * sizeof(std::uint64_t) + (groups_of(tiles) + tiles) * sizeof(std::uint32_t));
  }
  static DigitRows at(unsigned char *memory, std::uint64_t tiles) {
    auto *const spans = reinterpret_cast<std::uint64_t *>(memory);
    auto *const groups = reinterpret_cast<std::uint32_t *>(spans + spans_of(tiles) * kDigits);
    return {spans, groups + groups_of(tiles) * kDigits, groups};
  }

  // Called by kDigits threads.
  __device__ __forceinline__ void publish(std::uint64_t tile, std::uint32_t count) const {
    std::uint32_t *const own = tiles + tile * kDigits + threadIdx.x;
    std::uint32_t *const group = groups + tile / kWide * kDigits + threadIdx.x;
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(own)), "r"(count | kIsThere) : "memory");
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(group)), "r"(count + kArrival)
                 : "memory");
  }

  __device__ __forceinline__ void begin_span(std::uint64_t span, int digit, std::uint64_t begin) const {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(spans + span * kDigits + digit)),
                 "l"(begin | kIsBegun)
                 : "memory");
  }
  __device__ __forceinline__ std::uint64_t begin_of_span(std::uint64_t span, int digit) const {
    const std::uint64_t *const from = spans + span * kDigits + digit;
    for (;;) {
      std::uint64_t word;
      asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(__cvta_generic_to_global(from)) : "memory");
      if ((word & kIsBegun) != 0) {
        return word & ~kIsBegun;
      }
    }
  }

  // Called by kDigits threads: clears the words of these rows that this tile and later tiles write.
  __device__ __forceinline__ void clear(std::uint64_t tile) const {
    tiles[tile * kDigits + threadIdx.x] = 0;
    if (tile % kWide == 0) {
      groups[tile / kWide * kDigits + threadIdx.x] = 0;
    }
    if (tile % kSpan == 0) {
      spans[tile / kSpan * kDigits + threadIdx.x] = 0;
    }
  }
};

// The words of four digits in one row.
class DigitWords {
public:
  // The rows before a tile: first the tiles of its group, and then the groups of its span.
  __device__ __forceinline__ DigitWords(const DigitRows &rows, std::uint64_t tile, int row, int column) {
    const int tiles = static_cast<int>(tile % DigitRows::kWide);
    const int groups = static_cast<int>(tile / DigitRows::kWide % DigitRows::kWide);
    if (row < tiles) {
      from_ = rows.tiles + (tile - tiles + row) * kDigits + 4 * column;
    } else if (row < tiles + groups) {
      from_ = rows.groups + (tile / DigitRows::kWide - groups + row - tiles) * kDigits + 4 * column;
    } else {
      words_[0] = words_[1] = words_[2] = words_[3] = DigitRows::kIsThere;
      return;
    }
    ask();
  }

  __device__ __forceinline__ void wait() {
    while ((words_[0] & words_[1] & words_[2] & words_[3] & DigitRows::kIsThere) == 0) {
      ask();
    }
  }
  __device__ __forceinline__ std::uint32_t count(int i) const { return words_[i] & (DigitRows::kArrival - 1); }

private:
  __device__ __forceinline__ void ask() {
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words_[0]), "=r"(words_[1]), "=r"(words_[2]), "=r"(words_[3])
                 : "l"(__cvta_generic_to_global(from_))
                 : "memory");
  }

  const std::uint32_t *from_;
  std::uint32_t words_[4];
};

}  // namespace upsweep::cuda::detail
