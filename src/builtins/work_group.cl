// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group collectives (specification: "Work-Group Functions"): a sub-group collective, then the totals across sub-groups.
// Work O(items), depth O(log lanes + sub-groups); no loop over work-items.
//
// If sub-groups run in the order of their ids, the totals are one running value in scratch memory: each sub-group reads it and adds its
// own. Before that, all sub-groups must have finished any earlier collective that used it: __ups_scratch_barrier(). A scan needs no more
// than this. A reduction's result is published by the last sub-group and read after a barrier. The last sub-group publishes the next
// result only after it has read this result, so one slot suffices. If the order is free (kernels that poll memory, scalar code), each
// sub-group has a slot and adds up the earlier slots.
//
// Every lane loads and stores the same scratch value, so the vectoriser makes scalar accesses.
#include "library.h"
#include "sub_group_intrinsics.h"

uint __attribute__((overloadable, const)) get_num_sub_groups(void);

// Scratch: three 8-byte slots, then from byte 64 one slot of 8 bytes per sub-group.
#define RUNNING(T) ((__local T *)__ups_scratch())
#define RESULT(T) ((__local T *)((__local char *)__ups_scratch() + 8))
#define PENDING(T) ((__local T *)((__local char *)__ups_scratch() + 16))
#define SLOT(T, i) (*(__local T *)((__local char *)__ups_scratch() + 64 + 8 * (i)))
#define LOCAL_BARRIER() __ups_work_group_barrier(CLK_LOCAL_MEM_FENCE)

HELPER bool is_last_sub_group(void) { return __ups_sub_group_id() == get_num_sub_groups() - 1; }

// Known at compile time if all lanes exist, unlike the sub-group's size.
HELPER uint last_lane(void) { return 63 - __builtin_clzl(__ups_sg_ballot(1)); }


#define DEFINE_OPERATIONS(T, ...) \
  HELPER T sum_of(T a, T b) { return a + b; } \
  HELPER T lesser_of(T a, T b) { return a < b ? a : b; } \
  HELPER T greater_of(T a, T b) { return a > b ? a : b; } \
  HELPER T product_of(T a, T b) { return a * b; }
FOR_LANES(DEFINE_OPERATIONS)
#define DEFINE_BITWISE_OPERATIONS(T, ...) \
  HELPER T common_of(T a, T b) { return a & b; } \
  HELPER T either_of(T a, T b) { return a | b; } \
  HELPER T differing_of(T a, T b) { return a ^ b; }
FOR_INTEGER_LANES(DEFINE_BITWISE_OPERATIONS)

// Total of the sub-groups before `end`, in chunks of a sub-group's size.
#define DEFINE_COLLECTIVE(name, combine, T, identity) \
  HELPER T CAT(slots_before_, name)(T own_total, uint end) { \
    LOCAL_BARRIER(); \
    SLOT(T, __ups_sub_group_id()) = own_total; \
    LOCAL_BARRIER(); \
    T total = identity; \
    uint lanes = last_lane() + 1; \
    for (uint first = 0; first < end; first += lanes) { \
      uint i = first + __ups_lane(); \
      T slot = SLOT(T, lesser_of(i, end - 1)); \
      total = combine(total, CAT(sg_reduce_, name)(i < end ? slot : (T)(identity))); \
    } \
    return total; \
  } \
  HELPER T CAT(group_prefix_, name)(T own_total) { \
    if (!__ups_in_order()) return CAT(slots_before_, name)(own_total, __ups_sub_group_id()); \
    __ups_scratch_barrier(); \
    T before = __ups_sub_group_id() == 0 ? (T)(identity) : *RUNNING(T); \
    *RUNNING(T) = combine(before, own_total); \
    return before; \
  } \
  SMALL T CAT(work_group_reduce_, name)(T x) { \
    T own = CAT(sg_reduce_, name)(x); \
    if (!__ups_in_order()) return CAT(slots_before_, name)(own, get_num_sub_groups()); \
    T total = combine(CAT(group_prefix_, name)(own), own); \
    if (is_last_sub_group()) *RESULT(T) = total; \
    LOCAL_BARRIER(); \
    return *RESULT(T); \
  } \
  SMALL T CAT(work_group_scan_inclusive_, name)(T x) { \
    T scan = CAT(sg_scan_inclusive_, name)(x); \
    T before = CAT(group_prefix_, name)(sg_broadcast(scan, last_lane())); \
    return combine(before, scan); \
  } \
  SMALL T CAT(work_group_scan_exclusive_, name)(T x) { \
    /* Both scans are one and the same but for the last step. */ \
    T scan = CAT(sg_scan_exclusive_, name)(x), inclusive = CAT(sg_scan_inclusive_, name)(x); \
    T before = CAT(group_prefix_, name)(sg_broadcast(inclusive, last_lane())); \
    return combine(before, scan); \
  }

