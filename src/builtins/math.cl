// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions (specification: "Math Functions"): all types and widths of functions whose scalar float and double bodies are in
// other files or libclc. half is computed in float, whose 24 bits leave more than 13 guard bits. Vectors are computed by component, since
// components become lanes anyway.
#include "library.h"

#define VECTOR1(N, T, f) \
  SMALL CAT(T, N) f(CAT(T, N) x) { \
    CAT(T, N) r; \
    _Pragma("unroll") for (int i = 0; i < N; ++i) r[i] = f(x[i]); \
    return r; \
  }
#define VECTOR2(N, T, f, Y) \
  SMALL CAT(T, N) f(CAT(T, N) x, CAT(Y, N) y) { \
    CAT(T, N) r; \
    _Pragma("unroll") for (int i = 0; i < N; ++i) r[i] = f(x[i], y[i]); \
    return r; \
  }
#define TYPES1(f, D) \
  D float f(float x); \
  D double f(double x); \
  SMALL half f(half x) { return (half)f((float)x); } \
  FOR_VECTORS(VECTOR1, half, f) FOR_VECTORS(VECTOR1, float, f) FOR_VECTORS(VECTOR1, double, f)
#define TYPES2(f, D) \
  D float f(float x, float y); \
  D double f(double x, double y); \
  SMALL half f(half x, half y) { return (half)f((float)x, (float)y); } \
  FOR_VECTORS(VECTOR2, half, f, half) FOR_VECTORS(VECTOR2, float, f, float) FOR_VECTORS(VECTOR2, double, f, double)
#define TYPES2_INT(f, D) \
  D float f(float x, int y); \
  D double f(double x, int y); \
  SMALL half f(half x, int y) { return (half)f((float)x, y); } \
  FOR_VECTORS(VECTOR2, half, f, int) FOR_VECTORS(VECTOR2, float, f, int) FOR_VECTORS(VECTOR2, double, f, int)

// Functions of this library: math_atan.cl, math_cbrt.cl, math_erf.cl, math_exp.cl, math_expm1.cl, math_gamma.cl, math_log.cl, math_pi.cl,
// math_pow.cl, math_remainder.cl, math_roots.cl, math_sin.cl.
#define OURS1(f) TYPES1(f, DECLARED)
#define OURS2(f) TYPES2(f, DECLARED)
OURS1(atan) OURS1(cbrt) OURS1(cos) OURS1(cospi) OURS1(erf) OURS1(erfc) OURS1(exp) OURS1(exp2) OURS1(exp10) OURS1(expm1) OURS1(log) OURS1(log1p) OURS1(log2) OURS1(log10)
OURS1(rsqrt) OURS1(sin) OURS1(sinpi) OURS1(tan) OURS1(tanh) OURS1(tanpi) OURS1(tgamma) OURS2(atan2) OURS2(fmod) OURS2(hypot) OURS2(pow) OURS2(powr) OURS2(remainder)
TYPES2_INT(pown, DECLARED)
TYPES2_INT(rootn, DECLARED)

#define LIBCLC1(f) TYPES1(f, DECLARED)
#define LIBCLC2(f) TYPES2(f, DECLARED)
LIBCLC1(acos) LIBCLC1(acosh) LIBCLC1(acospi) LIBCLC1(asin) LIBCLC1(asinh) LIBCLC1(asinpi) LIBCLC1(atanh)
LIBCLC1(atanpi)
LIBCLC2(atan2pi)

// sinh and cosh by exp and expm1 of the magnitude, in two factors where exp alone would overflow: 3 ulp. (libclc's functions index a
// table with an integer converted from an infinite argument.)
#define HYPERBOLIC(T, far) \
  SMALL T cosh(T x) { \
    T a = __builtin_elementwise_abs(x); \
    bool is_far = a > (T)far; \
    T e = exp(is_far ? a * (T)0.5 : a); \
    return is_far ? ((T)0.5 * e) * e : (T)0.5 * e + (T)0.5 / e; \
  } \
  SMALL T sinh(T x) { \
    T a = __builtin_elementwise_abs(x); \
    bool is_far = a > (T)far; \
    T t = expm1(is_far ? a * (T)0.5 : a), e = t + (T)1; \
    T near = (T)0.5 * (t + t / e); \
    T r = is_far ? ((T)0.5 * e) * e : near; \
    return __builtin_elementwise_copysign(r, x); \
  }
HYPERBOLIC(float, 88)
HYPERBOLIC(double, 709)
TYPES1(cosh, DECLARED)
TYPES1(sinh, DECLARED)

// libclc's functions under other names (retarget_libclc.sed), corrected: zeros keep their signs; lgamma is plus infinity at minus
// infinity, and where gamma is infinite or undefined its sign is 0 ("Additional Requirements Beyond C99 TC2").
#define KEEPS_ZERO(f) \
  double libclc_##f##_double(double x); \
  LARGE double f(double x) { return x == 0 ? x : libclc_##f##_double(x); }
KEEPS_ZERO(atanpi)

double libclc_lgamma_r_double(double x, __private int *sign);
LARGE double lgamma_r(double x, __private int *sign) {
  int s;
  double r = libclc_lgamma_r_double(x, &s);
  *sign = ((x <= 0) & (__builtin_elementwise_trunc(x) == x)) ? 0 : s;
  return x == -(double)INFINITY ? (double)INFINITY : r;
}
DECLARED float lgamma_r(float x, __private int *sign);
#define GAMMA(T) \
  LARGE T lgamma(T x) { \
    int sign; \
    return lgamma_r(x, &sign); \
  }
GAMMA(float)
GAMMA(double)
TYPES1(lgamma, DECLARED)
