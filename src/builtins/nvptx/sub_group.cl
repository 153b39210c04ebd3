// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-group functions that all work-items of a sub-group call together: over the existing lanes, even if the warp has diverged.
#include "collectives.h"

SMALL int sub_group_all(int predicate) { return warp_ballot(existing_lanes(), predicate == 0) == 0; }
SMALL int sub_group_any(int predicate) { return warp_ballot(existing_lanes(), predicate != 0) != 0; }

#define COLLECTIVE(op, T, least, greatest) \
  SMALL T CAT(sub_group_reduce_, op)(T x) { return CAT(warp_reduce_, op)(existing_lanes(), x); } \
  SMALL T CAT(sub_group_scan_inclusive_, op)(T x) { return CAT(warp_scan_, op)(existing_lanes(), x); } \
  SMALL T CAT(sub_group_scan_exclusive_, op)(T x) { \
    uint lanes = existing_lanes(); \
    T before = from_below(lanes, CAT(warp_scan_, op)(lanes, x), 1); \
    return lane_id() == 0 ? CAT(IDENTITY_, op)(T, least, greatest) : before; \
  }
#define COLLECTIVES(T, least, greatest, ...) \
  COLLECTIVE(add, T, least, greatest) COLLECTIVE(min, T, least, greatest) COLLECTIVE(max, T, least, greatest)
FOR_LIMITED_INTEGERS(COLLECTIVES)
FOR_LIMITED_FLOATS(COLLECTIVES)

#define VECTOR_BROADCAST(N, T, ...) \
  SMALL CAT(T, N) sub_group_broadcast(CAT(T, N) x, uint lane) BY_COMPONENT(N, T, from_lane(existing_lanes(), x[i], lane))
#define BROADCAST(T, ...) \
  SMALL T sub_group_broadcast(T x, uint lane) { return from_lane(existing_lanes(), x, lane); } \
  FOR_VECTORS(VECTOR_BROADCAST, T)
FOR_TYPES(BROADCAST)
