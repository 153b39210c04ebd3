// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How GPU kernels that enqueue others communicate with the host, which starts the enqueued commands. A launch and all its
// descendants are a tree. Its kernels write messages to a ring in host memory. The host reads them in order and never replies:
// data that a kernel needs immediately is in the GPU's memory. Plain C that OpenCL C can include.
#ifndef UPSWEEP_TARGETS_CUDA_TREE_ABI_H
#define UPSWEEP_TARGETS_CUDA_TREE_ABI_H

#include "base/enqueue_abi.h"

enum {
  UPSWEEP_SLOT_BYTES = 64,
  UPSWEEP_SLOT_WORDS = 7,  ///< words of a message in each slot
  UPSWEEP_RING_SLOTS = 1 << 18,
  /// Limit of one message; commands with larger captured values are not enqueued.
  UPSWEEP_MESSAGE_SLOTS = 1 << 15,
  UPSWEEP_TREE_GRIDS = 16,       ///< running at the same time, each in its own stream
  UPSWEEP_TREE_QUEUES = 16,      ///< available to a launch: its arguments and the default queue
  UPSWEEP_TREE_EVENTS = 1 << 18  ///< CL_DEVICE_MAX_ON_DEVICE_EVENTS
};

/// The kinds of messages. Messages about events have one slot.
enum UpsweepMessageAction {
  UPSWEEP_MESSAGE_NOTHING,   ///< its slots were reserved but not used
  UPSWEEP_MESSAGE_COMMAND,   ///< a command is enqueued
  UPSWEEP_MESSAGE_RELEASED,  ///< kernels have released their last reference to an event
  UPSWEEP_MESSAGE_STATUS,    ///< the status of a user event, in `value`
  UPSWEEP_MESSAGE_TIMES      ///< store the times of an incomplete event at the address in `value` once it is complete
};

/// Bit 0 of each word of a slot is this phase while the slot holds a message of the current pass over the ring. `slot` counts
/// all slots since the start. So each word shows whether it has arrived, and words may arrive in any order. A fence that waits
/// for their arrival in host memory would take a microsecond or more.
#define UPSWEEP_SLOT_PHASE(slot) ((((slot) / UPSWEEP_RING_SLOTS) & 1) ^ 1)

/// A message consists of 8-byte words, UPSWEEP_SLOT_WORDS per slot. Each slot has one more word, which holds bit 0 of these
/// words from bit 1 up. All words of a slot are written.
///
/// In a message about a command, 8-byte numbers follow: the offset, size and work-group size of each dimension, then the events
/// that it waits for, the sizes of its local arguments and the block literal.
struct UpsweepMessage {
  UPSWEEP_ENQUEUE_U32 slots;
  UPSWEEP_ENQUEUE_U32 action;
  UPSWEEP_ENQUEUE_U64 command;  ///< UpsweepGrid::command of the kernel that enqueues
  UPSWEEP_ENQUEUE_U64 event;
  UPSWEEP_ENQUEUE_U64 value;
  UPSWEEP_ENQUEUE_U32 block;  ///< the block's number, or 0 for a marker
  /// UpsweepEnqueueFlags; from bit 16 the dimensions, from bit 24 the queue's index in UpsweepTree::queues.
  UPSWEEP_ENQUEUE_U32 flags_work_dim_and_queue;
  UPSWEEP_ENQUEUE_U32 num_events;
  UPSWEEP_ENQUEUE_U32 num_locals;
  UPSWEEP_ENQUEUE_U32 literal_bytes;
  UPSWEEP_ENQUEUE_U32 queue_bytes;
};

/// Times of a complete event.
struct UpsweepEventTimes {
  UPSWEEP_ENQUEUE_U64 event;      ///< stored last
  UPSWEEP_ENQUEUE_U64 values[2];  ///< in the form of capture_event_profiling_info
};

/// A table entry of an event in the GPU's memory: the upper half is the number of uses of the entry, the lower half the
/// kernels' references. A clk_event_t has the number of uses in its upper half and the entry's index in its lower half.

/// Data from the host to kernels, in host memory that the GPU reads.
struct UpsweepTreeHost {
  UPSWEEP_ENQUEUE_U64 read_slots;   ///< slots read since the start
  UPSWEEP_ENQUEUE_U64 free_events;  ///< entries stored in `places` since the start
  UPSWEEP_ENQUEUE_U64 unused[6];
  UPSWEEP_ENQUEUE_U64 returned[UPSWEEP_TREE_QUEUES];    ///< bytes of freed commands
  UPSWEEP_ENQUEUE_U32 places[UPSWEEP_TREE_EVENTS];      ///< indices of freed events, for reuse
  struct UpsweepEventTimes times[UPSWEEP_TREE_EVENTS];  ///< times of the last event at each index
};

struct UpsweepTreeQueue {
  UPSWEEP_ENQUEUE_U64 handle;    ///< the queue_t
  UPSWEEP_ENQUEUE_U64 bytes;     ///< CL_QUEUE_SIZE
  UPSWEEP_ENQUEUE_U64 taken;     ///< bytes of all commands since the start
  UPSWEEP_ENQUEUE_U64 returned;  ///< UpsweepTreeHost::returned, as last seen
};

/// Limits of a block's kernel.
struct UpsweepBlockLimits {
  UPSWEEP_ENQUEUE_U64 local_bytes;  ///< local memory of a work-group without its arguments
  UPSWEEP_ENQUEUE_U32 work_group_size;
  UPSWEEP_ENQUEUE_U32 is_uniform;      ///< KernelDescription::uniform_work_group_size
  UPSWEEP_ENQUEUE_U32 argument_bytes;  ///< KernelDescription::argument_block_bytes
  UPSWEEP_ENQUEUE_U32 local_alignment;
};

/// State in the GPU's memory.
struct UpsweepTree {
  UPSWEEP_ENQUEUE_U64 ring;          ///< address of the slots
  UPSWEEP_ENQUEUE_U64 host;          ///< address of the UpsweepTreeHost
  UPSWEEP_ENQUEUE_U64 events;        ///< address of the events' table
  UPSWEEP_ENQUEUE_U64 blocks;        ///< address of an UpsweepBlockLimits for each block
  UPSWEEP_ENQUEUE_U64 ended_groups;  ///< address, in the GPU's memory, of each grid's count of ended work-groups
  UPSWEEP_ENQUEUE_U64 ends;          ///< address, in host memory, where the last work-group of each grid stores taken_slots
  UPSWEEP_ENQUEUE_U64 default_queue;
  UPSWEEP_ENQUEUE_U64 local_bytes;    ///< limit of a work-group
  UPSWEEP_ENQUEUE_U32 most_items[3];  ///< limits of a work-group in each dimension
  UPSWEEP_ENQUEUE_U32 num_queues;
  // Members that change
  UPSWEEP_ENQUEUE_U64 taken_slots;  ///< slots reserved since the start
  UPSWEEP_ENQUEUE_U64 read_slots;   ///< UpsweepTreeHost::read_slots, as last seen
  UPSWEEP_ENQUEUE_U64 new_events;   ///< entries requested since the start
  UPSWEEP_ENQUEUE_U64 used_events;  ///< entries taken from UpsweepTreeHost::places
  struct UpsweepTreeQueue queues[UPSWEEP_TREE_QUEUES];
};

#endif
