// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a call in one table, which is checked before anything is written: an array that is written overlaps no other
// array. Arrays of one group may be the same: they begin at the same address and have elements of the same size. C++17.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace upsweep::common {

struct CallArray {
  const char *name = nullptr;
  std::uintptr_t begin = 0;
  std::uint64_t bytes = 0;  // 0: no array, or not contiguous
  std::size_t element_bytes = 0;
  bool is_written = false;
  unsigned group = 0;

  bool overlaps(const CallArray &other) const {
    return bytes > 0 && other.bytes > 0 && begin < other.begin + other.bytes && other.begin < begin + bytes;
  }
  bool may_be(const CallArray &other) const {
    return group != 0 && group == other.group && begin == other.begin && element_bytes == other.element_bytes;
  }
};

// Most calls have one group of arrays; calls with values have a second group.
inline constexpr unsigned kApart = 0, kTogether = 1, kValuesTogether = 2;

// Two arrays that overlap and must not, or null pointers.
struct overlap {
  const CallArray *first = nullptr, *second = nullptr;
};
inline overlap find_overlap(std::initializer_list<CallArray> arrays) {
  for (const CallArray *a = arrays.begin(); a != arrays.end(); ++a) {
    for (const CallArray *b = a + 1; b != arrays.end(); ++b) {
      if ((a->is_written || b->is_written) && a->overlaps(*b) && !a->may_be(*b)) {
        return {a, b};
      }
    }
  }
  return {};
}

}  // namespace upsweep::common
