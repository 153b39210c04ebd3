// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA GPUs' intrinsics: LLVM's under OpenCL names, and fields of the launch, which the passes read from a kernel parameter
// (src/targets/cuda/kernel_abi.h). A work-group is a block of threads whose ids are the local ids. A sub-group is a warp, or an aligned part of
// a warp if the kernel requires 8 or 16 work-items.
#pragma once
#include "../library.h"

#define ALL_LANES 0xffffffffu

#define INTRINSIC(T, name, parameters, llvm) T name parameters __asm(llvm);
INTRINSIC(PURE uint, thread_x, (void), "llvm.nvvm.read.ptx.sreg.tid.x")
INTRINSIC(PURE uint, thread_y, (void), "llvm.nvvm.read.ptx.sreg.tid.y")
INTRINSIC(PURE uint, thread_z, (void), "llvm.nvvm.read.ptx.sreg.tid.z")
INTRINSIC(PURE uint, threads_x, (void), "llvm.nvvm.read.ptx.sreg.ntid.x")
INTRINSIC(PURE uint, threads_y, (void), "llvm.nvvm.read.ptx.sreg.ntid.y")
INTRINSIC(PURE uint, threads_z, (void), "llvm.nvvm.read.ptx.sreg.ntid.z")
INTRINSIC(PURE uint, block_x, (void), "llvm.nvvm.read.ptx.sreg.ctaid.x")
INTRINSIC(PURE uint, block_y, (void), "llvm.nvvm.read.ptx.sreg.ctaid.y")
INTRINSIC(PURE uint, block_z, (void), "llvm.nvvm.read.ptx.sreg.ctaid.z")
INTRINSIC(PURE uint, blocks_x, (void), "llvm.nvvm.read.ptx.sreg.nctaid.x")
INTRINSIC(PURE uint, blocks_y, (void), "llvm.nvvm.read.ptx.sreg.nctaid.y")
INTRINSIC(PURE uint, blocks_z, (void), "llvm.nvvm.read.ptx.sreg.nctaid.z")
INTRINSIC(int, block_any, (int predicate), "llvm.nvvm.barrier0.or")
INTRINSIC(int, block_all, (int predicate), "llvm.nvvm.barrier0.and")
INTRINSIC(PURE uint, lane_id, (void), "llvm.nvvm.read.ptx.sreg.laneid")
INTRINSIC(void, block_barrier, (void), "llvm.nvvm.barrier0")
INTRINSIC(void, warp_barrier, (uint lanes), "llvm.nvvm.bar.warp.sync")
INTRINSIC(uint, warp_ballot, (uint lanes, bool predicate), "llvm.nvvm.vote.ballot.sync")
INTRINSIC(int, shuffle_lane, (uint lanes, int x, uint lane, int clamp), "llvm.nvvm.shfl.sync.idx.i32")
INTRINSIC(int, shuffle_up, (uint lanes, int x, uint delta, int clamp), "llvm.nvvm.shfl.sync.up.i32")
INTRINSIC(int, shuffle_xor, (uint lanes, int x, uint mask, int clamp), "llvm.nvvm.shfl.sync.bfly.i32")
INTRINSIC(int, redux_add, (int x, uint lanes), "llvm.nvvm.redux.sync.add")
INTRINSIC(int, redux_min, (int x, uint lanes), "llvm.nvvm.redux.sync.min")
INTRINSIC(int, redux_max, (int x, uint lanes), "llvm.nvvm.redux.sync.max")
INTRINSIC(uint, redux_umin, (uint x, uint lanes), "llvm.nvvm.redux.sync.umin")
INTRINSIC(uint, redux_umax, (uint x, uint lanes), "llvm.nvvm.redux.sync.umax")

HELPER PURE uint threads(void) { return threads_x() * threads_y() * threads_z(); }
HELPER PURE uint linear_thread(void) { return thread_x() + threads_x() * (thread_y() + threads_y() * thread_z()); }

/// The lanes of the warp: all, except in a work-group's last warp.
HELPER PURE uint existing_lanes(void) {
  if (threads() % 32 == 0) return ALL_LANES;
  uint rest = threads() - (linear_thread() & ~31u);
  return rest >= 32 ? ALL_LANES : (1u << rest) - 1;
}

HELPER PURE uint lanes_below(uint lane) { return (1u << lane) - 1; }

/// The sub-group's first lane in the warp, and its lanes.
HELPER PURE uint sub_group_start(void) {
  const uint size = __ups_max_sub_group_size();
  return size == 32 ? 0 : lane_id() & ~(size - 1);
}
HELPER PURE uint sub_group_lanes(void) {
  const uint size = __ups_max_sub_group_size();
  return size == 32 ? existing_lanes() : existing_lanes() & (lanes_below(size) << sub_group_start());
}

/// The last operand of a shuffle: the lane that bounds it, and in bits 8 to 12 the bits of a lane's number that stay the same. With a `size`
/// below 32 lanes exchange within aligned groups of that size, and count from the group's first lane.
#define BOUNDS(bound, size) ((bound) | (int)(32 - (size)) << 8)

