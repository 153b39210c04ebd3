// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explicit conversions (specification: "Explicit Conversions"): every type to every type, saturated or not, in every rounding mode. Each
// rounds exactly once. The names are convert_<type><width>[_sat][_<mode>].
#include "library.h"
#include "rounding.h"

#define V(T, N) CAT(T, N)
#define SPLAT(N, T, x) ((V(T, N))((T)(x)))
#define NAME(D, N, suffix) CAT4(convert_, D, N, suffix)

/// M(suffix, ...) for each rounding mode; M's suffix starts with `head`.
#define FOR_MODES(M, ...) M(, __VA_ARGS__) M(_rte, __VA_ARGS__) M(_rtz, __VA_ARGS__) M(_rtp, __VA_ARGS__) M(_rtn, __VA_ARGS__)

// Integer to integer: saturation clamps to the part of the destination's range that the source covers.
#define INTEGER_MODE(mode, N, D, S) \
  SMALL V(D, N) NAME(D, N, mode)(V(S, N) x) { return CONVERT(N, D, x); } \
  SMALL V(D, N) CAT(NAME(D, N, _sat), mode)(V(S, N) x) { return saturated_##D(x); }
#define INTEGER_SATURATION(N, D, S) \
  HELPER V(D, N) saturated_##D(V(S, N) x) { \
    if ((ulong)GREATEST(D) < (ulong)GREATEST(S)) x = __builtin_elementwise_min(x, SPLAT(N, S, GREATEST(D))); \
    if ((long)LEAST(D) > (long)LEAST(S)) x = __builtin_elementwise_max(x, SPLAT(N, S, LEAST(D))); \
    return CONVERT(N, D, x); \
  }
#define INTEGER_WIDTH(N, D, S) INTEGER_SATURATION(N, D, S) FOR_MODES(INTEGER_MODE, N, D, S)

