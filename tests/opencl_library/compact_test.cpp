// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections, partitions, and reductions of runs, against plain loops.
#include "check.h"

#include <upsweep/opencl/partition.h>
#include <upsweep/opencl/reduce_by_key.h>
#include <upsweep/opencl/select.h>

#include <algorithm>

namespace upsweep::opencl::test {

const function kIsOdd("is_odd", "bool is_odd(int x) { return (x & 1) != 0; }");

class OpenclCompact : public OpenclLibrary {
protected:
  using Ints = std::vector<std::int32_t>;

  // Each call of selections and partitions on the same elements.
  void compactions(std::size_t n, const plan &how) {
    SCOPED_TRACE(testing::Message() << n << " elements, " << how);
    const Ints in = random_elements<std::int32_t>(n, test_seed() + n);
    std::vector<std::uint8_t> flags(n);
    std::vector<std::uint32_t> bits((n + 31) / 32);
    Ints odd, even;
    for (std::size_t i = 0; i < n; ++i) {
      const bool is_odd = (in[i] & 1) != 0;
      flags[i] = is_odd ? static_cast<std::uint8_t>(1 + i % 255) : 0;
      bits[i / 32] |= static_cast<std::uint32_t>(is_odd) << (i % 32);
      (is_odd ? odd : even).push_back(in[i]);
    }
    Guarded<std::int32_t> source(in, n % 5);
    Guarded<std::uint8_t> of_flags(flags);
    Guarded<std::uint32_t> of_bits(bits), kept(1);
    Guarded<std::int32_t> a(n), b(n, 1), c(n), d(n), both(in), e(n), f(n), g(n);
    EXPECT_CL(select_if(source.view(), a.view(), kept.view(), n, kIsOdd, queue_, how));
    ASSERT_EQ(kept.read()[0], odd.size());
    EXPECT_CL(select_by_flag(source.view(), of_flags.view(), b.view(), kept.view(), n, queue_, how));
    EXPECT_CL(select_by_bit(source.view(), of_bits.view(), c.view(), kept.view(), n, queue_, how));
    EXPECT_CL(select_by_stencil(source.view(), source.view(), d.view(), kept.view(), n, kIsOdd, queue_, how));
    EXPECT_CL(select_if(both.view(), both.view(), kept.view(), n, kIsOdd, queue_, how));
    for (Guarded<std::int32_t> *out : {&a, &b, &c, &d}) ASSERT_EQ(out->read(odd.size()), odd);
    Ints in_place = both.read();
    in_place.resize(odd.size());
    ASSERT_EQ(in_place, odd);
    EXPECT_CL(stable_partition_if(source.view(), e.view(), f.view(), kept.view(), n, kIsOdd, queue_, how));
    ASSERT_EQ(e.read(odd.size()), odd);
    ASSERT_EQ(f.read(even.size()), even);
    EXPECT_CL(partition_by_flag(source.view(), of_flags.view(), g.view(), kept.view(), n, queue_, how));
    Ints parted = odd;
    parted.insert(parted.end(), even.rbegin(), even.rend());
    ASSERT_EQ(g.read(), parted);
    ASSERT_EQ(kept.read()[0], odd.size());
  }

