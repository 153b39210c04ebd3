// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fences of the PTX memory model, and barriers that also order memory other than the work-group's.
#include "fences.h"

SMALL void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  if (order == memory_order_relaxed) return;
  if (order == memory_order_seq_cst)
    fence_sc(scope);
  else
    fence_acq_rel(scope);
}

SMALL void mem_fence(cl_mem_fence_flags flags) { fence_acq_rel(memory_scope_work_group); }
// OpenCL C gives these two functions the scope of the work-group. Programs nevertheless order stores for other work-groups by
// them, since NVIDIA's driver makes them fences of the device.
SMALL void read_mem_fence(cl_mem_fence_flags flags) { fence_acq_rel(memory_scope_device); }
SMALL void write_mem_fence(cl_mem_fence_flags flags) { fence_acq_rel(memory_scope_device); }

HELPER bool is_wide(memory_scope scope) { return scope != memory_scope_sub_group && scope >= memory_scope_device; }

SMALL void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  if (is_wide(scope)) fence_acq_rel(scope);
  block_barrier();
  if (is_wide(scope)) fence_acq_rel(scope);
}

SMALL void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  if (is_wide(scope)) fence_acq_rel(scope);
  warp_barrier(sub_group_lanes());
  if (is_wide(scope)) fence_acq_rel(scope);
}
