// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atan and atan2 of float and double (specification: "Math Functions"; bounds 5 and 6 ulp, here 1.2 and 1.4). The angle of (b,
// a) with a, b >= 0 is the arc tangent of a/b, a quarter turn plus that of -b/a, or an eighth plus that of (a - b)/(a + b).
// float uses the first two, double all three; a - b is exact there. So one division suffices, and the quotient is at most 1
// (0.55). atan(t) = t + t^3 P(t^2), P minimax: 2^-28 and 2^-58.
#include "elementary.h"

/// The tangent is t + t_low, its arc t + t^3 p.
typedef struct {
  float steps, t, t_low, p;
} Angle_float;
typedef struct {
  double steps, t, t_low, p;
} Angle_double;

HELPER Angle_float angle(float a, float b, bool exact) {
  bool far = a > b;
  float bottom = far ? a : b, t = (far ? -b : a) / (bottom < 0x1p-149f ? 0x1p-149f : bottom);
  float p = HORNER(float, t *t, -0x1.55553ep-2f, 0x1.9991ecp-3f, -0x1.24211ap-3f, 0x1.c0946cp-4f, -0x1.5825f2p-4f, 0x1.da9c2ep-5f,
                       -0x1.fe7d24p-6f, 0x1.6551e2p-7f, -0x1.d5a1aap-10f);
  Angle_float r = {far ? 2.0f : 0.0f, t, -0.0f, p};
  return r;
}
HELPER Angle_double angle(double a, double b, bool exact) {
  const double limit = 0.6; // up to this limit the second quotient is at most 1/4, so its errors are small
  bool middle = a > limit * b, far = limit * a > b;
  double top = middle ? a - b : a, bottom = middle ? a + b : b;
  top = far ? -b : top;
  bottom = far ? a : bottom;
  bottom = !exact && bottom < 0x1p-510 ? 0x1p-510 : bottom; // below half of the least sum
  double reciprocal = 1.0 / bottom, t = exact ? top / bottom : top * reciprocal;
  double t_low = exact ? -0.0 : fused(-t, bottom, top) * fused(t * -0.75, t * reciprocal, reciprocal); // times the slope
  double p = POLYNOMIAL(double, t *t, -0x1.5555555555542p-2, 0x1.99999999972dfp-3, -0x1.24924923b8b68p-3, 0x1.c71c7179bda11p-4, -0x1.745d0f17ba25fp-4, 0x1.3b132158fc738p-4, -0x1.110a48bde41f1p-4, 0x1.e16daefc405c1p-5, -0x1.ac570ec770bc3p-5, 0x1.79470462a5b9dp-5, -0x1.394daf8d657ccp-5, 0x1.bce39d9839e0fp-6, -0x1.c8c377d42b152p-7, 0x1.e47f50cbed58fp-9);
  Angle_double r = {far ? 2.0 : middle ? 1.0 : 0.0, t, t_low, p};
  return r;
}
// The sum of steps of an eighth of a turn and the arc. In double, the two large terms are added with their rounding error.
HELPER float sum_of(Angle_float angle) {
  float t = angle.t, arc = fused(t * (t * t), angle.p, t);
  return fused(angle.steps, 0x1.921fb6p-1f, fused(angle.steps, -0x1.777a5cp-26f, arc));
}
HELPER double sum_of(Angle_double angle) {
  const double high = 0x1.921fb54442d18p-1, low = 0x1.1a62633145c07p-55;
  double t = angle.t, sum = fused(angle.steps, high, t), error = fused(angle.steps, high, -sum) + t;
  return sum + (error + fused(t * (t * t), angle.p, fused(angle.steps, low, angle.t_low)));
}

// sum_of() for atan, whose steps are only added.
HELPER float atan_of(Angle_float angle) {
  const float high = 0x1.921fb6p-1f, low = -0x1.777a5cp-26f;
  float t = angle.t, turn = angle.steps * high, sum = turn + t, error = (turn - sum) + t;
  return sum + (error + fused(t * (t * t), angle.p, turn * (low / high)));
}
HELPER double atan_of(Angle_double angle) {
  const double high = 0x1.921fb54442d18p-1, low = 0x1.1a62633145c07p-55;
  double t = angle.t, turn = angle.steps * high, sum = turn + t, error = (turn - sum) + t;
  return sum + (error + fused(t * (t * t), angle.p, turn * (low / high)));
}

HELPER float turned(Angle_float r, float y, float x) {
  int left = __builtin_astype(x, int) & LEAST(int);
  r.steps = left < 0 ? 4.0f - r.steps : r.steps;
  r.t = __builtin_astype(__builtin_astype(r.t, int) ^ left, float);
  return __builtin_elementwise_copysign(sum_of(r), y);
}
HELPER double turned(Angle_double r, double y, double x) {
  long left = __builtin_astype(x, long) & LEAST(long);
  r.steps = left < 0 ? 4.0 - r.steps : r.steps;
  r.t = __builtin_astype(__builtin_astype(r.t, long) ^ left, double);
  r.t_low = __builtin_astype(__builtin_astype(r.t_low, long) ^ left, double);
  return __builtin_elementwise_copysign(sum_of(r), y);
}

// Between least and greatest, and for zeros, the sum of two magnitudes is exact enough, and so is the reciprocal of one magnitude. A
// divisor of 0 becomes least, which leaves the quotient 0.
#define ATAN(T, least, greatest) \
  LARGE T atan(T x) { return __builtin_elementwise_copysign(atan_of(angle(__builtin_elementwise_abs(x), (T)1, true)), x); } \
  RARE T special_atan2(T y, T x) { \
    T a = __builtin_elementwise_abs(y), b = __builtin_elementwise_abs(x); \
    if ((a == (T)INFINITY) | (b == (T)INFINITY)) { \
      a = a == (T)INFINITY ? (T)1 : a * 0; \
      b = b == (T)INFINITY ? (T)1 : b * 0; \
    } else { \
      T scale = a + b < 1 ? (T)1 / ((T)least * (T)least) : (T)0.25; \
      a *= scale; \
      b *= scale; \
    } \
    return turned(angle(a, b, false), y, x); \
  } \
  LARGE T atan2(T y, T x) { \
    T a = __builtin_elementwise_abs(y), b = __builtin_elementwise_abs(x), sum = a + b; \
    T r = turned(angle(a, b, false), y, x); \
    if (SELDOM(!(sum < (T)greatest) | ((sum < (T)least) & (sum > 0)))) r = special_atan2(y, x); \
    return r; \
  }
ATAN(float, 0x1p-60f, 0x1p126f)
ATAN(double, 0x1p-500, 0x1p1022)
