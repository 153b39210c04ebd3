// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cbrt of float and double (specification: "Math Functions"; bound 2 ulp, here 0.503 and 0.501).
// w approximates a^(-1/3) with an error of 3 %: its bits are a constant minus a third of a's bits. With e = 1 - a w^3, the series w (1 +
// e/3 + 2/9 e^2 …) is a^(-1/3), and y = a w^2 is the root. A Newton step on y, with the remainder a - y^3 in twice the
// precision, makes nearly all results correctly rounded.
#include "elementary.h"

// The series' coefficients: (1/3)(4/3)(7/3) … / n!.
#define SERIES 0x1.5555555555555p-2, 0x1.c71c71c71c71cp-3, 0x1.61f9add3c0ca4p-3, 0x1.26fab5db75fe5p-3

HELPER float start(float a) {
  return __builtin_astype((int)fused((float)__builtin_astype(a, int), -1.0f / 3.0f, 0x54a21d29p0f), float);
}
HELPER float series(float e) { return POLYNOMIAL(float, e, SERIES); } // to 2^-20: the step squares the error

// The bits except the last 12 become a double through the bits of 2^52, since not every processor can convert long.
HELPER double start(double a) {
  double bits = __builtin_astype((__builtin_astype(a, ulong) >> 12) | 0x4330000000000000UL, double) - 0x1p52;
  return __builtin_astype(__builtin_astype(fused(bits, -1.0 / 3.0, 0x1p52 + 0x553ef0ff289ddp0), ulong) << 12, double);
}
HELPER double series(double e) { return POLYNOMIAL(double, e, SERIES); } // also to 2^-20: a second, shorter step precedes the last

HELPER float refined(float w, float a) { return w; }
HELPER double refined(double w, double a) { return fused(w * fused(-a * w, w * w, 1.0), 0x1.5555555555555p-2, w); }

// tiny: limit below which products in the remainder are subnormal. up is the third power of 1 / down.
#define CBRT(T, tiny, up, down) \
  LARGE T cbrt(T x) { \
    T magnitude = __builtin_elementwise_abs(x); \
    bool is_tiny = magnitude < tiny; \
    T a = is_tiny ? magnitude * up : magnitude; \
    T w = start(a), e = fused(-a * w, w * w, (T)1); \
    w = refined(fused(w * e, series(e), w), a); \
    T square = w * w, y = a * square; \
    T s = y * y, s_low = fused(y, y, -s); \
    T remainder = fused(-s_low, y, fused(-s, y, a)); \
    y = fused(remainder * square, (T)0x1.5555555555555p-2, y); \
    y = is_tiny ? y * down : y; \
    return magnitude < (T)INFINITY ? __builtin_elementwise_copysign(y, x) : x; \
  }
CBRT(float, 0x1p-100f, 0x1p60f, 0x1p-20f)
CBRT(double, 0x1p-1000, 0x1p120, 0x1p-40)
