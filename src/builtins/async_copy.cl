// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies and prefetch (specification: "Async Copies from Global to Local Memory, Local to Global Memory, and Prefetch").
// The work-items copy side by side at once; waiting for the event is a barrier. An event carries nothing: the caller's, or none, comes back.
#include "library.h"

size_t __attribute__((overloadable, const)) get_local_linear_id(void);

HELPER size_t work_items(void) { return __ups_local_size(0) * __ups_local_size(1) * __ups_local_size(2); }

// `i` runs over this work-item's elements.
#define SHARE_OUT(n) for (size_t i = get_local_linear_id(), step = work_items(); i < n; i += step)

#define COPY(N, T, ...) \
  SMALL event_t async_work_group_copy(__local CAT(T, N) * to, const __global CAT(T, N) * from, size_t n, event_t event) { \
    SHARE_OUT(n) to[i] = from[i]; \
    return event; \
  } \
  SMALL event_t async_work_group_copy(__global CAT(T, N) * to, const __local CAT(T, N) * from, size_t n, event_t event) { \
    SHARE_OUT(n) to[i] = from[i]; \
    return event; \
  } \
  SMALL event_t async_work_group_strided_copy(__local CAT(T, N) * to, const __global CAT(T, N) * from, size_t n, \
                                              size_t stride, event_t event) { \
    SHARE_OUT(n) to[i] = from[i * stride]; \
    return event; \
  } \
  SMALL event_t async_work_group_strided_copy(__global CAT(T, N) * to, const __local CAT(T, N) * from, size_t n, \
                                              size_t stride, event_t event) { \
    SHARE_OUT(n) to[i * stride] = from[i]; \
    return event; \
  } \
  SMALL void prefetch(const __global CAT(T, N) * p, size_t n) {}
#define COPY_TYPE(T, ...) FOR_WIDTHS(COPY, T)
FOR_TYPES(COPY_TYPE)

SMALL void wait_group_events(int n, __generic event_t *events) {
  __ups_work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
SMALL void wait_group_events(int n, __private event_t *events) {
  __ups_work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
SMALL void wait_group_events(int n, __local event_t *events) {
  __ups_work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
