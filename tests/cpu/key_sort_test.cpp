// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of keys of 4 and 8 bytes, alone and with their indices, against the standard library's, over distributions of keys.
#include "check.h"

#include <upsweep/cpu/segmented_sort.h>
#include <upsweep/cpu/sort.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace upsweep::cpu::test {

constexpr unsigned kDistributions = 16;

// Bits of a key: the ten distributions of a paper (Axtmann and others 2017, "In-place Parallel Super Scalar Samplesort"), and
// bits at the limits of types.
std::uint64_t draw(unsigned distribution, std::uint64_t i, std::uint64_t n, std::mt19937_64 &random) {
  const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
  const double x = static_cast<double>(random() >> 11) * 0x1p-53;
  switch (distribution) {
  case 0: return random();                                                             // with infinities and NaNs
  case 1: return static_cast<std::uint64_t>(std::exp2(x * std::log2(double(n) + 1)));  // exponential
  case 2: return random() % (root + 1) == 0 ? i + 1 : i;                               // almost sorted
  case 3: return i % (root + 1);                                                       // duplicates of roots
  case 4: return (i * i + n / 2) % n;                                                  // two duplicates
  case 5: return (i * i * i * i * i * i * i * i + n / 2) % n;                          // eight duplicates
  case 6: return static_cast<std::uint64_t>(1e6 / (1 + 1e6 * x));                      // like Zipf's
  case 7: return 42;
  case 8: return i;
  case 9: return n - i;
  case 10: return ~std::uint64_t(0);
  case 11: return std::uint64_t(1) << (i % 2 == 0 ? 31 : 63);                         // least signed numbers
  case 12: return ~(std::uint64_t(1) << 63 | std::uint64_t(1) << 31) - random() % 2;  // greatest signed numbers
  case 13: return random() % 2 == 0 ? ~std::uint64_t(0) : random();
  case 14: return i < n / 2 ? i : n - i;  // up, and down
  default: return i + 1 == n ? 0 : i;     // in order but for the last
  }
}

template <class Key>
std::vector<Key> keys_of(unsigned distribution, std::size_t n) {
  std::mt19937_64 random(n + distribution);
  std::vector<Key> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t bits = draw(distribution, i, n, random);
    if constexpr (std::is_floating_point_v<Key>) {
      if (distribution > 0 && distribution < 10) {
        keys[i] = static_cast<Key>(static_cast<std::int64_t>(bits) - static_cast<std::int64_t>(n / 3)) / 4;
        continue;
      }
    }
    std::memcpy(&keys[i], &bits, sizeof(Key));
  }
  return keys;
}

template <class Key, class... Options>
void check_keys(const std::vector<Key> &keys, thread_pool &pool, bool is_in_place, Options... options) {
  const std::size_t n = keys.size();
  std::vector<Key> wanted = keys;
  std::sort(wanted.begin(), wanted.end(),
            [](const Key &a, const Key &b) { return sizeof...(Options) > 0 ? is_before(b, a) : is_before(a, b); });
  Guarded<Key> out(n, n % 16);
  if (is_in_place) {
    out.fill(keys);
  }
  sort_keys(is_in_place ? out.data() : keys.data(), out.data(), n, pool, options...);
  EXPECT_TRUE(n == 0 || std::memcmp(wanted.data(), out.data(), n * sizeof(Key)) == 0);
  EXPECT_TRUE(out.is_intact());
}

template <class Key>
void check_distributions(const std::vector<std::size_t> &sizes, unsigned threads) {
  thread_pool pool(threads);
  for (unsigned distribution = 0; distribution < kDistributions; ++distribution) {
    for (const std::size_t n : sizes) {
      SCOPED_TRACE(testing::Message() << n << " keys of " << sizeof(Key) << " bytes, distribution " << distribution);
      const std::vector<Key> keys = keys_of<Key>(distribution, n);
      check_keys(keys, pool, (n + distribution) % 2 == 0);
      check_keys(keys, pool, (n + distribution) % 2 == 1, descending);
    }
  }
}

// Networks of 8 and 16 vectors end at 8 to 256 keys, pivots of few keys at 512 to 4096, and splits by a buffer at 1024 and
// 2048.
TEST(CpuKeySort, GivenSizesAtEdges_WhenSorted_ThenAsByTheStandardLibrary) {
  const std::vector<std::size_t> sizes = {0,   1,   2,    7,    8,    9,    15,   16,   17,   31,   32,
                                          33,  63,  64,   65,   127,  128,  129,  255,  256,  257,  511,
                                          512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097};
  with_all_instructions([&] {
    check_distributions<std::uint32_t>(sizes, 1);
    check_distributions<std::int64_t>(sizes, 1);
    check_distributions<float>(sizes, 1);
    check_distributions<double>(sizes, 1);
  });
}

