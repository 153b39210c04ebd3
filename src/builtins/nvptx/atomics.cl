// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics as instructions of the PTX memory model (specification: "Atomic Functions", "Legacy OpenCL C 1.x Atomics", cl_khr_int64_*_atomics,
// cl_ext_float_atomics).
// An operation is relaxed, between the fences that its order requires; loads and stores have acquire and release forms. Orders and scopes
// are usually constants, so only one instruction of each choice remains.
#include "fences.h"

HELPER void order_before(memory_order order, memory_scope scope) {
  if (order == memory_order_seq_cst)
    fence_sc(scope);
  else if (order == memory_order_release || order == memory_order_acq_rel)
    fence_acq_rel(scope);
}
HELPER void order_after(memory_order order, memory_scope scope) {
  if (order == memory_order_acquire || order == memory_order_acq_rel || order == memory_order_seq_cst) fence_acq_rel(scope);
}

/// Compare-and-exchange compares bits: a NaN equals itself, and zeros of different signs differ.
#define SAME(T, B) HELPER PURE bool same(T a, T b) { return __builtin_astype(a, B) == __builtin_astype(b, B); }
SAME(int, int)
SAME(uint, int)
SAME(long, long)
SAME(ulong, long)
SAME(half, short)
SAME(float, int)
SAME(double, long)

/// A statement for each scope; S is its name in PTX. A work-item or sub-group uses the block's scope.
#define BY_SCOPE(scope, STATEMENT, ...) \
  if (scope == memory_scope_device) { \
    STATEMENT("gpu", __VA_ARGS__) \
  } else if (scope == memory_scope_all_svm_devices) { \
    STATEMENT("sys", __VA_ARGS__) \
  } else { \
    STATEMENT("cta", __VA_ARGS__) \
  }

#define SPACE___global ".global"
#define SPACE___local ".shared"
#define SPACE___generic ""

#define OPERATE(S, space, op, type, constraint) \
  __asm volatile("atom.relaxed." S SPACE_##space "." op "." type " %0, [%1], %2;" \
                 : "=" constraint(old) : "l"(p), constraint(x) : "memory");
#define EXCHANGE_IF(S, space, type, constraint) \
  __asm volatile("atom.relaxed." S SPACE_##space ".cas." type " %0, [%1], %2, %3;" \
                 : "=" constraint(old) : "l"(p), constraint(expected), constraint(x) : "memory");
