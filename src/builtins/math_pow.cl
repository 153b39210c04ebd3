// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow, pown, powr and rootn of float and double (specification: "Math Functions"; bound 16 ulp; here 0.51 in float, 1 in double).
// |x|^y = 2^(y log2 |x|). float computes in double; double with a logarithm of twice the digits, since up to 11 bits of it go into the
// exponent. Infinities, zeros and NaN come out as the product of y and the logarithm has them: that is powr; the others differ where
// C (F.9.4.4) gives a number for an undefined product, and in the sign.
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
// 2^e, cut to where a float is 0 or infinite anyway; minimax on [-1/2, 1/2]: 2^-33.
HELPER float exp2_of(double e) {
  e = cut(e, -200.0, 200.0);
  double shifted = e + ROUNDER_double, r = e - (shifted - ROUNDER_double);
  double p = POLYNOMIAL(double, r, 1.0, 0x1.62e42fef95e68p-1, 0x1.ebfbe04610fa5p-3, 0x1.c6b08dc5fde47p-5, 0x1.3b2a1b4d335d9p-7,
                        0x1.5d874c5572c1dp-10, 0x1.4440230eec58ap-13, 0x1.00dc679e110ddp-16);
  return (float)(p * __builtin_astype((integer_of(shifted) + 1023) << 52, double));
}
HELPER float power(float x, double y) { return exp2_of(y * log2_of(x)); }
HELPER float root(float x, int n) { return exp2_of(log2_of(x) / (double)n); }

// double: the low part counts only where the high part is near the range of exponents, and may be NaN elsewhere.
HELPER double exp2_of(Wide e) {
  bool near = __builtin_elementwise_abs(e.high) < 1100.0;
  Power p = wide_exp2(cut(e.high, -1100.0, 1100.0), near ? e.low : 0.0);
  return scaled(p.fraction, p.exponent);
}
HELPER double power(double x, double y) {
  Wide l = wide_log2(x);
  l.high = logarithm(x, l.high);
  Wide e = wide_product(y, l.high);
  e.low = fused(y, l.low, e.low);
  return exp2_of(e);
}
HELPER double root(double x, int n) {
  Wide l = wide_log2(x);
  l.high = logarithm(x, l.high);
  double d = (double)n, q = l.high / d;
  Wide e = {q, (fused(-q, d, l.high) + l.low) / d};
  return exp2_of(e);
}

#define POWERS(T) \
  LARGE T powr(T x, T y) { return x < 0 ? (T)NAN : power(__builtin_elementwise_abs(x), y); } \
  LARGE T pow(T x, T y) { \
    T a = __builtin_elementwise_abs(x), half_y = y * (T)0.5; \
    bool whole = __builtin_elementwise_trunc(y) == y, odd = whole & (__builtin_elementwise_trunc(half_y) != half_y); \
    bool one = (x == 1) | (y == 0) | ((a == 1) & (__builtin_elementwise_abs(y) == (T)INFINITY)); \
    T r = one ? (T)1 : power(a, y); \
    T r_signed = odd ? __builtin_elementwise_copysign(r, x) : r; \
    return ((x < 0) & (x > -(T)INFINITY) & !whole) ? (T)NAN : r_signed; \
  } \
  LARGE T pown(T x, int n) { \
    T r = n == 0 ? (T)1 : power(__builtin_elementwise_abs(x), n); \
    return (n & 1) ? __builtin_elementwise_copysign(r, x) : r; \
  } \
  LARGE T rootn(T x, int n) { \
    T r = root(__builtin_elementwise_abs(x), n); \
    T r_signed = (n & 1) ? __builtin_elementwise_copysign(r, x) : r; \
    return ((n == 0) | ((x < 0) & !(n & 1))) ? (T)NAN : r_signed; \
  }
POWERS(float)
POWERS(double)
