// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches, differences, decoded runs, partitions into three parts, recurrences and compensated sums against plain loops.
#include "check.h"

#include <upsweep/cpu/adjacent.h>
#include <upsweep/cpu/compensated.h>
#include <upsweep/cpu/find.h>
#include <upsweep/cpu/recurrence.h>
#include <upsweep/cpu/run_length_decode.h>
#include <upsweep/cpu/three_way_partition.h>

namespace upsweep::cpu::test {

// Lengths at edges of words, tiles and chunks.
std::vector<std::size_t> few_lengths() { return {0, 1, 63, 64, 65, 1023, 1025, 2048, 2049, 32768, 32769, 100001, 1000003}; }

template <class T>
void check_differences() {
  thread_pool pool(3);
  for (const std::size_t n : lengths()) {
    const auto in = random_elements<T>(n, n);
    Guarded<T> out(n, n % 3);
    adjacent_difference(in.data(), out.data(), n, pool);
    Guarded<T> sums(n, 1);
    adjacent_difference(in.data(), sums.data(), n, plus{}, pool);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(out.data()[i], i == 0 ? in[0] : static_cast<T>(in[i] - in[i - 1])) << n << " " << i;
      ASSERT_EQ(sums.data()[i], i == 0 ? in[0] : static_cast<T>(in[i] + in[i - 1])) << n << " " << i;
    }
    EXPECT_TRUE(out.is_intact() && sums.is_intact());
  }
}

TEST(CpuAdjacent, GivenNumbers_WhenDifferencesAreTaken_ThenAsByALoop) {
  with_all_instructions([] {
    check_differences<std::uint8_t>();
    check_differences<std::uint32_t>();
    check_differences<double>();
  });
}

TEST(CpuAdjacent, GivenAnOutputBeyondTheCache_WhenDifferencesAreTaken_ThenAllIsWritten) {
  const std::size_t n = detail::kStreamedBytes / 4 + 777;
  const auto in = random_elements<std::uint32_t>(n, 3);
  Guarded<std::uint32_t> out(n, 1);
  adjacent_difference(in.data(), out.data(), n);
  EXPECT_TRUE(out.is_intact());
  for (std::size_t i = 1; i < n; ++i) {
    ASSERT_EQ(out.data()[i], in[i] - in[i - 1]) << i;
  }
}

TEST(CpuFind, GivenPlaces_WhenSearched_ThenTheFirstOne) {
  thread_pool pool(4);
  with_all_instructions([&] {
    for (const std::size_t n : few_lengths()) {
      std::vector<std::uint16_t> in(n);
      std::mt19937_64 random(n);
      for (const std::size_t place : {n, std::size_t(0), n / 2, n - 1, static_cast<std::size_t>(random() % (n + 1))}) {
        std::fill(in.begin(), in.end(), std::uint16_t(0));
        for (std::size_t i = place; i < n; i += 1 + random() % 5000) {
          in[i] = 7;
        }
        std::int64_t found = -1;
        find_if(in.data(), &found, n, [](std::uint16_t x) { return x == 7; }, pool);
        EXPECT_EQ(found, static_cast<std::int64_t>(std::min(place, n))) << n;
      }
    }
  });
}

