// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow, pown, powr and rootn of float and double (specification: "Math Functions"; bound 16 ulp; here 1.1).
// x|^y = 2^(y log2 |x|). The logarithm has more digits than the type, since up to 7 (11) of its bits go into the exponent. Infinities, zeros and NaN follow the product of y and the logarithm, which gives powr. The other functions
// differ where C (F.9.4.4) defines a number for an undefined product, and in the sign. These differences are behind a branch, since most
// sub-groups only have positive numbers.
#include "elementary.h"

HELPER double logarithm(double x, double log2) { return x == 0 ? -(double)INFINITY : x < (double)INFINITY ? log2 : x; }

// float: log2(1 + f) = s P(s^2), s = f / (2 + f), P minimax with a relative error of 2^-45.
HELPER double log2_of(float x) {
  DoubleParts p = normal_parts((double)x, BIAS);
  double s = p.f / (2.0 + p.f), z = s * s;
  double l = POLYNOMIAL(double, z, 0x1.71547652b8251p1, 0x1.ec709dc53ce55p-1, 0x1.2776c29288582p-1, 0x1.a61a2f6dde136p-2,
                        0x1.4795395536528p-2, 0x1.21b2a6d4893f1p-2);
  return logarithm((double)x, fused(s, l, p.k));
}
// 2^e, clamped to where a float is 0 or infinite anyway; minimax on [-1/2, 1/2]: 2^-33.
HELPER float exp2_of(double e) {
  e = cut(e, -200.0, 200.0);
  double shifted = e + ROUNDER_double, r = e - (shifted - ROUNDER_double);
  double p = POLYNOMIAL(double, r, 1.0, 0x1.62e42fef95e68p-1, 0x1.ebfbe04610fa5p-3, 0x1.c6b08dc5fde47p-5, 0x1.3b2a1b4d335d9p-7,
                        0x1.5d874c5572c1dp-10, 0x1.4440230eec58ap-13, 0x1.00dc679e110ddp-16);
  return (float)(p * __builtin_astype((integer_of(shifted) + 1023) << 52, double));
}
HELPER float root(float x, int n) { return exp2_of(log2_of(x) / (double)n); }

// double: the low part only matters if the high part is near the range of exponents; elsewhere it may be NaN.
HELPER double exp2_of(Wide e) {
  bool near = __builtin_elementwise_abs(e.high) < 1100.0;
  Power p = wide_exp2(cut(e.high, -1100.0, 1100.0), near ? e.low : 0.0);
  return scaled(p.fraction, p.exponent);
}

// float: like double, with s = f / (2 + f) and log2(1 + f) = s (c0 + z (c1 + z Q(z))), z = s^2 < 0.03, Q minimax: 2^-36 of the logarithm.
// All terms except Q are in two parts.
HELPER float power(float x, float y, float y_low, bool has_low) {
  bool level_4 = __ups_level() == 4;
  FloatParts p;
  if (level_4)
    p = level_parts(x);
  else
    p = parts(x);
  float sum = 2.0f + p.f, reciprocal = 1.0f / sum, s = p.f * reciprocal;
  float s_low = reciprocal * fused(-s, p.f - (sum - 2.0f), fused(-s, sum, p.f));
  float z = s * s, z_low = fused(2.0f * s, s_low, fused(s, s, -z));
  float u = z * POLYNOMIAL(float, z, 0x1.27770ep-1f, 0x1.a5bbfp-2f, 0x1.59efb4p-2f), q = 0x1.ec709ep-1f + u;
  float q_low = (u - (q - 0x1.ec709ep-1f)) - 0x1.e2fe02p-28f;
  float t = z * q, t_low = fused(z, q_low, fused(z_low, q, fused(z, q, -t)));
  float w = 0x1.715476p+1f + t, w_low = (t - (w - 0x1.715476p+1f)) + (t_low + 0x1.4ae0cp-25f);
  float l = s * w, l_low = fused(s, w_low, fused(s_low, w, fused(s, w, -l)));
  float high = p.k + l, low = (l - (high - p.k)) + l_low;
  float e = y * high, e_low = fused(y, low, fused(y, high, -e));
  e_low = has_low ? fused(y_low, high, e_low) : e_low;
  // The low part only matters near the range of exponents; elsewhere it may be NaN.
  e_low = level_4 || __builtin_elementwise_abs(e) < 200.0f ? e_low : 0.0f;
  e = level_4 ? e : cut(e, -200.0f, 200.0f);
  float shifted = e + ROUNDER_float, k = shifted - ROUNDER_float, r = (e - k) + e_low;
  r = level_4 ? below_2(r) : r;
  float fraction = POLYNOMIAL(float, r, 1.0f, 0x1.62e43p-1f, 0x1.ebfbdep-3f, 0x1.c6af9cp-5f, 0x1.3b2c56p-7f, 0x1.5ef62ep-10f, 0x1.427c96p-13f);
  return scaled(fraction, k, shifted);
}
HELPER double power(double x, double y, double y_low, bool has_low) {
  Wide l = wide_log2(x), e = wide_product(y, l.high);
  e.low = fused(y, l.low, e.low);
  if (__ups_level() < 4) return exp2_of(e);
  double shifted = e.high + ROUNDER_double, k = shifted - ROUNDER_double;
  return __ups_scale_f64(fraction_of(below_2((e.high - k) + e.low)), k);
}

