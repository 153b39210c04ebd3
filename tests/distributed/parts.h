// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common tools of tests over ranks: arrays in parts, their lengths at random, and calls whose parts are put together.
#ifndef UPSWEEP_TESTS_DISTRIBUTED_PARTS_H
#define UPSWEEP_TESTS_DISTRIBUTED_PARTS_H

#include <upsweep/distributed/options.h>
#include <upsweep/distributed/threads.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace upsweep::distributed::test {

// Operators that do not commute: affine maps, and the last that is not zero.
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

// An array as a part for each rank.
template <class T>
struct Parts {
  std::vector<std::vector<T>> of;

  explicit Parts(const std::vector<std::size_t> &lengths) {
    for (const std::size_t length : lengths) {
      of.emplace_back(length);
    }
  }
  Parts(const std::vector<T> &whole, const std::vector<std::size_t> &lengths) : Parts(lengths) {
    auto from = whole.begin();
    for (std::vector<T> &part : of) {
      std::copy_n(from, part.size(), part.begin());
      from += static_cast<std::ptrdiff_t>(part.size());
    }
  }
  std::vector<T> whole() const {
    std::vector<T> all;
    for (const std::vector<T> &part : of) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
  std::vector<T> &operator[](unsigned rank) { return of[rank]; }
};

// The same elements by a bitwise comparison, so that NaNs are equal to themselves.
template <class T>
void expect_same(const std::vector<T> &found, const std::vector<T> &wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(std::memcmp(static_cast<const void *>(&found[i]), static_cast<const void *>(&wanted[i]), sizeof(T)), 0)
        << "element " << i << " of " << found.size();
  }
}

}  // namespace upsweep::distributed::test

#endif