TEST(CpuThreeWays, GivenElements_WhenPartitioned_ThenEachPartInOrder) {
  thread_pool pool(3);
  with_all_instructions([&] {
    for (const std::size_t n : few_lengths()) {
      const auto in = random_elements<std::uint32_t>(n, n + 1);
      std::vector<std::uint32_t> wanted[3];
      for (const std::uint32_t x : in) {
        wanted[x % 3 == 0 ? 0 : x % 2 == 0 ? 1 : 2].push_back(x);
      }
      Guarded<std::uint32_t> out[3] = {Guarded<std::uint32_t>(n), Guarded<std::uint32_t>(n, 1), Guarded<std::uint32_t>(n, 2)};
      std::uint32_t kept[2] = {77, 77};
      stable_partition_in_three(
          in.data(), out[0].data(), out[1].data(), out[2].data(), kept, n, [](std::uint32_t x) { return x % 3 == 0; },
          [](std::uint32_t x) { return x % 2 == 0; }, pool);
      EXPECT_EQ(kept[0], wanted[0].size());
      EXPECT_EQ(kept[1], wanted[1].size());
      for (int part = 0; part < 3; ++part) {
        EXPECT_TRUE(std::equal(wanted[part].begin(), wanted[part].end(), out[part].data())) << n << " " << part;
        EXPECT_TRUE(out[part].is_intact(wanted[part].size()));
      }
    }
  });
}

TEST(CpuDecode, GivenRuns_WhenDecoded_ThenAsByALoop) {
  thread_pool pool(3);
  for (const std::size_t runs : {0, 1, 2, 100, 5000, 40001}) {
    for (const unsigned longest : {1, 3, 100, 20000}) {
      if (runs * longest > 50'000'000) {
        continue;
      }
      std::mt19937_64 random(runs + longest);
      std::vector<std::uint16_t> values(runs), wanted;
      std::vector<std::int32_t> lengths(runs), offsets(runs + 1);
      for (std::size_t k = 0; k < runs; ++k) {
        values[k] = static_cast<std::uint16_t>(random());
        lengths[k] = static_cast<std::int32_t>(random() % (longest + 1)) * (random() % 4 == 0 ? 0 : 1);
        wanted.insert(wanted.end(), static_cast<std::size_t>(lengths[k]), values[k]);
        offsets[k + 1] = offsets[k] + lengths[k];
      }
      Guarded<std::uint16_t> out(wanted.size(), 1), repeated(wanted.size());
      std::uint64_t total = 99;
      run_length_decode(values.data(), lengths.data(), runs, out.data(), &total, pool);
      EXPECT_EQ(total, wanted.size());
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), out.data())) << runs << " " << longest;
      repeat(values.data(), offsets.data(), runs, repeated.data());
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), repeated.data())) << runs << " " << longest;
      EXPECT_TRUE(out.is_intact() && repeated.is_intact());
    }
  }
}

// Integers wrap, so that every order of composition has the same bits.
TEST(CpuRecurrence, GivenIntegers_WhenComputed_ThenAsByALoop) {
  thread_pool pool(3);
  with_all_instructions([&] {
    for (const std::size_t n : lengths()) {
      const auto a = random_elements<std::uint32_t>(n, n), b = random_elements<std::uint32_t>(n, n + 1);
      std::vector<std::uint32_t> wanted(n), reversed(n);
      std::uint32_t state = 5;
      for (std::size_t i = 0; i < n; ++i) {
        wanted[i] = state = a[i] * state + b[i];
      }
      Guarded<std::uint32_t> x(n, 3), y(n);
      const std::uint32_t first = 5;
      std::uint32_t last = 77;
      linear_recurrence(a.data(), b.data(), x.data(), n, pool, states(&first, &last));
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), x.data())) << n;
      EXPECT_EQ(last, state);
      state = 0;
      for (std::size_t i = n; i-- > 0;) {
        reversed[i] = state = a[i] * state + b[i];
      }
      y.fill(b);
      linear_recurrence(a.data(), y.data(), y.data(), n, backward, pool);
      EXPECT_TRUE(std::equal(reversed.begin(), reversed.end(), y.data())) << n;
      EXPECT_TRUE(x.is_intact() && y.is_intact());
    }
  });
}

