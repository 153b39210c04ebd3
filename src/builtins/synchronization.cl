// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers and explicit memory fences (specification: "Synchronization Functions", "Legacy Explicit Memory Fence Functions").
#include "library.h"

SMALL void barrier(cl_mem_fence_flags flags) { __ups_work_group_barrier(flags); }
SMALL void work_group_barrier(cl_mem_fence_flags flags) { __ups_work_group_barrier(flags); }

// A scope wider than the work-group also orders memory for other work-groups and the host.
SMALL void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  if (scope >= memory_scope_device && scope != memory_scope_sub_group) __c11_atomic_thread_fence(memory_order_seq_cst);
  __ups_work_group_barrier(flags);
}

SMALL void sub_group_barrier(cl_mem_fence_flags flags) { __ups_sub_group_barrier(flags); }

SMALL void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  if (scope >= memory_scope_device && scope != memory_scope_sub_group) __c11_atomic_thread_fence(memory_order_seq_cst);
  __ups_sub_group_barrier(flags);
}

SMALL void mem_fence(cl_mem_fence_flags flags) { __c11_atomic_thread_fence(memory_order_acq_rel); }
SMALL void read_mem_fence(cl_mem_fence_flags flags) { __c11_atomic_thread_fence(memory_order_acquire); }
SMALL void write_mem_fence(cl_mem_fence_flags flags) { __c11_atomic_thread_fence(memory_order_release); }

// A switch, because a fence's order is part of the instruction; it folds if the order is a constant.
SMALL void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  if (order == memory_order_relaxed) return;
  if (order == memory_order_acquire)
    __c11_atomic_thread_fence(memory_order_acquire);
  else if (order == memory_order_release)
    __c11_atomic_thread_fence(memory_order_release);
  else if (order == memory_order_acq_rel)
    __c11_atomic_thread_fence(memory_order_acq_rel);
  else
    __c11_atomic_thread_fence(memory_order_seq_cst);
}
