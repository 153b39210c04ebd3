// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half types and integers of 128 bits in scans, reductions, recurrences and calls by key, against plain loops.
#include "check.h"

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/compensated.h>
#include <upsweep/cpu/recurrence.h>
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/reduce_by_key.h>
#include <upsweep/cpu/run_length.h>
#include <upsweep/cpu/select.h>

#include <cmath>
#include <complex>
#include <limits>

namespace upsweep::cpu::test {

using detail::Int128;
using detail::Uint128;

// The number nearest to x that has `bits` bits behind the point. It is computed by division, independently of bit patterns.
double rounded_to(double x, int bits) {
  if (x == 0 || !std::isfinite(x)) {
    return x;
  }
  int exponent = 0;
  std::frexp(x, &exponent);
  const double unit = std::ldexp(1.0, exponent - 1 - bits);
  return std::nearbyint(x / unit) * unit;  // ties go to the even number
}

template <class T>
std::vector<T> random_numbers(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> all(n);
  for (T &x : all) {
    if constexpr (detail::is_float<T>) {
      x = static_cast<T>(static_cast<float>(static_cast<int>(random() % 9) - 4) / 4);
    } else {
      x = static_cast<T>((static_cast<Uint128>(random()) << 64) | random());
    }
  }
  return all;
}

template <class T>
bool is_same(const T &a, const T &b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

TEST(CpuNumbers, GivenEveryBfloat16_WhenConverted_ThenItComesBackAndFloatsAreRoundedToTheNearest) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    bfloat16 x;
    x.bits = static_cast<std::uint16_t>(bits);
    const float value = x;
    const bfloat16 again(value);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(static_cast<float>(again)));
    } else {
      ASSERT_EQ(again.bits, x.bits);
    }
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const float x =
        static_cast<float>(std::ldexp(static_cast<double>(random() % 65536 + 65536), static_cast<int>(random() % 100) - 60));
    ASSERT_EQ(static_cast<double>(static_cast<float>(bfloat16(x))), rounded_to(x, 7)) << x;
    ASSERT_EQ(static_cast<double>(static_cast<float>(bfloat16(-x))), -rounded_to(x, 7)) << x;
  }
}

// Sums of a few quarters are exact in 8 bits. For larger sums the test rounds after each addition itself.
template <class T>
void check_half_scans(int bits) {
  thread_pool pool(3);
  with_all_instructions([&] {
    for (const std::size_t n : {1, 7, 64, 1000, 70000, 200001}) {
      auto in = random_numbers<T>(n, n);
      std::vector<T> out(n);
      std::vector<float> sums(n);
      inclusive_scan(in.data(), sums.data(), n, plus{}, pool, accumulator<float>);
      inclusive_scan(in.data(), out.data(), n, maximum{}, pool);
      float sum = 0, most = -1e9F;
      for (std::size_t i = 0; i < n; ++i) {
        sum += static_cast<float>(in[i]);
        most = std::max(most, static_cast<float>(in[i]));
        ASSERT_EQ(sums[i], sum) << i;
        ASSERT_EQ(static_cast<float>(out[i]), most) << i;
      }
      T least, total;
      reduce(in.data(), &least, n, minimum{}, static_cast<T>(100.0F), pool);
      EXPECT_EQ(static_cast<float>(least), std::min(100.0F, *std::min_element(in.begin(), in.end(), [](T a, T b) {
                                                      return static_cast<float>(a) < static_cast<float>(b);
                                                    }) + 0.0F));
      cpu::sum(in.data(), &total, std::min<std::size_t>(n, 7), pool);
      EXPECT_EQ(static_cast<float>(total), sums[std::min<std::size_t>(n, 7) - 1]);
    }
    // Sums along an axis: each addition is rounded.
    const std::size_t rows = 50, columns = 37;
    std::vector<T> in(rows * columns), out(in.size());
    std::mt19937_64 random(3);
    for (T &x : in) {
      x = static_cast<T>(static_cast<float>(random() % 1000) / 7);
    }
    inclusive_sum_of_axis(in.data(), out.data(), axis{1, rows, columns});
    for (std::size_t c = 0; c < columns; ++c) {
      double sum = static_cast<float>(in[c]);
      for (std::size_t r = 1; r < rows; ++r) {
        sum = rounded_to(sum + static_cast<double>(static_cast<float>(in[r * columns + c])), bits);
        ASSERT_EQ(static_cast<double>(static_cast<float>(out[r * columns + c])), sum);
      }
    }
  });
}

