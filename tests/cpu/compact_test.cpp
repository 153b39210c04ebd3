// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections, partitions, runs and reductions against plain loops.
#include "check.h"

#include <upsweep/cpu/partition.h>
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/reduce_by_key.h>
#include <upsweep/cpu/run_length.h>
#include <upsweep/cpu/scan.h>

#include <deque>
#include <numeric>

namespace upsweep::cpu::test {

struct Triple {
  std::uint8_t a, b, c;
  bool operator==(const Triple &) const = default;
};

// Runs of about `length` equal elements.
template <class T>
std::vector<T> runs_of(std::size_t n, unsigned length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> x(n);
  std::uint64_t value = 0;
  for (T &element : x) {
    if (random() % length == 0) {
      value = random();
    }
    if constexpr (std::is_same_v<T, Triple>) {
      element = {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8), 3};
    } else {
      element = static_cast<T>(value % 251);
    }
  }
  return x;
}

template <class T>
bool is_odd(const T &x) {
  if constexpr (std::is_same_v<T, Triple>) {
    return x.a % 2 != 0;
  } else {
    return static_cast<std::uint64_t>(x) % 2 != 0;
  }
}

template <class T>
void check_selections(std::size_t n, unsigned run, std::size_t offset, thread_pool &pool) {
  SCOPED_TRACE(testing::Message() << n << " elements of " << sizeof(T) << " bytes in runs of " << run << ", offset " << offset);
  const auto in = runs_of<T>(n, run, n + run);
  std::vector<T> odd, even, firsts;
  std::vector<std::uint32_t> bits(n / 32 + 1), lengths;
  std::vector<int> flags(n);
  for (std::size_t i = 0; i < n; ++i) {
    (is_odd(in[i]) ? odd : even).push_back(in[i]);
    flags[i] = is_odd(in[i]) ? 17 : 0;
    bits[i / 32] |= static_cast<std::uint32_t>(is_odd(in[i])) << (i % 32);
    if (i == 0 || !(in[i] == in[i - 1])) {
      firsts.push_back(in[i]);
      lengths.push_back(0);
    }
    ++lengths.back();
  }
  const auto check = [](Guarded<T> &out, const std::vector<T> &wanted, std::int64_t kept) {
    EXPECT_EQ(kept, static_cast<std::int64_t>(wanted.size()));
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), out.data()));
    EXPECT_TRUE(out.is_intact(wanted.size()));
  };
  std::int64_t kept = -1;
  const auto fresh = [&] { return Guarded<T>(n, offset); };
  Guarded<T> a = fresh(), b = fresh(), c = fresh(), d = fresh(), e = fresh();
  select_if(in.data(), a.data(), &kept, n, is_odd<T>, pool);
  check(a, odd, kept);
  select_by_flag(in.data(), flags.data(), b.data(), &kept, n, pool);
  check(b, odd, kept);
  select_by_bit(in.data(), bits.data(), c.data(), &kept, n, pool);
  check(c, odd, kept);
  select_by_stencil(in.data(), flags.data(), d.data(), &kept, n, [](int x) { return x == 0; }, pool);
  check(d, even, kept);
  unique(in.data(), e.data(), &kept, n, equal_to{}, pool);
  check(e, firsts, kept);

  Guarded<T> in_place = fresh();
  in_place.fill(in);
  unique(in_place.data(), in_place.data(), &kept, n, equal_to{}, pool);
  EXPECT_EQ(kept, static_cast<std::int64_t>(firsts.size()));
  EXPECT_TRUE(std::equal(firsts.begin(), firsts.end(), in_place.data()));
  in_place.fill(in);
  select_if(in_place.data(), in_place.data(), &kept, n, is_odd<T>, pool);
  EXPECT_TRUE(std::equal(odd.begin(), odd.end(), in_place.data()));
  EXPECT_TRUE(in_place.is_intact());

  Guarded<T> values = fresh();
  Guarded<std::uint32_t> out_lengths(n, offset);
  run_length_encode(in.data(), values.data(), out_lengths.data(), &kept, n, equal_to{}, pool);
  check(values, firsts, kept);
  EXPECT_TRUE(std::equal(lengths.begin(), lengths.end(), out_lengths.data()));
  EXPECT_TRUE(out_lengths.is_intact(lengths.size()));

  Guarded<T> parts = fresh();
  partition_if(in.data(), parts.data(), &kept, n, is_odd<T>, pool);
  auto wanted = odd;
  wanted.insert(wanted.end(), even.rbegin(), even.rend());
  EXPECT_EQ(kept, static_cast<std::int64_t>(odd.size()));
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), parts.data()));
  EXPECT_TRUE(parts.is_intact());
  Guarded<T> first = fresh(), second = fresh();
  stable_partition_by_flag(in.data(), flags.data(), first.data(), second.data(), &kept, n, pool);
  check(first, odd, kept);
  check(second, even, static_cast<std::int64_t>(n) - kept);
}

