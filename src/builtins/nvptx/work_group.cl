// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group functions: a warp function, then the warps' totals through shared memory with one barrier, which consecutive calls share if
// possible (src/passes/gpu/share_barriers.h).
#include "collectives.h"

/// Branch-free, so that the passes can move it: `give` stores the value of the thread with the giver's number; `given` reads any slot,
/// but keeps only a value of the first slots.
#define SLOT(T, as_bits, bits, letter) \
  HELPER void give(__local T *slot, T value, uint number, uint giver) { \
    __asm volatile("{ .reg .pred gives; setp.eq.u32 gives, %2, %3; @gives st.shared.b" bits " [%0], %1; }" \
                   : \
                   : "l"(slot), letter(as_bits(value)), "r"(number), "r"(giver) \
                   : "memory"); \
  } \
  HELPER T given(__local const T *slots, uint slot, uint count, T otherwise) { \
    T value = slots[slot]; \
    return slot < count ? value : otherwise; \
  }
SLOT(int, as_uint, "32", "r")
SLOT(uint, as_uint, "32", "r")
SLOT(long, as_ulong, "64", "l")
SLOT(ulong, as_ulong, "64", "l")
SLOT(half, as_ushort, "16", "h")
SLOT(float, as_uint, "32", "r")
SLOT(double, as_ulong, "64", "l")

HELPER uint warps(void) { return (threads() + 31) / 32; }

/// Exchanges the warps' totals: afterwards lane i of each warp has warp i's total, or the identity.
#define EXCHANGE(T) \
  HELPER __local T *exchange(T total, uint giver) { \
    __local T *totals = (__local T *)__ups_place(); \
    give(totals + linear_thread() / 32, total, lane_id(), giver); \
    __ups_place_barrier(totals); \
    return totals; \
  }

/// Each lane combines a few totals itself (docs/benchmarks/gpu_collectives.md). For more, each lane holds one total, and the lanes
/// combine them by shuffles, unless it is in a last warp with fewer lanes than there are warps.
HELPER uint few(int x) { return 2; }
HELPER uint few(uint x) { return 2; }
HELPER uint few(long x) { return 2; }
HELPER uint few(ulong x) { return 2; }
HELPER uint few(half x) { return 2; }
HELPER uint few(float x) { return 2; }
HELPER uint few(double x) { return 4; }

/// Only the first warp combines; its lanes read up to eight values each, and there is a second barrier: this moves fewer words than
/// shuffles in all warps (docs/benchmarks/gpu_collectives.md). Shuffles first reduce the number of values. All reads of the memory are
/// done when the next call writes to it.
#define BY_MEMORY(op, T) \
  HELPER T CAT(reduce_by_memory_, op)(T x) { \
    const uint lane = lane_id(), warp = linear_thread() / 32; \
    const uint width = warps() > 16 ? 8 : warps() > 8 ? 16 : 32, count = warps() * width; \
    if (width < 32) x = CAT(apply_, op)(x, from_across(ALL_LANES, x, 16)); \
    if (width < 16) x = CAT(apply_, op)(x, from_across(ALL_LANES, x, 8)); \
    __local T *values = (__local T *)__ups_values(), *total = values + 256; \
    if (lane < width) values[warp * width + lane] = x; \
    block_barrier(); \
    if (warp == 0) { \
      x = values[lane]; \
      _Pragma("unroll") for (uint i = lane + 32; i < 256; i += 32) if (i < count) x = CAT(apply_, op)(x, values[i]); \
      x = CAT(warp_reduce_, op)(ALL_LANES, x); \
      if (lane == 0) *total = x; \
    } \
    block_barrier(); \
    return *total; \
  }
/// True if the work-group is whole warps, and so many warps that shared memory is faster. Always false for 32-bit integers,
/// which have an instruction.
#define WHERE_BY_MEMORY(T, is_faster) \
  HELPER bool goes_by_memory(T x) { return is_faster && threads() % 32 == 0 && warps() >= 4; } \
  BY_MEMORY(add, T) BY_MEMORY(min, T) BY_MEMORY(max, T)

