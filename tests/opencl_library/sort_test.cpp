// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Radix sorts against the standard library's stable sort.
#include "check.h"

#include <upsweep/opencl/segmented_sort.h>
#include <upsweep/opencl/sort.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace upsweep::opencl::test {

class OpenclSort : public OpenclLibrary {
protected:
  template <class T>
  void sorts(std::size_t n, const plan &how) {
    SCOPED_TRACE(testing::Message() << n << " keys of " << type_of<T>::value().name << ", " << how);
    std::vector<T> in = random_elements<T>(n, test_seed() + n);
    for (std::size_t i = 0; i < n; i += 3) in[i] = static_cast<T>(i % 7);  // equal ones
    const auto order = stable_order(n, [&](std::uint32_t a, std::uint32_t b) { return in[a] < in[b]; });
    const auto down = stable_order(n, [&](std::uint32_t a, std::uint32_t b) { return in[b] < in[a]; });
    const std::vector<T> sorted = elements_at(in, order), sorted_down = elements_at(in, down);
    std::vector<std::uint32_t> indices(n);
    std::iota(indices.begin(), indices.end(), 0);
    Guarded<T> keys(in, n % 3), out(n, 1), both(in), reverse(n);
    Guarded<std::uint32_t> values(indices), values_out(n), arguments(n, 2);
    EXPECT_CL(sort_pairs(keys.view(), out.view(), values.view(), values_out.view(), n, queue_, how));
    ASSERT_EQ(out.read(), sorted);
    ASSERT_EQ(values_out.read(), order);
    EXPECT_CL(sort_keys(both.view(), both.view(), n, queue_, how));
    ASSERT_EQ(both.read(), sorted);
    EXPECT_CL(arg_sort(keys.view(), reverse.view(), arguments.view(), n, queue_, descending, how));
    ASSERT_EQ(reverse.read(), sorted_down);
    ASSERT_EQ(arguments.read(), down);
    ASSERT_EQ(keys.read(), in);
  }
};

TEST_F(OpenclSort, GivenEveryWayAndLength_WhenSorted_ThenStable) {
  for (const plan &how : plans(known_)) {
    for (const std::size_t n : {0, 1, 191, 192, 193, 3000}) sorts<std::uint32_t>(n, how);
  }
  sorts<std::uint32_t>(100003, {});
}

// Some digits have few keys, so that tiles share cache lines.
TEST_F(OpenclSort, GivenArraysBeyondTheCaches_WhenSorted_ThenStable) {
  const std::size_t n = kStreamedItems / 2 + 5;
  std::mt19937_64 random(test_seed());
  std::vector<std::pair<std::uint64_t, std::uint32_t>> pairs(n);
  std::vector<std::uint64_t> in(n), sorted;
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = random() >> random() % 60;
    pairs[i] = {in[i], static_cast<std::uint32_t>(i)};
  }
  std::sort(pairs.begin(), pairs.end());
  for (const auto &[key, place] : pairs) {
    sorted.push_back(key);
    order.push_back(place);
  }
  Guarded<std::uint64_t> keys(in), out(n, 1);
  Guarded<std::uint32_t> places(n, 3);
  EXPECT_CL(arg_sort(keys.view(), out.view(), places.view(), n, queue_));
  ASSERT_TRUE(out.read() == sorted);
  ASSERT_TRUE(places.read() == order);
}

TEST_F(OpenclSort, GivenEveryType_WhenSorted_ThenStable) {
  sorts<std::int8_t>(20000, {});
  sorts<std::uint16_t>(20001, {});
  sorts<std::int32_t>(20002, {});
  sorts<std::int64_t>(20003, {});
  sorts<float>(20004, {});
  if (known_.has_double) sorts<double>(20005, {});
  for (const int functions : {-1, 0}) {
    const plan how{0, 0, functions, 32, 5};
    sorts<std::int8_t>(5000, how);
    sorts<std::int64_t>(5003, how);
  }
}

