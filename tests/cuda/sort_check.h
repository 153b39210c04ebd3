// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common tools of tests of sorts: keys of several distributions, their order as plain words, and sorts on the host.
#pragma once

#include "check.h"

#include <upsweep/cuda/sort.cuh>

#include <cmath>
#include <numeric>
#include <string>

namespace upsweep::test {

// Compares exactly, except that a NaN may lose its sign.
template <class Key>
double number_of(const Key &key) {
  if constexpr (std::is_same_v<Key, double>) {
    return key;
  } else {
    return static_cast<float>(key);
  }
}

// Whether a comes before b, independently of their bits except for NaNs.
template <class Key>
bool is_before(const Key &a, const Key &b) {
  if constexpr (std::is_floating_point_v<Key> || std::is_class_v<Key>) {
    const double left = number_of(a), right = number_of(b);
    std::uint64_t left_bits = 0, right_bits = 0;
    constexpr std::size_t kBytes = std::min<std::size_t>(sizeof(Key), 8);  // of numbers; other classes are not NaN
    std::memcpy(&left_bits, &a, kBytes);
    std::memcpy(&right_bits, &b, kBytes);
    const std::uint64_t sign = std::uint64_t(1) << (8 * kBytes - 1);
    const auto rank = [sign](double key, std::uint64_t bits) { return std::isnan(key) ? (bits & sign) != 0 ? 2 : 1 : 0; };
    const int left_rank = rank(left, left_bits), right_rank = rank(right, right_bits);
    if (left_rank != right_rank) {
      return left_rank < right_rank;
    }
    if (left_rank > 0) {
      return left_rank == 1 ? left_bits < right_bits : right_bits < left_bits;
    }
    return left < right || (left == right && (left_bits & sign) != 0 && (right_bits & sign) == 0);
  } else {
    return a < b;
  }
}

enum class Spread { kRandom, kFewValues, kEqual, kSorted, kReverse, kOneHotDigit };
constexpr Spread kSpreads[] = {Spread::kRandom, Spread::kFewValues, Spread::kEqual,
                               Spread::kSorted, Spread::kReverse,   Spread::kOneHotDigit};

template <class Key>
std::vector<Key> sort_keys_of(std::size_t n, Spread spread) {
  std::vector<Key> keys(n);
  std::uniform_int_distribution<std::uint32_t> word;
  for (Key &key : keys) {
    std::uint32_t words[4] = {word(generator()), word(generator()), word(generator()), word(generator())};
    if (spread == Spread::kFewValues) {
      std::fill_n(words, 4, (words[0] & 15) * 0x11111111u);
    } else if (spread == Spread::kEqual) {
      std::fill_n(words, 4, 0x42c80000u);
    } else if (spread == Spread::kOneHotDigit) {
      const std::uint32_t mask = words[3] % 64 == 0 ? 0xffffffffu : 0xffff00ffu;
      words[0] &= mask;
      words[1] &= mask;
    }
    std::memcpy(&key, words, sizeof key);
  }
  if (spread == Spread::kSorted || spread == Spread::kReverse) {
    std::sort(keys.begin(), keys.end(), is_before<Key>);
  }
  if (spread == Spread::kReverse) {
    std::reverse(keys.begin(), keys.end());
  }
  return keys;
}

// The source of each sorted key.
template <class Key, class IsBefore>
std::vector<std::uint32_t> sorted_places(const std::vector<Key> &keys, IsBefore before) {
  std::vector<std::uint32_t> places(keys.size());
  std::iota(places.begin(), places.end(), 0u);
  std::stable_sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) { return before(keys[a], keys[b]); });
  return places;
}

template <class T>
std::vector<T> taken_from(const std::vector<T> &elements, const std::vector<std::uint32_t> &places) {
  std::vector<T> taken;
  taken.reserve(places.size());
  for (const std::uint32_t place : places) {
    taken.push_back(elements[place]);
  }
  return taken;
}

template <class T>
void check_sorted(const DeviceArray<T> &array, const std::vector<T> &expected, const std::string &what) {
  const std::vector<T> found = array.download();
  const bool is_right =
      found.size() >= expected.size() && std::memcmp(found.data(), expected.data(), expected.size() * sizeof(T)) == 0;
  if (!is_right || !array.end_is_intact()) {
    std::size_t first = 0;
    while (first < expected.size() && same(found[first], expected[first])) {
      ++first;
    }
    report(__FILE__, __LINE__, (what + ": wrong from " + std::to_string(first) + " on").c_str());
  }
}

struct SortSpaceOf {
  DeviceArray<unsigned char> memory;
  cuda::workspace space;
  explicit SortSpaceOf(std::size_t bytes) : memory(bytes), space{memory.data(), bytes} {}
};

// Sizes around the tiles of all algorithms of sorting.
inline std::vector<std::size_t> sort_sizes() {
  return {1, 2, 31, 33, 255, 1000, 4095, 4096, 4097, 8193, 32767, 32769, 65535, 65537, 100003, 12288 * 16 + 1, 700001};
}

}  // namespace upsweep::test
