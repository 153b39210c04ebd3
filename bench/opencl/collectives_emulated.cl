// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Substitutes for collectives that OpenCL C lacks: in local memory with barriers, or on NVIDIA's GPUs by shuffles in inline
// PTX. RUN is the number of work-items that combine (GROUP, or 32 for a sub-group), OPERATOR is ADD, MIN or MAX.
#define ADD(a, b) ((a) + (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((a) < (b) ? (b) : (a))

#ifndef SHUFFLES
#define EMULATION_MEMORY local TYPE memory[2 * GROUP];

// Kogge and Stone: the steps add the elements 1, 2, 4 … below. Two alternating arrays save a barrier in each step.
TYPE scan_in_memory(TYPE x, local TYPE *memory, bool inclusive) {
  const uint item = get_local_id(0), place = item % RUN;
  local TYPE *from = memory, *to = memory + GROUP;
  from[item] = x;
  for (uint distance = 1; distance < RUN; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (place >= distance) x = OPERATOR(from[item - distance], x);
    to[item] = x;
    local TYPE *last = from;
    from = to;
    to = last;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const TYPE before = place == 0 ? (TYPE)IDENTITY : from[item - (inclusive ? 0 : 1)];
  // The next call may write to either half.
  barrier(CLK_LOCAL_MEM_FENCE);
  return inclusive ? x : before;
}

// A tree with half as many work-items after each barrier.
TYPE reduce_in_memory(TYPE x, local TYPE *memory) {
  const uint item = get_local_id(0), place = item % RUN;
  memory[item] = x;
  for (uint width = RUN / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (place < width) memory[item] = x = OPERATOR(x, memory[item + width]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  x = memory[item - place];
  barrier(CLK_LOCAL_MEM_FENCE);
  return x;
}

TYPE broadcast_in_memory(TYPE x, local TYPE *memory) {
  const uint item = get_local_id(0), place = item % RUN;
  if (place == 3) memory[item - place] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  x = memory[item - place];
  barrier(CLK_LOCAL_MEM_FENCE);
  return x;
}

#define SCAN_INCLUSIVE(x) scan_in_memory(x, memory, true)
#define SCAN_EXCLUSIVE(x) scan_in_memory(x, memory, false)
#define REDUCE(x) reduce_in_memory(x, memory)
#define BROADCAST(x) broadcast_in_memory(x, memory)

#else
// Two alternating halves save a barrier: before a work-item rewrites a half, it passes the barrier of the call between.
#define WARPS ((GROUP + 31) / 32)
#define EMULATION_MEMORY                                                                                                       \
  local TYPE totals[2][WARPS];                                                                                                 \
  uint half_index = 0;

#define MOVE_WORD(name, kind, clamp)                                                                                           \
  uint name##_word(uint x, uint lane) {                                                                                        \
    uint result;                                                                                                               \
    asm volatile("shfl.sync." kind ".b32 %0, %1, %2, " clamp ", 0xffffffff;" : "=r"(result) : "r"(x), "r"(lane));              \
    return result;                                                                                                             \
  }
MOVE_WORD(from_below, "up", "0")
MOVE_WORD(from_across, "bfly", "31")
MOVE_WORD(from_lane, "idx", "31")
#ifdef LARGE
#define MOVE(name)                                                                                                             \
  TYPE name(TYPE x, uint lane) {                                                                                               \
    const uint2 words = as_uint2(x);                                                                                           \
    return CAT(as_, TYPE)((uint2)(name##_word(words.x, lane), name##_word(words.y, lane)));                                    \
  }
#else
#define MOVE(name)                                                                                                             \
  TYPE name(TYPE x, uint lane) { return CAT(as_, TYPE)(name##_word(as_uint(x), lane)); }
#endif
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
MOVE(from_below)
MOVE(from_across)
MOVE(from_lane)

TYPE scan_warp(TYPE x) {
  const uint lane = get_local_id(0) % 32;
#pragma unroll
  for (uint distance = 1; distance < 32; distance *= 2) {
    const TYPE below = from_below(x, distance);
    if (lane >= distance) x = OPERATOR(below, x);
  }
  return x;
}

// Reduces the lowest `lanes` lanes; `lanes` is a power of two.
TYPE reduce_warp(TYPE x, uint lanes) {
#pragma unroll
  for (uint mask = 16; mask > 0; mask /= 2)
    if (mask < lanes) {
      const TYPE other = from_across(x, mask);  // not in the operator, which may evaluate it in a branch
      x = OPERATOR(x, other);
    }
  return x;
}

TYPE scan_by_shuffles(TYPE x, local TYPE *totals, bool inclusive) {
  const uint lane = get_local_id(0) % 32, warp = get_local_id(0) / 32;
  const TYPE up_to = scan_warp(x), below = from_below(up_to, 1);
  TYPE before = (TYPE)IDENTITY;
  if (RUN > 32) {
    if (lane == 31) totals[warp] = up_to;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint from = lane % WARPS;
    before = reduce_warp(from < warp ? totals[from] : (TYPE)IDENTITY, WARPS);
  }
  if (inclusive) return OPERATOR(before, up_to);
  return lane == 0 ? before : OPERATOR(before, below);
}

TYPE reduce_by_shuffles(TYPE x, local TYPE *totals) {
  const uint lane = get_local_id(0) % 32, warp = get_local_id(0) / 32;
  x = reduce_warp(x, 32);
  if (RUN <= 32) return x;
  if (lane == 0) totals[warp] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  return reduce_warp(totals[lane % WARPS], WARPS);
}

TYPE broadcast_by_shuffles(TYPE x, local TYPE *totals) {
  if (RUN <= 32) return from_lane(x, 3);
  if (get_local_id(0) == 3) totals[0] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  return totals[0];
}

#define SCAN_INCLUSIVE(x) scan_by_shuffles(x, totals[half_index ^= 1], true)
#define SCAN_EXCLUSIVE(x) scan_by_shuffles(x, totals[half_index ^= 1], false)
#define REDUCE(x) reduce_by_shuffles(x, totals[half_index ^= 1])
#define BROADCAST(x) broadcast_by_shuffles(x, totals[half_index ^= 1])
#endif
