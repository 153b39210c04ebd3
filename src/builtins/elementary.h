// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of the elementary functions: polynomials, removal and insertion of exponents, a logarithm of twice the precision. No branches and no tables,
// so that work-items map to lanes. "Minimax" coefficients come from Sollya's fpminimax for the stated function and range; the stated error is from
// its dirtyinfnorm.
#pragma once
#include "library.h"

/// c0 + c1 x + c2 x^2 … by Horner's rule, with the smallest error and the fewest operations.
#define HORNER(T, x, ...) \
  ({ \
    const T coefficients_[] = {__VA_ARGS__}; \
    T sum_ = coefficients_[sizeof(coefficients_) / sizeof(T) - 1]; \
    _Pragma("unroll") for (int i_ = sizeof(coefficients_) / sizeof(T) - 2; i_ >= 0; --i_) \
        sum_ = __builtin_elementwise_fma(sum_, x, coefficients_[i_]); \
    sum_; \
  })
/// POLYNOMIAL in two chains in x^2 (the first coefficient by Horner's rule): half the dependent steps for one more operation. Processors cannot
/// overlap enough of the next sub-group's work to hide the longer chain.
#define POLYNOMIAL(T, x, ...) \
  ({ \
    const T coefficients_[] = {__VA_ARGS__}, x_ = x, square_ = x_ * x_; \
    const int last_ = sizeof(coefficients_) / sizeof(T) - 1; \
    T sum_ = coefficients_[last_]; \
    if (last_ < 5) { \
      _Pragma("unroll") for (int i_ = last_ - 1; i_ >= 0; --i_) sum_ = __builtin_elementwise_fma(sum_, x_, coefficients_[i_]); \
    } else { \
      T other_ = coefficients_[last_ - 1]; \
      _Pragma("unroll") for (int i_ = last_ - 2; i_ >= 1; i_ -= 2) \
          sum_ = __builtin_elementwise_fma(sum_, square_, coefficients_[i_]); \
      _Pragma("unroll") for (int i_ = last_ - 3; i_ >= 1; i_ -= 2) \
          other_ = __builtin_elementwise_fma(other_, square_, coefficients_[i_]); \
      sum_ = last_ % 2 ? __builtin_elementwise_fma(other_, x_, sum_) : __builtin_elementwise_fma(sum_, x_, other_); \
      sum_ = __builtin_elementwise_fma(sum_, x_, coefficients_[0]); \
    } \
    sum_; \
  })

HELPER float fused(float x, float y, float z) { return __builtin_elementwise_fma(x, y, z); }
HELPER double fused(double x, double y, double z) { return __builtin_elementwise_fma(x, y, z); }

/// Added to a number below 2^22 (2^51), it leaves the nearest integer in the low bits, even for NaN, which conversions do not accept.
#define ROUNDER_float 0x1.8p23f
#define ROUNDER_double 0x1.8p52
/// The integer plus a multiple of 2^21 (2^50), which does not change the bits of an exponent, or of half of it (scaled()).
HELPER int integer_of(float shifted) { return __builtin_astype(shifted, int); }
HELPER long integer_of(double shifted) { return __builtin_astype(shifted, long); }

/// Clamps x to the limits; a NaN stays.
HELPER float cut(float x, float low, float high) {
  x = x > high ? high : x; // one instruction each on x86
  return x < low ? low : x;
}
HELPER double cut(double x, double low, double high) {
  x = x > high ? high : x;
  return x < low ? low : x;
}

/// x 2^k in two factors, so that subnormal results are rounded once and large results overflow. |k| up to 250 (2040).
HELPER float scaled(float x, int k) {
  int half_k = k >> 1;
  return x * __builtin_astype((half_k + 127) << 23, float) * __builtin_astype((k - half_k + 127) << 23, float);
}
HELPER double scaled(double x, long k) {
  long half_k = k >> 1;
  return x * __builtin_astype((half_k + 1023) << 52, double) * __builtin_astype((k - half_k + 1023) << 52, double);
}

