// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinpi, cospi and tanpi of float and double (specification: "Math Functions"; bounds 4, 4 and 6 ulp, here 1, 1 and 2).
// x is reduced to f = x - n/2 with |f| <= 1/4, which is exact, so a multiple of 1/2 gives an exact zero. Signs of zeros follow IEEE
// 754-2008 (9.2): sinpi of an integer has the integer's sign, cospi's zeros are positive.
#include "sinpi.h"

#define BY_PI(T) \
  LARGE T sinpi(T x) { \
    Quarter_##T q = quarter(x); \
    T s = sinpi_near(q.f), c = cospi_near(q.f), r = (q.n & 1) ? c : s; \
    r = (q.n & 2) ? -r : r; \
    return (((q.n & 1) == 0) & (q.f == 0)) ? __builtin_elementwise_copysign((T)0, x) : finite(x, r); \
  } \
  LARGE T cospi(T x) { \
    Quarter_##T q = quarter(x); \
    T s = sinpi_near(q.f), c = cospi_near(q.f), r = (q.n & 1) ? s : c; \
    r = ((q.n + 1) & 2) ? -r : r; \
    return (((q.n & 1) == 1) & (q.f == 0)) ? (T)0 : finite(x, r); \
  } \
  /* At n + 1/2 infinite, with the sign of an even n; at n zero, with the sign of x if n is even and the other one if it is odd. */ \
  LARGE T tanpi(T x) { \
    Quarter_##T q = quarter(x); \
    T s = sinpi_near(q.f), c = cospi_near(q.f); \
    T r = (q.n & 1) ? -c / s : s / c; \
    T zero = __builtin_elementwise_copysign((T)0, q.n & 2 ? -x : x), pole = (q.n & 2) ? -(T)INFINITY : (T)INFINITY; \
    return q.f == 0 ? finite(x, (q.n & 1) ? pole : zero) : finite(x, r); \
  }
BY_PI(float)
BY_PI(double)
