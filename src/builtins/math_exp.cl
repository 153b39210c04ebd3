// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, exp2 and exp10 of float and double (specification: "Math Functions"; bound 3 ulp, here 1.3).
// x = k ln 2 + r with |r| <= ln 2 / 2, where ln 2 is in two parts; e^r is a polynomial; 2^k is applied in two factors.
#include "elementary.h"

// e^r is 1 + r + r^2 Q(r), Q minimax: 2^-28 and 2^-57.
HELPER float exponential(float r) {
  float q = POLYNOMIAL(float, r, 0x1.fffffap-2f, 0x1.555492p-3f, 0x1.555a26p-5f, 0x1.123988p-7f, 0x1.694cd2p-10f);
  return fused(q * r, r, r) + 1.0f;
}
HELPER double exponential(double r) {
  double q = HORNER(double, r, 0x1.000000000000ap-1, 0x1.55555555554fep-3, 0x1.55555555506acp-5, 0x1.1111111126b2ep-7, 0x1.6c16c1847c94ap-10, 0x1.a01a012ffa32bp-13, 0x1.a019994c1311ep-16, 0x1.71df18b9a1062p-19, 0x1.28ae10fca39b6p-22, 0x1.ad937209d2824p-26);
  return fused(q * r, r, r) + 1.0;
}

// x is clamped to the range beyond which the result is 0 or infinite. On level 4, whose scaling handles these results, any sufficiently
// large number works beyond it. step: the base's logarithm of 2 in two parts; steps: its reciprocal; scale: the factor that makes r
// natural.
#define EXPONENTIAL(f, T, low, high, steps, step, step_low, scale) \
  SMALL T f(T x) { \
    bool cuts = __ups_level() < 4; \
    x = cuts ? cut(x, low, high) : x; \
    T shifted = fused(x, steps, CAT(ROUNDER_, T)), k = shifted - CAT(ROUNDER_, T); \
    T r = fused(k, -(step_low), fused(k, -(step), x)) * scale; \
    return scaled(exponential(cuts ? r : below_2(r)), k, shifted); \
  }
EXPONENTIAL(exp, float, -104.0f, 89.0f, 0x1.715476p+0f, 0x1.62e43p-1f, -0x1.05c61p-29f, 1.0f)
EXPONENTIAL(exp10, float, -46.0f, 39.0f, 0x1.a934fp+1f, 0x1.344136p-2f, -0x1.ec10cp-27f, 0x1.26bb1cp+1f)
EXPONENTIAL(exp, double, -746.0, 710.0, 0x1.71547652b82fep+0, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, 1.0)
EXPONENTIAL(exp10, double, -324.0, 309.0, 0x1.a934f0979a371p+1, 0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59, 0x1.26bb1bbb55516p+1)

// 2^r is 1 + r P(r), P minimax on [-1/2, 1/2]: 2^-28 and 2^-57.
HELPER float near_one(float r) {
  return fused(r, POLYNOMIAL(float, r, 0x1.62e43p-1f, 0x1.ebfbdep-3f, 0x1.c6af9cp-5f, 0x1.3b2c56p-7f, 0x1.5ef62ep-10f, 0x1.427c96p-13f),
               1.0f);
}
HELPER double near_one(double r) {
  double p = HORNER(double, r, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c598p-3, 0x1.c6b08d704a1acp-5, 0x1.3b2ab6fba1ee3p-7,
                        0x1.5d87fe7880441p-10, 0x1.430913093a10fp-13, 0x1.ffcbfd0180bb4p-17, 0x1.62bfd4fe48ea4p-20,
                        0x1.b523dc17d3518p-24, 0x1.e6055974795f2p-28, 0x1.eb5b6dba908d7p-32);
  return fused(r, p, 1.0);
}
#define EXP2(T, low, high) \
  SMALL T exp2(T x) { \
    bool cuts = __ups_level() < 4; \
    x = cuts ? cut(x, low, high) : x; \
    T shifted = x + CAT(ROUNDER_, T), k = shifted - CAT(ROUNDER_, T), r = x - k; \
    return scaled(near_one(cuts ? r : below_2(r)), k, shifted); \
  }
EXP2(float, -151.0f, 129.0f)
EXP2(double, -1076.0, 1025.0)