#define LOAD(S, space, order, type, constraint) \
  __asm volatile("ld." order "." S SPACE_##space "." type " %0, [%1];" : "=" constraint(x) : "l"(p) : "memory");
#define STORE(S, space, order, type, constraint) \
  __asm volatile("st." order "." S SPACE_##space "." type " [%0], %1;" : : "l"(p), constraint(x) : "memory");

/// B: the integer of T's size, c: the letter of its register type.
#define DEFINE_ACCESSES(space, T, B, bits, c) \
  HELPER T load(volatile space T *p, memory_order order, memory_scope scope) { \
    B x; \
    if (order == memory_order_seq_cst) fence_sc(scope); \
    if (order == memory_order_relaxed) { \
      BY_SCOPE(scope, LOAD, space, "relaxed", bits, c) \
    } else { \
      BY_SCOPE(scope, LOAD, space, "acquire", bits, c) \
    } \
    return __builtin_astype(x, T); \
  } \
  HELPER void store(volatile space T *p, T value, memory_order order, memory_scope scope) { \
    B x = __builtin_astype(value, B); \
    if (order == memory_order_seq_cst) fence_sc(scope); \
    if (order == memory_order_relaxed) { \
      BY_SCOPE(scope, STORE, space, "relaxed", bits, c) \
    } else { \
      BY_SCOPE(scope, STORE, space, "release", bits, c) \
    } \
  } \
  HELPER T exchange_if(volatile space T *p, T wanted, T value, memory_order order, memory_scope scope) { \
    B x = __builtin_astype(value, B), expected = __builtin_astype(wanted, B), old; \
    order_before(order, scope); \
    BY_SCOPE(scope, EXCHANGE_IF, space, bits, c) \
    order_after(order, scope); \
    return __builtin_astype(old, T); \
  }
#define DEFINE_EXCHANGE(space, T, B, bits, c) \
  HELPER T exchange(volatile space T *p, T value, memory_order order, memory_scope scope) { \
    B x = __builtin_astype(value, B), old; \
    order_before(order, scope); \
    BY_SCOPE(scope, OPERATE, space, "exch", bits, c) \
    order_after(order, scope); \
    return __builtin_astype(old, T); \
  }
#define DEFINE_PLAIN(space, T, B, bits, c) DEFINE_ACCESSES(space, T, B, bits, c) DEFINE_EXCHANGE(space, T, B, bits, c)
#define DEFINE_OPERATION(space, T, name, op, type, c) \
  HELPER T CAT(fetch_, name)(volatile space T *p, T x, memory_order order, memory_scope scope) { \
    T old; \
    order_before(order, scope); \
    BY_SCOPE(scope, OPERATE, space, op, type, c) \
    order_after(order, scope); \
    return old; \
  }
#define DEFINE_SUBTRACTION(space, T) \
  HELPER T fetch_sub(volatile space T *p, T x, memory_order order, memory_scope scope) { \
    return fetch_add(p, (T)-x, order, scope); \
  }
/// Minimum and maximum of floating-point numbers have no instruction.
#define DEFINE_EXTREME(space, T, name, better) \
  HELPER T CAT(fetch_, name)(volatile space T *p, T x, memory_order order, memory_scope scope) { \
    order_before(order, scope); \
    T old = load(p, memory_order_relaxed, scope); \
    while (x better old || old != old) { \
      T seen = exchange_if(p, old, x, memory_order_relaxed, scope); \
      if (same(seen, old)) break; \
      old = seen; \
    } \
    order_after(order, scope); \
    return old; \
  }

/// An exchange of 16 bits has no instruction either.
#define DEFINE_SHORT_EXCHANGE(space, T) \
  HELPER T exchange(volatile space T *p, T x, memory_order order, memory_scope scope) { \
    order_before(order, scope); \
    T old = load(p, memory_order_relaxed, scope); \
    for (T seen; !same(seen = exchange_if(p, old, x, memory_order_relaxed, scope), old);) old = seen; \
    order_after(order, scope); \
    return old; \
  }
/// Registers of 16 bits hold integers.
#define DEFINE_HALF_SUM(space) \
  HELPER half fetch_add(volatile space half *p, half value, memory_order order, memory_scope scope) { \
    ushort x = __builtin_astype(value, ushort), old; \
    order_before(order, scope); \
    BY_SCOPE(scope, OPERATE, space, "add.noftz", "f16", "h") \
    order_after(order, scope); \
    return __builtin_astype(old, half); \
  }

#define DEFINE_INTEGER(space, T, B, bits, c, sum, kind) \
  DEFINE_PLAIN(space, T, B, bits, c) DEFINE_OPERATION(space, T, add, "add", sum, c) DEFINE_SUBTRACTION(space, T) \
  DEFINE_OPERATION(space, T, min, "min", kind, c) DEFINE_OPERATION(space, T, max, "max", kind, c) \
  DEFINE_OPERATION(space, T, and, "and", bits, c) DEFINE_OPERATION(space, T, or, "or", bits, c) \
  DEFINE_OPERATION(space, T, xor, "xor", bits, c)
#define DEFINE_DOUBLE(space, ...) \
  DEFINE_PLAIN(space, double, long, "b64", "l") DEFINE_OPERATION(space, double, add, "add", "f64", "d") \
  DEFINE_SUBTRACTION(space, double) DEFINE_EXTREME(space, double, min, <) DEFINE_EXTREME(space, double, max, >)
/// In global memory the instruction flushes subnormal operands and sums to zero. An addend of 2^-100 or more hides both: half a unit in
/// its last place, or in that of a neighbour, exceeds each subnormal number, and no sum with it is subnormal but zero.
#define DEFINE_FLOAT_SUM(space) \
  HELPER float fetch_add(volatile space float *p, float x, memory_order order, memory_scope scope) { \
    float old; \
    order_before(order, scope); \
    if (__builtin_fabsf(x) < 0x1p-100f) { \
      old = load(p, memory_order_relaxed, scope); \
      for (float seen; !same(seen = exchange_if(p, old, old + x, memory_order_relaxed, scope), old);) old = seen; \
    } else { \
      BY_SCOPE(scope, OPERATE, space, "add", "f32", "f") \
    } \
    order_after(order, scope); \
    return old; \
  }
#define DEFINE_FLOAT_SUM___global DEFINE_FLOAT_SUM(__global)
#define DEFINE_FLOAT_SUM___generic DEFINE_FLOAT_SUM(__generic)
#define DEFINE_FLOAT_SUM___local DEFINE_OPERATION(__local, float, add, "add", "f32", "f")
#define DEFINE_FLOAT(space, ...) \
  DEFINE_PLAIN(space, float, int, "b32", "r") DEFINE_FLOAT_SUM_##space DEFINE_SUBTRACTION(space, float) \
  DEFINE_EXTREME(space, float, min, <) DEFINE_EXTREME(space, float, max, >)
#define DEFINE_HALF(space, ...) \
  DEFINE_ACCESSES(space, half, ushort, "b16", "h") DEFINE_SHORT_EXCHANGE(space, half) \
  DEFINE_HALF_SUM(space) DEFINE_SUBTRACTION(space, half) \
  DEFINE_EXTREME(space, half, min, <) DEFINE_EXTREME(space, half, max, >)
#define FOR_ATOMIC_SPACES(M, ...) M(__global, __VA_ARGS__) M(__local, __VA_ARGS__) M(__generic, __VA_ARGS__)

FOR_ATOMIC_SPACES(DEFINE_INTEGER, int, int, "b32", "r", "u32", "s32")
FOR_ATOMIC_SPACES(DEFINE_INTEGER, uint, uint, "b32", "r", "u32", "u32")
FOR_ATOMIC_SPACES(DEFINE_INTEGER, long, long, "b64", "l", "u64", "s64")
FOR_ATOMIC_SPACES(DEFINE_INTEGER, ulong, ulong, "b64", "l", "u64", "u64")
FOR_ATOMIC_SPACES(DEFINE_FLOAT, )
FOR_ATOMIC_SPACES(DEFINE_DOUBLE, )
FOR_ATOMIC_SPACES(DEFINE_HALF, )

// The functions of OpenCL C
#define ORDERED memory_order order
#define SCOPED memory_order order, memory_scope scope
#define PLAIN(space, T, p) ((volatile space T *)(p))

#define FETCH(space, T, V, op) \
  SMALL T CAT(atomic_fetch_, op)(volatile space CAT(atomic_, T) * p, V x) { \
    return CAT(fetch_, op)(PLAIN(space, T, p), (T)x, memory_order_seq_cst, memory_scope_device); \
  } \
  SMALL T CAT3(atomic_fetch_, op, _explicit)(volatile space CAT(atomic_, T) * p, V x, ORDERED) { \
    return CAT(fetch_, op)(PLAIN(space, T, p), (T)x, order, memory_scope_device); \
  } \
  SMALL T CAT3(atomic_fetch_, op, _explicit)(volatile space CAT(atomic_, T) * p, V x, SCOPED) { \
    return CAT(fetch_, op)(PLAIN(space, T, p), (T)x, order, scope); \
  }
#define START(space, T) \
  SMALL void atomic_init(volatile space CAT(atomic_, T) * p, T x) { *PLAIN(space, T, p) = x; }
#define ACCESS(space, T) \
  SMALL void atomic_store(volatile space CAT(atomic_, T) * p, T x) { \
    store(PLAIN(space, T, p), x, memory_order_seq_cst, memory_scope_device); \
  } \
  SMALL void atomic_store_explicit(volatile space CAT(atomic_, T) * p, T x, ORDERED) { \
    store(PLAIN(space, T, p), x, order, memory_scope_device); \
  } \
  SMALL void atomic_store_explicit(volatile space CAT(atomic_, T) * p, T x, SCOPED) { store(PLAIN(space, T, p), x, order, scope); } \
  SMALL T atomic_load(volatile space CAT(atomic_, T) * p) { \
    return load(PLAIN(space, T, p), memory_order_seq_cst, memory_scope_device); \
  } \
  SMALL T atomic_load_explicit(volatile space CAT(atomic_, T) * p, ORDERED) { \
    return load(PLAIN(space, T, p), order, memory_scope_device); \
  } \
  SMALL T atomic_load_explicit(volatile space CAT(atomic_, T) * p, SCOPED) { return load(PLAIN(space, T, p), order, scope); } \
  SMALL T atomic_exchange(volatile space CAT(atomic_, T) * p, T x) { \
    return exchange(PLAIN(space, T, p), x, memory_order_seq_cst, memory_scope_device); \
  } \
  SMALL T atomic_exchange_explicit(volatile space CAT(atomic_, T) * p, T x, ORDERED) { \
    return exchange(PLAIN(space, T, p), x, order, memory_scope_device); \
  } \
  SMALL T atomic_exchange_explicit(volatile space CAT(atomic_, T) * p, T x, SCOPED) { \
    return exchange(PLAIN(space, T, p), x, order, scope); \
  }

/// The order for success; the order for failure is never stronger.
#define COMPARE(expected_space, space, T, strength) \
  HELPER bool CAT(compare_, strength)(volatile space T *p, expected_space T *expected, T x, SCOPED) { \
    T wanted = *expected, seen = exchange_if(p, wanted, x, order, scope); \
    if (same(seen, wanted)) return true; \
    *expected = seen; \
    return false; \
  } \
  SMALL bool CAT(atomic_compare_exchange_, strength)(volatile space CAT(atomic_, T) * p, expected_space T *expected, T x) { \
    return CAT(compare_, strength)(PLAIN(space, T, p), expected, x, memory_order_seq_cst, memory_scope_device); \
  } \
  SMALL bool CAT3(atomic_compare_exchange_, strength, _explicit)(volatile space CAT(atomic_, T) * p, expected_space T *expected, \
                                                                 T x, memory_order success, memory_order failure) { \
    return CAT(compare_, strength)(PLAIN(space, T, p), expected, x, success, memory_scope_device); \
  } \
  SMALL bool CAT3(atomic_compare_exchange_, strength, _explicit)(volatile space CAT(atomic_, T) * p, expected_space T *expected, \
                                                                 T x, memory_order success, memory_order failure, \
                                                                 memory_scope scope) { \
    return CAT(compare_, strength)(PLAIN(space, T, p), expected, x, success, scope); \
  }
#define COMPARES(expected_space, space, T) COMPARE(expected_space, space, T, strong) COMPARE(expected_space, space, T, weak)

#define NUMBER(space, T) \
  ACCESS(space, T) \
  FETCH(space, T, T, add) FETCH(space, T, T, sub) FETCH(space, T, T, min) FETCH(space, T, T, max)
#define COMMON(space, T) START(space, T) NUMBER(space, T) FOR_WRITABLE_SPACES(COMPARES, space, T)
#define BITWISE(space, T) FETCH(space, T, T, and) FETCH(space, T, T, or) FETCH(space, T, T, xor)
#define INTEGER(T) FOR_ATOMIC_SPACES(COMMON, T) FOR_ATOMIC_SPACES(BITWISE, T)
INTEGER(int)
INTEGER(uint)
INTEGER(long)
INTEGER(ulong)
FOR_ATOMIC_SPACES(COMMON, float)
FOR_ATOMIC_SPACES(COMMON, double)
FOR_ATOMIC_SPACES(NUMBER, half)
#include "../half_stores.h"

// atomic_uintptr_t is an atomic ulong whose addend is a ptrdiff_t.
#define UINTPTR(space, ...) FETCH(space, ulong, long, add) FETCH(space, ulong, long, sub)
FOR_ATOMIC_SPACES(UINTPTR, )

#define FLAG(space, ...) \
  SMALL bool atomic_flag_test_and_set(volatile space atomic_flag *p) { \
    return exchange(PLAIN(space, int, p), 1, memory_order_seq_cst, memory_scope_device); \
  } \
  SMALL bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *p, ORDERED) { \
    return exchange(PLAIN(space, int, p), 1, order, memory_scope_device); \
  } \
  SMALL bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *p, SCOPED) { \
    return exchange(PLAIN(space, int, p), 1, order, scope); \
  } \
  SMALL void atomic_flag_clear(volatile space atomic_flag *p) { \
    store(PLAIN(space, int, p), 0, memory_order_seq_cst, memory_scope_device); \
  } \
  SMALL void atomic_flag_clear_explicit(volatile space atomic_flag *p, ORDERED) { \
    store(PLAIN(space, int, p), 0, order, memory_scope_device); \
  } \
  SMALL void atomic_flag_clear_explicit(volatile space atomic_flag *p, SCOPED) { store(PLAIN(space, int, p), 0, order, scope); }