#define DEFINE_INTEGERS(T, least, greatest) \
  DEFINE_COLLECTIVE(add, sum_of, T, 0) \
  DEFINE_COLLECTIVE(min, lesser_of, T, greatest) \
  DEFINE_COLLECTIVE(max, greater_of, T, least) \
  DEFINE_COLLECTIVE(mul, product_of, T, 1) \
  DEFINE_COLLECTIVE(and, common_of, T, ~(T)0) \
  DEFINE_COLLECTIVE(or, either_of, T, 0) \
  DEFINE_COLLECTIVE(xor, differing_of, T, 0)
#define DEFINE_FLOATS(T) \
  DEFINE_COLLECTIVE(add, sum_of, T, 0) \
  DEFINE_COLLECTIVE(min, lesser_of, T, INFINITY) \
  DEFINE_COLLECTIVE(max, greater_of, T, -INFINITY) \
  DEFINE_COLLECTIVE(mul, product_of, T, 1)

DEFINE_INTEGERS(int, INT_MIN, INT_MAX)
DEFINE_INTEGERS(uint, 0, UINT_MAX)
DEFINE_INTEGERS(long, LONG_MIN, LONG_MAX)
DEFINE_INTEGERS(ulong, 0, ULONG_MAX)
DEFINE_FLOATS(half)
DEFINE_FLOATS(float)
DEFINE_FLOATS(double)

// Logical operations are bitwise operations on 0 and 1; the exclusive scan by "and" begins with 1.
#define DEFINE_LOGICAL(op) \
  SMALL int CAT(work_group_reduce_logical_, op)(int x) { return CAT(work_group_reduce_, op)((int)(x != 0)); } \
  SMALL int CAT(work_group_scan_inclusive_logical_, op)(int x) { return CAT(work_group_scan_inclusive_, op)((int)(x != 0)); } \
  SMALL int CAT(work_group_scan_exclusive_logical_, op)(int x) { return CAT(work_group_scan_exclusive_, op)((int)(x != 0)) & 1; }
DEFINE_LOGICAL(and)
DEFINE_LOGICAL(or)
DEFINE_LOGICAL(xor)

SMALL int work_group_all(int predicate) { return work_group_reduce_min((int)(predicate != 0)); }
SMALL int work_group_any(int predicate) { return work_group_reduce_max((int)(predicate != 0)); }

// The owner's sub-group passes the value to the last sub-group, which publishes it like a reduction's result.
#define DEFINE_BROADCAST(T, ...) \
  HELPER T broadcast_linear(T x, uint item) { \
    uint owner = sg_broadcast(item, 0); /* the caller's promise that it is the same for all, made visible */ \
    uint lanes = __ups_max_sub_group_size(); \
    if (!__ups_in_order()) { \
      LOCAL_BARRIER(); \
      if (__ups_sub_group_id() == owner / lanes) *RESULT(T) = sg_broadcast(x, owner % lanes); \
      LOCAL_BARRIER(); \
      return *RESULT(T); \
    } \
    if (__ups_sub_group_id() == owner / lanes) *PENDING(T) = sg_broadcast(x, owner % lanes); \
    if (is_last_sub_group()) *RESULT(T) = *PENDING(T); \
    LOCAL_BARRIER(); \
    return *RESULT(T); \
  } \
  SMALL T work_group_broadcast(T x, size_t id) { return broadcast_linear(x, (uint)id); } \
  SMALL T work_group_broadcast(T x, size_t id_x, size_t id_y) { \
    return broadcast_linear(x, (uint)(id_y * __ups_local_size(0) + id_x)); \
  } \
  SMALL T work_group_broadcast(T x, size_t id_x, size_t id_y, size_t id_z) { \
    return broadcast_linear(x, (uint)((id_z * __ups_local_size(1) + id_y) * __ups_local_size(0) + id_x)); \
  }

DEFINE_BROADCAST(int)
DEFINE_BROADCAST(uint)
DEFINE_BROADCAST(long)
DEFINE_BROADCAST(ulong)
DEFINE_BROADCAST(half)
DEFINE_BROADCAST(float)
DEFINE_BROADCAST(double)