/// x 2^k for the integer k = shifted - ROUNDER.
HELPER float scaled(float x, float k, float shifted) {
  return __ups_level() == 4 ? __ups_scale_f32(x, k) : scaled(x, integer_of(shifted));
}
HELPER double scaled(double x, double k, double shifted) {
  return __ups_level() == 4 ? __ups_scale_f64(x, k) : scaled(x, integer_of(shifted));
}
/// Clears the exponent's highest bit: numbers below 2 stay, others become some number below 2.
HELPER float below_2(float x) { return __builtin_astype(__builtin_astype(x, int) & (int)0xbfffffff, float); }
HELPER double below_2(double x) { return __builtin_astype(__builtin_astype(x, long) & (long)0xbfffffffffffffffUL, double); }

/// x > 0 as (1 + f) 2^k with 1 + f in [sqrt(1/2), sqrt(2)); f is exact.
typedef struct {
  float f, k;
} FloatParts;
typedef struct {
  double f, k;
} DoubleParts;
HELPER FloatParts parts(float x) {
  const int root = 0x3f3504f3; // the bits of sqrt(1/2)
  bool tiny = x < 0x1p-126f;
  int bits = __builtin_astype(tiny ? x * 0x1p24f : x, int) - root;
  FloatParts p = {__builtin_astype((bits & 0x7fffff) + root, float) - 1.0f, (float)((bits >> 23) - (tiny ? 24 : 0))};
  return p;
}
/// x is normal; the exponent is lower by bias - BIAS.
#define BIAS (0x1p52 + 2048) // its last bits become the exponent, which is then a double without a conversion
HELPER DoubleParts normal_parts(double x, double bias) {
  const long root = 0x3fe6a09e667f3bcdL; // the bits of sqrt(1/2)
  long bits = __builtin_astype(x, long) - root;
  double k = __builtin_astype(__builtin_astype(BIAS, long) + (bits >> 52), double) - bias;
  DoubleParts p = {__builtin_astype((bits & 0xfffffffffffffL) + root, double) - 1.0, k};
  return p;
}
HELPER DoubleParts parts(double x) {
  bool tiny = x < 0x1p-1022;
  return normal_parts(tiny ? x * 0x1p54 : x, tiny ? BIAS + 54 : BIAS);
}

/// The parts of any number on level-4 processors (special numbers have infinite exponents or NaN), otherwise of a normal number.
HELPER FloatParts level_parts(float x) {
  if (__ups_level() == 4) {
    float m = __ups_significand_f32(x), k = __ups_exponent_f32(x);
    bool large = m > 0x1.6a09e6p+0f;
    FloatParts p = {(large ? m * 0.5f : m) - 1.0f, large ? k + 1.0f : k};
    return p;
  }
  int bits = __builtin_astype(x, int) - 0x3f3504f3;
  FloatParts p = {__builtin_astype((bits & 0x7fffff) + 0x3f3504f3, float) - 1.0f, (float)(bits >> 23)};
  return p;
}
HELPER DoubleParts level_parts(double x) {
  if (__ups_level() == 4) {
    double m = __ups_significand_f64(x), k = __ups_exponent_f64(x);
    bool large = m > 0x1.6a09e667f3bccp+0;
    DoubleParts p = {(large ? m * 0.5 : m) - 1.0, large ? k + 1.0 : k};
    return p;
  }
  return normal_parts(x, BIAS);
}
/// level_parts() with 1 + f in [3/4, 3/2), which saves an operation.
HELPER FloatParts simple_parts(float x) {
  if (__ups_level() == 4) {
    float m = __ups_mantissa_f32(x), k = __ups_exponent_f32(x);
    FloatParts p = {m - 1.0f, m < 1.0f ? k + 1.0f : k};
    return p;
  }
  int bits = __builtin_astype(x, int) - 0x3f400000;
  FloatParts p = {__builtin_astype((bits & 0x7fffff) + 0x3f400000, float) - 1.0f, (float)(bits >> 23)};
  return p;
}
HELPER DoubleParts simple_parts(double x) {
  if (__ups_level() == 4) {
    double m = __ups_mantissa_f64(x), k = __ups_exponent_f64(x);
    DoubleParts p = {m - 1.0, m < 1.0 ? k + 1.0 : k};
    return p;
  }
  long bits = __builtin_astype(x, long) - 0x3fe8000000000000L;
  double k = __builtin_astype(__builtin_astype(BIAS, long) + (bits >> 52), double) - BIAS;
  DoubleParts p = {__builtin_astype((bits & 0xfffffffffffffL) + 0x3fe8000000000000L, double) - 1.0, k};
  return p;
}
HELPER bool is_tiny(float x) { return x < 0x1p-126f; }
HELPER bool is_tiny(double x) { return x < 0x1p-1022; }
HELPER float grown(float x) { return x * 0x1p64f; }
HELPER double grown(double x) { return x * 0x1p64; }
/// Whether x is positive, finite and not subnormal.
HELPER bool is_normal(float x) { return (uint)(__builtin_astype(x, int) - 0x800000) < 0x7f000000u; }
HELPER bool is_normal(double x) { return (ulong)(__builtin_astype(x, long) - 0x10000000000000L) < 0x7fe0000000000000UL; }

