// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random calls, each compared with plain loops over the whole array. Every rank draws the same array and the same division of
// it, makes the call with its own part, and compares its own results. A difference is an exception, so that threads and
// processes can make the same calls.
#ifndef UPSWEEP_TESTS_DISTRIBUTED_RANDOM_CALLS_H
#define UPSWEEP_TESTS_DISTRIBUTED_RANDOM_CALLS_H

#include "parts.h"

#include <upsweep/distributed/communicator.h>
#include <upsweep/distributed/options.h>

#include <cmath>
#include <limits>

namespace upsweep::distributed::test {

// A call's array, its division, and this rank's part.
template <class C>
class Drawn {
public:
  Drawn(C &communicator, std::uint64_t seed) : ranks(communicator), random(seed) {
    n = random() % (std::size_t(1) << (random() % 8 == 0 ? 1 + random() % 3 : 5 + random() % 7));
    if (random() % 50 == 0) {
      n = 20000 + random() % 40000;  // so that several threads work
    }
    divide();
  }

  void divide() {
    lengths = lengths_of(n, ranks.size(), kDivisions[random() % std::size(kDivisions)], random);
    begin = 0;
    for (unsigned r = 0; r < ranks.rank(); ++r) {
      begin += lengths[r];
    }
  }
  std::size_t length() const { return lengths[ranks.rank()]; }

  template <class T>
  std::vector<T> part(const std::vector<T> &whole) const {
    const auto from = whole.begin() + static_cast<std::ptrdiff_t>(begin);
    return std::vector<T>(from, from + static_cast<std::ptrdiff_t>(length()));
  }

  // n elements: random, with few values, all equal, ascending or descending.
  template <class T, class Make>
  std::vector<T> elements(const Make &make) {
    std::vector<T> all(n);
    for (T &element : all) {
      element = make(random);
    }
    return all;
  }
  std::vector<std::int64_t> numbers() {
    const std::uint64_t kind = random() % 5, few = 1 + random() % 4;
    auto all = elements<std::int64_t>([&](std::mt19937_64 &r) {
      return kind == 0   ? static_cast<std::int64_t>(r())
             : kind == 1 ? 7
                         : static_cast<std::int64_t>(r() % (kind == 2 ? few : 100));
    });
    if (kind >= 3) {
      std::sort(all.begin(), all.end());
    }
    if (kind == 4) {
      std::reverse(all.begin(), all.end());
    }
    return all;
  }
  std::vector<Affine> maps() {
    return elements<Affine>(
        [](std::mt19937_64 &r) { return Affine{static_cast<std::uint32_t>(r() | 1), static_cast<std::uint32_t>(r())}; });
  }
  // With zeros of both signs, infinities and NaNs.
  std::vector<float> floats() {
    const bool are_all_nans = random() % 10 == 0;
    return elements<float>([&](std::mt19937_64 &r) {
      const std::uint64_t which = are_all_nans ? 0 : r() % 12;
      switch (which) {
      case 0: return std::copysign(std::numeric_limits<float>::quiet_NaN(), r() % 2 == 0 ? 1.0F : -1.0F);
      case 1: return r() % 2 == 0 ? 0.0F : -0.0F;
      case 2: return std::copysign(std::numeric_limits<float>::infinity(), r() % 2 == 0 ? 1.0F : -1.0F);
      default: return static_cast<float>(static_cast<int>(r() % 64) - 32) / 4;
      }
    });
  }
  // The most elements of a run: some runs lie inside of a part, and some cross several borders.
  std::uint64_t run_length() { return 1 + random() % (2 * n / ranks.size() + 2); }
  std::vector<std::uint32_t> keys() {
    const std::uint64_t length = run_length();
    std::uint32_t key = 0;
    return elements<std::uint32_t>([&](std::mt19937_64 &r) { return key += r() % length == 0 ? 1U : 0U; });
  }

  C &ranks;
  std::mt19937_64 random;
  std::size_t n = 0, begin = 0;
  std::vector<std::size_t> lengths;
};

inline void require(bool is_right, const std::string &what) {
  if (!is_right) {
    throw std::runtime_error("wrong result: " + what);
  }
}
template <class T>
void require_same(const std::vector<T> &found, const std::vector<T> &wanted, const char *what) {
  require(found.size() == wanted.size(),
          std::string(what) + " has " + std::to_string(found.size()) + " elements instead of " + std::to_string(wanted.size()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    require(std::memcmp(static_cast<const void *>(&found[i]), static_cast<const void *>(&wanted[i]), sizeof(T)) == 0,
            std::string(what) + " at " + std::to_string(i) + " of " + std::to_string(found.size()));
  }
}

}  // namespace upsweep::distributed::test

#endif