// Sizes around the edges of groups of 16 tiles and of spans of 256, among which the work-groups of a sweep exchange counts.
TEST_F(OpenclSort, GivenManyTiles_WhenSortedInOneSweep_ThenStable) {
  if (!known_.has_one_launch()) GTEST_SKIP() << "no sweep";
  const std::size_t tile = 32;
  for (const std::size_t tiles : {2, 15, 16, 17, 255, 256, 257, 600}) {
    for (const std::size_t n : {tiles * tile - 1, tiles * tile, tiles * tile + 1}) sorts<std::uint32_t>(n, {1, 0, -1, 32, 1});
  }
}

// Values of up to 8 bytes pass through local memory.
TEST_F(OpenclSort, GivenLargeValues_WhenSorted_ThenEachIsWithItsKey) {
  struct Value {
    std::uint32_t words[6];
    bool operator==(const Value &) const = default;
  };
  const element_type type("six_words", "typedef struct { uint words[6]; } six_words;", sizeof(Value), alignof(Value));
  for (const std::size_t n : {7U, 70U, 5000U}) {
    const auto keys = random_elements<std::uint16_t>(n, n);
    const auto words = random_elements<std::uint32_t>(6 * n, n + 1);
    std::vector<Value> values(n);
    std::memcpy(values.data(), words.data(), n * sizeof(Value));
    const auto order = stable_order(n, [&](auto a, auto b) { return keys[a] < keys[b]; });
    for (const plan &how : {plan{}, plan{0, 0, -1, 32, 3}, plan{3, 0, 0, 32, 3}}) {
      SCOPED_TRACE(testing::Message() << n << " keys, " << how);
      Guarded<std::uint16_t> in(keys), out(n, 1);
      Guarded<Value> both(values, 1);
      const array view = both.view_as(type);
      EXPECT_CL(sort_pairs(in.view(), out.view(), view, view, n, queue_, how));
      ASSERT_EQ(out.read(), elements_at(keys, order));
      ASSERT_TRUE(both.read() == elements_at(values, order));
    }
  }
}

TEST_F(OpenclSort, GivenArraysOfOneTile_WhenSortedInPlace_ThenStable) {
  const unsigned group = static_cast<unsigned>(std::min<std::size_t>(known_.max_group, 64));
  if (group == 1) GTEST_SKIP() << "no work-groups";
  for (const int functions : {-1, 0}) {
    for (const std::size_t n : {std::size_t(1), group * std::size_t(4) - 1, group * std::size_t(4)}) {
      const auto keys = random_elements<std::uint8_t>(n, n);
      const auto values = random_elements<std::uint64_t>(n, n + 1);
      const auto order = stable_order(n, [&](auto a, auto b) { return keys[b] < keys[a]; });
      Guarded<std::uint8_t> in(keys, 1);
      Guarded<std::uint64_t> with(values, 3);
      EXPECT_CL(
          sort_pairs(in.view(), in.view(), with.view(), with.view(), n, queue_, descending, plan{0, 0, functions, group, 4}));
      ASSERT_EQ(in.read(), elements_at(keys, order)) << n;
      ASSERT_EQ(with.read(), elements_at(values, order)) << n;
    }
  }
}

TEST_F(OpenclSort, GivenZerosInfinitiesAndNans_WhenSorted_ThenInTheOrderOfTheirBits) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> in = {nan, 1, -infinity, 0.0F, -nan, -0.0F, infinity, -1};
  Guarded<float> keys(in), out(in.size());
  EXPECT_CL(sort_keys(keys.view(), out.view(), in.size(), queue_));
  const std::vector<float> sorted = out.read();
  EXPECT_EQ(std::vector<float>(sorted.begin(), sorted.begin() + 2), (std::vector<float>{-infinity, -1}));
  EXPECT_TRUE(sorted[2] == 0 && std::signbit(sorted[2]) && sorted[3] == 0 && !std::signbit(sorted[3]));
  EXPECT_EQ(std::vector<float>(sorted.begin() + 4, sorted.begin() + 6), (std::vector<float>{1, infinity}));
  EXPECT_TRUE(std::isnan(sorted[6]) && !std::signbit(sorted[6]) && std::isnan(sorted[7]) && std::signbit(sorted[7]));
}

