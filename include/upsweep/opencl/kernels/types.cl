// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kernel begins with this file: extensions, and types from build options.
//
// UPS_IN, UPS_OUT   types of the inputs' and the outputs' elements.
// UPS_T             type of totals.
// UPS_COUNT         unsigned type of counts: uint below 2^32 elements, ulong otherwise.
// UPS_GROUP         work-items of a work-group, a power of two; 1: a single work-item scans a tile in a loop.
// UPS_ITEMS         elements of a tile for each work-item.
// UPS_NUMBER_AT     type of the number of elements in device memory; `n` is then its upper bound.
#if defined(cl_khr_fp64) && defined(UPS_HAS_DOUBLE)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#if defined(cl_khr_fp16) && defined(UPS_HAS_HALF)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

#define UPS_TILE (UPS_GROUP * UPS_ITEMS)
#define UPS_KERNEL kernel __attribute__((reqd_work_group_size(UPS_GROUP, 1, 1))) void
// The initial value: an argument, or with UPS_INITIAL_AT in device memory. Its type is that of totals, or UPS_INITIAL_TYPE.
#ifdef UPS_INITIAL_TYPE
#define UPS_INITIAL_AS_TOTAL(x) ((UPS_T)(x))
#else
#define UPS_INITIAL_TYPE UPS_T
#define UPS_INITIAL_AS_TOTAL(x) (x)
#endif
#ifdef UPS_INITIAL_AT
#define UPS_INITIAL_PARAMETERS global const UPS_INITIAL_TYPE *initial_from, ulong initial_at
#define UPS_INITIAL_ARGUMENTS initial_from, initial_at
#define UPS_INITIAL UPS_INITIAL_AS_TOTAL(initial_from[initial_at])
#else
#define UPS_INITIAL_PARAMETERS UPS_INITIAL_TYPE initial
#define UPS_INITIAL_ARGUMENTS initial
#define UPS_INITIAL UPS_INITIAL_AS_TOTAL(initial)
#endif
#define UPS_JOIN_NAMES(a, b) a##b
#define UPS_JOIN(a, b) UPS_JOIN_NAMES(a, b)

#ifdef UPS_NUMBER_AT
#define UPS_N_PARAMETERS ulong n, global const UPS_NUMBER_AT *n_at, ulong n_first
#define UPS_SET_N                                                                                                              \
  n = min(n, (ulong)n_at[n_first]);                                                                                            \
  UPS_SET_LAST
#else
#define UPS_N_PARAMETERS ulong n
#define UPS_SET_N
#endif
#define UPS_SET_LAST  // a job's copy of the number of elements

// UPS_STREAM(value, pointer): a store past the caches of a CPU, if the call asks for it and the compiler supports it. Every
// runtime executes a locked instruction after a kernel, which waits for these stores.
#if defined(UPS_STREAMED) && defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define UPS_STREAM __builtin_nontemporal_store
#endif
#endif
