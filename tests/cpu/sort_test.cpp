// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts against the standard library's.
#include "check.h"

#include <upsweep/cpu/sort.h>

#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace upsweep::cpu::test {

template <class Key>
void check_sorts(std::size_t n, std::uint64_t mask, thread_pool &pool) {
  SCOPED_TRACE(testing::Message() << n << " keys of " << sizeof(Key) << " bytes, mask " << mask);
  std::mt19937_64 random(n);
  std::vector<Key> keys(n);
  for (Key &key : keys) {
    if constexpr (detail::is_int128<Key>) {
      key = static_cast<Key>(static_cast<detail::Uint128>(random() & mask) << 64 | (random() & mask));
    } else if constexpr (detail::is_float<Key>) {
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

// A stable sort by a rank that is computed from each element.
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
  for (const std::size_t n : {0, 1, 2, 8, 9, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 20000, 70001}) {
    if (detail::is_half<Key> && n > 50000) {
      continue;  // where compilers call a function to compare them
    }
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
TEST(CpuSort, GivenHalfTypes_WhenSorted_ThenAsByTheStandardLibrary) {
  check_all_sorts<bfloat16>();
#ifdef __FLT16_MANT_DIG__
  check_all_sorts<float16>();
#endif
}
TEST(CpuSort, GivenIntegersOf128Bits_WhenSorted_ThenAsByTheStandardLibrary) {
  check_all_sorts<detail::Uint128>();
  check_all_sorts<detail::Int128>();
}

struct Particle {
  float energy;
  std::int16_t cell;
  std::uint16_t index;
};

TEST(CpuSort, GivenStructs_WhenSortedByMembers_ThenOthersDoNotCount) {
  thread_pool pool(3);
  for (const std::size_t n : {0, 1, 20, 33, 50000}) {
    std::mt19937_64 random(n);
    std::vector<Particle> in(n), wanted, out(n), other(n);
    for (Particle &p : in) {
      p = {static_cast<float>(static_cast<int>(random() % 100) - 50) / 4, static_cast<std::int16_t>(random() % 5 - 2),
           static_cast<std::uint16_t>(random())};
    }
    const auto is_alike = [](const Particle &a, const Particle &b) {
      return a.energy == b.energy && a.cell == b.cell && a.index == b.index;
    };
    for (const bool is_descending : {false, true}) {
      wanted = in;
      sort_stably(wanted.begin(), wanted.end(), [&](const Particle &a, const Particle &b) {
        const Particle &x = is_descending ? b : a, &y = is_descending ? a : b;
        return x.cell != y.cell ? x.cell < y.cell : x.energy < y.energy;
      });
      out = in;
      double_buffer<Particle> buffers{out.data(), other.data()};
      if (is_descending) {
        sort_keys(buffers, n, pool, by_members<&Particle::cell, &Particle::energy>{}, descending);
      } else {
        sort_keys(buffers, n, by_members<&Particle::cell, &Particle::energy>{}, pool);
      }
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), buffers.current, is_alike)) << n;
    }
  }
}

TEST(CpuSort, GivenTwoBuffers_WhenSorted_ThenTheCurrentOneHasTheResult) {
  thread_pool pool(3);
  for (const unsigned bits : {0, 8, 13, 32}) {
    const std::size_t n = 60000;
    const auto keys = random_elements<std::uint32_t>(n, bits);
    std::vector<std::uint32_t> a = keys, b(n), values(n), others(n);
    std::iota(values.begin(), values.end(), 0);
    double_buffer<std::uint32_t> of_keys{a.data(), b.data()}, of_values{values.data(), others.data()};
    sort_pairs(of_keys, of_values, n, pool, key_bits(0, bits));
    const std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
    const auto wanted = stably_sorted(keys, [&](std::uint32_t key) { return key & mask; });
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), of_keys.current)) << bits;
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(keys[of_values.current[i]], of_keys.current[i]);
    }
  }
  std::vector<int> one(10);
  double_buffer<int> overlapping{one.data(), one.data() + 5};
  EXPECT_THROW(sort_keys(overlapping, 10), std::invalid_argument);
}

// These arrays contain no whole cache lines: streaming stores to them would fault.
TEST(CpuSort, GivenValuesThatLieAcrossLines_WhenSortedBeyondTheCache_ThenTheyMoveWithTheirKeys) {
  struct Value {
    std::uint32_t x, y;
  };
  const std::size_t n = detail::kStreamedBytes / 4 + 99;
  const auto keys = random_elements<std::uint32_t>(n, 1);
  std::vector<std::uint32_t> sorted(n), in(2 * n + 1), out(2 * n + 1);
  auto *values = reinterpret_cast<Value *>(in.data() + 1), *moved = reinterpret_cast<Value *>(out.data() + 1);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = {keys[i], ~keys[i]};
  }
  sort_pairs(keys.data(), sorted.data(), values, moved, n, key_bits(0, 8));
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_TRUE(moved[i].x == sorted[i] && moved[i].y == ~sorted[i]);
  }
}

// A stable sort of n random keys with their indices, which begins with the highest digit and recurses into large buckets.
template <class Key>
void check_many(std::size_t n, std::uint64_t mask, unsigned begin_bit, unsigned end_bit) {
  SCOPED_TRACE(testing::Message() << "keys of " << sizeof(Key) << " bytes, mask " << mask);
  thread_pool pool(3);
  std::vector<Key> keys = random_elements<Key>(n, 2), sorted(n);
  for (Key &key : keys) {
    key &= static_cast<Key>(mask);
  }
  std::vector<std::uint32_t> values(n), moved(n, ~0U);
  std::iota(values.begin(), values.end(), 0);
  sort_pairs(keys.data(), sorted.data(), values.data(), moved.data(), n, pool, key_bits(begin_bit, end_bit));
  const unsigned above = 8 * sizeof(Key) - end_bit;
  const auto bits = [&](std::size_t i) { return static_cast<Key>(sorted[i] << above) >> (above + begin_bit); };
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_LT(moved[i], n);
    ASSERT_EQ(keys[moved[i]], sorted[i]);
    ASSERT_TRUE(i == 0 || bits(i - 1) < bits(i) || (bits(i - 1) == bits(i) && moved[i - 1] < moved[i]));
  }
}

TEST(CpuSort, GivenArraysOfManyBuckets_WhenSorted_ThenPairsMoveTogetherAndStably) {
  const std::size_t n = detail::kBucketSortBytes / 4 + 5, many = detail::kStreamedBytes / 8 + 3;
  check_many<std::uint32_t>(n, ~0ULL, 0, 32);
  check_many<std::uint32_t>(n, 0x80ff0fff, 0, 32);             // few buckets: the lowest digits come first
  check_many<std::uint64_t>(many, 0x81ffff00ffffffff, 0, 64);  // four buckets
  check_many<std::uint32_t>(n, ~0ULL, 3, 31);
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
