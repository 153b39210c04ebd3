// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of segments and rows, first elements of an order, and merges, against the standard library.
#include "check.h"

#include <upsweep/cpu/merge.h>
#include <upsweep/cpu/segmented_sort.h>
#include <upsweep/cpu/top_k.h>

#include <numeric>
#include <stdexcept>

namespace upsweep::cpu::test {

// Lengths of every kind of segment: empty, sorted by insertion, by digits, and by all threads.
std::vector<std::uint32_t> mixed_offsets(std::uint64_t seed, bool has_long_one) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> offsets{5};
  for (int i = 0; i < 400; ++i) {
    const std::uint64_t kind = random() % 5;
    const std::uint64_t length = kind == 0   ? 0
                                 : kind == 1 ? random() % 4
                                 : kind == 2 ? 30 + random() % 6
                                 : kind == 3 ? random() % 300
                                             : random() % 3000;
    offsets.push_back(offsets.back() + static_cast<std::uint32_t>(length));
  }
  if (has_long_one) {
    offsets.push_back(offsets.back() + (1U << 18) + 17);
  }
  return offsets;
}

template <class Key>
void check_segments(bool has_long_one, std::uint64_t mask) {
  thread_pool pool(3);
  const auto offsets = mixed_offsets(mask, has_long_one);
  const std::size_t n = offsets.back() + 3, segments = offsets.size() - 1;
  auto keys = random_elements<Key>(n, 1);
  for (Key &key : keys) {
    key = static_cast<Key>(key & static_cast<Key>(mask));
  }
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t s = 0; s < segments; ++s) {
    sort_stably(order.begin() + offsets[s], order.begin() + offsets[s + 1],
                [&](std::uint32_t a, std::uint32_t b) { return keys[a] > keys[b]; });
  }
  Guarded<Key> out(n, 3), in_place(n, 1), pairs(n, 2);
  Guarded<std::uint32_t> indices(n, 1), values(n, 2);
  in_place.fill(keys);
  for (std::size_t i = 0; i < n; ++i) {
    out.data()[i] = pairs.data()[i] = 77;
  }
  sort_keys_of_segments(keys.data(), out.data(), n, offsets.data(), segments, pool, descending);
  sort_keys_of_segments(in_place.data(), in_place.data(), n, offsets.data(), segments, descending, pool);
  arg_sort_of_segments(keys.data(), pairs.data(), indices.data(), n, offsets.data(), segments, pool, descending);
  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::vector<Key> of_pairs(n);
  sort_pairs_of_segments(keys.data(), of_pairs.data(), numbers.data(), values.data(), n, offsets.data(), segments, pool,
                         descending);
  for (std::size_t s = 0; s < segments; ++s) {
    for (std::size_t i = offsets[s]; i < offsets[s + 1]; ++i) {
      ASSERT_EQ(out.data()[i], keys[order[i]]) << s;
      ASSERT_EQ(in_place.data()[i], keys[order[i]]);
      ASSERT_EQ(pairs.data()[i], keys[order[i]]);
      ASSERT_EQ(indices.data()[i], order[i] - offsets[s]);
      ASSERT_EQ(values.data()[i], order[i]);
    }
  }
  for (const std::size_t i : {std::size_t(0), std::size_t(4), n - 1}) {  // outside of all segments
    EXPECT_EQ(out.data()[i], Key(77));
    EXPECT_EQ(in_place.data()[i], keys[i]);
  }
  EXPECT_TRUE(out.is_intact() && in_place.is_intact() && pairs.is_intact() && indices.is_intact() && values.is_intact());
}

TEST(CpuSegmentedSort, GivenSegmentsOfAllLengths_WhenSorted_ThenAsByTheStandardLibrary) {
  check_segments<std::uint32_t>(true, ~std::uint64_t(0));
  check_segments<std::int64_t>(false, ~std::uint64_t(0));
  check_segments<std::uint16_t>(true, 0xf00);
  check_segments<std::uint8_t>(false, 0);
}

