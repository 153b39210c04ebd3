// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, exp2 and exp10 of float without branches or tables (specification: "Math Functions"; bound 3 ulp, here below 1).
// x = k ln 2 + r with |r| <= ln 2 / 2; e^r is the Taylor series to r^7, whose remainder 0.35^8/8! is 5e-9, a tenth of an ulp;
// 2^k is applied in two factors, so that subnormal results are rounded and large ones overflow as they should.
// k comes from adding 1.5 * 2^23: the sum's low bits are the integer, also for NaN, which a conversion could not take.
#include "library.h"

HELPER float exponential(float r, int k) {
  float p = 0x1.a01a02p-13f; // 1/7!
  p = __builtin_fmaf(p, r, 0x1.6c16c2p-10f);
  p = __builtin_fmaf(p, r, 0x1.111112p-7f);
  p = __builtin_fmaf(p, r, 0x1.555556p-5f);
  p = __builtin_fmaf(p, r, 0x1.555556p-3f);
  p = __builtin_fmaf(p, r, 0.5f);
  p = __builtin_fmaf(p * r, r, r) + 1.0f;
  int half_k = k >> 1;
  float first = __builtin_astype((half_k + 127) << 23, float), second = __builtin_astype((k - half_k + 127) << 23, float);
  return p * first * second;
}

#define ROUNDER 0x1.8p23f
// Cuts to where the result is 0 or infinite anyway; NaN stays.
HELPER float cut(float x, float low, float high) { return x > high ? high : x < low ? low : x; }

SMALL float exp(float x) {
  x = cut(x, -104.0f, 89.0f);
  float shifted = __builtin_fmaf(x, 0x1.715476p+0f, ROUNDER), k = shifted - ROUNDER;
  float r = __builtin_fmaf(k, -0x1.62e43p-1f, x); // ln 2 in two parts
  r = __builtin_fmaf(k, 0x1.05c61p-29f, r);
  return exponential(r, __builtin_astype(shifted, int) - __builtin_astype(ROUNDER, int));
}

SMALL float exp2(float x) {
  x = cut(x, -151.0f, 129.0f);
  float shifted = x + ROUNDER, r = x - (shifted - ROUNDER);
  return exponential(r * 0x1.62e43p-1f, __builtin_astype(shifted, int) - __builtin_astype(ROUNDER, int));
}

SMALL float exp10(float x) {
  x = cut(x, -46.0f, 39.0f);
  float shifted = __builtin_fmaf(x, 0x1.a934fp+1f, ROUNDER), k = shifted - ROUNDER;
  float r = __builtin_fmaf(k, -0x1.344136p-2f, x); // log10 2 in two parts
  r = __builtin_fmaf(k, 0x1.ec10cp-27f, r);
  return exponential(r * 0x1.26bb1cp+1f, __builtin_astype(shifted, int) - __builtin_astype(ROUNDER, int));
}
