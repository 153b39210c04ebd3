// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C11 atomics (specification: "Atomic Functions") and cl_ext_float_atomics: int, uint, long, ulong, half, float, double.
// Clang's atomic builtins generate a switch over a variable order, which folds in the caller. The scope is always the widest: all memory
// of the CPU is coherent.
#include "library.h"

#define ANYWHERE memory_scope_all_svm_devices
#define ORDERED memory_order order
#define SCOPED memory_order order, memory_scope scope

#define DEFINE_FETCH(space, T, V, op) \
  SMALL T CAT(atomic_fetch_, op)(volatile space CAT(atomic_, T) * p, V x) { \
    return CAT(__opencl_atomic_fetch_, op)(p, (T)x, memory_order_seq_cst, ANYWHERE); \
  } \
  SMALL T CAT3(atomic_fetch_, op, _explicit)(volatile space CAT(atomic_, T) * p, V x, ORDERED) { \
    return CAT(__opencl_atomic_fetch_, op)(p, (T)x, order, ANYWHERE); \
  } \
  SMALL T CAT3(atomic_fetch_, op, _explicit)(volatile space CAT(atomic_, T) * p, V x, SCOPED) { \
    return CAT(__opencl_atomic_fetch_, op)(p, (T)x, order, ANYWHERE); \
  }

#define DEFINE_START(space, T) \
  SMALL void atomic_init(volatile space CAT(atomic_, T) * p, T x) { __opencl_atomic_init(p, x); }
#define DEFINE_ACCESS(space, T) \
  SMALL void atomic_store(volatile space CAT(atomic_, T) * p, T x) { \
    __opencl_atomic_store(p, x, memory_order_seq_cst, ANYWHERE); \
  } \
  SMALL void atomic_store_explicit(volatile space CAT(atomic_, T) * p, T x, ORDERED) { \
    __opencl_atomic_store(p, x, order, ANYWHERE); \
  } \
  SMALL void atomic_store_explicit(volatile space CAT(atomic_, T) * p, T x, SCOPED) { \
    __opencl_atomic_store(p, x, order, ANYWHERE); \
  } \
  SMALL T atomic_load(volatile space CAT(atomic_, T) * p) { return __opencl_atomic_load(p, memory_order_seq_cst, ANYWHERE); } \
  SMALL T atomic_load_explicit(volatile space CAT(atomic_, T) * p, ORDERED) { return __opencl_atomic_load(p, order, ANYWHERE); } \
  SMALL T atomic_load_explicit(volatile space CAT(atomic_, T) * p, SCOPED) { return __opencl_atomic_load(p, order, ANYWHERE); } \
  SMALL T atomic_exchange(volatile space CAT(atomic_, T) * p, T x) { \
    return __opencl_atomic_exchange(p, x, memory_order_seq_cst, ANYWHERE); \
  } \
  SMALL T atomic_exchange_explicit(volatile space CAT(atomic_, T) * p, T x, ORDERED) { \
    return __opencl_atomic_exchange(p, x, order, ANYWHERE); \
  } \
  SMALL T atomic_exchange_explicit(volatile space CAT(atomic_, T) * p, T x, SCOPED) { \
    return __opencl_atomic_exchange(p, x, order, ANYWHERE); \
  }

