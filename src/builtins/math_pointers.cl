// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions with a second result through a pointer: lgamma_r, remquo, sincos (specification: "Math Functions").
#include "library.h"

#define V(T, N) CAT(T, N)

DECLARED float lgamma_r(float x, __private int *sign);
DECLARED double lgamma_r(double x, __private int *sign);
DECLARED float remquo(float x, float y, __private int *quotient);
DECLARED double remquo(double x, double y, __private int *quotient);
DECLARED float sin(float x);
DECLARED float cos(float x);
DECLARED double sin(double x);
DECLARED double cos(double x);
SMALL half lgamma_r(half x, __private int *sign) { return (half)lgamma_r((float)x, sign); }
SMALL half remquo(half x, half y, __private int *quotient) { return (half)remquo((float)x, (float)y, quotient); }
HELPER half sin(half x) { return (half)sin((float)x); }
HELPER half cos(half x) { return (half)cos((float)x); }

#define SCALARS(space, T) \
  SMALL T lgamma_r(T x, space int *sign) { \
    int s; \
    T r = lgamma_r(x, &s); \
    *sign = s; \
    return r; \
  } \
  SMALL T remquo(T x, T y, space int *quotient) { \
    int q; \
    T r = remquo(x, y, &q); \
    *quotient = q; \
    return r; \
  }
#define SINCOS_SCALAR(space, T) \
  SMALL T sincos(T x, space T *c) { \
    *c = cos(x); \
    return sin(x); \
  }
#define VECTORS(N, space, T) \
  SMALL V(T, N) lgamma_r(V(T, N) x, space V(int, N) * sign) { \
    V(int, N) signs; \
    V(T, N) r; \
    _Pragma("unroll") for (int i = 0; i < N; ++i) { \
      int s; \
      r[i] = lgamma_r(x[i], &s); \
      signs[i] = s; \
    } \
    *sign = signs; \
    return r; \
  } \
  SMALL V(T, N) remquo(V(T, N) x, V(T, N) y, space V(int, N) * quotient) { \
    V(int, N) quotients; \
    V(T, N) r; \
    _Pragma("unroll") for (int i = 0; i < N; ++i) { \
      int q; \
      r[i] = remquo(x[i], y[i], &q); \
      quotients[i] = q; \
    } \
    *quotient = quotients; \
    return r; \
  } \
  SMALL V(T, N) sincos(V(T, N) x, space V(T, N) * c) { \
    V(T, N) sines, cosines; \
    _Pragma("unroll") for (int i = 0; i < N; ++i) { \
      sines[i] = sin(x[i]); \
      cosines[i] = cos(x[i]); \
    } \
    *c = cosines; \
    return sines; \
  }
#define VECTORS_OF(space, T) FOR_VECTORS(VECTORS, space, T)
#define POINTER_TYPE(T, ...) \
  SCALARS(__global, T) SCALARS(__local, T) SCALARS(__generic, T) \
  FOR_WRITABLE_SPACES(SINCOS_SCALAR, T) FOR_WRITABLE_SPACES(VECTORS_OF, T)
FOR_FLOATS(POINTER_TYPE)
