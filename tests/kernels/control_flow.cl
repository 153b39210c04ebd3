// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// control_flow.h as kernels.
#define NOINLINE __attribute__((noinline))
#include "control_flow.h"

#define UPSWEEP_KERNEL(function)                                                                                               \
  kernel void run_##function(global int *out) { out[get_global_id(0)] = function(scramble((uint)get_global_id(0))); }
UPSWEEP_KERNEL(nested_breaks)
UPSWEEP_KERNEL(switch_in_loop)
UPSWEEP_KERNEL(jumps)
UPSWEEP_KERNEL(two_entries)
UPSWEEP_KERNEL(counted_exits)
UPSWEEP_KERNEL(constant_from_a_nest)
UPSWEEP_KERNEL(early_returns)
UPSWEEP_KERNEL(private_array)
UPSWEEP_KERNEL(guarded_division)
UPSWEEP_KERNEL(deep_calls)

// The work-item's id is needed far below.
NOINLINE int level_0(int x) { return x + (int)get_local_id(0); }
#define UPSWEEP_LEVEL(n, below)                                                                                                \
  NOINLINE int level_##n(int x) { return level_##below(x + n) + (x % n == 0); }
UPSWEEP_LEVEL(1, 0)
UPSWEEP_LEVEL(2, 1)
UPSWEEP_LEVEL(3, 2)
UPSWEEP_LEVEL(4, 3)
UPSWEEP_LEVEL(5, 4)
UPSWEEP_LEVEL(6, 5)
UPSWEEP_LEVEL(7, 6)
UPSWEEP_LEVEL(8, 7)
kernel void deep_context(global int *out) {
  int i = (int)get_global_id(0);
  out[i] = i % 3 ? level_8(i) : level_5(2 * i);
}

// Different constants, and lanes that divide next to lanes that do not.
kernel void vector_division(global int *out) {
  int i = (int)get_global_id(0);
  int4 x = (int4)(i, -i, 1000 * i, 77) / (int4)(7, 3, -11, 5);
  uint2 y = (uint2)(i, 2 * i) % (uint2)(10, 3);
  int sum = x.s0 + x.s1 + x.s2 + x.s3 + (int)(y.s0 + y.s1);
  if (i & 1) sum += 10000 / i;
  out[i] = sum;
}

// The guard of a loop that is rotated already, and its end, differ by values that the first iteration alone has.
kernel void rotated_pairs(global int *out) {
  const int n = (int)(get_global_id(0) % 7);
  int sum = 0;
  if (n > 1) {
    int is_first = 1, rest = n;
    do {
      sum += is_first ? 100 : rest;
      is_first = 0;
      rest -= 2;
    } while (rest > 0);
  }
  out[get_global_id(0)] = sum;
}

// Every kind of update, on one side of a branch; each ticket is drawn once.
kernel void atomics(global int *out, local int *bins) {
  uint x = scramble((uint)get_global_id(0));
  for (size_t i = get_local_id(0); i < 16; i += get_local_size(0)) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x % 3 == 0) {
    atomic_add(&bins[x % 8], (int)(x % 5));
    out[16 + atomic_inc(&out[15]) + 1] = 1;
  } else if (x % 3 == 1) {
    for (uint i = 0; i < x % 4; ++i) atomic_inc(&bins[8 + x % 4]);
  } else if (x & 32) {
    atomic_max(&bins[12 + x % 2], (int)(x % 1000));
    int old = atomic_or(&bins[14], 0), seen;
    while ((seen = atomic_cmpxchg(&bins[14], old, old ^ (int)(x & 0xffff))) != old) old = seen;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t i = get_local_id(0);
  if (i < 12) atomic_add(&out[i], bins[i]);
  if (i == 12 || i == 13) atomic_max(&out[i], bins[i]);
  if (i == 14) atomic_xor(&out[i], bins[i]);
}

kernel void barriers_in_uniform_loops(global int *out, local int *tile, int rounds) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = (int)i + 1;
  for (int round = 0; round < rounds; ++round) {
    if (round & 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int other = tile[(i + (size_t)round) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
      tile[i] = other;
      continue;
    }
    for (int step = 0; step <= round; ++step) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int other = tile[(i + 1) % n] & 0xff;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i % 3 == 0) continue;
      tile[i] += other;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[i];
}
