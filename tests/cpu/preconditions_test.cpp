// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls with broken preconditions: unsorted ranges, comparisons that are no order, decreasing offsets. Results consist of
// elements of the inputs. The address sanitizer checks that no access lies outside of the arrays.
#include "check.h"

#include <upsweep/cpu/merge.h>
#include <upsweep/cpu/run_length_decode.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/segmented_reduce.h>
#include <upsweep/cpu/segmented_sort.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

namespace upsweep::cpu::test {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::mt19937_64 seeded(std::uint64_t otherwise) {
  const char *seed = std::getenv("UPSWEEP_TEST_SEED");
  return std::mt19937_64(seed != nullptr ? std::strtoull(seed, nullptr, 10) : otherwise);
}

// An array of exactly n elements, so that the address sanitizer sees each access beyond it.
template <class T>
struct Exact {
  std::size_t n;
  std::unique_ptr<T[]> elements;
  explicit Exact(std::size_t count) : n(count), elements(new T[count]()) {}
  T *data() { return elements.get(); }
  std::vector<T> sorted() const {
    std::vector<T> all(elements.get(), elements.get() + n);
    std::sort(all.begin(), all.end());
    return all;
  }
};

// Elements in any order, in reverse order, in sorted runs, or sorted except for a few.
template <class T>
Exact<T> unsorted(std::size_t n, std::mt19937_64 &random) {
  Exact<T> a(n);
  for (std::size_t i = 0; i < n; ++i) {
    a.data()[i] = static_cast<T>(random() % 1000);
  }
  const unsigned kind = random() % 4;
  if (kind == 1) {
    std::sort(a.data(), a.data() + n, std::greater<>());
  } else if (kind > 1) {
    const std::size_t run = kind == 2 ? 1 + random() % 5000 : n;
    for (std::size_t begin = 0; begin < n; begin += run) {
      std::sort(a.data() + begin, a.data() + std::min(n, begin + run));
    }
    for (std::size_t i = 0; n > 0 && i < 3; ++i) {
      std::swap(a.data()[random() % n], a.data()[random() % n]);
    }
  }
  return a;
}

TEST(CpuPreconditions, GivenRangesThatAreNotSorted_WhenMerged_ThenAPermutation) {
  auto random = seeded(1);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    thread_pool pool(1 + random() % 5);
    auto a = unsorted<std::uint32_t>(random() % 120000, random), b = unsorted<std::uint32_t>(random() % 120000, random);
    Exact<std::uint32_t> a_places(a.n), b_places(b.n), out(a.n + b.n), places(a.n + b.n);
    for (std::size_t i = 0; i < places.n; ++i) {
      (i < a.n ? a_places.data()[i] : b_places.data()[i - a.n]) = static_cast<std::uint32_t>(i);
    }
    merge_pairs(a.data(), a_places.data(), b.data(), b_places.data(), out.data(), places.data(), a.n, b.n, pool);
    const auto all = places.sorted();
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(all[i], i) << "an element is missing";
      const std::size_t from = places.data()[i];
      ASSERT_EQ(out.data()[i], from < a.n ? a.data()[from] : b.data()[from - a.n]);
    }
  }
}

TEST(CpuPreconditions, GivenComparisonsThatAreNoOrders_WhenMergedAndSorted_ThenAPermutation) {
  auto random = seeded(2);
  for (int round = 0; round < 30; ++round) {
    SCOPED_TRACE(round);
    thread_pool pool(1 + random() % 5);
    const std::uint64_t salt = random() | 1;
    const unsigned kind = round % 3;
    const auto less = [=](std::uint32_t x, std::uint32_t y) {
      return kind == 0 ? ((x * salt + y) >> 7 & 1) != 0 : kind == 1 ? x <= y : (x % 7 < 3 && x < y);
    };
    auto a = unsorted<std::uint32_t>(random() % 90000, random), b = unsorted<std::uint32_t>(random() % 90000, random);
    Exact<std::uint32_t> out(a.n + b.n), sorted(a.n);
    std::vector<std::uint32_t> wanted = a.sorted();
    merge_sort(a.data(), sorted.data(), a.n, less, pool);
    ASSERT_EQ(sorted.sorted(), wanted);
    merge(a.data(), b.data(), out.data(), a.n, b.n, less, pool);
    wanted.insert(wanted.end(), b.data(), b.data() + b.n);
    std::sort(wanted.begin(), wanted.end());
    ASSERT_EQ(out.sorted(), wanted);
  }
}

template <class Float, class... Order>
void check_merge_in_order(std::mt19937_64 &random, Order... order) {
  using Bits = detail::UnsignedOf<sizeof(Float)>;
  const Float some[] = {Float(-0.0),
                        Float(0.0),
                        std::numeric_limits<Float>::infinity(),
                        -std::numeric_limits<Float>::infinity(),
                        std::numeric_limits<Float>::quiet_NaN(),
                        -std::numeric_limits<Float>::quiet_NaN()};
  const std::size_t a_count = random() % 70000, b_count = random() % 70000;
  std::vector<Float> all(a_count + b_count), wanted(all.size()), out(all.size());
  for (Float &x : all) {
    x = random() % 3 == 0 ? some[random() % 6] : static_cast<Float>(static_cast<std::int64_t>(random() % 2001) - 1000);
  }
  thread_pool pool(3);
  wanted = all;
  std::sort(wanted.begin(), wanted.end(),
            [](Float a, Float b) { return sizeof...(Order) != 0 ? is_before(b, a) : is_before(a, b); });
  sort_keys(all.data(), all.data(), a_count, pool, order...);
  sort_keys(all.data() + a_count, all.data() + a_count, b_count, pool, order...);
  merge(all.data(), all.data() + a_count, out.data(), a_count, b_count, pool, order...);
  for (std::size_t i = 0; i < out.size(); ++i) {
    Bits x, y;
    std::memcpy(&x, &out[i], sizeof(x));
    std::memcpy(&y, &wanted[i], sizeof(y));
    ASSERT_EQ(x, y) << i;
  }
}