TEST(CpuSegmentedSort, GivenRows_WhenSortedBySomeBits_ThenAsByTheStandardLibrary) {
  thread_pool pool(3);
  for (const std::size_t length : {0, 1, 31, 33, 257, 5000}) {
    const std::size_t rows = 23;
    const auto keys = random_elements<std::uint32_t>(rows * length, length);
    std::vector<std::uint32_t> out(keys.size()), wanted = keys, indices(keys.size()), values = keys;
    for (std::size_t r = 0; r < rows; ++r) {
      sort_stably(wanted.begin() + r * length, wanted.begin() + (r + 1) * length,
                  [](std::uint32_t a, std::uint32_t b) { return (a >> 5 & 0x7ff) < (b >> 5 & 0x7ff); });
    }
    sort_keys_of_rows(keys.data(), out.data(), rows, length, key_bits(5, 16), pool);
    EXPECT_EQ(out, wanted) << length;
    arg_sort_of_rows(keys.data(), out.data(), indices.data(), rows, length, pool, key_bits(5, 16));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(keys[i / length * length + indices[i]], wanted[i]);
    }
    sort_pairs_of_rows(keys.data(), out.data(), values.data(), values.data(), rows, length, key_bits(5, 16), pool);
    EXPECT_EQ(values, wanted);
  }
}

TEST(CpuSegmentedSort, GivenOffsetsBeyondTheArrays_WhenSorted_ThenInvalidArgument) {
  std::vector<int> in(10), out(10);
  const std::uint32_t offsets[] = {0, 11};
  EXPECT_THROW(sort_keys_of_segments(in.data(), out.data(), 10, offsets, 1), std::invalid_argument);
  EXPECT_NO_THROW(sort_keys_of_segments(in.data(), out.data(), 10, offsets, 0));
}

template <class Key>
void check_top(std::size_t n, std::uint64_t mask, thread_pool &pool) {
  SCOPED_TRACE(testing::Message() << n << " keys of " << sizeof(Key) << " bytes, mask " << mask);
  std::vector<Key> keys(n);
  std::mt19937_64 random(n);
  for (Key &key : keys) {
    key = std::is_floating_point_v<Key> ? static_cast<Key>(static_cast<double>(random() & mask) / 3 - 100)
                                        : static_cast<Key>(random() & mask);
  }
  std::vector<std::uint32_t> order(n);
  for (const bool is_descending : {false, true}) {
    std::iota(order.begin(), order.end(), 0);
    sort_stably(order.begin(), order.end(),
                [&](std::uint32_t a, std::uint32_t b) { return is_descending ? keys[b] < keys[a] : keys[a] < keys[b]; });
    for (const std::size_t k : {std::size_t(0), std::size_t(1), n / 100, n / 2, n}) {
      if (k > n) {
        continue;
      }
      Guarded<Key> out(k, 1), more(k, 2);
      Guarded<std::uint32_t> indices(k, 1), values(k, 2);
      if (is_descending) {
        top_k_keys(keys.data(), out.data(), n, k, pool, descending);
        arg_top_k(keys.data(), static_cast<Key *>(nullptr), indices.data(), n, k, descending, pool);
        top_k_pairs(keys.data(), more.data(), order.data(), values.data(), n, k, pool, descending);
      } else {
        top_k_keys(keys.data(), out.data(), n, k, pool);
        arg_top_k(keys.data(), more.data(), indices.data(), n, k, pool);
        top_k_pairs(keys.data(), more.data(), order.data(), values.data(), n, k, pool);
      }
      for (std::size_t i = 0; i < k; ++i) {
        ASSERT_EQ(out.data()[i], keys[order[i]]);
        ASSERT_EQ(more.data()[i], keys[order[i]]);
        ASSERT_EQ(indices.data()[i], order[i]);
        ASSERT_EQ(values.data()[i], order[order[i]]);
      }
      EXPECT_TRUE(out.is_intact() && more.is_intact() && indices.is_intact() && values.is_intact());
    }
    for (const std::size_t rank : {std::size_t(0), n / 3, n - 1}) {
      if (rank >= n) {
        continue;
      }
      Key key;
      std::uint64_t index = 0;
      if (is_descending) {
        arg_nth_element(keys.data(), &key, &index, n, rank, pool, descending);
      } else {
        arg_nth_element(keys.data(), static_cast<Key *>(nullptr), &index, n, rank, pool);
        nth_element(keys.data(), &key, n, rank, pool);
      }
      EXPECT_EQ(index, order[rank]);
      EXPECT_EQ(key, keys[order[rank]]);
    }
  }
}

