// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 1.x atomics (specification: "Legacy OpenCL C 1.x Atomics", cl_khr_int64_base_atomics, cl_khr_int64_extended_atomics): relaxed.
#include "library.h"

#define RELAXED memory_order_relaxed, memory_scope_all_svm_devices
#define ATOMIC(space, T, p) ((volatile space CAT(atomic_, T) *)(p))

#define DEFINE_FETCH(space, T, prefix, name, op) \
  SMALL T CAT(prefix, name)(volatile space T *p, T x) { \
    return CAT(__opencl_atomic_fetch_, op)(ATOMIC(space, T, p), x, RELAXED); \
  }
#define DEFINE_EXCHANGE(space, T, prefix) \
  SMALL T CAT(prefix, xchg)(volatile space T *p, T x) { return __opencl_atomic_exchange(ATOMIC(space, T, p), x, RELAXED); }

#define DEFINE_ALL(space, T, prefix) \
  DEFINE_FETCH(space, T, prefix, add, add) DEFINE_FETCH(space, T, prefix, sub, sub) \
  DEFINE_FETCH(space, T, prefix, min, min) DEFINE_FETCH(space, T, prefix, max, max) \
  DEFINE_FETCH(space, T, prefix, and, and) DEFINE_FETCH(space, T, prefix, or, or) \
  DEFINE_FETCH(space, T, prefix, xor, xor) DEFINE_EXCHANGE(space, T, prefix) \
  SMALL T CAT(prefix, inc)(volatile space T *p) { return __opencl_atomic_fetch_add(ATOMIC(space, T, p), 1, RELAXED); } \
  SMALL T CAT(prefix, dec)(volatile space T *p) { return __opencl_atomic_fetch_sub(ATOMIC(space, T, p), 1, RELAXED); } \
  SMALL T CAT(prefix, cmpxchg)(volatile space T *p, T expected, T x) { \
    __opencl_atomic_compare_exchange_strong(ATOMIC(space, T, p), &expected, x, memory_order_relaxed, RELAXED); \
    return expected; \
  }

#define DEFINE_SPACE(space) \
  DEFINE_ALL(space, int, atomic_) DEFINE_ALL(space, uint, atomic_) DEFINE_EXCHANGE(space, float, atomic_) \
  DEFINE_ALL(space, int, atom_) DEFINE_ALL(space, uint, atom_) \
  DEFINE_ALL(space, long, atom_) DEFINE_ALL(space, ulong, atom_)

DEFINE_SPACE(__global)
DEFINE_SPACE(__local)
DEFINE_SPACE(__generic)
