// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-group functions that all work-items of a sub-group call together: over its existing lanes, even if the warp has diverged.
#include "collectives.h"

SMALL int sub_group_all(int predicate) { return warp_ballot(sub_group_lanes(), predicate == 0) == 0; }
SMALL int sub_group_any(int predicate) { return warp_ballot(sub_group_lanes(), predicate != 0) != 0; }

/// part_scan_OP(lanes, x) and part_reduce_OP(lanes, x): the warp's functions, or the same within a part of the warp.
#define PART(op, T) \
  HELPER T CAT(part_scan_, op)(uint lanes, T x) { \
    const uint size = __ups_max_sub_group_size(); \
    if (size == 32) return CAT(warp_scan_, op)(lanes, x); \
    _Pragma("unroll") for (uint delta = 1; delta < 16; delta *= 2) { \
      if (delta < size) { \
        T before = from_below(lanes, x, delta, size); \
        x = __ups_lane() >= delta ? CAT(apply_, op)(before, x) : x; \
      } \
    } \
    return x; \
  } \
  HELPER T CAT(part_reduce_, op)(uint lanes, T x) { \
    if (__ups_max_sub_group_size() == 32) return CAT(warp_reduce_, op)(lanes, x); \
    return from_lane(lanes, CAT(part_scan_, op)(lanes, x), last_lane(lanes)); \
  }
#define PARTS(T, ...) PART(add, T) PART(min, T) PART(max, T)
FOR_TYPES(PARTS)

#define COLLECTIVE(op, T, least, greatest) \
  SMALL T CAT(sub_group_reduce_, op)(T x) { return CAT(part_reduce_, op)(sub_group_lanes(), x); } \
  SMALL T CAT(sub_group_scan_inclusive_, op)(T x) { return CAT(part_scan_, op)(sub_group_lanes(), x); } \
  SMALL T CAT(sub_group_scan_exclusive_, op)(T x) { \
    uint lanes = sub_group_lanes(); \
    T before = from_below(lanes, CAT(part_scan_, op)(lanes, x), 1, __ups_max_sub_group_size()); \
    return __ups_lane() == 0 ? CAT(IDENTITY_, op)(T, least, greatest) : before; \
  }
#define COLLECTIVES(T, least, greatest, ...) \
  COLLECTIVE(add, T, least, greatest) COLLECTIVE(min, T, least, greatest) COLLECTIVE(max, T, least, greatest)
FOR_LIMITED_INTEGERS(COLLECTIVES)
FOR_LIMITED_FLOATS(COLLECTIVES)

#define VECTOR_BROADCAST(N, T, ...) \
  SMALL CAT(T, N) sub_group_broadcast(CAT(T, N) x, uint lane) BY_COMPONENT(N, T, sub_group_broadcast(x[i], lane))
#define BROADCAST(T, ...) \
  SMALL T sub_group_broadcast(T x, uint lane) { \
    return from_lane(sub_group_lanes(), x, lane, __ups_max_sub_group_size()); \
  } \
  FOR_VECTORS(VECTOR_BROADCAST, T)
FOR_TYPES(BROADCAST)
