// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stable merge sort by a comparison: pieces are sorted by one thread each, and then merged by twos, each merge in parts that
// all threads share (Odeh and others 2012, "Merge Path").
#pragma once

#include <upsweep/cpu/detail/chunks.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace upsweep::cpu::detail {

// How many of the first `diagonal` elements of the merge of a and b come from a.
template <class T, class Less>
std::uint64_t merge_split(const T *a, std::uint64_t a_count, const T *b, std::uint64_t b_count, std::uint64_t diagonal,
                          const Less &less) {
  std::uint64_t low = diagonal > b_count ? diagonal - b_count : 0, high = std::min(diagonal, a_count);
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (less(b[diagonal - 1 - middle], a[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Sorts up to `piece` elements at `out` stably, with `other` as memory.
template <class T, class Less>
void sort_piece(T *out, T *other, std::uint64_t n, std::uint64_t piece, const Less &less) {
  constexpr std::uint64_t kRun = 16;
  for (std::uint64_t begin = 0; begin < n; begin += kRun) {
    for (std::uint64_t i = begin + 1; i < std::min(n, begin + kRun); ++i) {
      T value = std::move(out[i]);
      std::uint64_t place = i;
      for (; place > begin && less(value, out[place - 1]); --place) {
        out[place] = std::move(out[place - 1]);
      }
      out[place] = std::move(value);
    }
  }
  T *from = out, *to = other;
  for (std::uint64_t length = kRun; length < piece; length *= 2) {
    for (std::uint64_t begin = 0; begin < n; begin += 2 * length) {
      const std::uint64_t middle = std::min(n, begin + length), end = std::min(n, begin + 2 * length);
      std::merge(from + begin, from + middle, from + middle, from + end, to + begin, less);
    }
    std::swap(from, to);
  }
}

template <class T, class Less, class Executor>
void merge_sort(const T *in, T *out, std::uint64_t n, const Less &less, Executor &executor) {
  if (in != out) {
    std::copy(in, in + n, out);
  }
  constexpr std::uint64_t kPiece = 16384;  // 16 times a power of 4, so that sorted pieces are where they began
  const std::uint64_t pieces = (n + kPiece - 1) / kPiece;
  const std::unique_ptr<T[]> other(new T[n]);
  for_each_piece(executor, pieces, [&](std::uint64_t piece) {
    const std::uint64_t begin = piece * kPiece;
    sort_piece(out + begin, other.get() + begin, std::min(n - begin, kPiece), kPiece, less);
  });
  T *from = out, *to = other.get();
  for (std::uint64_t length = kPiece; length < n; length *= 2) {
    const std::uint64_t parts = (n + kPiece - 1) / kPiece;
    for_each_piece(executor, parts, [&](std::uint64_t part) {
      // Pieces divide the lengths of the sorted parts, so that a piece of the result lies in one merge.
      const std::uint64_t begin = part * kPiece, pair = begin / (2 * length) * (2 * length);
      const std::uint64_t middle = std::min(n, pair + length), end = std::min(n, pair + 2 * length);
      const T *a = from + pair, *b = from + middle;
      const std::uint64_t last = std::min(end, begin + kPiece) - pair;
      const std::uint64_t a_begin = merge_split(a, middle - pair, b, end - middle, begin - pair, less);
      const std::uint64_t a_end = merge_split(a, middle - pair, b, end - middle, last, less);
      std::merge(a + a_begin, a + a_end, b + (begin - pair - a_begin), b + (last - a_end), to + begin, less);
    });
    std::swap(from, to);
  }
  if (from != out) {
    std::copy(from, from + n, out);
  }
}

}  // namespace upsweep::cpu::detail
