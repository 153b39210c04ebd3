// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions (specification: "Math Functions"). The scalar float and double bodies of the elementary functions are libclc's; half goes through float, whose 24 bits leave more than
// 13 guard bits, and vectors through their components, which become lanes anyway.
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

#define LIBCLC1(f) TYPES1(f, DECLARED)
#define LIBCLC2(f) TYPES2(f, DECLARED)
LIBCLC1(acos) LIBCLC1(acosh) LIBCLC1(acospi) LIBCLC1(asin) LIBCLC1(asinh) LIBCLC1(asinpi) LIBCLC1(atan) LIBCLC1(atanh)
LIBCLC1(atanpi) LIBCLC1(cbrt) LIBCLC1(cos) LIBCLC1(cospi) LIBCLC1(erf)
LIBCLC1(expm1) LIBCLC1(log) LIBCLC1(log2) LIBCLC1(log10) LIBCLC1(log1p)
LIBCLC1(sin) LIBCLC1(sinpi) LIBCLC1(tan) LIBCLC1(tanh) LIBCLC1(tanpi)
LIBCLC2(atan2) LIBCLC2(atan2pi) LIBCLC2(hypot) LIBCLC2(pow) LIBCLC2(powr)
TYPES1(exp, DECLARED)
TYPES1(exp2, DECLARED)
TYPES1(exp10, DECLARED)
TYPES2_INT(pown, DECLARED)
TYPES2_INT(rootn, DECLARED)

// sinh and cosh by exp and expm1 of the magnitude, in two factors where exp alone would overflow: 3 ulp. (libclc's index a table with
// what an infinite argument converts to.)
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

// libclc's float forms of these lose subnormal results. In double they are exact (fmod, remainder), or close.
DECLARED double erfc(double x);
DECLARED double fmod(double x, double y);
DECLARED double remainder(double x, double y);
SMALL float erfc(float x) { return (float)erfc((double)x); }
SMALL float fmod(float x, float y) { return (float)fmod((double)x, (double)y); }
SMALL float remainder(float x, float y) { return (float)remainder((double)x, (double)y); }
TYPES1(erfc, DECLARED)
TYPES2(fmod, DECLARED)
TYPES2(remainder, DECLARED)

// libclc's, under names of its own (retarget_libclc.sed), with the signs of infinity mended: tgamma(-0) is minus infinity (C 7.12.8.4 and
// F.9.5.4), the logarithm at minus infinity is plus infinity.
#define GAMMA(T) \
  T libclc_lgamma_r_##T(T x, __private int *sign); \
  T libclc_tgamma_##T(T x); \
  SMALL T lgamma_r(T x, __private int *sign) { \
    T r = libclc_lgamma_r_##T(x, sign); \
    return x == -INFINITY ? INFINITY : r; \
  } \
  SMALL T lgamma(T x) { \
    int sign; \
    return lgamma_r(x, &sign); \
  } \
  SMALL T tgamma(T x) { \
    T r = libclc_tgamma_##T(x); \
    return x == 0 ? __builtin_elementwise_copysign((T)INFINITY, x) : r; \
  }
GAMMA(float)
GAMMA(double)
TYPES1(lgamma, DECLARED)
TYPES1(tgamma, DECLARED)
