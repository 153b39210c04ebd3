// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stable merge sort by a comparison. A thread sorts each piece; pieces are then merged in pairs, and all threads share the
// parts of each merge. If the comparison is no order, the result is a permutation of the elements.
#pragma once

#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/merge_path.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace upsweep::cpu::detail {

// Sorts up to `piece` elements at `out` stably, with `other` as temporary memory.
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
  constexpr std::uint64_t kPiece = 16384;  // 16 times a power of 4, so that sorted pieces end where they began
  const std::uint64_t pieces = (n + kPiece - 1) / kPiece;
  const std::unique_ptr<T[]> other(new T[n]);
  for_each_piece(executor, pieces, [&](std::uint64_t piece) {
    const std::uint64_t begin = piece * kPiece;
    sort_piece(out + begin, other.get() + begin, std::min(n - begin, kPiece), kPiece, less);
  });
  T *from = out, *to = other.get();
  for (std::uint64_t length = kPiece; length < n; length *= 2) {
    // Pieces divide the lengths of the sorted runs, so that each piece of the result belongs to a single merge.
    const auto pair_of = [&](std::uint64_t piece) { return piece * kPiece / (2 * length) * (2 * length); };
    const auto part_at = [&](std::uint64_t piece) {
      const std::uint64_t pair = pair_of(piece), begin = piece * kPiece;
      const std::uint64_t middle = std::min(n, pair + length), end = std::min(n, pair + 2 * length);
      return MergePart<T>{from + pair,  from + middle, middle - pair,
                          end - middle, begin - pair,  std::min(end, begin + kPiece) - pair};
    };
    merge_parts(executor, pieces, part_at, less,
                [&](std::uint64_t piece, const MergePart<T> &part, std::uint64_t a_begin, std::uint64_t a_end) {
                  std::merge(part.a + a_begin, part.a + a_end, part.b + (part.begin - a_begin), part.b + (part.end - a_end),
                             to + piece * kPiece, less);
                });
    std::swap(from, to);
  }
  if (from != out) {
    std::copy(from, from + n, out);
  }
}

}  // namespace upsweep::cpu::detail