  // Each call on runs of about `longest` elements.
  void runs(std::size_t n, std::size_t longest, const plan &how) {
    SCOPED_TRACE(testing::Message() << n << " elements in runs of up to " << longest << ", " << how);
    std::mt19937_64 random(test_seed() + n);
    Ints keys(n), firsts;
    const Ints values = random_elements<std::int32_t>(n, n);
    std::vector<std::int64_t> sums;
    std::vector<std::uint32_t> lengths;
    Ints first_values;
    for (std::size_t i = 0; i < n; ++i) {
      keys[i] = i == 0 ? 0 : keys[i - 1] + (random() % longest == 0 ? 1 : 0);
      if (i == 0 || keys[i] != keys[i - 1]) {
        firsts.push_back(keys[i]);
        first_values.push_back(values[i]);
        sums.push_back(0);
        lengths.push_back(0);
      }
      sums.back() += values[i];
      ++lengths.back();
    }
    Guarded<std::int32_t> of_keys(keys, 3), of_values(values), out_keys(n), in_place(keys), kept_keys(n), kept_values(n),
        rle(n);
    Guarded<std::int64_t> totals(n);
    Guarded<std::uint32_t> of_lengths(n, 1), count(1);
    EXPECT_CL(
        reduce_by_key(of_keys.view(), of_values.view(), out_keys.view(), totals.view(), count.view(), n, plus{}, queue_, how));
    ASSERT_EQ(count.read()[0], firsts.size());
    ASSERT_EQ(out_keys.read(firsts.size()), firsts);
    ASSERT_EQ(totals.read(firsts.size()), sums);
    EXPECT_CL(run_length_encode(of_keys.view(), rle.view(), of_lengths.view(), count.view(), n, queue_, how));
    ASSERT_EQ(rle.read(firsts.size()), firsts);
    ASSERT_EQ(of_lengths.read(firsts.size()), lengths);
    EXPECT_CL(unique(in_place.view(), in_place.view(), count.view(), n, queue_, how));
    Ints now = in_place.read();
    now.resize(firsts.size());
    ASSERT_EQ(now, firsts);
    EXPECT_CL(
        unique_by_key(of_keys.view(), of_values.view(), kept_keys.view(), kept_values.view(), count.view(), n, queue_, how));
    ASSERT_EQ(count.read()[0], firsts.size());
    ASSERT_EQ(kept_keys.read(firsts.size()), firsts);
    ASSERT_EQ(kept_values.read(firsts.size()), first_values);
  }
};

TEST_F(OpenclCompact, GivenEveryWayAndLength_WhenCompacted_ThenAsALoop) {
  for (const plan &how : plans(known_)) {
    for (const std::size_t n : {0, 1, 63, 191, 192, 193, 5000}) compactions(n, how);
  }
  compactions(100003, {});
}

TEST_F(OpenclCompact, GivenEveryWayAndRuns_WhenReduced_ThenAsALoop) {
  for (const plan &how : plans(known_)) {
    for (const std::size_t n : {0, 1, 191, 193, 5000}) runs(n, 1 + n % 40, how);
  }
  runs(200003, 1000, {});
  runs(100003, 1, {});
}

struct Quad {
  std::uint32_t x[4];
  bool operator==(const Quad &) const = default;
};
struct Triple {
  std::uint32_t x[3];
  bool operator==(const Triple &) const = default;
};

// Sizes for which flags of bytes are read in chunks, and others.
TEST_F(OpenclCompact, GivenElementsOfEverySize_WhenSelectedByFlag_ThenAsALoop) {
  const std::size_t n = 5003;
  std::mt19937_64 random(test_seed());
  std::vector<std::uint8_t> flags(n);
  for (std::uint8_t &flag : flags) flag = random() % 3 == 0 ? 0 : 7;
  const auto test = [&]<class T>(const element_type &type, T) {
    for (const std::size_t offset : {0, 1}) {
      SCOPED_TRACE(testing::Message() << type.name << " from element " << offset);
      std::vector<T> in(n), expected;
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t bits[2] = {random(), random()};
        std::memcpy(static_cast<void *>(&in[i]), bits, sizeof(T));
        if (flags[i] != 0) expected.push_back(in[i]);
      }
      Guarded<T> source(in, offset), out(n);
      Guarded<std::uint8_t> of_flags(flags, offset);
      Guarded<std::uint32_t> kept(1);
      const plan how{0, 0, -1, 32, 48};
      EXPECT_CL(select_by_flag(source.view_as(type), of_flags.view(), out.view_as(type), kept.view(), n, queue_, how));
      ASSERT_EQ(kept.read()[0], expected.size());
      ASSERT_EQ(out.read(expected.size()), expected);
    }
  };
  test(type_of<std::uint8_t>::value(), std::uint8_t());
  test(type_of<std::int16_t>::value(), std::int16_t());
  test(type_of<std::uint64_t>::value(), std::uint64_t());
  test(element_type("triple", "typedef struct { uint x[3]; } triple;", 12, 4), Triple());
  test(element_type("four_words", "typedef struct { uint x[4]; } four_words;", 16, 4), Quad());
}

}  // namespace upsweep::opencl::test
