// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmod, remainder and remquo (specification: "Math Functions"; 0 ulp): long division with digits of 52 bits. The remainder is always a
// multiple of y's last place times 2^shift and below y 2^(shift + 52), so it fits a double, and a fused operation computes it exactly.
// float is divided in double, where it is exact as well.
#include "elementary.h"

typedef struct {
  double rest; // |x| mod |y|
  long quotient; // the last bits of the quotient
} Division;

// The exponent of x > 0.
HELPER long exponent_of(double x) {
  bool tiny = x < 0x1p-1022;
  return (__builtin_astype(tiny ? x * 0x1p54 : x, long) >> 52) - (tiny ? 1077 : 1023);
}

// x >= 0 and y > 0, both finite.
HELPER Division divide(double x, double y) {
  long shift = x < y ? 0 : exponent_of(x) - exponent_of(y), digits = 51;
  Division d = {x, 0};
  do { // one iteration unless the exponents are 52 apart
    digits = shift < digits ? shift : digits;
    shift -= digits;
    long half_shift = shift >> 1; // up to 2097, hence two factors
    double divisor = y * __builtin_astype((half_shift + 1023) << 52, double) * __builtin_astype((shift - half_shift + 1023) << 52, double);
    double digit = __builtin_elementwise_trunc(d.rest / divisor);
    double rest = fused(-digit, divisor, d.rest);
    bool over = rest < 0; // the quotient was rounded up to the next integer
    d.rest = over ? rest + divisor : rest;
    d.quotient = (d.quotient << digits) + (long)digit - (over ? 1 : 0);
    digits = 52;
  } while (shift > 0);
  return d;
}

// Rounds to the nearest quotient, ties to even.
HELPER Division divide_to_nearest(double x, double y) {
  Division d = divide(x, y);
  double other = y - d.rest;
  bool up = (d.rest > other) | ((d.rest == other) & (d.quotient & 1));
  Division nearest = {up ? -other : d.rest, d.quotient + (up ? 1 : 0)};
  return nearest;
}

// NaN, an infinite x and y = 0 give no remainder; an infinite y gives x. The sign is x's, also for zero.
#define SIGNED(x, r) (__builtin_astype(x, long) < 0 ? -(r) : (r))
#define IS_DIVISION(x, y) ((__builtin_elementwise_abs(x) < (double)INFINITY) & (y == y) & (y != 0))
#define SAFE(x, y) \
  bool valid = IS_DIVISION(x, y), whole = __builtin_elementwise_abs(y) == (double)INFINITY; \
  double a = valid ? __builtin_elementwise_abs(x) : 1.0, b = (valid & !whole) ? __builtin_elementwise_abs(y) : 1.0;

LARGE double fmod(double x, double y) {
  SAFE(x, y)
  double r = divide(a, b).rest;
  return !valid ? (double)NAN : whole ? x : SIGNED(x, r);
}
LARGE double remainder(double x, double y) {
  SAFE(x, y)
  double r = divide_to_nearest(a, b).rest;
  return !valid ? (double)NAN : whole ? x : SIGNED(x, r);
}
// The quotient's last seven bits, and its sign.
LARGE double remquo(double x, double y, __private int *quotient) {
  SAFE(x, y)
  Division d = divide_to_nearest(a, b);
  int last = (int)(d.quotient & 127);
  bool negative = (__builtin_astype(x, long) ^ __builtin_astype(y, long)) < 0;
  *quotient = (valid & !whole) ? (negative ? -last : last) : 0;
  return !valid ? (double)NAN : whole ? x : SIGNED(x, d.rest);
}
LARGE float fmod(float x, float y) { return (float)fmod((double)x, (double)y); }
LARGE float remainder(float x, float y) { return (float)remainder((double)x, (double)y); }
LARGE float remquo(float x, float y, __private int *quotient) { return (float)remquo((double)x, (double)y, quotient); }
