// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-side enqueue (specification: "Enqueuing Kernels"). Clang turns enqueue_kernel and the queries of blocks into calls of the functions
// here that have no overloads. Their arguments are the block's kernel, which the passes replace by a number, and the block's literal.
#include "library.h"
#include "base/enqueue_abi.h"

ulong queue_bits(queue_t queue) __asm__("__ups_queue_bits");
queue_t make_queue(ulong bits) __asm__("__ups_make_queue");
ulong event_bits(clk_event_t event) __asm__("__ups_event_bits");
clk_event_t make_event(ulong bits) __asm__("__ups_make_event");

#define NO_RANGE 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define RANGE(r) \
  r.workDimension, r.globalWorkOffset[0], r.globalWorkOffset[1], r.globalWorkOffset[2], r.globalWorkSize[0], \
      r.globalWorkSize[1], r.globalWorkSize[2], r.localWorkSize[0], r.localWorkSize[1], r.localWorkSize[2]

// enqueue_kernel

int __enqueue_kernel_basic(queue_t queue, uint flags, ndrange_t range, const void *kernel_number, const void *block) {
  return __ups_enqueue(RANGE(range), queue_bits(queue), flags, 0, 0, 0, kernel_number, block, 0, 0);
}

int __enqueue_kernel_basic_events(queue_t queue, uint flags, __private ndrange_t *range, uint num_events,
                                  const void *wait_list, void *event, const void *kernel_number, const void *block) {
  return __ups_enqueue(RANGE((*range)), queue_bits(queue), flags, num_events, wait_list, event, kernel_number, block, 0, 0);
}

int __enqueue_kernel_varargs(queue_t queue, uint flags, __private ndrange_t *range, const void *kernel_number,
                             const void *block, uint num_locals, __private ulong *local_bytes) {
  return __ups_enqueue(RANGE((*range)), queue_bits(queue), flags, 0, 0, 0, kernel_number, block, num_locals, local_bytes);
}

int __enqueue_kernel_events_varargs(queue_t queue, uint flags, __private ndrange_t *range, uint num_events,
                                    const void *wait_list, void *event, const void *kernel_number, const void *block,
                                    uint num_locals, __private ulong *local_bytes) {
  return __ups_enqueue(RANGE((*range)), queue_bits(queue), flags, num_events, wait_list, event, kernel_number, block,
                       num_locals, local_bytes);
}

// A marker is a command without a kernel. "event_ret must not be NULL as otherwise this is a no-op."
LARGE int enqueue_marker(queue_t queue, uint num_events, const clk_event_t *wait_list, clk_event_t *event) {
  if (!event) return CLK_SUCCESS;
  return __ups_enqueue(NO_RANGE, queue_bits(queue), 0, num_events, wait_list, event, 0, 0, 0, 0);
}

// Queries of blocks

uint __get_kernel_work_group_size_impl(const void *kernel_number, const void *block) {
  return __ups_block_query(NO_RANGE, kernel_number, UPSWEEP_WORK_GROUP_SIZE);
}
uint __get_kernel_preferred_work_group_size_multiple_impl(const void *kernel_number, const void *block) {
  return __ups_block_query(NO_RANGE, kernel_number, UPSWEEP_WORK_GROUP_SIZE_MULTIPLE);
}
uint __get_kernel_sub_group_count_for_ndrange_impl(__private ndrange_t *range, const void *kernel_number, const void *block) {
  return __ups_block_query(RANGE((*range)), kernel_number, UPSWEEP_SUB_GROUP_COUNT);
}
uint __get_kernel_max_sub_group_size_for_ndrange_impl(__private ndrange_t *range, const void *kernel_number,
                                                      const void *block) {
  return __ups_block_query(RANGE((*range)), kernel_number, UPSWEEP_MAX_SUB_GROUP_SIZE);
}

// Queries of SPIR-V alone. The local size is 0 if no work-group has this many sub-groups.

uint __get_kernel_local_size_for_sub_group_count_impl(uint count, const void *kernel_number, const void *block) {
  const uint most = __get_kernel_work_group_size_impl(kernel_number, block);
  const uint lanes = __get_kernel_preferred_work_group_size_multiple_impl(kernel_number, block);
  return count <= most / lanes ? count * lanes : 0;
}
uint __get_kernel_max_num_sub_groups_impl(const void *kernel_number, const void *block) {
  const uint most = __get_kernel_work_group_size_impl(kernel_number, block);
  const uint lanes = __get_kernel_preferred_work_group_size_multiple_impl(kernel_number, block);
  return (most + lanes - 1) / lanes;
}

// Events

LARGE clk_event_t __null_event(void) { return make_event(0); }
LARGE clk_event_t create_user_event(void) { return make_event(__ups_event(0, UPSWEEP_CREATE_EVENT, 0)); }
LARGE void retain_event(clk_event_t event) { __ups_event(event_bits(event), UPSWEEP_RETAIN_EVENT, 0); }
LARGE void release_event(clk_event_t event) { __ups_event(event_bits(event), UPSWEEP_RELEASE_EVENT, 0); }
LARGE bool is_valid_event(clk_event_t event) { return __ups_event(event_bits(event), UPSWEEP_IS_VALID_EVENT, 0) != 0; }
LARGE void set_user_event_status(clk_event_t event, int status) {
  __ups_event(event_bits(event), UPSWEEP_SET_EVENT_STATUS, (ulong)status);
}
LARGE void capture_event_profiling_info(clk_event_t event, clk_profiling_info name, __global void *value) {
  if (name == CLK_PROFILING_COMMAND_EXEC_TIME) __ups_event(event_bits(event), UPSWEEP_CAPTURE_TIMES, (ulong)value);
}

// compiler/corrections turns == and != into calls of these.
LARGE bool __same_handle(clk_event_t a, clk_event_t b) { return event_bits(a) == event_bits(b); }
LARGE bool __same_handle(queue_t a, queue_t b) { return queue_bits(a) == queue_bits(b); }

// Helpers

LARGE queue_t get_default_queue(void) { return make_queue(__ups_default_queue()); }

typedef __private const size_t *sizes_ptr;
HELPER ndrange_t range_of(uint dimensions, sizes_ptr offset, sizes_ptr global_size, sizes_ptr local_size) {
  ndrange_t range;
  range.workDimension = dimensions;
  for (uint i = 0; i < 3; ++i) {
    range.globalWorkOffset[i] = i < dimensions && offset ? offset[i] : 0;
    range.globalWorkSize[i] = i < dimensions ? global_size[i] : 1;
    range.localWorkSize[i] = i < dimensions && local_size ? local_size[i] : 0;
  }
  return range;
}

SMALL ndrange_t ndrange_1D(size_t global_size) { return range_of(1, 0, &global_size, 0); }
SMALL ndrange_t ndrange_1D(size_t global_size, size_t local_size) { return range_of(1, 0, &global_size, &local_size); }
SMALL ndrange_t ndrange_1D(size_t offset, size_t global_size, size_t local_size) {
  return range_of(1, &offset, &global_size, &local_size);
}
#define RANGES(N) \
  SMALL ndrange_t ndrange_##N##D(sizes_ptr global_size) { return range_of(N, 0, global_size, 0); } \
  SMALL ndrange_t ndrange_##N##D(sizes_ptr global_size, sizes_ptr local_size) { \
    return range_of(N, 0, global_size, local_size); \
  } \
  SMALL ndrange_t ndrange_##N##D(sizes_ptr offset, sizes_ptr global_size, sizes_ptr local_size) { \
    return range_of(N, offset, global_size, local_size); \
  }
RANGES(2)
RANGES(3)
