// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rsqrt and hypot of float and double (specification: "Math Functions"; bounds 2 and 4 ulp, here 1.1 and 1.3; without estimates of
// 1/sqrt(x) 1.5 and 1). An estimate y is corrected with e = 1 - x y^2 by the series of (1 - e)^(-1/2); the root h = x y is corrected by a
// Newton step with x - h^2, which is exact.
#include "elementary.h"

HELPER float root(float x) { return __builtin_elementwise_sqrt(x); }
HELPER double root(double x) { return __builtin_elementwise_sqrt(x); }

// x is positive and finite. The estimate's error is 2^-14, its square's 2^-28; on level 3 2^-11.
HELPER float normal_root(float x) {
  if (__ups_level() < 4) return root(x);
  float y = __ups_rsqrt_f32(x), h = x * y;
  return fused(fused(-h, h, x), 0.5f * y, h);
}
HELPER double normal_root(double x) {
  if (__ups_level() < 4) return root(x);
  double y = __ups_rsqrt_f64(x), better = fused(0.5 * y, fused(-(x * y), y, 1.0), y), h = x * better;
  return fused(fused(-h, h, x), 0.5 * better, h);
}

RARE float special_rsqrt(float x) { return 1.0f / root(x); }
LARGE float rsqrt(float x) {
  uint level = __ups_level();
  if (level < 3) return 1.0f / root(x);
  float y = __ups_rsqrt_f32(x), e = fused(-(x * y), y, 1.0f);
  if (level == 4) return e == e ? fused(0.5f * y, e, y) : y; // keep the estimate for 0 and infinity
  float r = fused(y * e, fused(e, 0.375f, 0.5f), y);
  if (SELDOM(!is_normal(x))) r = special_rsqrt(x);
  return r;
}
LARGE double rsqrt(double x) {
  if (__ups_level() < 4) return 1.0 / root(x);
  double y = __ups_rsqrt_f64(x), e = fused(-(x * y), y, 1.0);
  return e == e ? fused(y * e, POLYNOMIAL(double, e, 0.5, 0.375, 0.3125, 0.2734375), y) : y;
}

// Whether a number above 0 is in [least, greatest), by one comparison.
HELPER bool between(float x, float least, float greatest) {
  uint low = __builtin_astype(least, uint);
  return __builtin_astype(x, uint) - low < __builtin_astype(greatest, uint) - low;
}
HELPER bool between(double x, double least, double greatest) {
  ulong low = __builtin_astype(least, ulong);
  return __builtin_astype(x, ulong) - low < __builtin_astype(greatest, ulong) - low;
}
// least, greatest: the range in which the sum of squares has full precision; down, up: powers of two that scale smaller and larger
// numbers into it.
#define HYPOT(T, least, greatest, down, up) \
  LARGE T hypot(T x, T y) { \
    T sum = fused(x, x, y * y), r = normal_root(sum); \
    if (SELDOM(!between(sum, least, greatest))) { \
      T a = __builtin_elementwise_abs(x), b = __builtin_elementwise_abs(y); \
      bool large = (a > (T)1) | (b > (T)1); \
      T scale = large ? down : up, s = a * scale, t = b * scale; \
      r = root(fused(s, s, t * t)) * (large ? 1 / down : 1 / up); \
      r = ((a == (T)INFINITY) | (b == (T)INFINITY)) ? (T)INFINITY : r; \
    } \
    return r; \
  }
HYPOT(float, 0x1p-100f, 0x1p126f, 0x1p-70f, 0x1p90f)
HYPOT(double, 0x1p-900, 0x1p1022, 0x1p-600, 0x1p700)
