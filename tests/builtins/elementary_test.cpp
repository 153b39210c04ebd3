// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions against the C library's in long double. Errors are in units of the last place of the exact result.
// Bounds are those of the OpenCL C specification's table of relative errors (full profile).
#include "random_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>

// X(name, its length, bound)
#define UPSWEEP_CIRCULAR(X) X(acos, 4, 4) X(asin, 4, 4) X(atan, 4, 5) X(cos, 3, 4) X(sin, 3, 4) X(tan, 3, 5)
#define UPSWEEP_HYPERBOLIC(X) X(acosh, 5, 4) X(asinh, 5, 4) X(atanh, 5, 5) X(cosh, 4, 4) X(sinh, 4, 4) X(tanh, 4, 5)
#define UPSWEEP_EXPONENTIAL(X)                                                                                                 \
  X(exp, 3, 3) X(exp2, 4, 3) X(exp10, 5, 3) X(expm1, 5, 3) X(log, 3, 3) X(log2, 4, 3) X(log10, 5, 3) X(log1p, 5, 2)
#define UPSWEEP_OTHER(X)                                                                                                       \
  X(cbrt, 4, 2) X(erf, 3, 16) X(erfc, 4, 16) X(logb, 4, 0) X(rint, 4, 0) X(round, 5, 0) X(sqrt, 4, 0.5) X(trunc, 5, 0)
#define UPSWEEP_UNARY(X) UPSWEEP_CIRCULAR(X) UPSWEEP_HYPERBOLIC(X) UPSWEEP_EXPONENTIAL(X) UPSWEEP_OTHER(X)
#define UPSWEEP_BINARY(X)                                                                                                      \
  X(atan2, 5, 6) X(fdim, 4, 0.5) X(fmax, 4, 0) X(fmin, 4, 0) X(fmod, 4, 0) X(hypot, 5, 4) X(pow, 3, 16) X(remainder, 9, 0)

namespace builtins {
#define UPSWEEP_DECLARE(name, length, bound)                                                                                   \
  extern "C" float name##_float(float) __asm__("_Z" #length #name "f");                                                        \
  extern "C" double name##_double(double) __asm__("_Z" #length #name "d");
#define UPSWEEP_DECLARE2(name, length, bound)                                                                                  \
  extern "C" float name##_float(float, float) __asm__("_Z" #length #name "ff");                                                \
  extern "C" double name##_double(double, double) __asm__("_Z" #length #name "dd");
UPSWEEP_UNARY(UPSWEEP_DECLARE)
UPSWEEP_BINARY(UPSWEEP_DECLARE2)
}  // namespace builtins

namespace reference {
using namespace std;
long double exp10(long double x) { return std::pow(10.0L, x); }
}  // namespace reference

namespace upsweep::tests {
namespace {

constexpr int kRounds = 40'000;

/// Overflow counts as the next power of two. The unit of a subnormal result is that of the smallest number.
template <typename T>
double error_in_ulps(T got, long double want) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) == std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(want) || std::isinf(static_cast<T>(want)))
    if (std::isinf(got)) return (got > 0) == (want > 0) ? 0 : INFINITY;
  if (std::isinf(want)) return INFINITY;
  long double reached =
      std::isinf(got) ? std::copysign(std::ldexp(1.0L, Limits::max_exponent), static_cast<long double>(got)) : got;
  int exponent = want == 0 ? Limits::min_exponent : std::max(std::ilogb(want) + 1, Limits::min_exponent);
  return static_cast<double>(std::fabs(reached - want) / std::ldexp(1.0L, exponent - Limits::digits));
}

#define UPSWEEP_TEST(name, length, bound)                                                                                      \
  TEST(ElementaryTest, GivenRandomNumbers_When_##name##_ThenTheErrorIsInBounds) {                                              \
    RandomNumbers numbers;                                                                                                     \
    for (int i = 0; i < kRounds; ++i) {                                                                                        \
      long double x = numbers.real(), f = numbers.real_float();                                                                \
      ASSERT_LE(error_in_ulps(builtins::name##_float(f), reference::name(f)), bound) << std::hexfloat << f;                    \
      ASSERT_LE(error_in_ulps(builtins::name##_double(x), reference::name(x)), bound) << std::hexfloat << x;                   \
    }                                                                                                                          \
    EXPECT_TRUE(std::isnan(builtins::name##_float(NAN)));                                                                      \
    EXPECT_TRUE(std::isnan(builtins::name##_double(NAN)));                                                                     \
  }
#define UPSWEEP_TEST2(name, length, bound)                                                                                     \
  TEST(ElementaryTest, GivenRandomNumbers_When_##name##_ThenTheErrorIsInBounds) {                                              \
    RandomNumbers numbers;                                                                                                     \
    for (int i = 0; i < kRounds; ++i) {                                                                                        \
      long double x = numbers.real(), y = numbers.real(), f = numbers.real_float(), g = numbers.real_float();                  \
      ASSERT_LE(error_in_ulps(builtins::name##_float(f, g), reference::name(f, g)), bound) << std::hexfloat << f << ", " << g; \
      ASSERT_LE(error_in_ulps(builtins::name##_double(x, y), reference::name(x, y)), bound)                                    \
          << std::hexfloat << x << ", " << y;                                                                                  \
    }                                                                                                                          \
  }
extern "C" float tgamma_float(float) __asm__("_Z6tgammaf");
extern "C" double tgamma_double(double) __asm__("_Z6tgammad");
extern "C" float lgamma_r_float(float, int *) __asm__("_Z8lgamma_rfPi");
extern "C" double lgamma_r_double(double, int *) __asm__("_Z8lgamma_rdPi");

/// The C standard's infinities of the gamma functions (7.12.8, F.9.5), and the sign of gamma where it is defined.
template <typename T>
void check_gamma(T (*tgamma)(T), T (*lgamma_r)(T, int *)) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  EXPECT_EQ(tgamma(T{0}), kInfinity);
  EXPECT_EQ(tgamma(-T{0}), -kInfinity);
  EXPECT_EQ(tgamma(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(tgamma(-kInfinity)));
  EXPECT_TRUE(std::isnan(tgamma(T{-2})));
  int sign = 0;
  EXPECT_EQ(lgamma_r(-kInfinity, &sign), kInfinity);
  EXPECT_EQ(lgamma_r(kInfinity, &sign), kInfinity);
  EXPECT_EQ(lgamma_r(T{-3}, &sign), kInfinity);
  for (const T x : {T{0.25}, T{7}, T{-0.5}, T{-1.5}, T{-2.25}, T{-30.5}}) {
    const T gamma = std::tgamma(x);
    EXPECT_NEAR(lgamma_r(x, &sign), std::log(std::fabs(gamma)), 1e-4) << x;
    EXPECT_EQ(sign, gamma < 0 ? -1 : 1) << x;
  }
  // "lgamma_r(x, signp) returns 0 in signp if x is zero or a negative integer."
  for (const T x : {T{0}, -T{0}, T{-1}, T{-30}}) {
    EXPECT_EQ(lgamma_r(x, &sign), kInfinity);
    EXPECT_EQ(sign, 0) << x;
  }
}

TEST(ElementaryTest, GivenSpecialNumbers_WhenGamma_ThenInfinitiesAndSignsAreThoseOfC) {
  check_gamma(tgamma_float, lgamma_r_float);
  check_gamma(tgamma_double, lgamma_r_double);
}

UPSWEEP_UNARY(UPSWEEP_TEST)
UPSWEEP_BINARY(UPSWEEP_TEST2)

}  // namespace
}  // namespace upsweep::tests