// Floating point to integer: rounds in the source's type, where every relevant integer is exact. F: float, or double for double.
#define ROUND(x) x
#define ROUND_rte(x) __builtin_elementwise_rint(x)
#define ROUND_rtz(x) x
#define ROUND_rtp(x) __builtin_elementwise_ceil(x)
#define ROUND_rtn(x) __builtin_elementwise_floor(x)
#define SATURATED(D, y) cut_##D(y)
#define SATURATED_rte(D, y) nearest_##D(y)
#define SATURATED_rtz(D, y) cut_##D(y)
#define SATURATED_rtp(D, y) cut_##D(ROUND_rtp(y))
#define SATURATED_rtn(D, y) cut_##D(ROUND_rtn(y))
#define TO_INTEGER_MODE(mode, N, D, S, F) \
  SMALL V(D, N) NAME(D, N, mode)(V(S, N) x) { \
    V(F, N) y = CONVERT(N, F, x); \
    return CONVERT(N, D, ROUND##mode(y)); \
  } \
  SMALL V(D, N) CAT(NAME(D, N, _sat), mode)(V(S, N) x) { \
    V(F, N) y = CONVERT(N, F, x); \
    return SATURATED##mode(D, y); \
  }
// The power of two above the greatest value; NaN becomes 0. MASK turns a comparison of F into a condition on D.
#define ABOVE_char 0x1p7
#define ABOVE_uchar 0x1p8
#define ABOVE_short 0x1p15
#define ABOVE_ushort 0x1p16
#define ABOVE_int 0x1p31
#define ABOVE_uint 0x1p32
#define ABOVE_long 0x1p63
#define ABOVE_ulong 0x1p64
#define MASK(N, I, condition) CAT(MASK_, N)(I, condition)
#define MASK_(I, condition) (condition)
#define MASK_2(I, condition) __builtin_convertvector(condition, CAT(I, 2))
#define MASK_3(I, condition) __builtin_convertvector(condition, CAT(I, 3))
#define MASK_4(I, condition) __builtin_convertvector(condition, CAT(I, 4))
#define MASK_8(I, condition) __builtin_convertvector(condition, CAT(I, 8))
#define MASK_16(I, condition) __builtin_convertvector(condition, CAT(I, 16))
#define CUT(N, D, I, F) \
  HELPER V(D, N) cut_##D(V(F, N) y) { \
    V(D, N) r = CONVERT(N, D, y); \
    r = MASK(N, I, y >= SPLAT(N, F, ABOVE_##D)) ? SPLAT(N, D, GREATEST(D)) : r; \
    r = MASK(N, I, y < SPLAT(N, F, LEAST(D))) ? SPLAT(N, D, LEAST(D)) : r; \
    return MASK(N, I, y == y) ? r : SPLAT(N, D, 0); \
  }
#define CUT_TYPE(D, I, U, ...) FOR_WIDTHS(CUT, D, I, float) FOR_WIDTHS(CUT, D, I, double)
FOR_INTEGERS(CUT_TYPE)
// Converts floats to at most 16 bits: adding a power of two rounds, and leaves the integer in the low bits. This avoids
// conversion instructions, which are slow on GPUs.
#define NEAREST_SMALL(N, D) \
  HELPER V(D, N) nearest_##D(V(float, N) y) { \
    y = (LEAST(D) < 0) ? (MASK(N, int, y == y) ? y : SPLAT(N, float, 0)) : y; \
    y = __builtin_elementwise_max(y, SPLAT(N, float, LEAST(D))); \
    y = __builtin_elementwise_min(y, SPLAT(N, float, GREATEST(D))); \
    return CONVERT(N, D, BITS(N, int, (V(float, N))(y + SPLAT(N, float, 0x1.8p23f)))); \
  }
#define NEAREST(N, D, F) \
  HELPER V(D, N) nearest_##D(V(F, N) y) { return cut_##D(ROUND_rte(y)); }
#define NEAREST_TYPE(D, ...) FOR_WIDTHS(NEAREST, D, double)
FOR_INTEGERS(NEAREST_TYPE)
FOR_WIDTHS(NEAREST_SMALL, char)
FOR_WIDTHS(NEAREST_SMALL, uchar)
FOR_WIDTHS(NEAREST_SMALL, short)
FOR_WIDTHS(NEAREST_SMALL, ushort)
FOR_WIDTHS(NEAREST, int, float)
FOR_WIDTHS(NEAREST, uint, float)
FOR_WIDTHS(NEAREST, long, float)
FOR_WIDTHS(NEAREST, ulong, float)
#define TO_INTEGER_WIDTH(N, D, S, F) FOR_MODES(TO_INTEGER_MODE, N, D, S, F)

// Integer to floating point, and floating point to floating point: <type>_<mode>() of rounding.h and below.
#define TO_FLOAT_WIDTH(N, D, S) \
  SMALL V(D, N) NAME(D, N, )(V(S, N) x) { return CAT(D, _rte)(x); } \
  SMALL V(D, N) NAME(D, N, _rte)(V(S, N) x) { return CAT(D, _rte)(x); } \
  SMALL V(D, N) NAME(D, N, _rtz)(V(S, N) x) { return CAT(D, _rtz)(x); } \
  SMALL V(D, N) NAME(D, N, _rtp)(V(S, N) x) { return CAT(D, _rtp)(x); } \
  SMALL V(D, N) NAME(D, N, _rtn)(V(S, N) x) { return CAT(D, _rtn)(x); }
#define EXACT_DIRECTIONS(N, D, S) \
  HELPER V(D, N) CAT(D, _rte)(V(S, N) x) { return CONVERT(N, D, x); } \
  HELPER V(D, N) CAT(D, _rtz)(V(S, N) x) { return CONVERT(N, D, x); } \
  HELPER V(D, N) CAT(D, _rtp)(V(S, N) x) { return CONVERT(N, D, x); } \
  HELPER V(D, N) CAT(D, _rtn)(V(S, N) x) { return CONVERT(N, D, x); }
// Integers that fit the mantissa convert directly; others of up to 32 bits through a wider type W that represents them.
#define THROUGH(N, D, S, W) \
  HELPER V(D, N) CAT(D, _rte)(V(S, N) x) { return CAT(D, _rte)(CONVERT(N, W, x)); } \
  HELPER V(D, N) CAT(D, _rtz)(V(S, N) x) { return CAT(D, _rtz)(CONVERT(N, W, x)); } \
  HELPER V(D, N) CAT(D, _rtp)(V(S, N) x) { return CAT(D, _rtp)(CONVERT(N, W, x)); } \
  HELPER V(D, N) CAT(D, _rtn)(V(S, N) x) { return CAT(D, _rtn)(CONVERT(N, W, x)); }

// half from 64 bits: numbers beyond its range round alike in every mode, so they are first clamped near it.
#define HALF_FROM_LONG(N, S, NEAR) \
  HELPER V(NEAR, N) near(V(S, N) x) { \
    if ((long)LEAST(S) < 0) x = __builtin_elementwise_max(x, SPLAT(N, S, -(1 << 17))); \
    return CONVERT(N, NEAR, __builtin_elementwise_min(x, SPLAT(N, S, 1 << 17))); \
  } \
  HELPER V(half, N) half_rte(V(S, N) x) { return half_rte(near(x)); } \
  HELPER V(half, N) half_rtz(V(S, N) x) { return half_rtz(near(x)); } \
  HELPER V(half, N) half_rtp(V(S, N) x) { return half_rtp(near(x)); } \
  HELPER V(half, N) half_rtn(V(S, N) x) { return half_rtn(near(x)); }

// float from 64 bits: from 2^53 up, the low 11 bits only matter as a whole. They are folded into the next bit; then double is exact.
#define FLOAT_FROM_LONG(N, S, ...) \
  HELPER V(double, N) sticky(V(S, N) x) { \
    V(S, N) rest = x & SPLAT(N, S, 2047); \
    V(S, N) folded = (x & SPLAT(N, S, ~2047L)) | (rest != SPLAT(N, S, 0) ? SPLAT(N, S, 2048) : SPLAT(N, S, 0)); \
    V(S, N) magnitude = x < SPLAT(N, S, 0) ? (V(S, N))(SPLAT(N, S, 0) - x) : x; \
    return CONVERT(N, double, ((magnitude >> SPLAT(N, S, 53)) == SPLAT(N, S, 0) ? x : folded)); \
  } \
  HELPER V(float, N) float_rte(V(S, N) x) { return CONVERT(N, float, x); } \
  HELPER V(float, N) float_rtz(V(S, N) x) { return float_rtz(sticky(x)); } \
  HELPER V(float, N) float_rtp(V(S, N) x) { return float_rtp(sticky(x)); } \
  HELPER V(float, N) float_rtn(V(S, N) x) { return float_rtn(sticky(x)); }

// double from 64 bits: two exact parts, their sum, and the sum's error, whose sign gives the direction of the rounding.
#define STEPS(N, ...) \
  HELPER V(double, N) step(V(double, N) x, V(long, N) by) { return BITS(N, double, (V(long, N))(BITS(N, long, x) + by)); } \
  HELPER V(long, N) away(V(double, N) x) { return (BITS(N, long, x) >> 63L) | 1L; }
FOR_WIDTHS(STEPS, )
#define DOUBLE_FROM_LONG(N, S, ...) \
  HELPER V(double, N) sum_error(V(S, N) x, V(double, N) sum) { \
    V(double, N) high = CONVERT(N, double, (x & SPLAT(N, S, ~2047L))), low = CONVERT(N, double, (x & SPLAT(N, S, 2047))); \
    return low - (sum - high); \
  } \
  HELPER V(double, N) double_rte(V(S, N) x) { return CONVERT(N, double, x); } \
  HELPER V(double, N) double_rtz(V(S, N) x) { \
    V(double, N) sum = CONVERT(N, double, x), error = sum_error(x, sum); \
    return step(sum, STEP_##N(((error < 0.0) & (sum > 0.0)) | ((error > 0.0) & (sum < 0.0)))); \
  } \
  HELPER V(double, N) double_rtp(V(S, N) x) { \
    V(double, N) sum = CONVERT(N, double, x); \
    return step(sum, -STEP_##N(sum_error(x, sum) > 0.0) * away(sum)); \
  } \
  HELPER V(double, N) double_rtn(V(S, N) x) { \
    V(double, N) sum = CONVERT(N, double, x); \
    return step(sum, STEP_##N(sum_error(x, sum) < 0.0) * away(sum)); \
  }

#define EXACT(D, S) FOR_WIDTHS(EXACT_DIRECTIONS, D, S)
#define WIDENED(D, S, W) FOR_WIDTHS(THROUGH, D, S, W)
EXACT(half, char) EXACT(half, uchar) WIDENED(half, short, float) WIDENED(half, ushort, float)
WIDENED(half, int, double) WIDENED(half, uint, double)
EXACT(float, char) EXACT(float, uchar) EXACT(float, short) EXACT(float, ushort)
WIDENED(float, int, double) WIDENED(float, uint, double)
EXACT(double, char) EXACT(double, uchar) EXACT(double, short) EXACT(double, ushort) EXACT(double, int) EXACT(double, uint)
EXACT(half, half) EXACT(float, half) EXACT(float, float) EXACT(double, half) EXACT(double, float) EXACT(double, double)
FOR_WIDTHS(HALF_FROM_LONG, long, int)
FOR_WIDTHS(HALF_FROM_LONG, ulong, uint)
FOR_WIDTHS(FLOAT_FROM_LONG, long)
FOR_WIDTHS(FLOAT_FROM_LONG, ulong)
FOR_WIDTHS(DOUBLE_FROM_LONG, long)
FOR_WIDTHS(DOUBLE_FROM_LONG, ulong)

// Every destination from every source.
#define INTEGERS_TO(D) \
  FOR_WIDTHS(INTEGER_WIDTH, D, char) FOR_WIDTHS(INTEGER_WIDTH, D, uchar) FOR_WIDTHS(INTEGER_WIDTH, D, short) \
  FOR_WIDTHS(INTEGER_WIDTH, D, ushort) FOR_WIDTHS(INTEGER_WIDTH, D, int) FOR_WIDTHS(INTEGER_WIDTH, D, uint) \
  FOR_WIDTHS(INTEGER_WIDTH, D, long) FOR_WIDTHS(INTEGER_WIDTH, D, ulong) FOR_WIDTHS(TO_INTEGER_WIDTH, D, half, float) \
  FOR_WIDTHS(TO_INTEGER_WIDTH, D, float, float) FOR_WIDTHS(TO_INTEGER_WIDTH, D, double, double)
#define FLOATS_TO(D) \
  FOR_WIDTHS(TO_FLOAT_WIDTH, D, char) FOR_WIDTHS(TO_FLOAT_WIDTH, D, uchar) FOR_WIDTHS(TO_FLOAT_WIDTH, D, short) \
  FOR_WIDTHS(TO_FLOAT_WIDTH, D, ushort) FOR_WIDTHS(TO_FLOAT_WIDTH, D, int) FOR_WIDTHS(TO_FLOAT_WIDTH, D, uint) \
  FOR_WIDTHS(TO_FLOAT_WIDTH, D, long) FOR_WIDTHS(TO_FLOAT_WIDTH, D, ulong) FOR_WIDTHS(TO_FLOAT_WIDTH, D, half) \
  FOR_WIDTHS(TO_FLOAT_WIDTH, D, float) FOR_WIDTHS(TO_FLOAT_WIDTH, D, double)
INTEGERS_TO(char)
INTEGERS_TO(uchar)
INTEGERS_TO(short)
INTEGERS_TO(ushort)
INTEGERS_TO(int)
INTEGERS_TO(uint)
INTEGERS_TO(long)
INTEGERS_TO(ulong)
FLOATS_TO(half)
FLOATS_TO(float)
FLOATS_TO(double)
