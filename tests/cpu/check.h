// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common tools of tests of the CPU library: random elements, arrays with guards, lengths at edges, instructions and
// executors.
#ifndef UPSWEEP_TESTS_CPU_CHECK_H
#define UPSWEEP_TESTS_CPU_CHECK_H

#include <upsweep/cpu/thread_pool.h>

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/instructions.h>
#include <upsweep/cpu/numbers.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

namespace upsweep::cpu::test {

// Operators that do not commute: affine maps, and the first non-zero.
struct Affine {
  std::uint32_t factor, offset;
  bool operator==(const Affine &) const = default;
};
struct Compose {
  Affine operator()(const Affine &a, const Affine &b) const { return {a.factor * b.factor, a.offset * b.factor + b.offset}; }
};
struct Last {
  template <class T>
  T operator()(const T &a, const T &b) const {
    return b != T{} ? b : a;
  }
};

template <class T>
T random_element(std::mt19937_64 &random) {
  if constexpr (std::is_same_v<T, Affine>) {
    return {static_cast<std::uint32_t>(random() | 1), static_cast<std::uint32_t>(random())};
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(static_cast<std::int64_t>(random() % 2001) - 1000) / 8;  // sums of these are exact
  } else {
    return static_cast<T>(random());
  }
}

template <class T>
std::vector<T> random_elements(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> elements(n);
  for (T &element : elements) {
    element = random_element<T>(random);
  }
  return elements;
}

// An array at a chosen address modulo 64. Guards before and behind it detect writes.
template <class T>
class Guarded {
public:
  explicit Guarded(std::size_t n, std::size_t offset = 0) : n_(n), bytes_(n * sizeof(T) + 3 * kGuard, std::byte{kPoison}) {
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes_.data());
    const std::size_t to_line = (64 - (begin + kGuard) % 64) % 64;
    start_ = kGuard + to_line + offset * sizeof(T) % 64;
  }
  T *data() { return reinterpret_cast<T *>(bytes_.data() + start_); }
  std::span<T> span() { return {data(), n_}; }
  void fill(const std::vector<T> &values) {
    if (!values.empty()) {  // data() may be null
      std::memcpy(static_cast<void *>(data()), values.data(), values.size() * sizeof(T));
    }
  }
  // Whether all bytes except the first `written` elements are unchanged.
  bool is_intact(std::size_t written) const {
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      if ((i < start_ || i >= start_ + written * sizeof(T)) && bytes_[i] != std::byte{kPoison}) {
        return false;
      }
    }
    return true;
  }
  bool is_intact() const { return is_intact(n_); }

private:
  static constexpr std::size_t kGuard = 192;
  static constexpr unsigned char kPoison = 0xa5;
  std::size_t n_, start_;
  std::vector<std::byte> bytes_;
};

// Lengths around the edges of a group of lanes, of a tile and of chunks, for one and several threads.
inline std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all;
  for (const std::size_t edge : {0, 1, 8, 16, 32, 64, 128, 1024, 2048, 8192, 16384, 32768, 131072}) {
    for (const std::size_t n : {edge, edge + 1, edge > 0 ? edge - 1 : 0, edge * 3 / 2}) {
      all.push_back(n);
    }
  }
  all.push_back(1000003);
  return all;
}

// The strides of an axis with 0 replaced, by the documentation's rule: batches, rows and elements lie behind one another.
inline axis_strides full_strides(const axis &of, axis_strides strides) {
  if (strides.along == 0) strides.along = of.inner;
  if (strides.batch == 0) strides.batch = of.length * strides.along;
  return strides;
}
// The index of the last element of an axis, plus one.
inline std::size_t elements_of(const axis &of, const axis_strides &full) {
  if (of.batches == 0 || of.length == 0 || of.inner == 0) return 0;
  return (of.batches - 1) * full.batch + (of.length - 1) * full.along + of.inner;
}

inline std::vector<instructions> all_instructions() {
  std::vector<instructions> all;
  for (const instructions level : {instructions::sse4, instructions::avx2, instructions::avx512}) {
    if (has_instructions(level)) {
      all.push_back(level);
    }
  }
  return all;
}

// libstdc++'s std::stable_sort calls a function that C++20 deprecates.
template <class Iterator, class Less>
void sort_stably(Iterator first, Iterator last, const Less &less) {
  using T = typename std::iterator_traits<Iterator>::value_type;
  std::vector<std::pair<T, std::size_t>> all;
  for (Iterator it = first; it != last; ++it) {
    all.emplace_back(*it, all.size());
  }
  std::sort(all.begin(), all.end(), [&](const auto &a, const auto &b) {
    return less(a.first, b.first) || (!less(b.first, a.first) && a.second < b.second);
  });
  for (const auto &element : all) {
    *first++ = element.first;
  }
}

// The promised order of sort keys: numbers, with -0 before 0, then NaNs, then NaNs with a sign in reverse.
template <class Key>
bool is_before(const Key &a, const Key &b) {
  if constexpr (detail::is_float<Key>) {
    using Wide = std::conditional_t<std::is_same_v<Key, double>, double, float>;
    const auto x = static_cast<Wide>(a), y = static_cast<Wide>(b);
    if (std::isnan(x) && std::isnan(y)) {
      detail::UnsignedOf<sizeof(Key)> a_bits, b_bits;
      std::memcpy(&a_bits, &a, sizeof(a));
      std::memcpy(&b_bits, &b, sizeof(b));
      return std::signbit(x) != std::signbit(y) ? std::signbit(y) : (a_bits < b_bits) != std::signbit(x) && a_bits != b_bits;
    }
    if (std::isnan(x) || std::isnan(y)) {
      return std::isnan(y);
    }
    if (x == 0 && y == 0) {
      return std::signbit(x) && !std::signbit(y);
    }
    return x < y;
  } else {
    return a < b;
  }
}

// Calls test() with each level of instructions of this machine.
template <class Test>
void with_all_instructions(const Test &test) {
  for (const instructions level : all_instructions()) {
    SCOPED_TRACE(testing::Message() << "instructions " << static_cast<int>(level));
    use_instructions(level);
    test();
  }
  use_instructions(instructions::avx512);
}

}  // namespace upsweep::cpu::test

#endif