template <class T>
void check_all_selections() {
  thread_pool pool(3);
  with_all_instructions([&] {
    std::size_t offset = 0;
    for (const std::size_t n : lengths()) {
      check_selections<T>(n, static_cast<unsigned>(1 + n % 7 * 13), offset++ % 5, pool);
    }
    check_selections<T>(300000, 100000, 1, pool);
  });
}

TEST(CpuCompact, GivenBytes_WhenCompacted_ThenAsByALoop) { check_all_selections<std::uint8_t>(); }
TEST(CpuCompact, GivenShorts_WhenCompacted_ThenAsByALoop) { check_all_selections<std::uint16_t>(); }
TEST(CpuCompact, GivenInts_WhenCompacted_ThenAsByALoop) { check_all_selections<std::int32_t>(); }
TEST(CpuCompact, GivenDoubles_WhenCompacted_ThenAsByALoop) { check_all_selections<double>(); }
TEST(CpuCompact, GivenStructsOfThreeBytes_WhenCompacted_ThenAsByALoop) { check_all_selections<Triple>(); }

TEST(CpuCompact, GivenOutputsBeyondTheCache_WhenCompacted_ThenStreamedLinesAreComplete) {
  thread_pool pool(3);
  check_selections<std::uint32_t>((detail::kStreamedBytes / 4) + 4321, 3, 3, pool);
}

template <class Key, class T, class Op>
void check_reduce_by_key(Op op) {
  thread_pool pool(3);
  with_all_instructions([&] {
    for (const std::size_t n : lengths()) {
      for (const unsigned run : {1, 100}) {
        const auto keys = runs_of<Key>(n, run, n);
        const auto values = random_elements<T>(n, n + 5);
        std::vector<Key> wanted_keys;
        std::vector<T> wanted;
        for (std::size_t i = 0; i < n; ++i) {
          if (i == 0 || !(keys[i] == keys[i - 1])) {
            wanted_keys.push_back(keys[i]);
            wanted.push_back(values[i]);
          } else {
            wanted.back() = op(wanted.back(), values[i]);
          }
        }
        Guarded<Key> out_keys(n, 1);
        Guarded<T> totals(n, 2);
        unsigned runs = 0;
        reduce_by_key(keys.data(), values.data(), out_keys.data(), totals.data(), &runs, n, op, equal_to{}, pool);
        ASSERT_EQ(runs, wanted.size()) << n << " " << run;
        EXPECT_TRUE(std::equal(wanted_keys.begin(), wanted_keys.end(), out_keys.data())) << n << " " << run;
        EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), totals.data())) << n << " " << run;
        EXPECT_TRUE(out_keys.is_intact(runs) && totals.is_intact(runs));
      }
    }
  });
}

TEST(CpuReduceByKey, GivenNumbers_WhenSummed_ThenAsByALoop) {
  check_reduce_by_key<std::uint32_t, std::uint32_t>(plus{});
  check_reduce_by_key<std::uint8_t, double>(plus{});
  check_reduce_by_key<std::uint64_t, std::int32_t>(maximum{});
}
TEST(CpuReduceByKey, GivenAnOperatorThatDoesNotCommute_WhenReduced_ThenAsByALoop) {
  check_reduce_by_key<std::uint32_t, Affine>(Compose());
}

template <class T, class In, class Op>
void check_reduce(Op op, T initial) {
  thread_pool pool(3);
  with_all_instructions([&] {
    for (const std::size_t n : lengths()) {
      const auto in = random_elements<In>(n, n);
      T wanted = initial;
      for (const In &x : in) {
        wanted = op(wanted, static_cast<T>(x));
      }
      T out{};
      reduce(in.data(), &out, n, op, initial, pool);
      EXPECT_EQ(out, wanted) << n;
    }
  });
}

TEST(CpuReduce, GivenElements_WhenReduced_ThenAsByALoop) {
  check_reduce<std::int32_t, std::int32_t>(plus{}, 5);
  check_reduce<std::uint64_t, std::uint8_t>(plus{}, std::uint64_t(5));
  check_reduce<double, double>(plus{}, 0.5);
  check_reduce<float, float>(minimum{}, 1e9F);
  check_reduce<std::int8_t, std::int8_t>(bit_xor{}, std::int8_t(0));
  check_reduce<Affine, Affine>(Compose(), Affine{1, 0});
}

TEST(CpuReduce, GivenElementsAndIndices_WhenReduced_ThenTheFirstOfTheBest) {
  for (const std::size_t n : {1, 77, 100000}) {
    const auto in = random_elements<std::uint8_t>(n, n);
    indexed<std::uint8_t> least{}, largest{};
    arg_min(in.data(), &least, n);
    arg_max(in.data(), &largest, n);
    EXPECT_EQ(static_cast<std::ptrdiff_t>(least.index), std::min_element(in.begin(), in.end()) - in.begin());
    EXPECT_EQ(static_cast<std::ptrdiff_t>(largest.index), std::max_element(in.begin(), in.end()) - in.begin());
    std::uint64_t total = 0;
    transform_reduce(in.begin(), &total, n, plus{}, [](std::uint8_t x, std::uint64_t i) { return x * i; }, std::uint64_t(0));
    std::uint64_t wanted = 0;
    for (std::size_t i = 0; i < n; ++i) {
      wanted += in[i] * i;
    }
    EXPECT_EQ(total, wanted);
  }
}

