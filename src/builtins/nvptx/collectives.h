// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans and reductions over a warp, by log steps of shuffles: warp_scan_OP(lanes, x) and warp_reduce_OP(lanes, x), where the lanes are
// the first of the warp; set_scan_OP(set, lanes, x) for arbitrary lanes.
#pragma once
#include "nvptx.h"

HELPER uint last_lane(uint lanes) { return 31 - (uint)__builtin_clz(lanes); }

/// A scan step: combines with the value of the lane `delta` below, if it exists.
#define STEP(op, T) \
  HELPER T CAT(step_, op)(uint lanes, T x, uint delta) { \
    T before = from_below(lanes, x, delta); \
    return lane_id() >= delta ? CAT(apply_, op)(before, x) : x; \
  }
/// A scan step with one instruction besides the shuffle, which reports whether that lane exists.
#define STEP_32(op, T, instruction) \
  HELPER T CAT(step_, op)(uint lanes, T x, uint delta) { \
    __asm("{ .reg .pred is_there; .reg .b32 before; shfl.sync.up.b32 before|is_there, %0, %1, 0, %2; " \
          "@is_there " instruction " %0, before, %0; }" \
          : "+r"(x) \
          : "r"(delta), "r"(lanes)); \
    return x; \
  }
#define STEP_64(op, T, instruction) \
  HELPER T CAT(step_, op)(uint lanes, T x, uint delta) { \
    __asm("{ .reg .pred is_there; .reg .b32 low, high; .reg .b64 before; mov.b64 {low, high}, %0; " \
          "shfl.sync.up.b32 low|is_there, low, %1, 0, %2; shfl.sync.up.b32 high, high, %1, 0, %2; " \
          "mov.b64 before, {low, high}; @is_there " instruction " %0, before, %0; }" \
          : "+l"(x) \
          : "r"(delta), "r"(lanes)); \
    return x; \
  }
