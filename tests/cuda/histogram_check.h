// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common tools of tests of histograms: samples of several distributions, counts on the host, and their comparison.
#pragma once

#include "check.h"

#include <upsweep/cuda/histogram.cuh>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

namespace upsweep::test {

enum class Samples { kRandom, kEqual, kSorted, kHot, kFewValues, kFewBits };
constexpr Samples kAllSamples[] = {Samples::kRandom, Samples::kEqual,     Samples::kSorted,
                                   Samples::kHot,    Samples::kFewValues, Samples::kFewBits};

// Random bits, of which not all vary.
template <class T>
std::vector<T> samples_of(std::size_t n, Samples kind) {
  std::vector<T> samples(n);
  std::uniform_int_distribution<std::uint64_t> word;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t bits = word(generator());
    switch (kind) {
    case Samples::kEqual: bits = 0x4242424242424242u; break;
    case Samples::kSorted: bits = ~std::uint64_t(0) / n * i >> (64 - 8 * sizeof(T)); break;
    case Samples::kHot: bits = word(generator()) % 10 != 0 ? 0x2121212121212121u : bits; break;
    case Samples::kFewValues: bits &= 0x0f0f0f0f0f0f0f0fu; break;
    case Samples::kFewBits: bits &= 0xe0e0e0e0e0e0e0e0u; break;
    default: break;
    }
    std::memcpy(&samples[i], &bits, sizeof(T));
  }
  return samples;
}

// Sizes around vectors, the tiles of warps of 8- to 64-bit samples, and blocks.
inline std::vector<std::size_t> histogram_sizes() {
  return {1, 2, 3, 15, 16, 17, 31, 255, 257, 511, 513, 2047, 2048, 2049, 8191, 8193, 32768, 65535, 65553, 262145, 1000003};
}

// counts[bin_of(sample)] of each sample whose bin_of is not negative.
template <class Counter, class T, class BinOf>
std::vector<Counter> counts_of(const std::vector<T> &samples, std::size_t bins, const BinOf &bin_of) {
  std::vector<Counter> counts(bins);
  for (const T &sample : samples) {
    const std::int64_t bin = bin_of(sample);
    if (bin >= 0) {
      ++counts[static_cast<std::size_t>(bin)];
    }
  }
  return counts;
}

template <class Counter>
void check_counts(const DeviceArray<Counter> &counts, const std::vector<Counter> &expected, const std::string &what) {
  const std::vector<Counter> found = counts.download();
  if (found != expected || !counts.end_is_intact()) {
    std::size_t first = 0;
    while (first < expected.size() && found[first] == expected[first]) {
      ++first;
    }
    const bool is_inside = first < expected.size();
    report(__FILE__, __LINE__,
           (what + ": wrong at " + std::to_string(first) + ", " + std::to_string(is_inside ? double(found[first]) : 0) +
            " for " + std::to_string(is_inside ? double(expected[first]) : 0))
               .c_str());
  }
}

// floor((x - lower) * bins / (upper - lower)) by a division of 128 bits, or -1.
template <class T>
struct ExactEven {
  __int128 lower, upper;
  std::uint64_t bins;
  std::int64_t operator()(T x) const {
    const __int128 sample = x;
    if (sample < lower || sample >= upper) {
      return -1;
    }
    return static_cast<std::int64_t>(static_cast<unsigned __int128>(sample - lower) * bins /
                                     static_cast<unsigned __int128>(upper - lower));
  }
};

}  // namespace upsweep::test
