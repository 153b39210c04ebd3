// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random calls over ranks that are GPUs, whatever connects them. Each rank makes the whole array from the same seed, takes its
// part, and compares its results with the host's.
#pragma once

#include "check.h"

#include <upsweep/distributed/cuda/communicator.cuh>

#include <cmath>
#include <numeric>
#include <string>

namespace upsweep::test {

namespace over = upsweep::distributed;

// Composition of x -> factor * x + offset, modulo 2^32: associative, and not commutative.
struct Affine {
  std::uint32_t factor, offset;
};
struct Compose {
  __host__ __device__ Affine operator()(const Affine &a, const Affine &b) const {
    return {a.factor * b.factor, a.offset * b.factor + b.offset};
  }
};
inline bool operator==(const Affine &a, const Affine &b) { return a.factor == b.factor && a.offset == b.offset; }

struct IsOdd {
  template <class T>
  __host__ __device__ bool operator()(const T &x) const {
    return static_cast<std::uint64_t>(x) % 2 != 0;
  }
};

// The parts of all ranks: of any length, also none, or all on one rank.
class World {
public:
  World(unsigned size, unsigned rank, std::uint32_t seed, std::uint64_t most) : random(seed), rank_(rank) {
    const std::uint64_t n = random() % (most + 1);
    switch (random() % 4) {
    case 0: one(size, n); break;
    case 1: equal(size, n); break;
    default: cut(size, n); break;
    }
  }

  std::uint64_t all() const { return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t(0)); }
  std::uint64_t begin() const { return std::accumulate(lengths.begin(), lengths.begin() + rank_, std::uint64_t(0)); }
  std::uint64_t n() const { return lengths[rank_]; }
  template <class T>
  std::vector<T> part(const std::vector<T> &whole) const {
    const auto from = whole.begin() + static_cast<std::ptrdiff_t>(begin());
    return std::vector<T>(from, from + static_cast<std::ptrdiff_t>(n()));
  }
  // make(random number) for each element.
  template <class Make>
  auto whole(const Make &make) {
    std::vector<decltype(make(0U))> values;
    for (std::uint64_t i = 0; i < all(); ++i) {
      values.push_back(make(static_cast<std::uint32_t>(random())));
    }
    return values;
  }
  // Runs of equal keys of up to `longest`.
  std::vector<std::uint32_t> keys(std::uint64_t longest) {
    std::vector<std::uint32_t> values;
    while (values.size() < all()) {
      const std::uint64_t length = std::min<std::uint64_t>(1 + random() % longest, all() - values.size());
      values.insert(values.end(), length, static_cast<std::uint32_t>(random() % 5));
    }
    return values;
  }
  // The same on all ranks.
  std::uint64_t number(std::uint64_t behind) { return random() % behind; }

  std::mt19937 random;
  std::vector<std::uint64_t> lengths;

private:
  void one(unsigned size, std::uint64_t n) {
    lengths.assign(size, 0);
    lengths[random() % size] = n;
  }
  void equal(unsigned size, std::uint64_t n) { lengths.assign(size, n / size); }
  void cut(unsigned size, std::uint64_t n) {
    std::vector<std::uint64_t> cuts = {0, n};
    for (unsigned r = 1; r < size; ++r) {
      cuts.push_back(random() % 5 == 0 ? 0 : random() % (n + 1));
    }
    std::sort(cuts.begin(), cuts.end());
    for (unsigned r = 0; r < size; ++r) {
      lengths.push_back(cuts[r + 1] - cuts[r]);
    }
  }

  unsigned rank_;
};

template <class T>
void expect_same(const char *call, std::uint32_t seed, const std::vector<T> &found, const std::vector<T> &wanted) {
  bool is_right = found.size() >= wanted.size();
  std::size_t i = 0;
  while (is_right && i < wanted.size()) {
    is_right = same(found[i], wanted[i]);
    i += is_right ? 1 : 0;
  }
  if (!is_right) {
    std::printf("%s, seed %u: element %zu of %zu is wrong\n", call, seed, i, wanted.size());
    for (std::size_t k = i; k < std::min({i + 4, wanted.size(), found.size()}); ++k) {
      std::uint64_t bits[2]{};
      std::memcpy(&bits[0], &found[k], std::min(sizeof(T), sizeof(bits[0])));
      std::memcpy(&bits[1], &wanted[k], std::min(sizeof(T), sizeof(bits[1])));
      std::printf("  0x%llx instead of 0x%llx\n", static_cast<unsigned long long>(bits[0]),
                  static_cast<unsigned long long>(bits[1]));
    }
  }
  UPSWEEP_CHECK(is_right);
}
// The results of a call, with nothing written behind them.
template <class T>
void expect_part(const char *call, std::uint32_t seed, const DeviceArray<T> &found, const std::vector<T> &wanted) {
  expect_same(call, seed, found.download(), wanted);
  UPSWEEP_CHECK(found.end_is_intact());
}

// The total of the first elements up to each one. Sets[i]: a segment begins at i.
template <class T, class Op>
std::vector<T> scanned(const std::vector<T> &x, Op op, const std::vector<bool> &heads = {}, const T *initial = nullptr) {
  std::vector<T> results;
  T total{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool starts = i == 0 || (!heads.empty() && heads[i]);
    const T before = starts && initial != nullptr ? *initial : total;
    total = starts && initial == nullptr ? x[i] : op(before, x[i]);
    results.push_back(initial != nullptr ? before : total);
  }
  return results;
}

}  // namespace upsweep::test
