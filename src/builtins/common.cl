// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common functions (specification: "Common Functions"): at most 2 ulp for degrees, radians, mix and smoothstep; otherwise exact.
#include "library.h"

#define V(T, N) CAT(T, N)
#define SPLAT(N, T, x) ((V(T, N))((T)(x)))

#define COMMON(N, T, ...) \
  SMALL V(T, N) max(V(T, N) x, V(T, N) y) { return x < y ? y : x; } \
  SMALL V(T, N) min(V(T, N) x, V(T, N) y) { return y < x ? y : x; } \
  SMALL V(T, N) clamp(V(T, N) x, V(T, N) low, V(T, N) high) { return min(max(x, low), high); } \
  SMALL V(T, N) degrees(V(T, N) x) { return x * SPLAT(N, T, 57.295779513082320876798154814105); } \
  SMALL V(T, N) radians(V(T, N) x) { return x * SPLAT(N, T, 0.017453292519943295769236907684886); } \
  SMALL V(T, N) mix(V(T, N) x, V(T, N) y, V(T, N) a) { return x + (y - x) * a; } \
  SMALL V(T, N) step(V(T, N) edge, V(T, N) x) { return x < edge ? SPLAT(N, T, 0) : SPLAT(N, T, 1); } \
  SMALL V(T, N) smoothstep(V(T, N) low, V(T, N) high, V(T, N) x) { \
    V(T, N) t = clamp((x - low) / (high - low), SPLAT(N, T, 0), SPLAT(N, T, 1)); \
    return t * t * (SPLAT(N, T, 3) - SPLAT(N, T, 2) * t); \
  } \
  SMALL V(T, N) sign(V(T, N) x) { /* 0 keeps its sign, NaN becomes 0 */ \
    V(T, N) zero = x == x ? x : SPLAT(N, T, 0); \
    return x > SPLAT(N, T, 0) ? SPLAT(N, T, 1) : x < SPLAT(N, T, 0) ? SPLAT(N, T, -1) : zero; \
  }

#define WITH_SCALAR(N, T, ...) \
  SMALL V(T, N) max(V(T, N) x, T y) { return max(x, (V(T, N))y); } \
  SMALL V(T, N) min(V(T, N) x, T y) { return min(x, (V(T, N))y); } \
  SMALL V(T, N) clamp(V(T, N) x, T low, T high) { return clamp(x, (V(T, N))low, (V(T, N))high); } \
  SMALL V(T, N) mix(V(T, N) x, V(T, N) y, T a) { return mix(x, y, (V(T, N))a); } \
  SMALL V(T, N) step(T edge, V(T, N) x) { return step((V(T, N))edge, x); } \
  SMALL V(T, N) smoothstep(T low, T high, V(T, N) x) { return smoothstep((V(T, N))low, (V(T, N))high, x); }

#define COMMON_TYPE(T, ...) FOR_WIDTHS(COMMON, T) FOR_VECTORS(WITH_SCALAR, T)
FOR_FLOATS(COMMON_TYPE)
