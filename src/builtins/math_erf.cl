// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// erf and erfc of float and double (specification: "Math Functions"; bound 16 ulp, here 2.3 and 6).
// Near zero erf(x) = x P(x^2). For x >= 0, erfc(x) = e^(-x^2) R(t) / (1 + 2 x) with t = (x - 4) / (x + 4), where R is smooth from 0 to
// infinity (Shepherd and Laframboise, Mathematics of Computation 36, 1981). All coefficients are minimax.
#include "elementary.h"
#include "erf_tables.h"

DECLARED float exp(float x);

// For 0 to 28, beyond which erfc is 0: 2^-53.
HELPER double complement(double x) {
  double a = x + 4.0, b = fused(2.0, x, 1.0), reciprocal = 1.0 / (a * b), t = (x - 4.0) * (b * reciprocal);
  double r = HORNER(double, t, 0x1.3ba5916e9fd7fp0, -0x1.1df1ad154a28fp-3, 0x1.f7f5df66fcac3p-7, 0x1.16ecefcfa53f8p-4,
                        -0x1.9ddb23c3e54e7p-4, 0x1.7fee004e12033p-4, -0x1.0fb06dfe8976ep-4, 0x1.3079edf67c4e9p-5,
                        -0x1.0962387b80165p-6, 0x1.49c6728ca80abp-8, -0x1.8d4aa0df439f8p-11, -0x1.a1df2d1d2f4aep-13,
                        0x1.3be0a4bcf3351p-13, -0x1.995812feb1fa2p-16, -0x1.7894253b5dfbfp-17, 0x1.7f1acdcfb3e92p-18,
                        0x1.3c7ca7b2151f2p-22, -0x1.ba509c1ec6417p-21, 0x1.3f23ca68fc2d8p-24, 0x1.d32a6d60910fp-24,
                        -0x1.388530667bb99p-26, -0x1.d576c5cf7c4dap-27, 0x1.1ad938dacfd53p-29, 0x1.5eccfc87fe142p-30);
  // The square's two parts times log2 e, so that the exponent has enough digits.
  Wide square = wide_product(x, x), e = wide_product(-square.high, 0x1.71547652b82fep+0);
  e.low = fused(-square.high, 0x1.777d0ffda0d24p-56, fused(-square.low, 0x1.71547652b82fep+0, e.low));
  double shifted = (e.high + e.low) + ROUNDER_double, k = shifted - ROUNDER_double;
  return scaled(fraction_of((e.high - k) + e.low) * (r * (a * reciprocal)), k, shifted);
}

LARGE double erfc(double x) {
  double r = complement(cut(__builtin_elementwise_abs(x), 0.0, 28.0));
  return x < 0 ? 2.0 - r : r;
}

HELPER double erf_by_parts(double x) { // 2^-56 up to 1
  double a = cut(__builtin_elementwise_abs(x), 0.0, 6.0);
  double near = POLYNOMIAL(double, x *x, 0x1.20dd750429b6dp0, -0x1.812746b0379cap-2, 0x1.ce2f21a041df3p-4, -0x1.b82ce3125647ap-6,
                           0x1.565bcd07fa605p-8, -0x1.c02db2f9c2b97p-11, 0x1.f9a30b576b8ccp-14, -0x1.f4d05fc887746p-17,
                           0x1.b9cd799776869p-20, -0x1.5e94fcc839229p-23, 0x1.f253bae72ebf9p-27, -0x1.290ef2aba0cb2p-30,
                           0x1.bcc7673e30d7dp-35);
  return a < 1.0 ? x * near : __builtin_elementwise_copysign(1.0 - complement(a), x);
}

LARGE float erfc(float x) { return (float)erfc((double)x); }

// For x >= 1 the complement is subtracted from 1; float has enough digits for it: 2^-24 from 1 to 4, beyond which erf is 1.
HELPER float erf_by_parts(float x) {
  float a = cut(__builtin_elementwise_abs(x), 0.0f, 4.0f);
  float near = POLYNOMIAL(float, x *x, 0x1.20dd74p0f, -0x1.8126d2p-2f, 0x1.ce1fcep-4f, -0x1.b7480ep-6f, 0x1.4f7c3cp-8f,
                          -0x1.874dbp-11f, 0x1.03a052p-14f);
  float sum = a + 4.0f, b = fused(2.0f, a, 1.0f), reciprocal = 1.0f / (sum * b), t = (a - 4.0f) * (b * reciprocal);
  float r = POLYNOMIAL(float, t, 0x1.3ba592p0f, -0x1.1def36p-3f, 0x1.fcb148p-7f, 0x1.1e38d6p-4f, -0x1.70feecp-4f, 0x1.0ad34ap-3f,
                       0x1.9e105cp-13f, 0x1.8cd656p-4f);
  float e = exp(-a * a);
  return a < 1.0f ? x * near : __builtin_elementwise_copysign(1.0f - e * (r * (sum * reciprocal)), x);
}

// On processors that permute a table in registers, the interval's polynomial suffices (erf_tables.h). From 5.9 (3.84) up, erf
// is 1 to within half a unit in the last place. erf of infinity is exactly 1 (C99, F.9.5.1), unlike the last interval's
// polynomial.
#define INTERVAL(T, per_unit, width, last) \
  T a = cut(__builtin_elementwise_abs(x), (T)0, (T)last); \
  T shifted = fused(a, (T)per_unit, ROUNDER_##T), u = fused(shifted - ROUNDER_##T, (T) - width, a); \
  uint i = (uint)integer_of(shifted)
HELPER double erf_16(double x) {
  INTERVAL(double, 0x1.50f22e111c4c5p+1, 0x1.85p-2, 5.888);
  i &= 15;
  double r = erf16_0[i] + fused(u, POLYNOMIAL(double, u, ERF16(i)), erf16_low[i]);
  return a < 5.888 ? r : 1.0;
}
HELPER double erf_4(double x) {
  INTERVAL(double, 0.5, 2.0, 6.5);
  return a < 6.5 ? POLYNOMIAL(double, u, ERF4(i & 3)) : 1.0;
}
HELPER float erf_16(float x) {
  INTERVAL(float, 4.0f, 0.25f, 3.8671875f);
  return __builtin_elementwise_abs(x) < 3.84f ? POLYNOMIAL(float, u, ERFF16(i & 15)) : 1.0f;
}
HELPER float erf_8(float x) {
  INTERVAL(float, 2.0f, 0.5f, 3.7421875f);
  return __builtin_elementwise_abs(x) < 3.84f ? POLYNOMIAL(float, u, ERFF8(i & 7)) : 1.0f;
}
#define ERF(T, few) \
  LARGE T erf(T x) { \
    uint level = __ups_level(); \
    if (level < 3) return erf_by_parts(x); \
    T r = level == 4 ? erf_16(x) : few(x); \
    r = x != x ? x : r; \
    return __builtin_elementwise_copysign(r, x); \
  }
ERF(double, erf_4)
ERF(float, erf_8)
