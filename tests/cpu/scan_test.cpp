// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans against plain loops: lengths at every edge, all instructions, addresses, operators, options and errors.
#include "check.h"

#include <upsweep/cpu/scan.h>

#include <cmath>
#include <deque>
#include <limits>
#include <stdexcept>

namespace upsweep::cpu::test {

template <class T, class In, class Op>
std::vector<T> expected_scan(const std::vector<In> &in, Op op, const T *initial) {
  std::vector<T> out(in.size());
  T total = initial != nullptr ? *initial : T();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const T before = total;
    total = i == 0 && initial == nullptr ? static_cast<T>(in[i]) : op(total, static_cast<T>(in[i]));
    out[i] = initial != nullptr ? before : total;
  }
  return out;
}

template <class T, class In, class Op>
void check_scans(Op op, std::size_t n, std::size_t offset, thread_pool &pool) {
  SCOPED_TRACE(testing::Message() << n << " elements of " << sizeof(In) << " and " << sizeof(T) << " bytes, offset " << offset);
  std::mt19937_64 random(n);
  const T initial = random_element<T>(random);
  const auto in = random_elements<In>(n, n + 1);
  Guarded<In> source(n, offset + 1);
  source.fill(in);
  Guarded<T> out(n, offset);

  inclusive_scan(source.data(), out.data(), n, op, pool, accumulator<T>);
  auto wanted = expected_scan<T>(in, op, static_cast<const T *>(nullptr));
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), out.data()));
  EXPECT_TRUE(out.is_intact());

  exclusive_scan(source.data(), out.data(), n, op, initial, pool);
  wanted = expected_scan<T>(in, op, &initial);
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), out.data()));
  EXPECT_TRUE(out.is_intact());
  if constexpr (std::is_same_v<In, T>) {
    exclusive_scan(source.data(), source.data(), n, op, initial, pool);
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), source.data()));
    source.fill(in);
    inclusive_scan(source.data(), source.data(), n, op, pool);
    wanted = expected_scan<T>(in, op, static_cast<const T *>(nullptr));
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), source.data()));
  }
  EXPECT_TRUE(source.is_intact());
}

template <class T, class In, class Op>
void check_lengths(Op op) {
  thread_pool pool(3);
  with_all_instructions([&] {
    std::size_t offset = 0;
    for (const std::size_t n : lengths()) {
      check_scans<T, In>(op, n, offset++ % 5, pool);
    }
  });
}

TEST(CpuScan, GivenIntegers_WhenSummed_ThenAsByALoop) {
  check_lengths<std::int32_t, std::int32_t>(plus{});
  check_lengths<std::uint64_t, std::uint64_t>(plus{});
}
TEST(CpuScan, GivenSmallIntegers_WhenSummed_ThenAsByALoop) {
  check_lengths<std::uint8_t, std::uint8_t>(plus{});
  check_lengths<std::int16_t, std::int16_t>(plus{});
}
TEST(CpuScan, GivenSmallIntegers_WhenSummedInLargerOnes_ThenAsByALoop) {
  check_lengths<std::uint32_t, std::uint8_t>(plus{});
  check_lengths<std::int64_t, std::int16_t>(plus{});
  check_lengths<std::int32_t, std::int8_t>(plus{});
}
TEST(CpuScan, GivenFloats_WhenSummed_ThenAsByALoop) {
  check_lengths<float, float>([](float a, float b) { return a > b ? a : b; });
  check_lengths<double, double>(plus{});
}
TEST(CpuScan, GivenNumbers_WhenCompared_ThenAsByALoop) {
  check_lengths<float, float>(maximum{});
  check_lengths<std::int32_t, std::int32_t>(minimum{});
  check_lengths<std::uint8_t, std::uint8_t>(maximum{});
  check_lengths<std::uint64_t, std::uint64_t>(maximum{});
  check_lengths<std::int64_t, std::int64_t>(minimum{});
}
TEST(CpuScan, GivenIntegers_WhenMultipliedOrCombinedByBits_ThenAsByALoop) {
  check_lengths<std::uint32_t, std::uint32_t>(multiplies{});
  check_lengths<std::uint8_t, std::uint8_t>(multiplies{});
  check_lengths<std::int64_t, std::int64_t>(multiplies{});
  check_lengths<std::uint16_t, std::uint16_t>(bit_xor{});
  check_lengths<std::uint32_t, std::uint32_t>(bit_and{});
  check_lengths<std::uint64_t, std::uint64_t>(bit_or{});
}
TEST(CpuScan, GivenOperatorsThatDoNotCommute_WhenScanned_ThenAsByALoop) {
  check_lengths<Affine, Affine>(Compose());
  check_lengths<std::int32_t, std::int32_t>(Last());
}

