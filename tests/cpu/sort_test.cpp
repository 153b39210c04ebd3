// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts beside the standard library's.
#include "check.h"

#include <upsweep/cpu/sort.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace upsweep::cpu::test {

// The order that is promised: numbers, -0 before 0, NaNs last, those with a sign behind the others and in reverse.
template <class Key>
bool is_before(const Key &a, const Key &b) {
  if constexpr (std::is_floating_point_v<Key>) {
    if (std::isnan(a) && std::isnan(b)) {
      detail::UnsignedOf<sizeof(Key)> a_bits, b_bits;
      std::memcpy(&a_bits, &a, sizeof(a));
      std::memcpy(&b_bits, &b, sizeof(b));
      return std::signbit(a) != std::signbit(b) ? std::signbit(b) : (a_bits < b_bits) != std::signbit(a) && a_bits != b_bits;
    }
    if (std::isnan(a) || std::isnan(b)) {
      return std::isnan(b);
    }
    if (a == 0 && b == 0) {
      return std::signbit(a) && !std::signbit(b);
    }
  }
  return a < b;
}

template <class Key>
void check_sorts(std::size_t n, std::uint64_t mask, thread_pool &pool) {
  SCOPED_TRACE(testing::Message() << n << " keys of " << sizeof(Key) << " bytes, mask " << mask);
  std::mt19937_64 random(n);
  std::vector<Key> keys(n);
  for (Key &key : keys) {
    if constexpr (std::is_floating_point_v<Key>) {
      const auto bits = static_cast<detail::UnsignedOf<sizeof(Key)>>(random() & mask);  // with infinities and NaNs
      std::memcpy(&key, &bits, sizeof(key));
    } else {
      key = static_cast<Key>(random() & mask);
    }
  }
  std::vector<std::uint32_t> order(n);
  for (const bool is_descending : {false, true}) {
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const bool is_less = is_descending ? is_before(keys[b], keys[a]) : is_before(keys[a], keys[b]);
      const bool is_greater = is_descending ? is_before(keys[a], keys[b]) : is_before(keys[b], keys[a]);
      return is_less || (!is_greater && a < b);
    });
    const auto is_sorted = [&](const Key *sorted) {
      for (std::size_t i = 0; i < n; ++i) {
        if (std::memcmp(&sorted[i], &keys[order[i]], sizeof(Key)) != 0) {
          return false;
        }
      }
      return true;
    };
    Guarded<Key> out(n, 3), in_place(n, 1), pairs(n, 2);
    Guarded<std::uint32_t> indices(n, 5);
    in_place.fill(keys);
    if (is_descending) {
      sort_keys(keys.data(), out.data(), n, pool, descending);
      sort_keys(in_place.data(), in_place.data(), n, pool, descending);
      arg_sort(keys.data(), pairs.data(), indices.data(), n, pool, descending);
    } else {
      sort_keys(keys.data(), out.data(), n, pool);
      sort_keys(in_place.data(), in_place.data(), n, pool);
      arg_sort(keys.data(), pairs.data(), indices.data(), n, pool);
    }
    EXPECT_TRUE(is_sorted(out.data()) && out.is_intact());
    EXPECT_TRUE(is_sorted(in_place.data()) && in_place.is_intact());
    EXPECT_TRUE(is_sorted(pairs.data()) && pairs.is_intact());
    EXPECT_TRUE(std::equal(order.begin(), order.end(), indices.data()) && indices.is_intact());
  }
}

