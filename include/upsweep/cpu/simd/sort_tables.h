// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of the vector sort (the comparators of its networks, and the lanes of splits), and its results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace upsweep::cpu::detail {

// Fewer bytes of keys are sorted without a look at their order. With AVX2 and AVX-512 a network sorts 512 and 1024 bytes.
constexpr std::size_t kFewKeyBytes = 512;

// The comparators of Batcher's odd-even merge sort of kRows keys: the first `count` of `pairs`.
struct Comparator {
  int first, second;
};
template <int kRows>
struct SortNetwork {
  Comparator pairs[std::size_t(kRows) * kRows / 2] = {};
  int count = 0;
};
template <int kRows>
inline constexpr auto kSortNetwork = [] {
  SortNetwork<kRows> network;
  for (int length = 1; length < kRows; length *= 2) {  // of the sorted runs that are merged
    for (int distance = length; distance > 0; distance /= 2) {
      for (int begin = distance % length; begin + distance < kRows; begin += 2 * distance) {
        for (int i = begin; i < begin + distance && i + distance < kRows; ++i) {
          if (i / (2 * length) == (i + distance) / (2 * length)) {
            network.pairs[network.count++] = {i, i + distance};
          }
        }
      }
    }
  }
  return network;
}();

// For each mask of kLanes bits, the order of lanes in which lanes without a bit come first. A lane has kParts numbers, one for
// each part of its key.
template <int kLanes, int kParts>
inline constexpr auto kSplitOfLanes = [] {
  std::array<std::array<std::uint8_t, std::size_t(kLanes) * kParts>, std::size_t(1) << kLanes> table{};
  for (unsigned mask = 0; mask < table.size(); ++mask) {
    std::size_t found = 0;
    for (unsigned bit = 0; bit < 2; ++bit) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        for (unsigned part = 0; part < kParts && (mask >> lane & 1) == bit; ++part) {
          table[mask][found++] = static_cast<std::uint8_t>(kParts * lane + part);
        }
      }
    }
  }
  return table;
}();

// A key near the middle, and whether many keys are equal to it.
template <class T>
struct Pivot {
  T key;
  bool is_frequent;
};

// Whether no key is smaller than the key before it, and whether no key is greater.
struct Trend {
  bool ascends = true, descends = true;
};

}  // namespace upsweep::cpu::detail
