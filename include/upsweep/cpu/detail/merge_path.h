// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divides merges of two ranges into parts that threads make in parallel (Odeh and others 2012, "Merge Path"). In sorted ranges
// a binary search finds the begin of a part. In unsorted ranges it may find any place, so that a part might begin behind the
// next one. The places are then moved: each part takes its number of elements from inside the ranges, and all parts together
// take each element once.
#pragma once

#include <upsweep/cpu/detail/chunks.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace upsweep::cpu::detail {

// Elements begin to end - 1 of the merge of two ranges.
template <class T>
struct MergePart {
  const T *a, *b;
  std::uint64_t a_count, b_count, begin, end;
};

// The number of elements of a among the first `diagonal` elements of the merge: at most all of a, and at least diagonal less
// the elements of b.
template <class T, class Less>
std::uint64_t merge_split(const MergePart<T> &part, std::uint64_t diagonal, const Less &less) {
  std::uint64_t low = diagonal > part.b_count ? diagonal - part.b_count : 0, high = std::min(diagonal, part.a_count);
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (less(part.b[diagonal - 1 - middle], part.a[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Calls make(number, part, a_begin, a_end) for each part: the part takes elements a_begin to a_end - 1 of a, and the rest of
// its elements from b. Parts of one merge have neighbouring numbers.
template <class Executor, class PartAt, class Less, class Make>
void merge_parts(Executor &executor, std::uint64_t parts, const PartAt &part_at, const Less &less, const Make &make) {
  constexpr std::uint64_t kSplitsOfPiece = 64;  // so that few parts wake no other thread for their splits
  std::vector<std::uint64_t> splits(parts + 1);
  for_each_piece(executor, (parts + kSplitsOfPiece - 1) / kSplitsOfPiece, [&](std::uint64_t piece) {
    for (std::uint64_t i = piece * kSplitsOfPiece; i < std::min(parts, (piece + 1) * kSplitsOfPiece); ++i) {
      const auto part = part_at(i);
      splits[i] = part.begin == 0 ? 0 : merge_split(part, part.begin, less);
    }
  });
  for (std::uint64_t i = 1; i < parts; ++i) {
    const auto part = part_at(i);
    if (part.begin > 0) {
      splits[i] = std::clamp(splits[i], splits[i - 1], splits[i - 1] + (part.begin - part_at(i - 1).begin));
    }
  }
  for_each_piece(executor, parts, [&](std::uint64_t i) {
    const auto part = part_at(i);
    make(i, part, splits[i], part.end == part.a_count + part.b_count ? part.a_count : splits[i + 1]);
  });
}

}  // namespace upsweep::cpu::detail
