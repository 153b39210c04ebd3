// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin and cos of float and double (specification: "Math Functions"; bound 4 ulp, here 0.9 where |x| is below the limit).
// x = k pi/2 + r + r_low, where pi/2 is in three parts: x - k part1 is exact, the product with part2 is taken in two parts. On [-pi/4, pi/4]
// sin(r) = r + r^3 S(r^2) and cos(r) = 1 - r^2/2 + r^4 C(r^2), S and C minimax; r_low times the derivative is added to the smaller term.
// Arguments from the limit on, infinities and NaN are libclc's (retarget_libclc.sed).
#include "elementary.h"

float libclc_sin_float(float x);
float libclc_cos_float(float x);
double libclc_sin_double(double x);
double libclc_cos_double(double x);

// The sine to 2^-31 and 2^-56, the cosine to 2^-30 and 2^-61.
HELPER float cube(float z) { return POLYNOMIAL(float, z, -0x1.555556p-3f, 0x1.111198p-7f, -0x1.a08294p-13f, 0x1.873438p-19f); }
HELPER float fourth(float z) { return POLYNOMIAL(float, z, 0x1.555554p-5f, -0x1.6c1292p-10f, 0x1.9bc012p-16f); }
HELPER double cube(double z) {
  return POLYNOMIAL(double, z, -0x1.5555555555555p-3, 0x1.1111111110c54p-7, -0x1.a01a019e9463ep-13, 0x1.71de37a08ed69p-19,
                    -0x1.ae600edb5e1f7p-26, 0x1.5e0b02c5bd864p-33);
}
HELPER double fourth(double z) {
  return POLYNOMIAL(double, z, 0x1.5555555555555p-5, -0x1.6c16c16c168b9p-10, 0x1.a01a019f3371ep-16, -0x1.27e4f9fc4cc71p-22,
                    0x1.1eeb50bf53c92p-29, -0x1.906e55d001ccap-37);
}

#define HALF_PI_float 0x1.45f306p-1f, 0x1.921fb6p0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f
#define HALF_PI_double 0x1.45f306dc9c883p-1, 0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110

// The sine of x + quarters pi/2 where |x| is below the limit; the bits of the sum with ROUNDER end with those of k.
#define TURNED(T, I, last_bit, per_turn, part1, part2, part3) \
  HELPER T turned(T x, int quarters) { \
    T shifted = fused(x, per_turn, CAT(ROUNDER_, T)), k = shifted - CAT(ROUNDER_, T); \
    T nearly = fused(k, -(part1), x), p = k * (part2), p_low = fused(k, part2, -p), r = nearly - p; \
    T r_low = fused(k, -(part3), ((nearly - r) - p) - p_low), z = r * r; \
    T sine = r + fused(r * z, cube(z), r_low); \
    T high = fused(z, (T) - 0.5, (T)1), low = fused(z, (T) - 0.5, (T)1 - high); \
    T cosine = high + (fused(z * z, fourth(z), low) - r * r_low); \
    I quarter = __builtin_astype(shifted, I) + quarters; \
    T result = quarter & 1 ? cosine : sine; \
    return __builtin_astype(__builtin_astype(result, I) ^ ((quarter >> 1) << last_bit), T); \
  }
#define TURNED_OF(T, I, last_bit, ...) TURNED(T, I, last_bit, __VA_ARGS__)
TURNED_OF(float, int, 31, HALF_PI_float)
TURNED_OF(double, long, 63, HALF_PI_double)

#define SIN_COS(T, limit) \
  LARGE T sin(T x) { \
    T r = turned(x, 0); \
    if (!(__builtin_elementwise_abs(x) < (T)limit)) r = libclc_sin_##T(x); \
    return x == 0 ? x : r; \
  } \
  LARGE T cos(T x) { \
    T r = turned(x, 1); \
    if (!(__builtin_elementwise_abs(x) < (T)limit)) r = libclc_cos_##T(x); \
    return r; \
  }
SIN_COS(float, 0x1p15)
SIN_COS(double, 0x1p25)
