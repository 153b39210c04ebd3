// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies (specification: "Async Copies from Global to Local Memory, Local to Global Memory, and Prefetch"). Events have no content:
// waiting for an event waits for all copies that the work-group has started. Compiled for SPIR, whose event type programs use.
#include "../library.h"

void __ups_copy_to_local(__local char *to, __global const char *from, uint bytes, uint element);
void __ups_copy_to_global(__global char *to, __local const char *from, uint bytes, uint element);
void __ups_wait_for_copies(void);

#define COPY(N, T, ...) \
  SMALL event_t async_work_group_copy(__local CAT(T, N) * to, const __global CAT(T, N) * from, size_t n, event_t event) { \
    __ups_copy_to_local((__local char *)to, (__global const char *)from, (uint)(n * sizeof(*to)), sizeof(*to)); \
    return event; \
  } \
  SMALL event_t async_work_group_copy(__global CAT(T, N) * to, const __local CAT(T, N) * from, size_t n, event_t event) { \
    __ups_copy_to_global((__global char *)to, (__local const char *)from, (uint)(n * sizeof(*to)), sizeof(*to)); \
    return event; \
  }
#define COPY_TYPE(T, ...) FOR_WIDTHS(COPY, T)
FOR_TYPES(COPY_TYPE)

SMALL void wait_group_events(int n, __generic event_t *events) { __ups_wait_for_copies(); }
SMALL void wait_group_events(int n, __private event_t *events) { __ups_wait_for_copies(); }
SMALL void wait_group_events(int n, __local event_t *events) { __ups_wait_for_copies(); }