/// Exchanges values of all types through 32-bit registers: from a lane, from the lane `delta` below, from the lane whose number differs
/// in `mask`.
#define SHUFFLE_SMALL(T, U) \
  HELPER T from_lane(uint lanes, T x, uint lane, uint size) { \
    return __builtin_astype((U)shuffle_lane(lanes, (int)__builtin_astype(x, U), lane, BOUNDS(31, size)), T); \
  } \
  HELPER T from_below(uint lanes, T x, uint delta, uint size) { \
    return __builtin_astype((U)shuffle_up(lanes, (int)__builtin_astype(x, U), delta, BOUNDS(0, size)), T); \
  } \
  HELPER T from_across(uint lanes, T x, uint mask) { \
    return __builtin_astype((U)shuffle_xor(lanes, (int)__builtin_astype(x, U), mask, 31), T); \
  } \
  SHUFFLE_IN_WARP(T)
#define SHUFFLE_LARGE(T) \
  HELPER T from_lane(uint lanes, T x, uint lane, uint size) { \
    int2 v = __builtin_astype(x, int2); \
    const int bounds = BOUNDS(31, size); \
    return __builtin_astype((int2)(shuffle_lane(lanes, v.x, lane, bounds), shuffle_lane(lanes, v.y, lane, bounds)), T); \
  } \
  HELPER T from_below(uint lanes, T x, uint delta, uint size) { \
    int2 v = __builtin_astype(x, int2); \
    const int bounds = BOUNDS(0, size); \
    return __builtin_astype((int2)(shuffle_up(lanes, v.x, delta, bounds), shuffle_up(lanes, v.y, delta, bounds)), T); \
  } \
  HELPER T from_across(uint lanes, T x, uint mask) { \
    int2 v = __builtin_astype(x, int2); \
    return __builtin_astype((int2)(shuffle_xor(lanes, v.x, mask, 31), shuffle_xor(lanes, v.y, mask, 31)), T); \
  } \
  SHUFFLE_IN_WARP(T)
#define SHUFFLE_IN_WARP(T) \
  HELPER T from_lane(uint lanes, T x, uint lane) { return from_lane(lanes, x, lane, 32u); } \
  HELPER T from_below(uint lanes, T x, uint delta) { return from_below(lanes, x, delta, 32u); }
SHUFFLE_SMALL(char, char)
SHUFFLE_SMALL(uchar, uchar)
SHUFFLE_SMALL(short, short)
SHUFFLE_SMALL(ushort, ushort)
SHUFFLE_SMALL(int, int)
SHUFFLE_SMALL(uint, uint)
SHUFFLE_SMALL(half, ushort)
SHUFFLE_SMALL(float, int)
SHUFFLE_LARGE(long)
SHUFFLE_LARGE(ulong)
SHUFFLE_LARGE(double)

/// Operations by name: apply_add(a, b) etc., with the identities that the specification's exclusive scans require.
#define APPLY_SUMS(T, ...) \
  HELPER T apply_add(T a, T b) { return a + b; } \
  HELPER T apply_mul(T a, T b) { return a * b; }
#define APPLY_EXTREMES(T, ...) \
  HELPER T apply_min(T a, T b) { return b < a ? b : a; } \
  HELPER T apply_max(T a, T b) { return a < b ? b : a; }
#define APPLY(T, ...) APPLY_SUMS(T) APPLY_EXTREMES(T)
#define APPLY_BITS(T, ...) \
  HELPER T apply_and(T a, T b) { return a & b; } \
  HELPER T apply_or(T a, T b) { return a | b; } \
  HELPER T apply_xor(T a, T b) { return a ^ b; }
FOR_INTEGERS(APPLY)
FOR_INTEGERS(APPLY_BITS)
APPLY_SUMS(half)
APPLY_SUMS(float)
APPLY_SUMS(double)
APPLY_EXTREMES(half)
APPLY_EXTREMES(double)

/// A single instruction instead of a comparison and a select.
HELPER float apply_min(float a, float b) { return __builtin_fminf(a, b); }
HELPER float apply_max(float a, float b) { return __builtin_fmaxf(a, b); }

#define IDENTITY_add(T, least, greatest) ((T)0)
#define IDENTITY_mul(T, least, greatest) ((T)1)
#define IDENTITY_min(T, least, greatest) ((T)(greatest))
#define IDENTITY_max(T, least, greatest) ((T)(least))
#define IDENTITY_and(T, least, greatest) ((T)~(T)0)
#define IDENTITY_or(T, least, greatest) ((T)0)
#define IDENTITY_xor(T, least, greatest) ((T)0)

/// M(type, least, greatest)
#define FOR_LIMITED_INTEGERS(M, ...) \
  M(char, CHAR_MIN, CHAR_MAX, __VA_ARGS__) M(uchar, 0, UCHAR_MAX, __VA_ARGS__) \
  M(short, SHRT_MIN, SHRT_MAX, __VA_ARGS__) M(ushort, 0, USHRT_MAX, __VA_ARGS__) \
  M(int, INT_MIN, INT_MAX, __VA_ARGS__) M(uint, 0, UINT_MAX, __VA_ARGS__) \
  M(long, LONG_MIN, LONG_MAX, __VA_ARGS__) M(ulong, 0, ULONG_MAX, __VA_ARGS__)
#define FOR_LIMITED_FLOATS(M, ...) \
  M(half, -INFINITY, INFINITY, __VA_ARGS__) M(float, -INFINITY, INFINITY, __VA_ARGS__) M(double, -INFINITY, INFINITY, __VA_ARGS__)
