// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of a part in the whole array (place_of).
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <cstdint>

namespace upsweep::distributed {

struct part_place {
  std::uint64_t begin, all;
};

namespace detail {

// The place of the part of `rank`; counts[r] is the length of the part of rank r.
template <class Counts>
part_place place_among(const Counts &counts, unsigned rank, unsigned size) {
  part_place place{0, 0};
  for (unsigned r = 0; r < size; ++r) {
    place.begin += r < rank ? counts[r] : 0;
    place.all += counts[r];
  }
  return place;
}

// The length of the part of `rank` if `all` elements are divided equally; the first parts have one more.
inline std::uint64_t equal_share(std::uint64_t all, unsigned rank, unsigned size) {
  return all / size + (rank < all % size ? 1 : 0);
}

}  // namespace detail

}  // namespace upsweep::distributed

#endif
