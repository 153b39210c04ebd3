// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding to narrower floating-point types in a given direction: half_rte(x), half_rtz(x), half_rtp(x), half_rtn(x) of float and double,
// float_rte(x)… of double, at every width. Branch-free: converts to nearest, compares with the argument, and steps to the adjacent
// number. conversions.cl has the directions for integers.
#pragma once
#include "library.h"

// D: destination, I: signed integer of its size, S: source, IS: signed integer of the source's size, nearest: the conversion to nearest.
// A step away from zero is +1 on the bits, towards zero -1, for both signs: infinity steps to the largest number and back.
#define DEFINE_DIRECTIONS(N, D, I, S, IS, nearest) \
  HELPER CAT(D, N) CAT(D, _rte)(CAT(S, N) x) { return nearest(x); } \
  HELPER CAT(D, N) CAT(D, _rtz)(CAT(S, N) x) { \
    CAT(D, N) r = nearest(x); \
    CAT(IS, N) over = __builtin_elementwise_abs(CONVERT(N, S, r)) > __builtin_elementwise_abs(x); \
    return BITS(N, D, (CAT(I, N))(BITS(N, I, r) + CONVERT(N, I, STEP_##N(over)))); \
  } \
  HELPER CAT(D, N) CAT(D, _rtp)(CAT(S, N) x) { \
    CAT(D, N) r = nearest(x); \
    CAT(IS, N) under = CONVERT(N, S, r) < x; \
    CAT(I, N) sign = (BITS(N, I, r) >> (CAT(I, N))(sizeof(D) * 8 - 1)) | (CAT(I, N))1; \
    return BITS(N, D, (CAT(I, N))(BITS(N, I, r) - CONVERT(N, I, STEP_##N(under)) * sign)); \
  } \
  HELPER CAT(D, N) CAT(D, _rtn)(CAT(S, N) x) { \
    CAT(D, N) r = nearest(x); \
    CAT(IS, N) over = CONVERT(N, S, r) > x; \
    CAT(I, N) sign = (BITS(N, I, r) >> (CAT(I, N))(sizeof(D) * 8 - 1)) | (CAT(I, N))1; \
    return BITS(N, D, (CAT(I, N))(BITS(N, I, r) + CONVERT(N, I, STEP_##N(over)) * sign)); \
  }
// -1 if a comparison is true: a vector's result is a mask already, a scalar's is negated.
#define STEP_(condition) (-(condition))
#define STEP_2(condition) (condition)
#define STEP_3(condition) (condition)
#define STEP_4(condition) (condition)
#define STEP_8(condition) (condition)
#define STEP_16(condition) (condition)

// double to half goes through a float rounded to odd, whose last bit records inexactness, so there is no second rounding error. (LLVM
// would call a run-time library for the direct conversion.)
#define DEFINE_NEAREST(N, ...) \
  HELPER CAT(half, N) nearest_half(CAT(float, N) x) { return CONVERT(N, half, x); } \
  HELPER CAT(float, N) nearest_float(CAT(double, N) x) { return CONVERT(N, float, x); } \
  HELPER CAT(half, N) nearest_half(CAT(double, N) x) { \
    CAT(float, N) f = CONVERT(N, float, x); \
    CAT(double, N) back = CONVERT(N, double, f); \
    CAT(long, N) inexact = back != x, over = __builtin_elementwise_abs(back) > __builtin_elementwise_abs(x); \
    CAT(int, N) odd = (BITS(N, int, f) + CONVERT(N, int, STEP_##N(over))) | (CONVERT(N, int, STEP_##N(inexact)) & 1); \
    return CONVERT(N, half, BITS(N, float, odd)); \
  }
FOR_WIDTHS(DEFINE_NEAREST, )
FOR_WIDTHS(DEFINE_DIRECTIONS, half, short, float, int, nearest_half)
FOR_WIDTHS(DEFINE_DIRECTIONS, half, short, double, long, nearest_half)
FOR_WIDTHS(DEFINE_DIRECTIONS, float, int, double, long, nearest_float)