TEST(CpuReduce, GivenNans_WhenTheBestIsWanted_ThenTheFirstOfTheNumbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::size_t n : {1, 2, 77, 300001}) {
    for (const int nans : {0, 1, 2}) {  // none, some, all but one
      auto in = random_elements<std::uint8_t>(n, n);
      std::vector<float> x(in.begin(), in.end());
      for (std::size_t i = 0; i < n; ++i) {
        if (i != n / 2 && (nans == 2 || (nans == 1 && in[i] % 3 == 0))) {
          x[i] = nan;
        }
      }
      std::size_t least = n / 2, largest = n / 2;
      for (std::size_t i = 0; i < n; ++i) {
        least = x[i] < x[least] || (x[i] == x[least] && i < least) ? i : least;
        largest = x[i] > x[largest] || (x[i] == x[largest] && i < largest) ? i : largest;
      }
      indexed<float> lowest{nan, n}, highest{nan, n};
      arg_min(x.data(), &lowest, n);
      arg_max(x.data(), &highest, n);
      EXPECT_EQ(lowest.index, least);
      EXPECT_EQ(lowest.value, x[least]);
      EXPECT_EQ(highest.index, largest);
      EXPECT_EQ(highest.value, x[largest]);
    }
  }
  const std::vector<float> none(1000, nan);
  indexed<float> best{0, 1};
  arg_max(none.data(), &best, none.size());
  EXPECT_EQ(best.index, 0U);
}

TEST(CpuReduce, GivenInexactSums_WhenThreadsAndInstructionsDiffer_ThenTheSameBits) {
  std::vector<float> in(700001);
  std::mt19937_64 random(1);
  for (float &x : in) {
    x = static_cast<float>(random()) / 7e18F - 1;
  }
  float wanted = 0;
  sum(in.data(), &wanted, in.size(), calling_thread());
  with_all_instructions([&] {
    for (const unsigned threads : {1, 2, 5, 64}) {
      thread_pool pool(threads);
      float out = 0;
      sum(in.data(), &out, in.size(), pool);
      EXPECT_EQ(std::memcmp(&out, &wanted, sizeof(float)), 0);
    }
  });
}

TEST(CpuCompact, GivenIterators_WhenCompacted_ThenAsByALoop) {
  std::deque<int> in(50000);
  std::iota(in.begin(), in.end(), 0);
  std::deque<int> out(25000);
  std::size_t kept = 0;
  select_if(in.begin(), out.begin(), &kept, in.size(), [](int x) { return x % 2 == 1; });
  EXPECT_EQ(kept, 25000U);
  EXPECT_EQ(out[24999], 49999);
  std::vector<int> lengths(50000);
  run_length_encode(in.begin(), in.begin(), lengths.begin(), &kept, in.size(), [](int a, int b) { return a / 3 == b / 3; });
  EXPECT_EQ(kept, 16667U);
  EXPECT_EQ(lengths[0], 3);
}

// Elements that are single bits: threads must not write neighbours in parallel.
TEST(CpuSelect, GivenBits_WhenSelectedAndPartitioned_ThenAsBytes) {
  thread_pool pool(4);
  for (const std::size_t n : {0, 1, 100, 70001, 1000003}) {
    for (const std::ptrdiff_t offset : {0, 1, 13}) {
      const auto bytes = random_elements<std::uint8_t>(n, n);
      std::vector<bool> in(n), wanted, rest, out(n + 64), others(n + 64);
      for (std::size_t i = 0; i < n; ++i) {
        in[i] = bytes[i] % 2 != 0;
        (bytes[i] % 3 != 0 ? wanted : rest).push_back(in[i]);
      }
      std::vector<std::uint8_t> flags(n);
      std::transform(bytes.begin(), bytes.end(), flags.begin(), [](std::uint8_t x) { return x % 3; });
      std::size_t kept = n + 1;
      select_by_flag(in.begin(), flags.data(), out.begin() + offset, &kept, n, pool);
      ASSERT_EQ(kept, wanted.size());
      ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), out.begin() + offset));
      stable_partition_by_flag(in.begin(), flags.data(), out.begin() + offset, others.begin() + offset, &kept, n, pool);
      ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), out.begin() + offset));
      ASSERT_TRUE(std::equal(rest.begin(), rest.end(), others.begin() + offset));
      bool total = false;
      inclusive_scan(bytes.begin(), out.begin() + offset, n, bit_xor{}, pool,
                     transform_input([](std::uint8_t x) -> std::uint8_t { return x % 2; }));
      for (std::size_t i = 0; i < n; ++i) {
        total ^= bytes[i] % 2 != 0;
        ASSERT_EQ(out[i + static_cast<std::size_t>(offset)], total) << i;
      }
    }
  }
}

}  // namespace upsweep::cpu::test
