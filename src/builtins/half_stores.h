// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang 19 declares the value that cl_ext_float_atomics stores as an atomic_half, so calls of atomic_store have other symbols than the functions
// with a half. Code passes both types as a half. Included behind the definitions of atomic_store.
#pragma once
#include "library.h"

#define DEFINE_HALF_STORE(space, number) \
  __attribute__((always_inline)) void CAT(store_half_, space)(volatile space atomic_half * p, half x) \
      __asm("_Z12atomic_storePU3AS" #number "VU7_AtomicDhS_"); \
  void CAT(store_half_, space)(volatile space atomic_half * p, half x) { atomic_store(p, x); } \
  __attribute__((always_inline)) void CAT(store_half_in_order_, space)(volatile space atomic_half * p, half x, memory_order order) \
      __asm("_Z21atomic_store_explicitPU3AS" #number "VU7_AtomicDhS_12memory_order"); \
  void CAT(store_half_in_order_, space)(volatile space atomic_half * p, half x, memory_order order) { \
    atomic_store_explicit(p, x, order); \
  } \
  __attribute__((always_inline)) void CAT(store_half_in_scope_, space)(volatile space atomic_half * p, half x, memory_order order, \
                                                                       memory_scope scope) \
      __asm("_Z21atomic_store_explicitPU3AS" #number "VU7_AtomicDhS_12memory_order12memory_scope"); \
  void CAT(store_half_in_scope_, space)(volatile space atomic_half * p, half x, memory_order order, memory_scope scope) { \
    atomic_store_explicit(p, x, order, scope); \
  }
DEFINE_HALF_STORE(__global, 1)
DEFINE_HALF_STORE(__local, 3)
DEFINE_HALF_STORE(__generic, 4)
