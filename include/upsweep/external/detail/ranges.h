// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorted ranges as one sequence: elements that are alike come in the order of the ranges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace upsweep::external::detail {

template <class T>
struct range {
  const T *begin = nullptr, *end = nullptr;
  std::uint64_t size() const { return static_cast<std::uint64_t>(end - begin); }
};

// The elements of [from, to) that come before `pivot`, an element of range `of`, in the merged sequence. `j` is their range.
template <class T, class Less>
const T *place_before(const T *from, const T *to, std::uint64_t j, const T *pivot, std::uint64_t of, const Less &less) {
  if (j == of) {
    return pivot;
  }
  return j < of ? std::upper_bound(from, to, *pivot, less) : std::lower_bound(from, to, *pivot, less);
}

// Divides each range such that the first parts together are the first `rank` elements of the merged sequence. Each step halves
// the longest of the parts in which the divisions may be.
template <class T, class Less>
std::vector<const T *> split_at_rank(const std::vector<range<T>> &ranges, std::uint64_t rank, const Less &less) {
  const std::uint64_t k = ranges.size();
  std::vector<const T *> low(k), high(k), at(k);
  std::uint64_t below = 0;  // elements before `low`
  for (std::uint64_t j = 0; j < k; ++j) {
    low[j] = ranges[j].begin;
    high[j] = ranges[j].end;
  }
  while (below < rank) {
    std::uint64_t of = 0;
    for (std::uint64_t j = 1; j < k; ++j) {
      of = high[j] - low[j] > high[of] - low[of] ? j : of;
    }
    if (high[of] == low[of]) {
      break;  // only if the ranges are not sorted
    }
    const T *pivot = low[of] + (high[of] - low[of]) / 2;
    std::uint64_t before = 0;
    for (std::uint64_t j = 0; j < k; ++j) {
      at[j] = place_before(low[j], high[j], j, pivot, of, less);
      before += static_cast<std::uint64_t>(at[j] - ranges[j].begin);
    }
    if (before > rank) {
      high.swap(at);
      continue;
    }
    low.swap(at);
    below = before;
    if (below < rank) {  // then the pivot is among the first elements, too
      ++low[of];
      ++below;
    }
  }
  return low;
}

// The elements that no later block can precede: those up to the least of the last elements of the ranges that go on.
template <class T, class Less>
std::vector<range<T>> safe_parts(const std::vector<range<T>> &ranges, const std::vector<bool> &goes_on, const Less &less) {
  const std::uint64_t k = ranges.size();
  std::uint64_t least = k;
  for (std::uint64_t j = 0; j < k; ++j) {
    if (goes_on[j] && (least == k || less(ranges[j].end[-1], ranges[least].end[-1]))) {
      least = j;
    }
  }
  std::vector<range<T>> parts = ranges;
  for (std::uint64_t j = 0; least < k && j < k; ++j) {
    if (j != least) {
      parts[j].end = place_before(ranges[j].begin, ranges[j].end, j, ranges[least].end - 1, least, less);
    }
  }
  return parts;
}

}  // namespace upsweep::external::detail