// Stable, by an order of numbers made of the elements.
template <class T, class Rank>
std::vector<T> stably_sorted(const std::vector<T> &in, const Rank &rank) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  for (std::size_t i = 0; i < in.size(); ++i) {
    order.emplace_back(rank(in[i]), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<T> out;
  for (const auto &[key, i] : order) {
    out.push_back(in[i]);
  }
  return out;
}

template <class Key>
void check_all_sorts() {
  thread_pool pool(3);
  for (const std::size_t n : {0, 1, 2, 100, 20000, 70001}) {
    for (const std::uint64_t mask : {~std::uint64_t(0), std::uint64_t(0xff00ff), std::uint64_t(7), std::uint64_t(0)}) {
      check_sorts<Key>(n, mask, pool);
    }
  }
}

TEST(CpuSort, GivenIntegers_WhenSorted_ThenAsByTheStandardLibrary) {
  check_all_sorts<std::uint32_t>();
  check_all_sorts<std::int32_t>();
  check_all_sorts<std::uint64_t>();
  check_all_sorts<std::int16_t>();
  check_all_sorts<std::uint8_t>();
}
TEST(CpuSort, GivenFloats_WhenSorted_ThenAsByTheStandardLibrary) {
  check_all_sorts<float>();
  check_all_sorts<double>();
}
TEST(CpuSort, GivenArraysBeyondTheCache_WhenSorted_ThenStreamedLinesAreComplete) {
  thread_pool pool(3);
  const std::size_t n = (detail::kStreamedBytes / 4) + 777;
  const auto keys = random_elements<std::uint32_t>(n, 1);
  Guarded<std::uint32_t> out(n, 3), indices(n, 5);
  arg_sort(keys.data(), out.data(), indices.data(), n, pool, key_bits(0, 24));
  std::vector<bool> is_there(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t from = indices.data()[i];
    ASSERT_TRUE(from < n && !is_there[from]);
    is_there[from] = true;
    ASSERT_EQ(out.data()[i], keys[from]);
    const std::uint32_t key = keys[from] << 8, before = i > 0 ? out.data()[i - 1] << 8 : 0;
    ASSERT_TRUE(before < key || (before == key && (i == 0 || indices.data()[i - 1] < from)));
  }
  EXPECT_TRUE(out.is_intact() && indices.is_intact());
}

TEST(CpuSort, GivenBitsOfKeys_WhenSorted_ThenOthersDoNotCount) {
  const auto keys = random_elements<std::uint32_t>(50000, 1);
  std::vector<std::uint32_t> out(keys.size());
  sort_keys(keys.data(), out.data(), keys.size(), default_pool(), key_bits(5, 18));
  EXPECT_EQ(out, stably_sorted(keys, [](std::uint32_t key) { return key >> 5 & 0x1fff; }));
  EXPECT_THROW(sort_keys(keys.data(), out.data(), keys.size(), default_pool(), key_bits(5, 33)), std::invalid_argument);
}

TEST(CpuSort, GivenValuesOfOddSizes_WhenSortedWithKeys_ThenTheyMoveWithThem) {
  struct Value {
    std::uint8_t bytes[5];
    bool operator==(const Value &) const = default;
  };
  const std::size_t n = 100000;
  const auto keys = random_elements<std::uint16_t>(n, 1);
  std::vector<Value> values(n), out(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = {
        {static_cast<std::uint8_t>(keys[i]), static_cast<std::uint8_t>(keys[i] >> 8), static_cast<std::uint8_t>(i), 0, 1}};
  }
  std::vector<std::uint16_t> sorted(n);
  sort_pairs(keys.data(), sorted.data(), values.data(), out.data(), n);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(sorted[i], out[i].bytes[0] + 256 * out[i].bytes[1]);
    ASSERT_TRUE(i == 0 || sorted[i - 1] <= sorted[i]);
  }
}

TEST(CpuSort, GivenAComparison_WhenMergeSorted_ThenStableAndExceptionsPass) {
  for (const unsigned threads : {1, 3, 16}) {
    thread_pool pool(threads);
    for (const std::size_t n : {0, 1, 1000, 32768, 32769, 100000, 333333}) {
      const auto in = random_elements<std::uint32_t>(n, n);
      std::vector<std::uint32_t> out(n);
      const auto less = [](std::uint32_t a, std::uint32_t b) { return a % 1000 < b % 1000; };
      merge_sort(in.data(), out.data(), n, less, pool);
      ASSERT_EQ(out, stably_sorted(in, [](std::uint32_t x) { return x % 1000; })) << n;
    }
    std::vector<std::string> words(50000, "b");
    words[40000] = "a";
    merge_sort(words.data(), words.data(), words.size(), std::less<>(), pool);
    EXPECT_EQ(words[0], "a");
    const auto throws = [](const std::string &, const std::string &) -> bool { throw std::runtime_error("no order"); };
    EXPECT_THROW(merge_sort(words.data(), words.data(), words.size(), throws, pool), std::runtime_error);
  }
}

}  // namespace upsweep::cpu::test
