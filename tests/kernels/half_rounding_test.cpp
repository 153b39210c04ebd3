// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of halves must be rounded once. The reference is 128-bit integers, which hold every sum of a product and a half
// exactly, and double for quotients and square roots of 11 bits, for which double rounding is impossible.
#include "kernel_runner.h"

#include <algorithm>
#include <cmath>

namespace upsweep::tests {
namespace {

using Wide = __int128;

constexpr int kScale = 48;  // Wide counts units of 2^-48, the product of the smallest halves
constexpr int kNaN = 0x7e00, kInfinity = 0x7c00, kSign = 0x8000;

bool is_nan(int bits) { return (bits & 0x7fff) > kInfinity; }
bool is_infinite(int bits) { return (bits & 0x7fff) == kInfinity; }
bool is_negative(int bits) { return bits & kSign; }

/// In units of 2^-24. The half is finite.
int64_t units(int bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const int64_t magnitude = exponent == 0 ? mantissa : static_cast<int64_t>(1024 + mantissa) << (exponent - 1);
  return is_negative(bits) ? -magnitude : magnitude;
}

double value(int bits) {
  if (is_nan(bits)) return NAN;
  if (is_infinite(bits)) return is_negative(bits) ? -INFINITY : INFINITY;
  return std::copysign(std::ldexp(static_cast<double>(std::abs(units(bits))), -24), is_negative(bits) ? -1.0 : 1.0);
}

/// Rounds to the nearest half, ties to even.
int rounded(Wide exact) {
  const int sign = exact < 0 ? kSign : 0;
  const auto magnitude = static_cast<unsigned __int128>(exact < 0 ? -exact : exact);
  int top = 0;
  while (magnitude >> (top + 1)) ++top;
  const int exponent = std::max(top - kScale, -14), shift = exponent - 10 + kScale;
  auto quotient = static_cast<int64_t>(magnitude >> shift);
  const auto rest = magnitude & ((static_cast<unsigned __int128>(1) << shift) - 1);
  const auto tie = static_cast<unsigned __int128>(1) << (shift - 1);
  if (rest > tie || (rest == tie && quotient % 2 == 1)) ++quotient;
  // A mantissa that overflows increments the exponent, up to infinity.
  const int64_t bits = quotient + (static_cast<int64_t>(exponent + 14) << 10);
  return sign | static_cast<int>(std::min<int64_t>(bits, kInfinity));
}

int rounded(double exact) {
  if (std::isnan(exact)) return kNaN;
  const int sign = std::signbit(exact) ? kSign : 0;
  const double magnitude = std::fabs(exact);
  if (magnitude == 0) return sign;
  if (magnitude >= 65520) return sign | kInfinity;
  const int exponent = std::max(std::ilogb(magnitude), -14);
  const auto quotient = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return sign | (quotient + ((exponent + 14) << 10));
}

int fused(int a, int b, int c) {
  const double special = value(a) * value(b) + value(c);
  if (!std::isfinite(special) || (value(a) * value(b) == 0 && value(c) == 0)) return rounded(special);
  const Wide exact = static_cast<Wide>(units(a)) * units(b) + (static_cast<Wide>(units(c)) << 24);
  return exact == 0 ? 0 : rounded(exact);
}

int sum(int a, int b) { return fused(a, 0x3c00, b); }
int product(int a, int b) { return rounded(value(a) * value(b)); }  // exact in double

/// All NaNs count as equal.
int plain(int bits) { return is_nan(bits) ? kNaN : bits; }

struct Operands {
  int a, b, c;
};

Operands operands(uint32_t i, uint32_t seed, uint32_t mask) {
  auto nth = [&](uint32_t s) { return static_cast<int>((i * 2654435761u + s * 40503u) >> 13 & 0xffff); };
  return {static_cast<int>(i), nth(seed), static_cast<int>(static_cast<uint32_t>(nth(seed + 1)) & mask)};
}

constexpr size_t kHalves = 1 << 16;
constexpr cl_uint kMasks[] = {0xffff, 0x83ff, 0x8003, 0xbfff};

TEST_F(KernelRunner, GivenEveryHalf_WhenComputedWith_ThenResultsAreRoundedOnce) {
  build("half_rounding.cl", "arithmetic");
  for (cl_uint seed = 0; seed < 8; ++seed) {
    const cl_uint mask = kMasks[seed % 4];
    set(1, seed);
    set(2, mask);
    const std::vector<cl_int> got = run({{kHalves, 1, 1}, {64, 1, 1}}, 8 * kHalves);
    for (uint32_t i = 0; i < kHalves; ++i) {
      const auto [a, b, c] = operands(i, seed, mask);
      const cl_int *results = &got[8 * i];
      const double x = value(a), y = value(b);
      SCOPED_TRACE(testing::Message() << std::hex << a << ' ' << b << ' ' << c);
      ASSERT_EQ(plain(results[0]), sum(a, b));
      ASSERT_EQ(plain(results[1]), product(a, b));
      ASSERT_EQ(plain(results[2]), rounded(x / y));
      ASSERT_EQ(plain(results[3]), rounded(std::sqrt(x)));
      ASSERT_EQ(plain(results[4]), fused(a, b, c));
      ASSERT_TRUE(plain(results[5]) == fused(a, b, c) || plain(results[5]) == sum(product(a, b), c)) << results[5];
      ASSERT_EQ(results[6], (x < y) + 2 * (x == y) + 4 * (x >= y) + 8 * (x != y) + 16 * std::isunordered(x, y));
      ASSERT_EQ(value(plain(results[7])) == std::fmax(x, y), !std::isnan(std::fmax(x, y)));
    }
  }
}

TEST_F(KernelRunner, GivenVectors_WhenComputedWith_ThenEachComponentIsRoundedOnce) {
  build("half_rounding.cl", "vectors");
  for (cl_uint seed = 0; seed < 4; ++seed) {
    const cl_uint mask = kMasks[seed];
    set(1, seed);
    set(2, mask);
    const std::vector<cl_int> got = run({{kHalves, 1, 1}, {64, 1, 1}}, 12 * kHalves);
    for (uint32_t i = 0; i < kHalves; ++i) {
      const auto [a, b, c] = operands(i, seed, mask);
      const int x[] = {a, b, c, a}, y[] = {b, c, a, c}, z[] = {c, a, b, b};
      SCOPED_TRACE(testing::Message() << std::hex << a << ' ' << b << ' ' << c);
      for (int k = 0; k < 4; ++k) {
        ASSERT_EQ(plain(got[12 * i + k]), fused(x[3 - k], y[3 - k], z[3 - k])) << k;
        ASSERT_EQ(plain(got[12 * i + 4 + k]), sum(x[k], y[3 - k])) << k;
        ASSERT_EQ(got[12 * i + 8 + k], value(x[k]) < value(y[k]) ? x[k] : y[k]) << k;
      }
    }
  }
}

TEST_F(KernelRunner, GivenWorkGroupsOfAnySize_WhenScanned_ThenSumsAndMaximaAreThoseInOrder) {
  build("half_rounding.cl", "scans");
  for (size_t local : {1, 15, 16, 17, 64, 200}) {
    std::vector<cl_int> wanted;
    cl_int total = 0, most = 0;
    for (size_t i = 0; i < 2 * local; ++i) {
      const cl_int x = static_cast<cl_int>(i * 7919 % 23) - 11;
      if (i % local == 0) total = 0, most = x;
      most = std::max(most, x);
      wanted.insert(wanted.end(), {total + x, total, most});
      total += x;
    }
    EXPECT_EQ(run({{2 * local, 1, 1}, {local, 1, 1}}, 6 * local), wanted) << local;
  }
}

}  // namespace
}  // namespace upsweep::tests