TEST(CpuTopK, GivenKeys_WhenTheFirstAreTaken_ThenTheyAreThoseOfAStableSort) {
  thread_pool pool(3);
  for (const std::size_t n : {0, 1, 1000, 65537, 200000}) {
    check_top<std::uint32_t>(n, ~std::uint64_t(0), pool);
    check_top<std::uint64_t>(n, 0xfffff, pool);  // many digits alike
    check_top<std::int32_t>(n, 3, pool);         // many keys alike
    check_top<float>(n, 0xffff, pool);
    check_top<std::uint8_t>(n, ~std::uint64_t(0), pool);
    check_top<double>(n, 0, pool);
  }
  std::vector<int> in(10), out(11);
  EXPECT_THROW(top_k_keys(in.data(), out.data(), 10, 11), std::invalid_argument);
  EXPECT_THROW(nth_element(in.data(), out.data(), 10, 10), std::invalid_argument);
  EXPECT_THROW(top_k_keys(in.data(), in.data() + 2, 10, 3), std::invalid_argument);
}

TEST(CpuMerge, GivenTwoSortedRanges_WhenMerged_ThenThoseOfTheFirstComeFirst) {
  thread_pool pool(3);
  for (const std::size_t a_count : {0, 1, 1000, 150000}) {
    for (const std::size_t b_count : {0, 1, 999, 90000}) {
      const auto less = [](std::uint32_t x, std::uint32_t y) { return x >> 8 < y >> 8; };
      auto a = random_elements<std::uint32_t>(a_count, 1), b = random_elements<std::uint32_t>(b_count, 2);
      for (auto *range : {&a, &b}) {
        for (std::uint32_t &x : *range) {
          x &= 0xfffff;
        }
        sort_stably(range->begin(), range->end(), less);
      }
      std::vector<std::uint32_t> wanted(a_count + b_count), values(wanted.size()), a_values(a_count, 1), b_values(b_count, 2);
      std::merge(a.begin(), a.end(), b.begin(), b.end(), wanted.begin(), less);
      Guarded<std::uint32_t> out(wanted.size(), 3), keys(wanted.size(), 1);
      merge(a.data(), b.data(), out.data(), a_count, b_count, less, pool);
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), out.data()));
      merge_pairs(a.data(), a_values.data(), b.data(), b_values.data(), keys.data(), values.data(), a_count, b_count, pool,
                  less);
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), keys.data()));
      for (std::size_t i = 1; i < wanted.size(); ++i) {
        ASSERT_TRUE(less(wanted[i - 1], wanted[i]) || values[i - 1] <= values[i]);
      }
      EXPECT_EQ(std::count(values.begin(), values.end(), 2U), static_cast<std::ptrdiff_t>(b_count));
      EXPECT_TRUE(out.is_intact() && keys.is_intact());
    }
  }
  std::vector<int> a(10), b(10);
  EXPECT_THROW(merge(a.data(), b.data(), b.data(), 5, 5), std::invalid_argument);
  EXPECT_THROW(merge(a.data(), static_cast<int *>(nullptr), b.data(), 5, 5), std::invalid_argument);
}

TEST(CpuMerge, GivenKeysAndValues_WhenMergeSorted_ThenStable) {
  thread_pool pool(3);
  for (const std::size_t n : {0, 1, 1000, 100000}) {
    const auto keys = random_elements<std::uint16_t>(n, n);
    std::vector<std::uint32_t> numbers(n), values(n);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::vector<std::uint16_t> out(n);
    const auto less = [](std::uint16_t x, std::uint16_t y) { return x % 100 > y % 100; };
    merge_sort_pairs(keys.data(), out.data(), numbers.data(), values.data(), n, less, pool);
    sort_stably(numbers.begin(), numbers.end(), [&](std::uint32_t x, std::uint32_t y) { return less(keys[x], keys[y]); });
    EXPECT_EQ(values, numbers);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(out[i], keys[numbers[i]]);
    }
  }
}

}  // namespace upsweep::cpu::test