TEST(CpuMerge, GivenFloatsThatSortKeysSorted_WhenMerged_ThenTheBitsOfOneSort) {
  auto random = seeded(3);
  for (int round = 0; round < 20; ++round) {
    check_merge_in_order<float>(random);
    check_merge_in_order<double>(random);
    check_merge_in_order<float>(random, descending);
  }
  const std::vector<float> in{kNan, 2, -0.0F, 0, -1};
  std::vector<float> out(5);
  merge_sort(in.data(), out.data(), 5);
  EXPECT_EQ(out[0], -1);
  EXPECT_TRUE(std::signbit(out[1]) && !std::signbit(out[2]) && out[3] == 2 && std::isnan(out[4]));
}

TEST(CpuPreconditions, GivenOffsetsThatFall_WhenSegmentsAreReducedAndScanned_ThenWithinTheArrays) {
  auto random = seeded(4);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    thread_pool pool(1 + random() % 5);
    const std::size_t n = 1 + random() % 200000, segments = 1 + random() % 5000;
    Exact<std::uint32_t> in(n), out(n), totals(segments);
    std::fill_n(in.data(), n, 1);
    Exact<std::int64_t> offsets(segments + 1);
    for (std::size_t i = 0; i <= segments; ++i) {
      offsets.data()[i] = static_cast<std::int64_t>(random() % (2 * n)) - static_cast<std::int64_t>(n / 2);
    }
    // Elements between the first and the last offset may be read.
    offsets.data()[0] = static_cast<std::int64_t>(random() % n);
    offsets.data()[segments] = random() % 4 == 0 ? 0 : static_cast<std::int64_t>(n);
    std::fill_n(totals.data(), segments, 0xffffffffU);
    sum_of_segments(in.data(), totals.data(), offsets.data(), segments, pool);
    std::uint64_t all = 0;
    for (std::size_t s = 0; s < segments; ++s) {
      ASSERT_NE(totals.data()[s], 0xffffffffU) << "a segment without a total";
      all += totals.data()[s];
    }
    ASSERT_LE(all, n);
    inclusive_scan_of_segments(in.data(), out.data(), n, offsets.data(), segments, plus{}, pool);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_TRUE(out.data()[i] >= 1 && out.data()[i] <= i + 1);
    }
    Exact<indexed<std::uint32_t>> least(segments);
    arg_min_of_segments(in.data(), least.data(), offsets.data(), segments, pool);
  }
}

TEST(CpuPreconditions, GivenOffsetsThatFall_WhenSegmentsAreSorted_ThenRefusedBeforeAWrite) {
  auto random = seeded(5);
  for (int round = 0; round < 40; ++round) {
    thread_pool pool(1 + random() % 5);
    const std::size_t n = 2 + random() % 100000, segments = 3 + random() % 3000;
    auto keys = unsorted<std::uint32_t>(n, random);
    Exact<std::uint32_t> indices(n);
    Exact<std::uint64_t> offsets(segments + 1);
    for (std::size_t i = 0; i <= segments; ++i) {
      offsets.data()[i] = random() % n;
    }
    std::sort(offsets.data(), offsets.data() + segments + 1);
    const std::size_t place = 1 + random() % (segments - 1);
    offsets.data()[place] = random() % 2 == 0 ? n + 1 + random() % n : offsets.data()[place + 1] + 1;
    const std::vector<std::uint32_t> before(keys.data(), keys.data() + n);
    EXPECT_THROW(sort_keys_of_segments(keys.data(), keys.data(), n, offsets.data(), segments, pool), std::invalid_argument);
    EXPECT_THROW(arg_sort_of_segments(keys.data(), keys.data(), indices.data(), n, offsets.data(), segments, pool),
                 std::invalid_argument);
    ASSERT_TRUE(std::equal(before.begin(), before.end(), keys.data()));
    ASSERT_TRUE(std::all_of(indices.data(), indices.data() + n, [](std::uint32_t i) { return i == 0; }));
  }
}

TEST(CpuPreconditions, GivenOffsetsAndLengthsThatAreWrong_WhenDecoded_ThenWithinTheArrays) {
  auto random = seeded(6);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    thread_pool pool(1 + random() % 5);
    const std::size_t n = random() % 100000, runs = 1 + random() % 2000;
    Exact<std::uint32_t> values(runs), out(n);
    for (std::size_t r = 0; r < runs; ++r) {
      values.data()[r] = 7;
    }
    Exact<std::int32_t> offsets(runs + 1);
    for (std::size_t i = 0; i < runs; ++i) {
      offsets.data()[i] = static_cast<std::int32_t>(random() % (2 * n + 1)) - static_cast<std::int32_t>(n / 2);
    }
    offsets.data()[runs] = static_cast<std::int32_t>(n);
    std::uint64_t total = 0;
    repeat(values.data(), offsets.data(), runs, out.data(), pool, &total);
    ASSERT_EQ(total, n);
    ASSERT_TRUE(std::all_of(out.data(), out.data() + n, [](std::uint32_t x) { return x == 7; }));
    Exact<std::int32_t> lengths(runs);
    lengths.data()[random() % runs] = -1 - static_cast<std::int32_t>(random() % 1000);
    EXPECT_THROW(run_length_decode(values.data(), lengths.data(), runs, out.data(), pool), std::invalid_argument);
  }
}

}  // namespace upsweep::cpu::test
