// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every update of one place by all work-items, and of another by some: atomics_test.cpp knows what the old values must be.
#include "scramble.h"

// out: the old values of the first place, then the place; those of the second, then that place.
#define UPDATE(name, T, function)                                                                                              \
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
