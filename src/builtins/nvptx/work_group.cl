// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group functions: those of warps, then the warps' totals through shared memory, with one barrier. Calls in a row take one half of the
// scratch memory in turns: who writes a half again has been through the other call's barrier, behind which nobody reads the first any more.
#include "collectives.h"

/// The calls so far, modulo 2: a private variable of the passes'.
__private uint *__ups_phase(void);

HELPER __local ulong *next_half(void) {
  __private uint *phase = __ups_phase();
  *phase ^= 1;
  return (__local ulong *)__ups_scratch() + *phase * 32;
}

HELPER uint warps(void) { return (threads() + 31) / 32; }

/// Shares the warps' totals: afterwards lane i of each warp has warp i's, or the identity.
#define EXCHANGE(T) \
  HELPER T exchange(T total, bool gives, T identity) { \
    __local T *totals = (__local T *)next_half(); \
    if (gives) totals[linear_thread() / 32] = total; \
    block_barrier(); \
    uint lane = lane_id(); \
    return lane < warps() ? totals[lane] : identity; \
  }

#define COLLECTIVE(op, T, least, greatest) \
  SMALL T CAT(work_group_reduce_, op)(T x) { \
    uint lanes = existing_lanes(); \
    T own = CAT(warp_reduce_, op)(lanes, x); \
    if (threads() <= 32) return own; \
    T total = exchange(own, lane_id() == 0, CAT(IDENTITY_, op)(T, least, greatest)); \
    /* A last warp with fewer lanes than there are warps lacks some of the totals. */ \
    if (lanes == ALL_LANES) return CAT(warp_reduce_, op)(lanes, total); \
    return CAT(all_slots_, op)(CAT(IDENTITY_, op)(T, least, greatest)); \
  } \
  HELPER T CAT(before_warp_, op)(uint lanes, T own) { \
    if (threads() <= 32) return CAT(IDENTITY_, op)(T, least, greatest); \
    T total = exchange(own, lane_id() == last_lane(lanes), CAT(IDENTITY_, op)(T, least, greatest)); \
    uint warp = linear_thread() / 32; \
    if (lanes != ALL_LANES) return CAT(slots_before_, op)(warp, CAT(IDENTITY_, op)(T, least, greatest)); \
    return CAT(warp_reduce_, op)(lanes, lane_id() < warp ? total : CAT(IDENTITY_, op)(T, least, greatest)); \
  } \
  SMALL T CAT(work_group_scan_inclusive_, op)(T x) { \
    uint lanes = existing_lanes(); \
    T scan = CAT(warp_scan_, op)(lanes, x); \
    return CAT(apply_, op)(CAT(before_warp_, op)(lanes, scan), scan); \
  } \
  SMALL T CAT(work_group_scan_exclusive_, op)(T x) { \
    uint lanes = existing_lanes(); \
    T scan = CAT(warp_scan_, op)(lanes, x); \
    T before = CAT(before_warp_, op)(lanes, scan); \
    T below = from_below(lanes, scan, 1); \
    return lane_id() == 0 ? before : CAT(apply_, op)(before, below); \
  }

/// For a warp that is not whole: its lanes take the slots in turns.
#define SLOTS(op, T) \
  HELPER T CAT(slots_before_, op)(uint end, T identity) { \
    __local T *totals = (__local T *)((__local ulong *)__ups_scratch() + *__ups_phase() * 32); \
    T total = identity; \
    for (uint i = 0; i < end; ++i) total = CAT(apply_, op)(total, totals[i]); \
    return total; \
  } \
  HELPER T CAT(all_slots_, op)(T identity) { return CAT(slots_before_, op)(warps(), identity); }

#define COLLECTIVES(T, least, greatest, ...) \
  EXCHANGE(T) SLOTS(add, T) SLOTS(min, T) SLOTS(max, T) \
  COLLECTIVE(add, T, least, greatest) COLLECTIVE(min, T, least, greatest) COLLECTIVE(max, T, least, greatest)
COLLECTIVES(int, INT_MIN, INT_MAX)
COLLECTIVES(uint, 0, UINT_MAX)
COLLECTIVES(long, LONG_MIN, LONG_MAX)
COLLECTIVES(ulong, 0, ULONG_MAX)
FOR_LIMITED_FLOATS(COLLECTIVES)

SMALL int work_group_all(int predicate) { return work_group_reduce_min((int)(predicate != 0)); }
SMALL int work_group_any(int predicate) { return work_group_reduce_max((int)(predicate != 0)); }

#define BROADCAST(T, ...) \
  HELPER T from_item(T x, uint item) { \
    __local T *value = (__local T *)next_half(); \
    if (linear_thread() == item) *value = x; \
    block_barrier(); \
    return *value; \
  } \
  SMALL T work_group_broadcast(T x, size_t id) { return from_item(x, (uint)id); } \
  SMALL T work_group_broadcast(T x, size_t id_x, size_t id_y) { return from_item(x, (uint)id_y * threads_x() + (uint)id_x); } \
  SMALL T work_group_broadcast(T x, size_t id_x, size_t id_y, size_t id_z) { \
    return from_item(x, ((uint)id_z * threads_y() + (uint)id_y) * threads_x() + (uint)id_x); \
  }
BROADCAST(int)
BROADCAST(uint)
BROADCAST(long)
BROADCAST(ulong)
BROADCAST(half)
BROADCAST(float)
BROADCAST(double)