TEST_F(OpenclSort, GivenBitsOfKeys_WhenSorted_ThenOthersDoNotCount) {
  const std::size_t n = 5000;
  const auto in = random_elements<std::uint32_t>(n, test_seed());
  for (const key_bits bits : {key_bits{0, 0}, key_bits{3, 8}, key_bits{5, 32}, key_bits{32, 32}}) {
    const std::uint64_t mask = (std::uint64_t(1) << bits.end) - (std::uint64_t(1) << bits.begin);
    const auto order = stable_order(n, [&](std::uint32_t a, std::uint32_t b) { return (in[a] & mask) < (in[b] & mask); });
    Guarded<std::uint32_t> keys(in), out(n);
    EXPECT_CL(sort_keys(keys.view(), out.view(), n, queue_, bits));
    ASSERT_EQ(out.read(), elements_at(in, order));
  }
  Guarded<std::uint32_t> keys(in);
  EXPECT_EQ(sort_keys(keys.view(), keys.view(), n, queue_, key_bits{0, 33}), CL_INVALID_VALUE);
  EXPECT_EQ(sort_keys(keys.view_as(type_of<float>::value()), keys.view_as(type_of<float>::value()), n, queue_, key_bits{0, 3}),
            CL_INVALID_VALUE);
}

// Halves have few values, so that the other members decide.
template <class T>
std::vector<T> wide_keys(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::uint64_t highs[] = {0, 1, 0x8000000000000000, 0xffffffffffffffff, random()};
  std::vector<T> keys(n);
  for (T &key : keys) {
    const std::uint64_t high = highs[random() % 5], low = random() % 3 == 0 ? highs[random() % 5] : random();
    key = static_cast<T>(static_cast<unsigned __int128>(high) << 64 | low);
  }
  return keys;
}

TEST_F(OpenclSort, GivenIntegersOf128Bits_WhenSorted_ThenStable) {
  const auto sorts_wide = [&]<class T>(T, std::size_t n, const plan &how) {
    const auto in = wide_keys<T>(n, test_seed() + n);
    const auto up = stable_order(n, [&](auto a, auto b) { return in[a] < in[b]; });
    const auto down = stable_order(n, [&](auto a, auto b) { return in[b] < in[a]; });
    Guarded<T> keys(in, 1), out(n, 2), both(in);
    Guarded<std::uint32_t> places(n, 1);
    EXPECT_CL(arg_sort(keys.view(), out.view(), places.view(), n, queue_, how));
    ASSERT_TRUE(out.read() == elements_at(in, up)) << n << " keys, " << how;
    ASSERT_EQ(places.read(), up);
    EXPECT_CL(sort_keys(both.view(), both.view(), n, queue_, descending, how));
    ASSERT_TRUE(both.read() == elements_at(in, down)) << n << " keys, " << how;
  };
  for (const plan &how : {plan{}, plan{0, 0, -1, 32, 5}, plan{3, 120, 0, 0, 0}}) {
    sorts_wide(static_cast<unsigned __int128>(0), 20001, how);
    sorts_wide(static_cast<__int128>(0), 159, how);
    if (how.group == 0) sorts_wide(static_cast<__int128>(0), 20161, how);
  }
  const std::size_t n = 3000;
  const auto in = wide_keys<unsigned __int128>(n, test_seed());
  for (const key_bits bits : {key_bits{0, 64}, key_bits{61, 70}, key_bits{64, 128}, key_bits{128, 128}}) {
    const auto part = [&](std::uint32_t i) {
      return bits.begin == 128 ? 0 : in[i] << (128 - bits.end) >> (128 - bits.end + bits.begin);
    };
    const auto order = stable_order(n, [&](auto a, auto b) { return part(a) < part(b); });
    Guarded<unsigned __int128> keys(in), out(n);
    EXPECT_CL(sort_keys(keys.view(), out.view(), n, queue_, bits));
    ASSERT_TRUE(out.read() == elements_at(in, order)) << bits.begin << " to " << bits.end;
  }
  Guarded<unsigned __int128> keys(in);
  EXPECT_EQ(sort_keys(keys.view(), keys.view(), n, queue_, key_bits{0, 129}), CL_INVALID_VALUE);
}