HELPER double root(double x, int n) {
  Wide l = wide_log2(x);
  l.high = logarithm(x, l.high);
  double d = (double)n, q = l.high / d;
  Wide e = {q, (fused(-q, d, l.high) + l.low) / d};
  return exp2_of(e);
}

// The power for any a >= 0, from r, which was computed as if a had a logarithm; on level 4 every a has.
#define PRODUCT(T) \
  HELPER T corrected(T a, T y, T r) { \
    if (__ups_level() == 4) return r; \
    T e = y * (a == 0 ? -(T)INFINITY : (T)INFINITY); \
    r = ((a == 0) | (a == (T)INFINITY)) ? (e > 0 ? (T)INFINITY : e < 0 ? (T)0 : (T)NAN) : r; \
    return a != a ? a : r; \
  } \
  HELPER bool plain(T x, T y) { return is_normal(x) & (__builtin_elementwise_abs(y) < (T)INFINITY); }
PRODUCT(float)
PRODUCT(double)

// The part of n that T represents, and the rest.
HELPER int high_of(int n, float zero) { return ((n >= 1 << 24) | (n <= -(1 << 24))) ? n & ~127 : n; }
HELPER int high_of(int n, double zero) { return n; }

#define POWERS(T) \
  LARGE T powr(T x, T y) { \
    T a = __builtin_elementwise_abs(x), r = power(a, y, 0, false); \
    if (SELDOM(!plain(x, y))) r = x < 0 ? (T)NAN : corrected(a, y, r); \
    return r; \
  } \
  LARGE T pow(T x, T y) { \
    T a = __builtin_elementwise_abs(x), r = power(a, y, 0, false); \
    if (SELDOM(!plain(x, y))) { \
      T half_y = y * (T)0.5; \
      bool whole = __builtin_elementwise_trunc(y) == y, odd = whole & (__builtin_elementwise_trunc(half_y) != half_y); \
      bool one = (x == 1) | (y == 0) | ((a == 1) & (__builtin_elementwise_abs(y) == (T)INFINITY)); \
      r = one ? (T)1 : corrected(a, y, r); \
      r = odd ? __builtin_elementwise_copysign(r, x) : r; \
      r = ((x < 0) & (x > -(T)INFINITY) & !whole) ? (T)NAN : r; \
    } \
    return r; \
  } \
  LARGE T pown(T x, int n) { \
    int high = high_of(n, (T)0); \
    T a = __builtin_elementwise_abs(x), y = (T)high, r = power(a, y, (T)(n - high), true); \
    if (SELDOM(!is_normal(x))) { \
      r = n == 0 ? (T)1 : corrected(a, y, r); \
      r = (n & 1) ? __builtin_elementwise_copysign(r, x) : r; \
    } \
    return r; \
  } \
  LARGE T rootn(T x, int n) { \
    T r = root(__builtin_elementwise_abs(x), n); \
    T r_signed = (n & 1) ? __builtin_elementwise_copysign(r, x) : r; \
    return ((n == 0) | ((x < 0) & !(n & 1))) ? (T)NAN : r_signed; \
  }
POWERS(float)
POWERS(double)