TEST(CpuNumbers, GivenBfloat16_WhenScanned_ThenAsByALoop) { check_half_scans<bfloat16>(7); }
#ifdef __FLT16_MANT_DIG__
TEST(CpuNumbers, GivenFloat16_WhenScanned_ThenAsByALoop) { check_half_scans<float16>(10); }
#endif

TEST(CpuNumbers, GivenNaNsOfHalfTypes_WhenCompared_ThenOfANumberAndANaNTheNumber) {
  const bfloat16 nan(std::numeric_limits<float>::quiet_NaN()), two(2.0F), one(1.0F);
  EXPECT_EQ(static_cast<float>(minimum{}(nan, two)), 2);
  EXPECT_EQ(static_cast<float>(maximum{}(one, nan)), 1);
  EXPECT_EQ(static_cast<float>(identity<minimum, bfloat16>::value()), std::numeric_limits<float>::infinity());
  EXPECT_EQ(static_cast<float>(identity<multiplies, bfloat16>::value()), 1);
}

// Exclusive scans begin with the identity and ignore NaNs.
template <class T>
void check_exclusive_minima() {
  thread_pool pool(3);
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (const std::size_t n : {4, 30000}) {
    std::vector<T> in(n, T(nan)), least(n), most(n);
    in[n - 2] = T(2.0F);
    exclusive_scan(in.data(), least.data(), n, minimum{}, identity<minimum, T>::value(), pool);
    exclusive_scan(in.data(), most.data(), n, maximum{}, identity<maximum, T>::value(), pool);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      ASSERT_EQ(static_cast<float>(least[i]), infinity) << i;
      ASSERT_EQ(static_cast<float>(most[i]), -infinity) << i;
    }
    EXPECT_EQ(static_cast<float>(least[n - 1]), 2);
    EXPECT_EQ(static_cast<float>(most[n - 1]), 2);
    T total;
    reduce(in.data(), &total, n - 2, minimum{}, T(nan), pool);
    EXPECT_TRUE(std::isnan(static_cast<float>(total)));
    inclusive_scan(in.data(), least.data(), n, minimum{}, pool);
    EXPECT_TRUE(std::isnan(static_cast<float>(least[n - 3])));
  }
}
TEST(CpuNumbers, GivenNaNs_WhenMinimaAreScannedExclusively_ThenTheyBeginWithInfinities) {
  check_exclusive_minima<float>();
  check_exclusive_minima<double>();
  check_exclusive_minima<bfloat16>();
}

