// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies and prefetch (specification: "Async Copies from Global to Local Memory, Local to Global Memory, and Prefetch"). The copy
// is synchronous; waiting for its event is a barrier. Events have no content: the caller's event, or a null event, is returned.
#include "library.h"

size_t __attribute__((overloadable, const)) get_local_linear_id(void);

HELPER size_t work_items(void) { return __ups_local_size(0) * __ups_local_size(1) * __ups_local_size(2); }

// `i` iterates over this work-item's elements.
#define SHARE_OUT(n) for (size_t i = get_local_linear_id(), step = work_items(); i < n; i += step)

// The first sub-group copies for all: 64 bytes at an address that its work-items share are one vector access without masks. In scalar
// code no constant selects one work-item, so each work-item copies its share.
typedef uint16 __attribute__((aligned(1))) Block;
#define COPY_WHOLE(to, from, n) \
  if (!__ups_in_order()) { \
    SHARE_OUT(n) to[i] = from[i]; \
  } else if (__ups_sub_group_id() == 0) { \
    const size_t blocks = n * sizeof(*to) / sizeof(Block); \
    for (size_t i = 0; i < blocks; ++i) ((__generic Block *)to)[i] = ((const __generic Block *)from)[i]; \
    for (size_t i = blocks * sizeof(Block) / sizeof(*to); i < n; ++i) to[i] = from[i]; \
  }

#define COPY(N, T, ...) \
  SMALL event_t async_work_group_copy(__local CAT(T, N) * to, const __global CAT(T, N) * from, size_t n, event_t event) { \
    COPY_WHOLE(to, from, n) \
    return event; \
  } \
  SMALL event_t async_work_group_copy(__global CAT(T, N) * to, const __local CAT(T, N) * from, size_t n, event_t event) { \
    COPY_WHOLE(to, from, n) \
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
