// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_subgroups, cl_intel_subgroups_char, cl_intel_subgroups_short and cl_intel_subgroups_long: shuffles, collectives of narrow
// integers, and blocks of buffers. images/blocks.cl has the blocks of images.
#include "library.h"
#include "sub_group_intrinsics.h"

#define SHUFFLES(T, ...) \
  SMALL T intel_sub_group_shuffle(T x, uint lane) { return sg_shuffle(x, lane); } \
  SMALL T intel_sub_group_shuffle_xor(T x, uint mask) { return sg_shuffle(x, __ups_lane() ^ mask); } \
  /* Both values of a sub-group are a row of twice its size. */ \
  HELPER T from_two(T first, T second, uint place) { \
    uint size = __ups_max_sub_group_size(), lane = place < size ? place : place - size; \
    T near = sg_shuffle(first, lane), far = sg_shuffle(second, lane); \
    return place < size ? near : far; \
  } \
  SMALL T intel_sub_group_shuffle_down(T current, T next, uint delta) { return from_two(current, next, __ups_lane() + delta); } \
  SMALL T intel_sub_group_shuffle_up(T previous, T current, uint delta) { \
    return from_two(previous, current, __ups_max_sub_group_size() + __ups_lane() - delta); \
  }
FOR_LANES(SHUFFLES)

#define VECTOR_SHUFFLES(N, T, ...) \
  SMALL CAT(T, N) intel_sub_group_shuffle(CAT(T, N) x, uint lane) BY_COMPONENT(N, T, intel_sub_group_shuffle(x[i], lane)) \
  SMALL CAT(T, N) intel_sub_group_shuffle_xor(CAT(T, N) x, uint mask) BY_COMPONENT(N, T, intel_sub_group_shuffle_xor(x[i], mask)) \
  SMALL CAT(T, N) intel_sub_group_shuffle_down(CAT(T, N) current, CAT(T, N) next, uint delta) \
    BY_COMPONENT(N, T, intel_sub_group_shuffle_down(current[i], next[i], delta)) \
  SMALL CAT(T, N) intel_sub_group_shuffle_up(CAT(T, N) previous, CAT(T, N) current, uint delta) \
    BY_COMPONENT(N, T, intel_sub_group_shuffle_up(previous[i], current[i], delta))
#define FOR_SHUFFLED_VECTORS(T) FOR_VECTORS(VECTOR_SHUFFLES, T)
FOR_SHUFFLED_VECTORS(char)
FOR_SHUFFLED_VECTORS(uchar)
FOR_SHUFFLED_VECTORS(short)
FOR_SHUFFLED_VECTORS(ushort)
FOR_SHUFFLED_VECTORS(int)
FOR_SHUFFLED_VECTORS(uint)
FOR_SHUFFLED_VECTORS(float)

// The narrow integers' own names.
#define COLLECTIVE(op, T) \
  SMALL T CAT(intel_sub_group_reduce_, op)(T x) { return CAT(sg_reduce_, op)(x); } \
  SMALL T CAT(intel_sub_group_scan_inclusive_, op)(T x) { return CAT(sg_scan_inclusive_, op)(x); } \
  SMALL T CAT(intel_sub_group_scan_exclusive_, op)(T x) { return CAT(sg_scan_exclusive_, op)(x); }
#define COLLECTIVES(T) \
  SMALL T intel_sub_group_broadcast(T x, uint lane) { return sg_broadcast(x, lane); } \
  COLLECTIVE(add, T) COLLECTIVE(min, T) COLLECTIVE(max, T)
COLLECTIVES(char)
COLLECTIVES(uchar)
COLLECTIVES(short)
COLLECTIVES(ushort)

// Blocks. A work-item's components are a sub-group's size apart, so that each is one access of all lanes.
HELPER uint place(uint component) { return component * __ups_max_sub_group_size() + __ups_lane(); }

#define COMMON(T, ...) \
  HELPER const __global T *common(const __global T *p) { return (const __global T *)__ups_sg_common_pointer(p); } \
  HELPER __global T *common(__global T *p) { return (__global T *)__ups_sg_common_pointer(p); }
FOR_UNSIGNED(COMMON)

#define BLOCK(T, suffix) \
  SMALL T CAT(intel_sub_group_block_read, suffix)(const __global T *p) { return common(p)[place(0)]; } \
  SMALL void CAT(intel_sub_group_block_write, suffix)(__global T *p, T x) { common(p)[place(0)] = x; }
#define VECTOR_BLOCK(N, T, suffix) \
  SMALL CAT(T, N) CAT3(intel_sub_group_block_read, suffix, N)(const __global T *p) { \
    const __global T *block = common(p); \
    BY_COMPONENT(N, T, block[place((uint)i)]) \
  } \
  SMALL void CAT3(intel_sub_group_block_write, suffix, N)(__global T *p, CAT(T, N) x) { \
    __global T *block = common(p); \
    _Pragma("unroll") for (int i = 0; i < N; ++i) block[place((uint)i)] = x[i]; \
  }
#define BLOCKS(T, suffix) VECTOR_BLOCK(2, T, suffix) VECTOR_BLOCK(4, T, suffix) VECTOR_BLOCK(8, T, suffix)
BLOCK(uchar, _uc)
BLOCKS(uchar, _uc)
VECTOR_BLOCK(16, uchar, _uc)
BLOCK(ushort, _us)
BLOCKS(ushort, _us)
BLOCK(uint, )
BLOCKS(uint, )
BLOCK(uint, _ui)
BLOCKS(uint, _ui)
BLOCK(ulong, _ul)
BLOCKS(ulong, _ul)
