// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The intrinsics of intrinsics.h for sub-group functions in divergent control flow: over the active lanes.
#include "collectives.h"

ulong __ups_sg_ballot(int predicate) { return warp_ballot(__ups_active_lanes(), predicate != 0) >> sub_group_start(); }

ulong __ups_sg_common(ulong x) { return x; }
__global void *__ups_sg_common_pointer(const __global void *p) { return (__global void *)p; }

HELPER uint cluster_lanes(uint active, uint size) {
  uint first = lane_id() & ~(size - 1);
  return size >= 32 ? active : active & (lanes_below(size) << first);
}

#define MOVES(T, suffix) \
  T CAT(__ups_sg_shuffle_, suffix)(T x, uint lane) { \
    return from_lane(__ups_active_lanes(), x, lane, __ups_max_sub_group_size()); \
  } \
  T CAT(__ups_sg_broadcast_, suffix)(T x, uint lane) { \
    return from_lane(__ups_active_lanes(), x, lane, __ups_max_sub_group_size()); \
  }

/// The intrinsics take signed types T; the operation is that of U.
#define COLLECTIVE(op, name, T, U, least, greatest, suffix) \
  HELPER U CAT(reduced_, name)(uint set, uint active, U x) { \
    return from_lane(active, CAT(set_scan_, op)(set, active, x), last_lane(set)); \
  } \
  T CAT4(__ups_sg_reduce_, name, _, suffix)(T x) { \
    uint active = __ups_active_lanes(); \
    return (T)CAT(reduced_, name)(active, active, (U)x); \
  } \
  T CAT4(__ups_sg_scan_inclusive_, name, _, suffix)(T x) { \
    uint active = __ups_active_lanes(); \
    return (T)CAT(set_scan_, op)(active, active, (U)x); \
  } \
  T CAT4(__ups_sg_scan_exclusive_, name, _, suffix)(T x) { \
    uint active = __ups_active_lanes(), before = active & lanes_below(lane_id()); \
    U scan = CAT(set_scan_, op)(active, active, (U)x); \
    U value = from_lane(active, scan, before ? last_lane(before) : lane_id()); \
    return (T)(before ? value : CAT(IDENTITY_, op)(U, least, greatest)); \
  } \
  T CAT4(__ups_sg_clustered_reduce_, name, _, suffix)(T x, uint size) { \
    uint active = __ups_active_lanes(); \
    return (T)CAT(reduced_, name)(cluster_lanes(active, size), active, (U)x); \
  }

#define INTEGERS(T, U, suffix, least, greatest, ugreatest) \
  COLLECTIVE(add, add, T, T, least, greatest, suffix) COLLECTIVE(mul, mul, T, T, least, greatest, suffix) \
  COLLECTIVE(and, and, T, T, least, greatest, suffix) COLLECTIVE(or, or, T, T, least, greatest, suffix) \
  COLLECTIVE(xor, xor, T, T, least, greatest, suffix) COLLECTIVE(min, smin, T, T, least, greatest, suffix) \
  COLLECTIVE(max, smax, T, T, least, greatest, suffix) COLLECTIVE(min, umin, T, U, 0, ugreatest, suffix) \
  COLLECTIVE(max, umax, T, U, 0, ugreatest, suffix) MOVES(T, suffix)
#define FLOATS(T, suffix) \
  COLLECTIVE(add, fadd, T, T, -INFINITY, INFINITY, suffix) COLLECTIVE(mul, fmul, T, T, -INFINITY, INFINITY, suffix) \
  COLLECTIVE(min, fmin, T, T, -INFINITY, INFINITY, suffix) COLLECTIVE(max, fmax, T, T, -INFINITY, INFINITY, suffix) MOVES(T, suffix)

INTEGERS(char, uchar, i8, CHAR_MIN, CHAR_MAX, UCHAR_MAX)
INTEGERS(short, ushort, i16, SHRT_MIN, SHRT_MAX, USHRT_MAX)
INTEGERS(int, uint, i32, INT_MIN, INT_MAX, UINT_MAX)
INTEGERS(long, ulong, i64, LONG_MIN, LONG_MAX, ULONG_MAX)
FLOATS(half, f16)
FLOATS(float, f32)
FLOATS(double, f64)