// From 128 KiB on several threads work.
TEST(CpuKeySort, GivenSeveralThreads_WhenSorted_ThenAsByTheStandardLibrary) {
  check_distributions<std::uint32_t>({32768, 32769, 100003}, 3);
  check_distributions<std::int32_t>({65536}, 2);
  check_distributions<std::uint64_t>({16385, 70001}, 5);
  check_distributions<double>({40009}, 8);
  for (unsigned threads = 1; threads <= 8; ++threads) {
    thread_pool pool(threads);
    check_keys(keys_of<float>(0, 250007), pool, threads % 2 == 0);
  }
}

TEST(CpuKeySort, GivenNoSplitsLeft_WhenSorted_ThenAsByTheStandardLibrary) {
  with_all_instructions([] {
    auto keys = random_elements<std::int32_t>(5000, 1), wanted = keys;
    std::sort(wanted.begin(), wanted.end());
    using Order = detail::KeyOrder<std::int32_t, false>;
    UPSWEEP_CPU_DISPATCH(quick_sort<Order>, keys.data(), keys.size(), 3U);
    EXPECT_EQ(keys, wanted);
  });
}

TEST(CpuKeySort, GivenSegmentsAndTwoBuffers_WhenSorted_ThenEachAlone) {
  thread_pool pool(3);
  const std::size_t rows = 70, length = 700;
  const auto keys = keys_of<double>(1, rows * length);
  std::vector<double> wanted = keys, out(keys.size()), buffer = keys, other(keys.size());
  sort_keys_of_rows(keys.data(), out.data(), rows, length, pool);
  for (std::size_t row = 0; row < rows; ++row) {
    std::sort(wanted.begin() + row * length, wanted.begin() + (row + 1) * length);
  }
  EXPECT_EQ(out, wanted);
  std::sort(wanted.begin(), wanted.end());
  double_buffer<double> buffers{buffer.data(), other.data()};
  sort_keys(buffers, buffer.size(), pool);
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), buffers.current));
}

template <class Key, class Index, class... Options>
void check_indices(const std::vector<Key> &keys, thread_pool &pool, bool is_in_place, Options... options) {
  const std::size_t n = keys.size();
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const Key &x = keys[sizeof...(Options) > 0 ? b : a], &y = keys[sizeof...(Options) > 0 ? a : b];
    return is_before(x, y) || (!is_before(y, x) && a < b);
  });
  Guarded<Key> out(n, 1);
  Guarded<Index> indices(n, 3);
  if (is_in_place) {
    out.fill(keys);
  }
  arg_sort(is_in_place ? out.data() : keys.data(), out.data(), indices.data(), n, pool, options...);
  EXPECT_TRUE(std::equal(order.begin(), order.end(), indices.data()));
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(std::memcmp(out.data() + i, &keys[order[i]], sizeof(Key)), 0);
  }
  EXPECT_TRUE(out.is_intact() && indices.is_intact());
}

TEST(CpuKeySort, GivenDistributions_WhenIndicesAreSorted_ThenStable) {
  thread_pool pool(3);
  for (const std::size_t n : {1, 65, 129, 1000, 30011}) {
    for (unsigned distribution = 0; distribution < kDistributions; ++distribution) {
      SCOPED_TRACE(testing::Message() << n << " keys, distribution " << distribution);
      const bool is_in_place = (n + distribution) % 2 == 0;
      check_indices<std::uint32_t, std::uint32_t>(keys_of<std::uint32_t>(distribution, n), pool, is_in_place);
      check_indices<double, std::uint64_t>(keys_of<double>(distribution, n), pool, is_in_place);
      check_indices<float, std::uint64_t>(keys_of<float>(distribution, n), pool, !is_in_place, descending);
      check_indices<std::int64_t, std::uint32_t>(keys_of<std::int64_t>(distribution, n), pool, !is_in_place, descending);
    }
  }
}

// The lowest bits of these keys do not fit beside an index: short runs of alike highest bits, long ones, and equal keys.
TEST(CpuKeySort, GivenKeysThatDifferInLowBits_WhenIndicesAreSorted_ThenStable) {
  thread_pool pool(3);
  const std::size_t n = 40000;
  std::mt19937_64 random(1);
  for (const std::uint64_t heads : {n / 4, std::size_t(20)}) {
    for (const std::uint64_t tails : {1, 3}) {
      std::vector<std::uint64_t> keys(n);
      for (std::uint64_t &key : keys) {
        key = (random() % heads * 0x9e3779b97f4a7c15U & ~std::uint64_t(7)) | random() % tails;
      }
      keys[0] = 5;
      check_indices<std::uint64_t, std::uint32_t>(keys, pool, false);
      check_indices<std::uint64_t, std::uint64_t>(keys, pool, true, descending);
    }
  }
}

}  // namespace upsweep::cpu::test
