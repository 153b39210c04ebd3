// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-side enqueue: the data that kernels pass, and on-device queues in memory. The host and kernels (builtins/enqueue.cl)
// share these layouts. Plain C that OpenCL C can include.
//
// queue_t is the address of an UpsweepDeviceQueue, or 0. clk_event_t is a number that the device assigns, or 0. A block's
// kernel is the 1-based index of the block among the program's blocks, in the order of the code's descriptions.
#ifndef UPSWEEP_BASE_ENQUEUE_ABI_H
#define UPSWEEP_BASE_ENQUEUE_ABI_H

#ifdef __OPENCL_C_VERSION__
#define UPSWEEP_ENQUEUE_U32 uint
#define UPSWEEP_ENQUEUE_U64 ulong
#define UPSWEEP_ENQUEUE_COUNTER volatile atomic_ulong
#else
#include <stdint.h>
#define UPSWEEP_ENQUEUE_U32 uint32_t
#define UPSWEEP_ENQUEUE_U64 uint64_t
#define UPSWEEP_ENQUEUE_COUNTER uint64_t
#endif

/// Captured values start at a multiple of this; no type has a stricter alignment.
enum { UPSWEEP_BLOCK_ALIGNMENT = 128 };

/// An ndrange_t as in Clang's header. The device chooses a local size of 0.
struct UpsweepRange {
  UPSWEEP_ENQUEUE_U32 work_dim;
  UPSWEEP_ENQUEUE_U32 unused;
  UPSWEEP_ENQUEUE_U64 global_offset[3];
  UPSWEEP_ENQUEUE_U64 global_size[3];
  UPSWEEP_ENQUEUE_U64 local_size[3];
};

/// The start of a block literal in Clang's layout; the captured values follow.
struct UpsweepBlock {
  UPSWEEP_ENQUEUE_U32 bytes;  ///< including this header
  UPSWEEP_ENQUEUE_U32 alignment;
  UPSWEEP_ENQUEUE_U64 function;  ///< for direct calls; unused in an enqueued block
};

/// An on-device queue. A command reserves its bytes until it has ended.
struct UpsweepDeviceQueue {
  UPSWEEP_ENQUEUE_U64 bytes;      ///< CL_QUEUE_SIZE
  UPSWEEP_ENQUEUE_U64 unused[7];  ///< keeps the counter in its own cache line
  UPSWEEP_ENQUEUE_COUNTER taken;  ///< bytes of commands that have not ended
  UPSWEEP_ENQUEUE_U64 after_taken[7];
};

/// kernel_enqueue_flags_t, and a flag of programs built with -g: enqueue_kernel returns the reason of a failure.
enum UpsweepEnqueueFlags { UPSWEEP_NO_WAIT = 0, UPSWEEP_WAIT_KERNEL = 1, UPSWEEP_WAIT_WORK_GROUP = 2, UPSWEEP_SAY_WHY = 0x100 };

/// Return values of enqueue_kernel and enqueue_marker, as in opencl-c-base.h.
enum UpsweepEnqueueResult {
  UPSWEEP_ENQUEUED = 0,
  UPSWEEP_OUT_OF_RESOURCES = -5,
  UPSWEEP_INVALID_ARG_SIZE = -51,
  UPSWEEP_INVALID_EVENT_WAIT_LIST = -57,
  UPSWEEP_EVENT_ALLOCATION_FAILURE = -100,
  UPSWEEP_ENQUEUE_FAILURE = -101,  ///< any of the other errors, in programs built without -g
  UPSWEEP_INVALID_QUEUE = -102,
  UPSWEEP_INVALID_NDRANGE = -160,
  UPSWEEP_DEVICE_QUEUE_FULL = -161
};

/// The operations of kernels on events.
enum UpsweepEventAction {
  UPSWEEP_CREATE_EVENT,  ///< returns a new user event, or 0
  UPSWEEP_RETAIN_EVENT,
  UPSWEEP_RELEASE_EVENT,
  UPSWEEP_SET_EVENT_STATUS,  ///< of a user event
  UPSWEEP_IS_VALID_EVENT,    ///< returns 0 or 1
  UPSWEEP_CAPTURE_TIMES      ///< store to an address when the event is complete
};

/// The queries of kernels about blocks.
enum UpsweepBlockQuery {
  UPSWEEP_WORK_GROUP_SIZE,
  UPSWEEP_WORK_GROUP_SIZE_MULTIPLE,
  UPSWEEP_SUB_GROUP_COUNT,    ///< for the work-groups of a range
  UPSWEEP_MAX_SUB_GROUP_SIZE  ///< for the work-groups of a range
};

#endif
