// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Geometric functions (specification: "Geometric Functions"). Sums of squares use a wider range: half in float, float in double, double
// scaled by a power of two. So lengths neither overflow nor vanish.
#include "library.h"

#define V(T, N) CAT(T, N)

#define SUM_(x, y) (x * y)
#define SUM_2(x, y) (x.s0 * y.s0 + x.s1 * y.s1)
#define SUM_3(x, y) (x.s0 * y.s0 + x.s1 * y.s1 + x.s2 * y.s2)
#define SUM_4(x, y) (x.s0 * y.s0 + x.s1 * y.s1 + x.s2 * y.s2 + x.s3 * y.s3)

// W: the wider type.
#define WIDENED(N, T, W) \
  SMALL T dot(V(T, N) x, V(T, N) y) { \
    V(W, N) a = CONVERT(N, W, x), b = CONVERT(N, W, y); \
    return (T)CAT(SUM_, N)(a, b); \
  } \
  HELPER W wide_length(V(T, N) x) { \
    V(W, N) a = CONVERT(N, W, x); \
    return __builtin_elementwise_sqrt(CAT(SUM_, N)(a, a)); \
  } \
  SMALL T length(V(T, N) x) { return (T)wide_length(x); } \
  SMALL T distance(V(T, N) x, V(T, N) y) { \
    V(W, N) d = CONVERT(N, W, x) - CONVERT(N, W, y); \
    return (T)__builtin_elementwise_sqrt(CAT(SUM_, N)(d, d)); \
  } \
  SMALL V(T, N) normalize(V(T, N) x) { \
    V(T, N) v = DIRECTION_##N(x, T); \
    W l = wide_length(v); \
    V(W, N) n = CONVERT(N, W, v) / (V(W, N))l; \
    return l == 0 ? x : CONVERT(N, T, n); \
  }
// Infinite components determine the direction, and finite components become 0; a NaN stays.
#define DIRECTION(N, T, x, any_infinite) \
  (any_infinite ? (__builtin_elementwise_abs(x) == (V(T, N))INFINITY ? __builtin_elementwise_copysign((V(T, N))1, x) : x * (V(T, N))0) : x)
#define INFINITE(x) (__builtin_elementwise_abs(x) == INFINITY)
#define DIRECTION_(x, T) DIRECTION(, T, x, INFINITE(x))
#define DIRECTION_2(x, T) DIRECTION(2, T, x, ((V(T, 2))(INFINITE(x.s0) | INFINITE(x.s1)) != (V(T, 2))0))
#define DIRECTION_3(x, T) DIRECTION(3, T, x, ((V(T, 3))(INFINITE(x.s0) | INFINITE(x.s1) | INFINITE(x.s2)) != (V(T, 3))0))
#define DIRECTION_4(x, T) \
  DIRECTION(4, T, x, ((V(T, 4))(INFINITE(x.s0) | INFINITE(x.s1) | INFINITE(x.s2) | INFINITE(x.s3)) != (V(T, 4))0))

#define LARGEST_(x) x
#define LARGEST_2(x) __builtin_elementwise_max(x.s0, x.s1)
#define LARGEST_3(x) __builtin_elementwise_max(LARGEST_2(x), x.s2)
#define LARGEST_4(x) __builtin_elementwise_max(LARGEST_2(x.lo), LARGEST_2(x.hi))

// A factor that scales the largest component into the range where squares neither overflow nor vanish.
HELPER double range_factor(double largest) { return largest > 0x1p500 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p600 : 1.0; }
#define DOUBLES(N, ...) \
  SMALL double dot(V(double, N) x, V(double, N) y) { return CAT(SUM_, N)(x, y); } \
  SMALL double length(V(double, N) x) { \
    V(double, N) a = __builtin_elementwise_abs(x); \
    double factor = range_factor(CAT(LARGEST_, N)(a)); \
    V(double, N) scaled = x * factor; \
    return __builtin_elementwise_sqrt(CAT(SUM_, N)(scaled, scaled)) / factor; \
  } \
  SMALL double distance(V(double, N) x, V(double, N) y) { return length(x - y); } \
  SMALL V(double, N) normalize(V(double, N) x) { \
    V(double, N) v = DIRECTION_##N(x, double); \
    V(double, N) a = __builtin_elementwise_abs(v); \
    double largest = CAT(LARGEST_, N)(a), factor = range_factor(largest); \
    V(double, N) scaled = v * factor; \
    double root = __builtin_elementwise_sqrt(CAT(SUM_, N)(scaled, scaled)); \
    /* scaling down could cut small components: only the length is, and a quarter keeps it finite */ \
    double length = factor < 1.0 ? root * (0.25 / factor) : root; \
    V(double, N) n = (factor < 1.0 ? v * 0.25 : scaled) / (V(double, N))length; \
    return root == 0 ? x : n; /* no NaN is left out, as it is of `largest` */ \
  }

#define TO_WIDTH_4(M, ...) M(, __VA_ARGS__) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__)
TO_WIDTH_4(WIDENED, half, float)
TO_WIDTH_4(WIDENED, float, double)
TO_WIDTH_4(DOUBLES, )

#define FAST(N, ...) \
  SMALL float fast_length(V(float, N) x) { return __builtin_elementwise_sqrt(CAT(SUM_, N)(x, x)); } \
  SMALL float fast_distance(V(float, N) x, V(float, N) y) { return fast_length(x - y); } \
  SMALL V(float, N) fast_normalize(V(float, N) x) { \
    float sum = CAT(SUM_, N)(x, x); \
    return sum == 0 ? x : x * (1.0f / __builtin_elementwise_sqrt(sum)); \
  }
TO_WIDTH_4(FAST, )

#define CROSS(T, ...) \
  SMALL V(T, 3) cross(V(T, 3) a, V(T, 3) b) { return a.yzx * b.zxy - a.zxy * b.yzx; } \
  SMALL V(T, 4) cross(V(T, 4) a, V(T, 4) b) { return (V(T, 4))(cross(a.xyz, b.xyz), 0); }
FOR_FLOATS(CROSS)
