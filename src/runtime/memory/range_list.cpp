// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of bytes.
#include "runtime/memory/range_list.h"
#include <algorithm>

namespace upsweep {

void RangeList::add(ByteRange range) {
  if (range.is_empty()) return;
  // Merges all ranges that overlap or touch the new range.
  const auto first = std::ranges::lower_bound(ranges_, range.begin, {}, &ByteRange::end);
  auto last = first;
  for (; last != ranges_.end() && last->begin <= range.end; ++last) {
    range.begin = std::min(range.begin, last->begin);
    range.end = std::max(range.end, last->end);
  }
  ranges_.insert(ranges_.erase(first, last), range);
}

void RangeList::remove(ByteRange range) {
  if (range.is_empty()) return;
  std::vector<ByteRange> rest;
  rest.reserve(ranges_.size() + 1);
  for (const ByteRange &own : ranges_) {
    const ByteRange before{own.begin, std::min(own.end, range.begin)};
    const ByteRange after{std::max(own.begin, range.end), own.end};
    if (!before.is_empty()) rest.push_back(before);
    if (!after.is_empty()) rest.push_back(after);
  }
  ranges_ = std::move(rest);
}

bool RangeList::contains(ByteRange range) const {
  return range.is_empty() ||
         std::ranges::any_of(ranges_, [&](const ByteRange &own) { return own.begin <= range.begin && range.end <= own.end; });
}

std::vector<ByteRange> RangeList::inside(ByteRange range) const {
  std::vector<ByteRange> parts;
  for (const ByteRange &own : ranges_) {
    const ByteRange part{std::max(own.begin, range.begin), std::min(own.end, range.end)};
    if (!part.is_empty()) parts.push_back(part);
  }
  return parts;
}

std::vector<ByteRange> RangeList::missing(ByteRange range) const {
  std::vector<ByteRange> parts;
  for (const ByteRange &known : inside(range)) {
    if (range.begin < known.begin) parts.push_back({range.begin, known.begin});
    range.begin = known.end;
  }
  if (!range.is_empty()) parts.push_back(range);
  return parts;
}

}  // namespace upsweep
