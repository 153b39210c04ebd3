// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RangeList: a set of bytes as sorted ranges.
#ifndef UPSWEEP_RUNTIME_MEMORY_RANGE_LIST_H
#define UPSWEEP_RUNTIME_MEMORY_RANGE_LIST_H

#include <cstddef>
#include <vector>

namespace upsweep {

/// The bytes [begin, end).
struct ByteRange {
  size_t begin = 0;
  size_t end = 0;

  bool is_empty() const { return begin >= end; }
  friend bool operator==(const ByteRange &, const ByteRange &) = default;
};

/// Non-empty ranges in ascending order, separated by gaps. Buffers have few ranges, so linear time is fast.
class RangeList {
public:
  const std::vector<ByteRange> &ranges() const { return ranges_; }

  void add(ByteRange range);
  void remove(ByteRange range);
  bool contains(ByteRange range) const;

  /// The parts of `range` that are in the set.
  std::vector<ByteRange> inside(ByteRange range) const;
  /// The parts of `range` that are not in the set.
  std::vector<ByteRange> missing(ByteRange range) const;

private:
  std::vector<ByteRange> ranges_;
};

}  // namespace upsweep
#endif