TEST(CpuScan, GivenOutputsBeyondTheCache_WhenScanned_ThenStreamedLinesAreComplete) {
  const std::size_t n = (detail::kStreamedBytes / 4) + 12345;
  const auto in = random_elements<std::uint32_t>(n, 1);
  thread_pool pool(3);
  with_all_instructions([&] {
    for (const std::size_t offset : {0, 4, 7}) {
      Guarded<std::uint32_t> out(n, offset);
      inclusive_sum(in.data(), out.data(), n, pool);
      EXPECT_EQ(out.span().back(), expected_scan<std::uint32_t>(in, plus{}, static_cast<std::uint32_t *>(nullptr)).back());
      const auto inclusive = std::vector(out.span().begin(), out.span().end());
      EXPECT_EQ(inclusive, expected_scan<std::uint32_t>(in, plus{}, static_cast<std::uint32_t *>(nullptr)));
      EXPECT_TRUE(out.is_intact());
      exclusive_sum(in.data(), out.data(), n, pool);
      EXPECT_EQ(out.data()[0], 0U);
      EXPECT_TRUE(std::equal(inclusive.begin(), inclusive.end() - 1, out.data() + 1));
      EXPECT_TRUE(out.is_intact());
      inclusive_scan(in.data(), out.data(), n, [](std::uint32_t a, std::uint32_t b) { return a + b; }, pool);
      EXPECT_TRUE(std::equal(inclusive.begin(), inclusive.end(), out.data()));
      EXPECT_TRUE(out.is_intact());
    }
  });
}

TEST(CpuScan, GivenInexactSums_WhenThreadsInstructionsAndAddressesDiffer_ThenTheSameBits) {
  const std::size_t n = 500000;
  std::mt19937_64 random(5);
  std::vector<float> in(n + 16);
  for (float &x : in) {
    x = static_cast<float>(random()) / 3e18F - 1.7F;
  }
  std::vector<float> wanted(n);
  inclusive_sum(in.data(), wanted.data(), n, calling_thread());
  double sum = 0, sizes = 0;  // exact enough: a float's sum of n terms is off by n / 2^24 of their sizes at most
  for (std::size_t i = 0; i < n; ++i) {
    sum += static_cast<double>(in[i]);
    sizes += std::fabs(static_cast<double>(in[i]));
    ASSERT_NEAR(static_cast<double>(wanted[i]), sum, sizes * static_cast<double>(i + 1) / (1 << 24)) << i;
  }
  with_all_instructions([&] {
    for (const unsigned threads : {1, 2, 3, 7, 16, 64}) {
      thread_pool pool(threads);
      Guarded<float> out(n, threads);
      inclusive_sum(in.data(), out.data(), n, pool);
      EXPECT_EQ(std::memcmp(out.data(), wanted.data(), n * sizeof(float)), 0) << threads;
    }
  });
}

TEST(CpuScan, GivenSignedZerosAndNaNs_WhenScanned_ThenAsByTheOperator) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> zeros(100, -0.0F);
  std::vector<float> out(100);
  with_all_instructions([&] {
    inclusive_sum(zeros.data(), out.data(), 100);
    EXPECT_TRUE(std::signbit(out[0]) && std::signbit(out[99]));
    std::vector<float> some(100, kNaN);
    some[40] = 3;
    some[70] = 2;
    inclusive_scan(some.data(), out.data(), 100, minimum{});
    EXPECT_TRUE(std::isnan(out[39]));
    EXPECT_EQ(out[40], 3);
    EXPECT_EQ(out[99], 2);
    inclusive_scan(some.data(), out.data(), 100, maximum{});
    EXPECT_TRUE(std::isnan(out[39]));
    EXPECT_EQ(out[99], 3);
  });
}