FOR_ATOMIC_SPACES(FLAG, )

// OpenCL C 1.x
#define RELAXED memory_order_relaxed, memory_scope_device
#define OLD_FETCH(space, T, prefix, op) \
  SMALL T CAT(prefix, op)(volatile space T *p, T x) { return CAT(fetch_, op)(p, x, RELAXED); }
#define OLD_EXCHANGE(space, T, prefix) \
  SMALL T CAT(prefix, xchg)(volatile space T *p, T x) { return exchange(p, x, RELAXED); }
#define OLD_ALL(space, T, prefix) \
  OLD_FETCH(space, T, prefix, add) OLD_FETCH(space, T, prefix, sub) OLD_FETCH(space, T, prefix, min) \
  OLD_FETCH(space, T, prefix, max) OLD_FETCH(space, T, prefix, and) OLD_FETCH(space, T, prefix, or) \
  OLD_FETCH(space, T, prefix, xor) OLD_EXCHANGE(space, T, prefix) \
  SMALL T CAT(prefix, inc)(volatile space T *p) { return fetch_add(p, (T)1, RELAXED); } \
  SMALL T CAT(prefix, dec)(volatile space T *p) { return fetch_sub(p, (T)1, RELAXED); } \
  SMALL T CAT(prefix, cmpxchg)(volatile space T *p, T expected, T x) { return exchange_if(p, expected, x, RELAXED); }
#define OLD_SPACE(space, ...) \
  OLD_ALL(space, int, atomic_) OLD_ALL(space, uint, atomic_) OLD_EXCHANGE(space, float, atomic_) \
  OLD_ALL(space, int, atom_) OLD_ALL(space, uint, atom_) OLD_ALL(space, long, atom_) OLD_ALL(space, ulong, atom_)
FOR_ATOMIC_SPACES(OLD_SPACE, )