struct Particle {
  std::int16_t cell;
  std::uint8_t kind;
  float energy;
  std::uint32_t number;  // does not count
  bool operator==(const Particle &other) const = default;
};

TEST_F(OpenclSort, GivenStructs_WhenSortedByMembers_ThenTheFirstCountsMost) {
  const element_type type("particle", "typedef struct { short cell; uchar kind; float energy; uint number; } particle;",
                          sizeof(Particle), alignof(Particle));
  const by_members members{member<float>("energy"), member<std::int16_t>("cell")};
  for (const std::size_t n : {1U, 159U, 160U, 20003U}) {
    std::mt19937_64 random(test_seed() + n);
    std::vector<Particle> in(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      std::memset(static_cast<void *>(&in[i]), 0, sizeof in[i]);
      in[i].cell = static_cast<std::int16_t>(random());
      in[i].kind = static_cast<std::uint8_t>(random());
      in[i].energy = static_cast<float>(static_cast<int>(random() % 9) - 4) * 1.5F;
      in[i].number = i;
      if (i % 4 == 0) in[i].cell = -1;
    }
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(in[a].energy, in[a].cell) < std::pair(in[b].energy, in[b].cell);
    };
    const auto up = stable_order(n, before), down = stable_order(n, [&](auto a, auto b) { return before(b, a); });
    for (const plan &how : {plan{}, plan{0, 0, -1, 32, 5}}) {
      Guarded<Particle> keys(in), out(n);
      Guarded<std::uint64_t> places(n);
      const auto view = [&](const auto &of) { return of.view_as(type); };
      EXPECT_CL(arg_sort(view(keys), view(out), places.view(), n, queue_, members, descending, how));
      ASSERT_EQ(out.read(), elements_at(in, down)) << n << " structs, " << how;
      const auto found = places.read();
      ASSERT_TRUE(std::equal(found.begin(), found.end(), down.begin(), down.end()));
      EXPECT_CL(sort_keys(view(keys), view(keys), n, queue_, members, how));
      ASSERT_EQ(keys.read(), elements_at(in, up)) << n << " structs, " << how;
    }
  }
  Guarded<Particle> keys(10);
  const array x = keys.view_as(type);
  EXPECT_EQ(sort_keys(x, x, 10, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(sort_keys(x, x, 10, queue_, by_members{}), CL_INVALID_VALUE);
  EXPECT_EQ(sort_keys(x, x, 10, queue_, by_members{{"cell", type}}), CL_INVALID_VALUE);
  EXPECT_EQ(sort_keys(x, x, 10, queue_, members, key_bits{0, 3}), CL_INVALID_VALUE);
  EXPECT_NE(sort_keys(x, x, 10, queue_, by_members{member<int>("missing")}), CL_SUCCESS);
  EXPECT_TRUE(keys.read(0).empty());
}

// Some of the array lies before the first segment and behind the last one.
TEST_F(OpenclSort, GivenSegments_WhenSorted_ThenEachAsByTheStandardLibrary) {
  std::mt19937_64 random(test_seed());
  for (const std::size_t segments : {1, 3, 300, 20000}) {
    const std::size_t usual = 60000 / segments;
    std::vector<std::uint32_t> offsets{5};
    for (std::size_t k = 0; k < segments; ++k) {
      offsets.push_back(static_cast<std::uint32_t>(offsets.back() + (random() % 4 == 0 ? 0 : random() % (2 * usual + 1))));
    }
    const std::size_t n = offsets.back() + 7;
    auto keys = random_elements<std::int16_t>(n, segments);
    for (auto &key : keys) key = static_cast<std::int16_t>(key % 50);
    const auto values = random_elements<std::uint64_t>(n, segments + 1);
    for (const plan &how : {plan{}, plan{3, 120, 0, static_cast<unsigned>(known_.max_group < 64 ? 1 : 64), 5}}) {
      SCOPED_TRACE(testing::Message() << segments << " segments, " << how);
      Guarded<std::int16_t> source(keys, 1), both(keys), sorted(n, 2);
      Guarded<std::uint64_t> with(values);
      Guarded<std::uint32_t> ends(offsets), places(n);
      const std::vector<std::int16_t> poison = Guarded<std::int16_t>(n).read();
      auto up = keys, down = poison;
      auto moved = values;
      auto indices = Guarded<std::uint32_t>(n).read();
      for (std::size_t k = 0; k < segments; ++k) {
        const std::size_t begin = offsets[k], length = offsets[k + 1] - begin;
        const auto key = [&](std::uint32_t i) { return keys[begin + i]; };
        const auto upward = stable_order(length, [&](auto a, auto b) { return key(a) < key(b); });
        const auto downward = stable_order(length, [&](auto a, auto b) { return key(a) > key(b); });
        for (std::size_t i = 0; i < length; ++i) {
          up[begin + i] = key(upward[i]);
          moved[begin + i] = values[begin + upward[i]];
          down[begin + i] = key(downward[i]);
          indices[begin + i] = downward[i];
        }
      }
      EXPECT_CL(
          sort_pairs_of_segments(both.view(), both.view(), with.view(), with.view(), n, ends.view(), segments, queue_, how));
      ASSERT_EQ(both.read(), up);
      ASSERT_EQ(with.read(), moved);
      EXPECT_CL(
          arg_sort_of_segments(source.view(), sorted.view(), places.view(), n, ends.view(), segments, queue_, descending, how));
      ASSERT_EQ(sorted.read(), down);
      ASSERT_EQ(places.read(), indices);
    }
  }
}

TEST_F(OpenclSort, GivenRows_WhenSorted_ThenEachAsByTheStandardLibrary) {
  for (const auto &[rows, length] :
       std::vector<std::pair<std::size_t, std::size_t>>{{0, 3}, {3, 0}, {1, 1}, {5, 9001}, {3000, 17}}) {
    auto keys = random_elements<std::uint64_t>(rows * length, rows), wanted = keys;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto begin = wanted.begin() + static_cast<std::ptrdiff_t>(row * length);
      std::sort(begin, begin + static_cast<std::ptrdiff_t>(length));
    }
    Guarded<std::uint64_t> source(keys), out(keys.size(), 1);
    EXPECT_CL(sort_keys_of_rows(source.view(), out.view(), rows, length, queue_));
    ASSERT_EQ(out.read(), wanted);
  }
}

TEST_F(OpenclSort, GivenWrongSegments_WhenSorted_ThenErrors) {
  Guarded<std::int32_t> in(100), out(100);
  Guarded<float> floats(100);
  EXPECT_EQ(sort_keys_of_segments(in.view(), out.view(), 100, floats.view(), 3, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(sort_keys_of_segments(in.view(), out.view(), 100, floats.view_as(in.view().type), 3000, queue_),
            CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(sort_keys_of_segments(in.view(), out.view(), 100, out.view(), 3, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(sort_keys_of_rows(in.view(), out.view(), std::uint64_t(1) << 30, std::uint64_t(1) << 30, queue_), CL_INVALID_VALUE);
  out.read(0);
}

}  // namespace upsweep::opencl::test
