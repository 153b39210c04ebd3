// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every update, of one place by all work-items and of another by some; atomics_test.cpp knows the possible old values.
#include "scramble.h"

// out: the old values of the first place, then its last value, and the same for the second place. Again in local memory, by
// one work-group; each work-item computes the second place's address.
#define UPDATE(name, T, function)                                                                                              \
  kernel void name##_local(global int *out) {                                                                                  \
    local int places[3];                                                                                                       \
    size_t i = get_global_id(0), n = get_global_size(0);                                                                       \
    uint x = scramble((uint)i);                                                                                                \
    if (i == 0) places[0] = places[1] = places[2] = out[n];                                                                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
    out[i] = (int)function((volatile local CONCAT(atomic_, T) *)&places[0], (T)x);                                             \
    out[n + 1 + i] = (int)function((volatile local CONCAT(atomic_, T) *)&places[x % 3 == 0 ? 1 : 2], (T)x);                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
    if (i == 0) out[n] = places[0], out[2 * n + 1] = places[1];                                                                \
  }                                                                                                                            \
  kernel void name(global int *out) {                                                                                          \
    size_t i = get_global_id(0), n = get_global_size(0);                                                                       \
    uint x = scramble((uint)i);                                                                                                \
    out[i] = (int)function((volatile global CONCAT(atomic_, T) *)&out[n], (T)x);                                               \
    if (x % 3 == 0) out[n + 1 + i] = (int)function((volatile global CONCAT(atomic_, T) *)&out[2 * n + 1], (T)x);               \
  }
#define CONCAT(a, b) a##b

UPDATE(add, int, atomic_fetch_add)
UPDATE(sub, int, atomic_fetch_sub)
UPDATE(and, int, atomic_fetch_and)
UPDATE(or, int, atomic_fetch_or)
UPDATE(xor, int, atomic_fetch_xor)
UPDATE(min_signed, int, atomic_fetch_min)
UPDATE(max_signed, int, atomic_fetch_max)
UPDATE(min_unsigned, uint, atomic_fetch_min)
UPDATE(max_unsigned, uint, atomic_fetch_max)
UPDATE(exchange, int, atomic_exchange)

kernel void add_by_exchange(global int *out) {
  local int sums[8];
  const int i = get_local_id(0);
  if (i < 8) sums[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  volatile local int *sum = &sums[scramble((uint)i) % 8];
  for (int old = 0, found; (found = atomic_cmpxchg(sum, old, old + i)) != old;) old = found;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 8) out[i] = sums[i];
}
