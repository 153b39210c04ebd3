// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin, cos and tan of float and double (specification: "Math Functions"; bounds 4, 4 and 5 ulp, here 1.3, 1.3 and 1.1 where |x| is below the limit).
// x = h pi + r + r_low, where pi is in three parts: x - h part1 is exact, and the product with part2 is computed in two parts. With |r|
// <= pi/2, h is an integer for the sine and an integer plus a half for the cosine, and both are sin(r) = r + r^3 S(r^2). For the tangent
// h counts halves, |r| <= pi/4, and tan(r) = r + r^3 T(r^2), or -1/tan(r). S and T are minimax. r_low is multiplied by the function's
// derivative. Arguments beyond the limit, infinities and NaN use libclc's functions (retarget_libclc.sed).
#include "elementary.h"

float libclc_sin_float(float x);
float libclc_cos_float(float x);
double libclc_sin_double(double x);
double libclc_cos_double(double x);

float libclc_tan_float(float x);
double libclc_tan_double(double x);

// S to 2^-31 and 2^-61, T to 2^-29 and 2^-56 of the result.
HELPER float sine_part(float z) {
  return POLYNOMIAL(float, z, -0x1.555556p-3f, 0x1.11113p-7f, -0x1.a0212cp-13f, 0x1.72714ep-19f, -0x1.adffb4p-26f);
}
HELPER double sine_part(double z) {
  return POLYNOMIAL(double, z, -0x1.5555555555555p-3, 0x1.11111111110c9p-7, -0x1.a01a01a014eb5p-13, 0x1.71de3a52aaaa3p-19,
                    -0x1.ae6454d955e07p-26, 0x1.6123ce4d97a2fp-33, -0x1.ae43db6f91342p-41, 0x1.883bf70329b0ap-49);
}
HELPER float tangent_part(float z) {
  return POLYNOMIAL(float, z, 0x1.55556p-2f, 0x1.110d9ep-3f, 0x1.bad9c4p-5f, 0x1.5cc0a6p-6f, 0x1.62cca4p-7f, 0x1.9ad1aap-14f,
                    0x1.1e94c8p-8f);
}
HELPER double tangent_part(double z) {
  return POLYNOMIAL(double, z, 0x1.555555555555dp-2, 0x1.11111111106dep-3, 0x1.ba1ba1bab2331p-5, 0x1.664f485fc4558p-6, 0x1.226e3a2ffaf04p-7, 0x1.d6d2f4961d1d1p-9, 0x1.7db0db73cb49cp-10, 0x1.34c2fe3fb31f5p-11, 0x1.fecd718d27559p-13, 0x1.606572d069ec4p-14, 0x1.167a0b06a0c54p-14, -0x1.9ca0db021c166p-16, 0x1.90c1516206b63p-15, -0x1.901ed1c0c76ddp-16, 0x1.45a4584cd276cp-17);
}

RARE float far_sin(float x) { return libclc_sin_float(x); }
RARE float far_cos(float x) { return libclc_cos_float(x); }
RARE float far_tan(float x) { return libclc_tan_float(x); }
RARE double far_sin(double x) { return libclc_sin_double(x); }
RARE double far_cos(double x) { return libclc_cos_double(x); }
RARE double far_tan(double x) { return libclc_tan_double(x); }

#define PI_float 0x1.921fb6p+1f, -0x1.777a5cp-24f, -0x1.ee59dap-49f
#define PI_double 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, -0x1.f1976b7ed8fbcp-109
#define PER_PI_float 0x1.45f306p-2f
#define PER_PI_double 0x1.45f306dc9c883p-2

// The remainder of x after h pi.
#define REDUCED(T, part1, part2, part3) \
  typedef struct { \
    T r, r_low; \
  } Reduced_##T; \
  HELPER Reduced_##T reduced(T x, T h, const T unit) { \
    T nearly = fused(h, -(part1) * unit, x), p = h * ((part2) * unit), p_low = fused(h, (part2) * unit, -p), r = nearly - p; \
    Reduced_##T left = {r, fused(h, -(part3) * unit, ((nearly - r) - p) - p_low)}; \
    return left; \
  }
#define REDUCED_OF(T, ...) REDUCED(T, __VA_ARGS__)
REDUCED_OF(float, PI_float)
REDUCED_OF(double, PI_double)

// The bits of a sum with ROUNDER end with the integer's bits.
#define SIN_COS_TAN(T, I, last_bit, limit) \
  HELPER T sine(Reduced_##T left, T shifted) { \
    T r = left.r, z = r * r, cube = r * z, cube_low = fused(r, fused(r, r, -z), fused(r, z, -cube)); \
    T low = fused(left.r_low, fused(z, (T) - 0.405, (T)1), cube_low * (T) - 0.155), result = r + fused(cube, sine_part(z), low); \
    return __builtin_astype(__builtin_astype(result, I) ^ (__builtin_astype(shifted, I) << last_bit), T); \
  } \
  HELPER T with_sign(T r, T x) { return __builtin_astype(__builtin_astype(r, I) ^ (__builtin_astype(x, I) & LEAST(I)), T); } \
  LARGE T sin(T x) { \
    T a = __builtin_elementwise_abs(x), shifted = fused(a, PER_PI_##T, ROUNDER_##T); \
    T r = with_sign(sine(reduced(a, shifted - ROUNDER_##T, 1), shifted), x); \
    if (SELDOM(!(a < (T)limit))) r = far_sin(x); \
    return r; \
  } \
  LARGE T cos(T x) { \
    T shifted = fused(x, PER_PI_##T, (T) - 0.5) + ROUNDER_##T; \
    T r = sine(reduced(-x, (ROUNDER_##T - shifted) - (T)0.5, 1), shifted); \
    if (SELDOM(!(__builtin_elementwise_abs(x) < (T)limit))) r = far_cos(x); \
    return r; \
  } \
  LARGE T tan(T x) { \
    T a = __builtin_elementwise_abs(x), shifted = fused(a, 2 * PER_PI_##T, ROUNDER_##T); \
    Reduced_##T left = reduced(a, shifted - ROUNDER_##T, (T)0.5); \
    T r = left.r, z = r * r, slope = fused(z, (T)1.5, (T)1); \
    T rest = fused(r * z, tangent_part(z), left.r_low * slope), tangent = r + rest, low = rest - (tangent - r); \
    T cotangent = (T) - 1 / tangent, error = fused(cotangent, low, fused(cotangent, tangent, (T)1)); \
    T result = with_sign(__builtin_astype(shifted, I) & 1 ? fused(cotangent, error, cotangent) : tangent, x); \
    if (SELDOM(!(a < (T)limit))) result = far_tan(x); \
    return result; \
  }
SIN_COS_TAN(float, int, 31, 0x1p17)
SIN_COS_TAN(double, long, 63, 0x1p40)