#define STEPS(T, ...) STEP(add, T) STEP(mul, T) STEP(min, T) STEP(max, T)
#define BIT_STEPS(T, ...) STEP(and, T) STEP(or, T) STEP(xor, T)
#define FAST_STEPS(T, bits, letter) \
  STEP(mul, T) CAT(STEP_, bits)(add, T, "add." letter #bits) CAT(STEP_, bits)(min, T, "min." letter #bits) \
  CAT(STEP_, bits)(max, T, "max." letter #bits)
STEPS(char)
STEPS(uchar)
STEPS(short)
STEPS(ushort)
FAST_STEPS(int, 32, "s")
FAST_STEPS(uint, 32, "u")
FAST_STEPS(long, 64, "s")
FAST_STEPS(ulong, 64, "u")
STEPS(half)
STEPS(float)
STEPS(double)
FOR_INTEGERS(BIT_STEPS)

#define WARP_SCAN(op, T) \
  HELPER T CAT(warp_scan_, op)(uint lanes, T x) { \
    _Pragma("unroll") for (uint delta = 1; delta < 32; delta *= 2) x = CAT(step_, op)(lanes, x, delta); \
    return x; \
  } \
  /* Every lane points to the one before it in its set; pointers double their reach. */ \
  HELPER T CAT(set_scan_, op)(uint set, uint lanes, T x) { \
    uint before = set & lanes_below(lane_id()); \
    uint next = before ? 31 - (uint)__builtin_clz(before) : 32; \
    _Pragma("unroll") for (uint reach = 1; reach < 32; reach *= 2) { \
      uint from = next & 31; \
      T value = from_lane(lanes, x, from); \
      uint farther = from_lane(lanes, next, from); \
      x = next < 32 ? CAT(apply_, op)(value, x) : x; \
      next = next < 32 ? farther : 32; \
    } \
    return x; \
  }

#define SHUFFLE_REDUCE(op, T) \
  HELPER T CAT(shuffle_reduce_, op)(uint lanes, T x) { \
    if (lanes != ALL_LANES) return from_lane(lanes, CAT(warp_scan_, op)(lanes, x), last_lane(lanes)); \
    _Pragma("unroll") for (uint mask = 16; mask > 0; mask /= 2) x = CAT(apply_, op)(x, from_across(lanes, x, mask)); \
    return x; \
  }
#define WARP_REDUCE(op, T) \
  HELPER T CAT(warp_reduce_, op)(uint lanes, T x) { return CAT(shuffle_reduce_, op)(lanes, x); }
/// If the device has an instruction.
#define WARP_REDUX(op, T, redux) \
  HELPER T CAT(warp_reduce_, op)(uint lanes, T x) { \
    if (__ups_has_redux()) return (T)redux(x, lanes); \
    return from_lane(lanes, CAT(warp_scan_, op)(lanes, x), last_lane(lanes)); \
  }
/// Reductions of 64 bits by instructions for 32 bits. A sum adds parts of 27 bits, since the sum of 32 such parts fits a word.
/// An extreme is that of the high words, and then of the low words that belong to it. Each instruction takes as long as two
/// shuffles, but ten shuffles would be needed.
#define WARP_REDUX_LONG_SUM(T) \
  HELPER T warp_reduce_add(uint lanes, T x) { \
    if (!__ups_has_redux()) return shuffle_reduce_add(lanes, x); \
    const ulong bits = (ulong)x, part = (1 << 27) - 1; \
    const uint low = (uint)redux_add((int)(bits & part), lanes), middle = (uint)redux_add((int)(bits >> 27 & part), lanes); \
    const uint high = (uint)redux_add((int)(bits >> 54), lanes); \
    return (T)(low + ((ulong)middle << 27) + ((ulong)high << 54)); \
  }
#define WARP_REDUX_LONG(op, T, redux_high, redux_low, no_low) \
  HELPER T CAT(warp_reduce_, op)(uint lanes, T x) { \
    if (!__ups_has_redux()) return CAT(shuffle_reduce_, op)(lanes, x); \
    const uint own = (uint)((ulong)x >> 32), high = (uint)redux_high(own, lanes); \
    return (T)((ulong)high << 32 | redux_low(own == high ? (uint)x : no_low, lanes)); \
  }
/// Floating-point numbers as integers in the same order, with NaNs above all numbers.
#define IN_ORDER(T, I, greatest) \
  HELPER I in_order(I bits) { return (I)(bits ^ ((bits >> (sizeof(I) * 8 - 1)) & greatest)); } \
  WARP_REDUX_FLOAT(min, T, I, greatest) WARP_REDUX_FLOAT(max, T, I, (I)~greatest)
#define WARP_REDUX_FLOAT(op, T, I, no_number) \
  HELPER T CAT(warp_reduce_, op)(uint lanes, T x) { \
    if (!__ups_has_redux()) return CAT(shuffle_reduce_, op)(lanes, x); \
    I key = x != x ? no_number : in_order(__builtin_astype(x, I)); \
    return __builtin_astype(in_order(CAT(warp_reduce_, op)(lanes, key)), T); \
  }

#define SCANS(T, ...) WARP_SCAN(add, T) WARP_SCAN(mul, T) WARP_SCAN(min, T) WARP_SCAN(max, T)
#define BIT_SCANS(T, ...) WARP_SCAN(and, T) WARP_SCAN(or, T) WARP_SCAN(xor, T)
FOR_TYPES(SCANS)
FOR_INTEGERS(BIT_SCANS)

#define REDUCE(T) SHUFFLE_REDUCE(add, T) SHUFFLE_REDUCE(min, T) SHUFFLE_REDUCE(max, T)
REDUCE(long)
REDUCE(ulong)
REDUCE(half)
REDUCE(float)
REDUCE(double)
#define REDUCE_SIGNED(T) WARP_REDUX(add, T, redux_add) WARP_REDUX(min, T, redux_min) WARP_REDUX(max, T, redux_max)
#define REDUCE_UNSIGNED(T) WARP_REDUX(add, T, redux_add) WARP_REDUX(min, T, redux_umin) WARP_REDUX(max, T, redux_umax)
REDUCE_SIGNED(char)
REDUCE_SIGNED(short)
REDUCE_SIGNED(int)
REDUCE_UNSIGNED(uchar)
REDUCE_UNSIGNED(ushort)
REDUCE_UNSIGNED(uint)
WARP_REDUX_LONG_SUM(long)
WARP_REDUX_LONG_SUM(ulong)
WARP_REDUX_LONG(min, long, redux_min, redux_umin, UINT_MAX)
WARP_REDUX_LONG(max, long, redux_max, redux_umax, 0u)
WARP_REDUX_LONG(min, ulong, redux_umin, redux_umin, UINT_MAX)
WARP_REDUX_LONG(max, ulong, redux_umax, redux_umax, 0u)
WARP_REDUCE(add, half)
WARP_REDUCE(add, float)
WARP_REDUCE(add, double)
IN_ORDER(half, short, SHRT_MAX)
IN_ORDER(float, int, INT_MAX)
IN_ORDER(double, long, LONG_MAX)