TEST(CpuScan, GivenOptions_WhenScanned_ThenAsSaid) {
  thread_pool pool(3);
  for (const std::size_t n : {1, 100, 5000, 200000}) {
    const auto in = random_elements<std::int32_t>(n, n);
    std::vector<std::int64_t> out(n + 1);
    std::int64_t total = -1;
    exclusive_sum(in.data(), out.data(), n, pool, backward, total_to(&total));
    std::int64_t sum = 0;
    for (std::size_t i = n; i-- > 0;) {
      ASSERT_EQ(out[i], sum) << i;
      sum += in[i];
    }
    EXPECT_EQ(total, sum);
    exclusive_sum(in.data(), out.data(), n, pool, total_to(out.data() + n),
                  transform_input([](std::int32_t x) { return static_cast<std::int64_t>(x) * x; }));
    sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(out[i], sum);
      sum = plus{}(sum, static_cast<std::int64_t>(in[i]) * in[i]);  // which wraps
    }
    EXPECT_EQ(out[n], sum);
    std::vector<double> halves(n);
    inclusive_scan(in.data(), halves.data(), n, maximum{}, pool, transform_output([](std::int32_t x) { return x / 2.0; }));
    EXPECT_EQ(halves[n - 1], *std::max_element(in.begin(), in.end()) / 2.0);
    const std::int64_t initial = 7;
    const std::uint64_t count = n;
    exclusive_scan(in.data(), out.data(), count_at(&count, n + 5), plus{}, initial_at(&initial), pool);
    EXPECT_EQ(out[0], 7);
  }
  std::int64_t total = 0;
  exclusive_scan(static_cast<int *>(nullptr), static_cast<int *>(nullptr), 0, plus{}, std::int64_t(5), pool, total_to(&total));
  EXPECT_EQ(total, 5);
}

TEST(CpuScan, GivenIterators_WhenScanned_ThenAsByALoop) {
  const std::deque<int> in(70000, 2);
  std::deque<int> out(70000);
  inclusive_sum(in.begin(), out.begin(), in.size());
  EXPECT_EQ(out[69999], 140000);
  std::vector<int> plain(70000);
  inclusive_sum(plain.begin(), plain.begin(), plain.size());
  inclusive_sum(in.begin(), plain.begin(), in.size());
  EXPECT_EQ(plain[69999], 140000);
}

TEST(CpuScan, GivenAnOperatorThatThrows_WhenScanned_ThenTheCallerGetsIt) {
  for (const unsigned threads : {1, 2, 8}) {
    thread_pool pool(threads);
    for (const int when : {0, 5, 99999, 250000, 299998}) {
      std::vector<int> in(300000, 1);
      in[when] = 0;
      std::vector<int> out(in.size());
      const auto op = [](int a, int b) { return b == 0 ? throw std::runtime_error("zero") : a + b; };
      if (when == 0) {
        EXPECT_NO_THROW(inclusive_scan(in.data(), out.data(), in.size(), op, pool));
      } else {
        EXPECT_THROW(inclusive_scan(in.data(), out.data(), in.size(), op, pool), std::runtime_error) << threads << " " << when;
      }
      EXPECT_NO_THROW(inclusive_sum(in.data(), out.data(), in.size(), pool));
      EXPECT_EQ(out.back(), 299999);
    }
  }
}

TEST(CpuScan, GivenWrongArguments_WhenScanned_ThenInvalidArgument) {
  std::vector<int> in(100), out(100);
  EXPECT_THROW(inclusive_sum(static_cast<int *>(nullptr), out.data(), 100), std::invalid_argument);
  EXPECT_THROW(inclusive_sum(in.data(), static_cast<int *>(nullptr), 100), std::invalid_argument);
  EXPECT_THROW(inclusive_sum(in.data(), in.data() + 1, 99), std::invalid_argument);
  EXPECT_NO_THROW(inclusive_sum(in.data(), in.data() + 50, 50));
}

}  // namespace upsweep::cpu::test