/// A number as the sum of two; the second is below the last place of the first.
typedef struct {
  double high, low;
} Wide;
HELPER Wide wide_product(double x, double y) {
  double high = x * y;
  Wide p = {high, fused(x, y, -high)};
  return p;
}
/// Knuth's TwoSum: the sum of any two numbers and its error.
HELPER Wide wide_sum(double x, double y) {
  double high = x + y, part = high - x;
  Wide s = {high, (x - (high - part)) + (y - part)};
  return s;
}

/// log2 of a positive finite number (on level 4, of any number) to 2^-62: log2(1 + f) = s (2/ln 2 + 2/(3 ln 2) s^2 + s^4 tail(s^2)) with s = f / (2 +
/// f), |s| < 0.172. The first two coefficients are in two parts; the tail is minimax, with an error of 2^-63 of the result.
HELPER Wide wide_log2(double x) {
  DoubleParts p;
  if (__ups_level() == 4)
    p = level_parts(x);
  else
    p = parts(x);
  double sum = 2.0 + p.f, sum_low = p.f - (sum - 2.0), reciprocal = 1.0 / sum;
  double s = p.f * reciprocal, s_low = reciprocal * (fused(-s, sum, p.f) - s * sum_low);
  Wide z = wide_product(s, s);
  z.low = fused(2.0 * s, s_low, z.low);
  double tail = POLYNOMIAL(double, z.high, 0x1.2776c50ef9c02p-1, 0x1.a61762a7a82a7p-2, 0x1.484b13e3f3da9p-2, 0x1.0c9a7aed652d4p-2,
                           0x1.c6969fa856558p-3, 0x1.888c71c8581eap-3, 0x1.7d979b1fce6b6p-3);
  double small = fused(z.high, tail, 0x1.d27f05548af0cp-55);
  double t = 0x1.ec709dc3a03fdp-1 + small, t_low = small - (t - 0x1.ec709dc3a03fdp-1);
  Wide v = wide_product(z.high, t);
  v.low += fused(z.high, t_low, z.low * t);
  double w = 0x1.71547652b82fep+1 + v.high, w_low = (v.high - (w - 0x1.71547652b82fep+1)) + (0x1.777d0ffda0d24p-55 + v.low);
  Wide l = wide_product(s, w);
  l.low += fused(s, w_low, s_low * w);
  double high = p.k + l.high; // k is 0 or the larger term
  Wide r = {high, (l.high - (high - p.k)) + l.low};
  return r;
}

/// 2^(high + low) with a separate exponent: |low| < 1, |high| < 2^50. The polynomial is minimax on [-1/2, 1/2]: 2^-57.
typedef struct {
  double fraction;
  long exponent;
} Power;
HELPER double fraction_of(double r) {
  double p = POLYNOMIAL(double, r, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c598p-3, 0x1.c6b08d704a1d3p-5, 0x1.3b2ab6fba1ebcp-7,
                        0x1.5d87fe7874962p-10, 0x1.43091309470abp-13, 0x1.ffcbfd4783777p-17, 0x1.62bfd4d48e42p-20,
                        0x1.b523363f91399p-24, 0x1.e605ad0361edap-28, 0x1.ec6aabe72d7b6p-32);
  return fused(r, p, 1.0);
}
HELPER Power wide_exp2(double high, double low) {
  double shifted = (high + low) + ROUNDER_double;
  Power q = {fraction_of((high - (shifted - ROUNDER_double)) + low), integer_of(shifted)};
  return q;
}