// x86 has only one strength of compare-exchange, so sequential consistency is free.
#define DEFINE_COMPARE_EXCHANGE(expected_space, space, T, strength) \
  SMALL bool CAT(atomic_compare_exchange_, strength)(volatile space CAT(atomic_, T) * p, expected_space T *expected, T x) { \
    return CAT(__opencl_atomic_compare_exchange_, strength)(p, expected, x, memory_order_seq_cst, memory_order_seq_cst, \
                                                            ANYWHERE); \
  } \
  SMALL bool CAT3(atomic_compare_exchange_, strength, _explicit)(volatile space CAT(atomic_, T) * p, expected_space T *expected, \
                                                                 T x, memory_order success, memory_order failure) { \
    return CAT(__opencl_atomic_compare_exchange_, strength)(p, expected, x, memory_order_seq_cst, memory_order_seq_cst, \
                                                            ANYWHERE); \
  } \
  SMALL bool CAT3(atomic_compare_exchange_, strength, _explicit)(volatile space CAT(atomic_, T) * p, expected_space T *expected, \
                                                                 T x, memory_order success, memory_order failure, \
                                                                 memory_scope scope) { \
    return CAT(__opencl_atomic_compare_exchange_, strength)(p, expected, x, memory_order_seq_cst, memory_order_seq_cst, \
                                                            ANYWHERE); \
  }
#define DEFINE_COMPARE_EXCHANGES(expected_space, space, T) \
  DEFINE_COMPARE_EXCHANGE(expected_space, space, T, strong) DEFINE_COMPARE_EXCHANGE(expected_space, space, T, weak)

#define FOR_ATOMIC_SPACES(M, ...) M(__global, __VA_ARGS__) M(__local, __VA_ARGS__) M(__generic, __VA_ARGS__)

#define DEFINE_NUMBER(space, T) \
  DEFINE_ACCESS(space, T) \
  DEFINE_FETCH(space, T, T, add) DEFINE_FETCH(space, T, T, sub) DEFINE_FETCH(space, T, T, min) DEFINE_FETCH(space, T, T, max)
#define DEFINE_COMMON(space, T) \
  DEFINE_START(space, T) DEFINE_NUMBER(space, T) FOR_WRITABLE_SPACES(DEFINE_COMPARE_EXCHANGES, space, T)
#define DEFINE_BITWISE(space, T) \
  DEFINE_FETCH(space, T, T, and) DEFINE_FETCH(space, T, T, or) DEFINE_FETCH(space, T, T, xor)
#define DEFINE_INTEGER(T) FOR_ATOMIC_SPACES(DEFINE_COMMON, T) FOR_ATOMIC_SPACES(DEFINE_BITWISE, T)

DEFINE_INTEGER(int)
DEFINE_INTEGER(uint)
DEFINE_INTEGER(long)
DEFINE_INTEGER(ulong)
FOR_ATOMIC_SPACES(DEFINE_COMMON, float)
FOR_ATOMIC_SPACES(DEFINE_COMMON, double)
FOR_ATOMIC_SPACES(DEFINE_NUMBER, half)
#include "half_stores.h"

// atomic_uintptr_t is an atomic ulong whose addend is a ptrdiff_t.
#define DEFINE_UINTPTR(space, ...) DEFINE_FETCH(space, ulong, long, add) DEFINE_FETCH(space, ulong, long, sub)
FOR_ATOMIC_SPACES(DEFINE_UINTPTR, )

#define DEFINE_FLAG(space, ...) \
  SMALL bool atomic_flag_test_and_set(volatile space atomic_flag *p) { \
    return __opencl_atomic_exchange(p, 1, memory_order_seq_cst, ANYWHERE); \
  } \
  SMALL bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *p, ORDERED) { \
    return __opencl_atomic_exchange(p, 1, order, ANYWHERE); \
  } \
  SMALL bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *p, SCOPED) { \
    return __opencl_atomic_exchange(p, 1, order, ANYWHERE); \
  } \
  SMALL void atomic_flag_clear(volatile space atomic_flag *p) { \
    __opencl_atomic_store(p, 0, memory_order_seq_cst, ANYWHERE); \
  } \
  SMALL void atomic_flag_clear_explicit(volatile space atomic_flag *p, ORDERED) { \
    __opencl_atomic_store(p, 0, order, ANYWHERE); \
  } \
  SMALL void atomic_flag_clear_explicit(volatile space atomic_flag *p, SCOPED) { __opencl_atomic_store(p, 0, order, ANYWHERE); }
FOR_ATOMIC_SPACES(DEFINE_FLAG, )
