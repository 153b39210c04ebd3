// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expm1 and tanh of float and double (specification: "Math Functions"; bounds 3 and 5 ulp, here 1 and 1.2).
// x = k ln 2 + r with |r| <= ln 2 / 2, e^r = 1 + r + r^2 Q(r) with Q minimax: e^x - 1 = (2^k - 1 + 2^k r) + 2^k r^2 Q(r), where 2^k - 1
// is exact, or so large that its error is negligible.
#include "elementary.h"

// Q to 2^-31 and 2^-61 of e^r - 1.
HELPER float curvature(float r) {
  return POLYNOMIAL(float, r, 0.5f, 0x1.555556p-3f, 0x1.555502p-5f, 0x1.110ff4p-7f, 0x1.6d2e0ep-10f, 0x1.a262bp-13f);
}
HELPER double curvature(double r) {
  return POLYNOMIAL(double, r, 0x1p-1, 0x1.5555555555557p-3, 0x1.5555555555557p-5, 0x1.111111111004dp-7, 0x1.6c16c16c156a2p-10,
                    0x1.a01a01ac20fc4p-13, 0x1.a01a01ab9a61p-16, 0x1.71de01a1ad725p-19, 0x1.27e4cfa93cbffp-22,
                    0x1.af4ee430652acp-26, 0x1.1f86fc33b678cp-29);
}
// 2^(k - less) from a number whose low bits are k.
HELPER float power_of_2(float shifted, int less) {
  return __builtin_astype((__builtin_astype(shifted, int) << 23) + ((127 - less) << 23), float);
}
HELPER double power_of_2(double shifted, int less) {
  return __builtin_astype((__builtin_astype(shifted, long) << 52) + ((long)(1023 - less) << 52), double);
}

// The result is computed in halves, since 2^k may be infinite when the result is not. It is x itself if the half of x would
// lose digits. Between low and high the result is neither -1 nor infinite. The errors of the leading sum and of r are added to
// the smaller part.
#define EXPM1(T, low, high, itself, steps, step, step_low) \
  LARGE T expm1(T x) { \
    T c = cut(x, low, high), shifted = fused(c, steps, CAT(ROUNDER_, T)), k = shifted - CAT(ROUNDER_, T); \
    T nearly = fused(k, -(step), c), r = fused(k, -(step_low), nearly), r_low = fused(k, -(step_low), nearly - r); \
    T t = power_of_2(shifted, 1), less = t - (T)0.5, sum = fused(t, r, less), error = fused(t, r_low, fused(t, r, less - sum)); \
    T half_result = sum + fused(t * r, r * curvature(r), error); \
    return __builtin_elementwise_abs(x) < itself ? x : half_result + half_result; \
  }
#define STEPS_float 0x1.715476p+0f, 0x1.62e43p-1f, -0x1.05c61p-29f
#define STEPS_double 0x1.71547652b82fep+0, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56
#define EXPM1_OF(T, low, high, itself, ...) EXPM1(T, low, high, itself, __VA_ARGS__)
EXPM1_OF(float, -18.0f, 89.0f, 0x1p-25f, STEPS_float)
EXPM1_OF(double, -38.0, 710.0, 0x1p-54, STEPS_double)

// tanh(x) is x + x^3 P(x^2) near zero, P minimax: 2^-26 and 2^-58; otherwise 1 - 2 / (e^2x + 1), whose second term is so small that its
// errors are negligible.
HELPER float near_zero(float x, float z) {
  return fused(x * z, POLYNOMIAL(float, z, -0x1.555552p-2f, 0x1.110dd6p-3f, -0x1.b9153cp-5f, 0x1.576c9ap-6f, -0x1.8c26bep-8f), x);
}
HELPER double near_zero(double x, double z) {
  double p = POLYNOMIAL(double, z, -0x1.5555555555555p-2, 0x1.111111111106cp-3, -0x1.ba1ba1ba10ccdp-5, 0x1.664f4880381c1p-6,
                        -0x1.226e350a76cf9p-7, 0x1.d6d3c35d5de85p-9, -0x1.7da2aa018e514p-10, 0x1.35511acb4d6a7p-11,
                        -0x1.f51aeb7d3c076p-13, 0x1.9480168989f8ap-14, -0x1.41c4f715ac62ap-15, 0x1.e903f3b4520d7p-17,
                        -0x1.4d2be6cbdc46fp-18, 0x1.6f452f803b2bbp-20, -0x1.175f548b44438p-22, 0x1.a94746be97291p-26);
  return fused(x * z, p, x);
}

// limit: up to which near_zero() is accurate; one: from which the result is 1.
#define TANH(T, limit, one, steps, step, step_low) \
  LARGE T tanh(T x) { \
    T a = __builtin_elementwise_abs(x), c = a > one ? one : a; \
    T shifted = fused(c, 2 * (steps), CAT(ROUNDER_, T)), k = shifted - CAT(ROUNDER_, T); \
    T r = fused(k, -(step_low), fused(k, -(step), c + c)), t = power_of_2(shifted, 0); \
    T sum = fused(t, fused(r * r, curvature(r), r), t + (T)1); \
    return __builtin_elementwise_copysign(a < limit ? near_zero(a, a * a) : (T)1 - (T)2 / sum, x); \
  }
#define TANH_OF(T, limit, one, ...) TANH(T, limit, one, __VA_ARGS__)
TANH_OF(float, 0.63f, 10.0f, STEPS_float)
TANH_OF(double, 1.0, 20.0, STEPS_double)
