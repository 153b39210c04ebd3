// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_ext_float_atomics: updates of places by many work-items, and of a place for each pair of special values. TYPE is the
// type's name.
#include "scramble.h"
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#ifdef cl_ext_float_atomics
#ifndef TYPE
#define TYPE float
#endif

#define CONCAT(a, b) a##b
#define ATOMIC_(T) CONCAT(atomic_, T)
#define ATOMIC ATOMIC_(TYPE)

// Multiples of a half: exact in every type, and different from integers.
int operand_of(uint x, int range) { return (int)(x % (2 * range + 1)) - range; }
int twice(TYPE x) { return (int)(x * 2); }

// out: twice the old values of the first place, then of the second place, then the places, 16 bytes apart; atomics_test.cpp has
// the same layout for integers. In local memory one work-group does the same, and writes twice the last values.
#define UPDATE(name, range, ...)                                                                                               \
  kernel void name(global int *out) {                                                                                          \
    const size_t i = get_global_id(0), n = get_global_size(0);                                                                 \
    const uint x = scramble((uint)i);                                                                                          \
    const TYPE v = (TYPE)operand_of(x, range) / 2;                                                                             \
    volatile global ATOMIC *p = (volatile global ATOMIC *)(out + 2 * n);                                                       \
    out[i] = twice(__VA_ARGS__);                                                                                               \
    p = (volatile global ATOMIC *)(out + 2 * n + 4);                                                                           \
    if (x % 3 == 0) out[n + i] = twice(__VA_ARGS__);                                                                           \
  }                                                                                                                            \
  kernel void name##_generic(global int *out) {                                                                                \
    local ATOMIC here;                                                                                                         \
    const size_t i = get_global_id(0), n = get_global_size(0);                                                                 \
    const uint x = scramble((uint)i);                                                                                          \
    const TYPE v = (TYPE)operand_of(x, range) / 2;                                                                             \
    if (get_local_id(0) == 0) atomic_store(&here, (TYPE)0);                                                                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
    volatile ATOMIC *p = (volatile global ATOMIC *)(out + 2 * n);                                                              \
    out[i] = twice(__VA_ARGS__);                                                                                               \
    p = x % 3 == 0 ? (volatile ATOMIC *)(volatile global ATOMIC *)(out + 2 * n + 4) : (volatile ATOMIC *)&here;                \
    const int old = twice(__VA_ARGS__);                                                                                        \
    if (x % 3 == 0) out[n + i] = old;                                                                                          \
  }                                                                                                                            \
  kernel void name##_local(global int *out) {                                                                                  \
    local ATOMIC places[6];                                                                                                    \
    const size_t i = get_local_id(0), n = get_local_size(0);                                                                   \
    const uint x = scramble((uint)i);                                                                                          \
    const TYPE v = (TYPE)operand_of(x, range) / 2;                                                                             \
    if (i < 6) atomic_store(&places[i], (TYPE)0);                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
    volatile local ATOMIC *p = &places[1];                                                                                     \
    out[i] = twice(__VA_ARGS__);                                                                                               \
    p = &places[x % 3 == 0 ? 4 : 3];                                                                                           \
    const int old = twice(__VA_ARGS__);                                                                                        \
    if (x % 3 == 0) out[n + i] = old;                                                                                          \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
    if (i == 0) {                                                                                                              \
      out[2 * n] = twice(atomic_load(&places[1]));                                                                             \
      out[2 * n + 1] = twice(atomic_load(&places[4]));                                                                         \
      out[2 * n + 2] = twice(atomic_load(&places[0])) | twice(atomic_load(&places[2])) | twice(atomic_load(&places[5]));       \
    }                                                                                                                          \
  }

UPDATE(add, 1, atomic_fetch_add(p, v))
UPDATE(sub, 1, atomic_fetch_sub_explicit(p, v, memory_order_relaxed))
UPDATE(min, 1000, atomic_fetch_min(p, v))
UPDATE(max, 1000, atomic_fetch_max_explicit(p, v, memory_order_acq_rel, memory_scope_device))
UPDATE(exchange, 1000, atomic_exchange(p, v))

constant float kSpecial[] = {0,        -0.0F,     1,          -1.5F,       INFINITY,   -INFINITY, NAN,
                             0x1p-20F, 0x1p-149F, -0x1p-127F, 0x1.8p-126F, -0x1p-126F, 0x1p-101F, -0x1.000002p-102F};
// Halves have no numbers like the last six.
enum { kCount = sizeof(TYPE) == 2 ? 8 : sizeof(kSpecial) / sizeof(kSpecial[0]) };

// out, for each pair: the old value and the new one, as floats.
#define SPECIAL(name)                                                                                                          \
  kernel void CONCAT(special_, name)(global int *out) {                                                                        \
    local ATOMIC here[kCount * kCount];                                                                                        \
    const size_t i = get_local_id(0);                                                                                          \
    volatile local ATOMIC *p = &here[i];                                                                                       \
    atomic_store_explicit(p, (TYPE)kSpecial[i / kCount], memory_order_relaxed);                                                \
    const TYPE old = CONCAT(atomic_fetch_, name)(p, (TYPE)kSpecial[i % kCount]);                                               \
    out[2 * i] = as_int((float)old);                                                                                           \
    out[2 * i + 1] = as_int((float)atomic_load_explicit(p, memory_order_relaxed, memory_scope_work_group));                    \
  }
SPECIAL(add)
SPECIAL(sub)
SPECIAL(min)
SPECIAL(max)

// The same in global memory, behind the results.
#define SPECIAL_GLOBAL(name)                                                                                                   \
  kernel void CONCAT(special_global_, name)(global int *out) {                                                                 \
    const size_t i = get_global_id(0), n = get_global_size(0);                                                                 \
    volatile global ATOMIC *p = (volatile global ATOMIC *)(out + 2 * n) + i;                                                   \
    atomic_store(p, (TYPE)kSpecial[i / kCount]);                                                                               \
    const TYPE old = CONCAT(atomic_fetch_, name)(p, (TYPE)kSpecial[i % kCount]);                                               \
    out[2 * i] = as_int((float)old);                                                                                           \
    out[2 * i + 1] = as_int((float)atomic_load(p));                                                                            \
  }
SPECIAL_GLOBAL(add)
SPECIAL_GLOBAL(sub)
SPECIAL_GLOBAL(min)
SPECIAL_GLOBAL(max)
#endif
