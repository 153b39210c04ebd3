// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common tools of tests over ranks: an operator that does not commute, and the lengths of parts at random.
#ifndef UPSWEEP_TESTS_DISTRIBUTED_PARTS_H
#define UPSWEEP_TESTS_DISTRIBUTED_PARTS_H

#include <upsweep/distributed/options.h>
#include <upsweep/distributed/threads.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace upsweep::distributed::test {

// An operator that does not commute: the composition of affine maps.
struct Affine {
  std::uint32_t factor, offset;
  bool operator==(const Affine &) const = default;
};
struct Compose {
  Affine operator()(const Affine &a, const Affine &b) const { return {a.factor * b.factor, a.offset * b.factor + b.offset}; }
};

// The lengths of the parts of n elements.
enum class Division { kEqual, kRandom, kAllOnOne, kFewOnEach, kMostlyEmpty };
inline constexpr Division kDivisions[] = {Division::kEqual, Division::kRandom, Division::kAllOnOne, Division::kFewOnEach,
                                          Division::kMostlyEmpty};

inline std::vector<std::size_t> lengths_of(std::size_t n, unsigned ranks, Division division, std::mt19937_64 &random) {
  std::vector<std::size_t> lengths(ranks);
  switch (division) {
  case Division::kEqual:
    for (unsigned r = 0; r < ranks; ++r) {
      lengths[r] = n * (r + 1) / ranks - n * r / ranks;
    }
    break;
  case Division::kRandom: {
    std::vector<std::size_t> cuts{0, n};
    for (unsigned r = 1; r < ranks; ++r) {
      cuts.push_back(random() % (n + 1));
    }
    std::sort(cuts.begin(), cuts.end());
    for (unsigned r = 0; r < ranks; ++r) {
      lengths[r] = cuts[r + 1] - cuts[r];
    }
    break;
  }
  case Division::kAllOnOne: lengths[random() % ranks] = n; break;
  case Division::kFewOnEach:  // one element or none on each but one
    for (std::size_t &length : lengths) {
      length = n > 0 ? random() % 2 : 0;
      n -= length;
    }
    lengths[random() % ranks] += n;
    break;
  case Division::kMostlyEmpty:
    for (int i = 0; i < 3; ++i) {
      const std::size_t some = i == 2 ? n : random() % (n + 1);
      lengths[random() % ranks] += some;
      n -= some;
    }
    break;
  }
  return lengths;
}

}  // namespace upsweep::distributed::test

#endif