template <class T>
void check_wide_integers() {
  thread_pool pool(3);
  for (const std::size_t n : {1, 100, 5000, 40001}) {
    const auto in = random_numbers<T>(n, n);
    std::vector<T> out(n), most(n), totals(n), run_keys(n);
    inclusive_sum(in.data(), out.data(), n, pool);
    exclusive_scan(in.data(), most.data(), n, maximum{}, identity<maximum, T>::value(), pool);
    Uint128 sum = 0;
    T before = identity<maximum, T>::value();
    for (std::size_t i = 0; i < n; ++i) {
      sum += static_cast<Uint128>(in[i]);
      ASSERT_TRUE(is_same(out[i], static_cast<T>(sum)));
      ASSERT_TRUE(is_same(most[i], before));
      before = before < in[i] ? in[i] : before;
    }
    T total;
    cpu::sum(in.data(), &total, n, pool);
    EXPECT_TRUE(is_same(total, static_cast<T>(sum)));

    // Runs of keys that differ only in their upper halves.
    std::vector<T> keys(n);
    for (std::size_t i = 0; i < n; ++i) {
      keys[i] = static_cast<T>(static_cast<Uint128>(i / 5) << 64);
    }
    std::uint64_t runs = 0;
    unique(keys.data(), run_keys.data(), &runs, n, pool);
    EXPECT_EQ(runs, (n + 4) / 5);
    std::vector<std::uint32_t> ones(n, 1), sums(n);
    inclusive_scan_by_key(keys.data(), ones.data(), sums.data(), n, plus{}, pool);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(sums[i], i % 5 + 1);
      ASSERT_TRUE(i >= runs || is_same(run_keys[i], keys[i * 5]));
    }
    reduce_by_key(keys.data(), ones.data(), run_keys.data(), sums.data(), &runs, n, plus{}, equal_to{}, pool);
    EXPECT_EQ(runs, (n + 4) / 5);
    EXPECT_EQ(sums[0], std::min<std::size_t>(n, 5));
    run_length_encode(keys.data(), run_keys.data(), sums.data(), &runs, n, pool);
    EXPECT_EQ(runs, (n + 4) / 5);
    EXPECT_EQ(sums[runs - 1], (n - 1) % 5 + 1);
  }
}
TEST(CpuNumbers, GivenIntegersOf128Bits_WhenScanned_ThenAsByALoop) {
  check_wide_integers<Uint128>();
  check_wide_integers<Int128>();
}

TEST(CpuNumbers, GivenARealFactorOfComplexStates_WhenRecurring_ThenAsByALoop) {
  using Complex = std::complex<double>;
  thread_pool pool(3);
  for (const std::size_t n : {1, 50, 20000}) {
    std::mt19937_64 random(n);
    std::vector<double> a(n);
    std::vector<Complex> b(n), x(n), rotated(n), turns(n);
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = static_cast<double>(random() % 100) / 101;
      turns[i] = std::polar(0.9, static_cast<double>(random() % 100));
      b[i] = {static_cast<double>(random() % 7), static_cast<double>(random() % 5)};
    }
    linear_recurrence(a.data(), b.data(), x.data(), n, pool);
    linear_recurrence(turns.data(), b.data(), rotated.data(), n, pool);
    Complex state = 0, other = 0;
    for (std::size_t i = 0; i < n; ++i) {
      state = a[i] * state + b[i];
      other = turns[i] * other + b[i];
      ASSERT_NEAR(std::abs(x[i] - state), 0, 1e-10);
      ASSERT_NEAR(std::abs(rotated[i] - other), 0, 1e-10);
    }
  }
  // Columns in single precision, with factors in double.
  const std::size_t rows = 30, columns = 70;
  std::vector<double> a(rows * columns, 0.5);
  std::vector<std::complex<float>> b(a.size(), {1, -2}), x(a.size());
  linear_recurrence_of_axis(a.data(), b.data(), x.data(), axis{1, rows, columns}, pool);
  EXPECT_EQ(x[columns * 2 + 3], std::complex<float>(1.75F, -3.5F));
}

TEST(CpuNumbers, GivenHalfTypes_WhenRecurring_ThenStatesAreFloats) {
  const std::vector<bfloat16> a(1000, bfloat16(1.0F)), b(1000, bfloat16(1.0F));
  std::vector<float> x(1000);
  linear_recurrence(a.data(), b.data(), x.data(), 1000);
  EXPECT_EQ(x[999], 1000);
  std::vector<bfloat16> rounded(1000);
  linear_recurrence(a.data(), b.data(), rounded.data(), 1000);
  EXPECT_EQ(static_cast<float>(rounded[998]), static_cast<float>(bfloat16(999.0F)));
}

}  // namespace upsweep::cpu::test