#define COLLECTIVE(op, T, least, greatest) \
  HELPER T CAT(first_, op)(__local const T *totals, uint count) { \
    T total = CAT(IDENTITY_, op)(T, least, greatest); \
    for (uint i = 0; i < count; ++i) total = CAT(apply_, op)(total, totals[i]); \
    return total; \
  } \
  /* Of the warps before one, without a branch. */ \
  HELPER T CAT(first_few_, op)(__local const T *totals, uint count) { \
    T total = CAT(IDENTITY_, op)(T, least, greatest); \
    _Pragma("unroll") for (uint i = 0; i + 1 < few(total); ++i) { \
      T more = CAT(apply_, op)(total, totals[i]); \
      total = i < count ? more : total; \
    } \
    return total; \
  } \
  SMALL T CAT(work_group_reduce_, op)(T x) { \
    uint lanes = existing_lanes(); \
    if (goes_by_memory(x)) return CAT(reduce_by_memory_, op)(x); \
    T own = CAT(warp_reduce_, op)(lanes, x); \
    if (threads() <= 32) return own; \
    __local const T *totals = exchange(own, 0); \
    if (warps() <= 4 || lanes != ALL_LANES) return CAT(first_, op)(totals, warps()); \
    return CAT(reduce_slots_, op)(totals, warps(), CAT(IDENTITY_, op)(T, least, greatest)); \
  } \
  HELPER T CAT(before_warp_, op)(uint lanes, T own) { \
    if (threads() <= 32) return CAT(IDENTITY_, op)(T, least, greatest); \
    __local const T *totals = exchange(own, last_lane(lanes)); \
    uint warp = linear_thread() / 32; \
    if (warps() <= few(own)) return CAT(first_few_, op)(totals, warp); \
    if (lanes != ALL_LANES) return CAT(first_, op)(totals, warp); \
    return CAT(reduce_slots_, op)(totals, warp, CAT(IDENTITY_, op)(T, least, greatest)); \
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

/// The first `count` slots, read by all lanes of a whole warp: each reads the slot of its number modulo the smallest power of two that
/// covers all slots, and steps stay within that.
#define SLOTS(op, T) \
  HELPER T CAT(reduce_slots_, op)(__local const T *totals, uint count, T identity) { \
    uint last = warps() - 1, slot = lane_id() & (ALL_LANES >> __builtin_clz(last)); \
    T total = given(totals, slot, count, identity); \
    _Pragma("unroll") for (uint mask = 16; mask > 0; mask /= 2) { \
      if (mask <= last) total = CAT(apply_, op)(total, from_across(ALL_LANES, total, mask)); \
    } \
    return total; \
  }
/// If the device has a faster instruction; doubles and halves need more instructions than it saves.
#define REDUX_SLOTS(op, T) \
  HELPER T CAT(reduce_slots_, op)(__local const T *totals, uint count, T identity) { \
    return CAT(warp_reduce_, op)(ALL_LANES, given(totals, lane_id(), count, identity)); \
  }

WHERE_BY_MEMORY(int, false)
WHERE_BY_MEMORY(uint, false)
WHERE_BY_MEMORY(long, true)
WHERE_BY_MEMORY(ulong, true)
WHERE_BY_MEMORY(half, true)
WHERE_BY_MEMORY(float, true)
WHERE_BY_MEMORY(double, true)
#define COLLECTIVES(T, least, greatest, ...) \
  EXCHANGE(T) \
  COLLECTIVE(add, T, least, greatest) COLLECTIVE(min, T, least, greatest) COLLECTIVE(max, T, least, greatest)
#define FOR_SLOTS(M, T) M(add, T) M(min, T) M(max, T)
FOR_SLOTS(REDUX_SLOTS, int)
FOR_SLOTS(REDUX_SLOTS, uint)
FOR_SLOTS(REDUX_SLOTS, long)
FOR_SLOTS(REDUX_SLOTS, ulong)
SLOTS(add, float)
REDUX_SLOTS(min, float)
REDUX_SLOTS(max, float)
FOR_SLOTS(SLOTS, half)
FOR_SLOTS(SLOTS, double)
COLLECTIVES(int, INT_MIN, INT_MAX)
COLLECTIVES(uint, 0, UINT_MAX)
COLLECTIVES(long, LONG_MIN, LONG_MAX)
COLLECTIVES(ulong, 0, ULONG_MAX)
FOR_LIMITED_FLOATS(COLLECTIVES)

/// cl_khr_work_group_uniform_arithmetic
#define FURTHER(op, T) SHUFFLE_REDUCE(op, T) WARP_REDUCE(op, T) BY_MEMORY(op, T) SLOTS(op, T) COLLECTIVE(op, T, 0, 0)
#define FURTHER_OF_INTEGERS(T) FURTHER(mul, T) FURTHER(and, T) FURTHER(or, T) FURTHER(xor, T)
FURTHER_OF_INTEGERS(int)
FURTHER_OF_INTEGERS(uint)
FURTHER_OF_INTEGERS(long)
FURTHER_OF_INTEGERS(ulong)
FURTHER(mul, half)
FURTHER(mul, float)
FURTHER(mul, double)
/// Bitwise operations on 0 and 1; the exclusive scan by "and" begins with 1.
#define LOGICAL(op) \
  SMALL int CAT(work_group_reduce_logical_, op)(int x) { return CAT(work_group_reduce_, op)((int)(x != 0)); } \
  SMALL int CAT(work_group_scan_inclusive_logical_, op)(int x) { return CAT(work_group_scan_inclusive_, op)((int)(x != 0)); } \
  SMALL int CAT(work_group_scan_exclusive_logical_, op)(int x) { return CAT(work_group_scan_exclusive_, op)((int)(x != 0)) & 1; }
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)

SMALL int work_group_all(int predicate) { return block_all(predicate != 0) != 0; }
SMALL int work_group_any(int predicate) { return block_any(predicate != 0) != 0; }

#define BROADCAST(T, ...) \
  HELPER T from_item(T x, uint item) { \
    if (threads() <= 32) return from_lane(existing_lanes(), x, item); \
    __local T *value = (__local T *)__ups_place(); \
    give(value, x, linear_thread(), item); \
    __ups_place_barrier(value); \
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