TEST(CpuRecurrence, GivenAxes_WhenComputed_ThenAsByALoop) {
  thread_pool pool(3);
  for (const axis &of : {axis{3, 100, 1, {}, {}}, axis{1, 50000, 1, {}, {}}, axis{2, 2000000, 1, {}, {}},
                         axis{4, 33, 70, {}, {}}, axis{1, 77, 5000, {}, {}}, axis{2, 9, 3, {40, 4}, {27, 3}}}) {
    const auto in = full_strides(of, of.in), to = full_strides(of, of.out);
    const auto a = random_elements<std::uint32_t>(elements_of(of, in), 1);
    const auto b = random_elements<std::uint32_t>(elements_of(of, in), 2);
    const auto first = random_elements<std::uint32_t>(of.batches * of.inner, 3);
    std::vector<std::uint32_t> x(elements_of(of, to)), last(first.size());
    linear_recurrence_of_axis(a.data(), b.data(), x.data(), of, states(first.data(), last.data()), pool);
    for (std::uint64_t batch = 0; batch < of.batches; ++batch) {
      for (std::uint64_t i = 0; i < of.inner; ++i) {
        std::uint32_t state = first[batch * of.inner + i];
        for (std::uint64_t row = 0; row < of.length; ++row) {
          const auto at = batch * in.batch + row * in.along + i;
          state = a[at] * state + b[at];
          ASSERT_EQ(x[batch * to.batch + row * to.along + i], state) << batch << " " << row << " " << i;
        }
        ASSERT_EQ(last[batch * of.inner + i], state);
      }
    }
  }
}

TEST(CpuCompensated, GivenManyNumbers_WhenSummed_ThenTheErrorIsThatOfOneRounding) {
  const std::size_t n = 1000003;
  std::vector<float> in(n);
  std::mt19937_64 random(4);
  for (float &x : in) {
    x = static_cast<float>(random() % 100000) * 1e-5F;
  }
  thread_pool pool(3);
  std::vector<float> out(n), exclusive(n), back(n);
  inclusive_compensated_sum(in.data(), out.data(), n, pool);
  exclusive_compensated_sum(in.data(), exclusive.data(), n, pool);
  inclusive_compensated_sum(in.data(), back.data(), n, backward, pool);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(exclusive[i], i == 0 ? 0 : out[i - 1]);
    total += static_cast<double>(in[i]);
    ASSERT_EQ(out[i], static_cast<float>(total)) << i;
  }
  float sum = 0;
  compensated_sum(in.data(), &sum, n, pool);
  EXPECT_EQ(sum, static_cast<float>(total));
  EXPECT_EQ(back[0], static_cast<float>(total));
  for (const unsigned threads : {1, 64}) {
    with_all_instructions([&] {
      thread_pool others(threads);
      std::vector<float> again(n);
      inclusive_compensated_sum(in.data(), again.data(), n, others);
      EXPECT_EQ(std::memcmp(again.data(), out.data(), n * sizeof(float)), 0) << threads;
    });
  }
}

TEST(CpuArguments, GivenNullAndOverlap_WhenCalled_ThenInvalidArgument) {
  std::vector<int> x(100);
  int *null = nullptr;
  std::uint64_t place = 0;
  const auto is_odd = [](int v) { return v % 2 != 0; };
  EXPECT_THROW(adjacent_difference(null, x.data(), 5), std::invalid_argument);
  EXPECT_THROW(adjacent_difference(x.data(), x.data(), 5), std::invalid_argument);
  EXPECT_THROW(find_if(null, &place, 5, is_odd), std::invalid_argument);
  EXPECT_THROW(run_length_decode(x.data(), null, 5, x.data() + 50), std::invalid_argument);
  EXPECT_THROW(linear_recurrence(x.data(), null, x.data() + 50, 5), std::invalid_argument);
  EXPECT_THROW(linear_recurrence(x.data(), x.data() + 10, x.data() + 12, 5), std::invalid_argument);
  int kept[2];
  EXPECT_THROW(stable_partition_in_three(x.data(), null, x.data(), x.data(), kept, 5, is_odd, is_odd), std::invalid_argument);
}

}  // namespace upsweep::cpu::test
