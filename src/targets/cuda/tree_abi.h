// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels on a GPU that enqueue others talk to the host, which starts them. A launch and all commands below it are a tree.
// Its kernels write messages to a ring in host memory; the host reads them in their order, and answers nothing: what a kernel
// has to know at once is in the GPU's memory. Plain C that OpenCL C can include.
#ifndef UPSWEEP_TARGETS_CUDA_TREE_ABI_H
#define UPSWEEP_TARGETS_CUDA_TREE_ABI_H

#include "base/enqueue_abi.h"

enum {
  UPSWEEP_SLOT_BYTES = 64,
  UPSWEEP_SLOT_WORDS = 7,  ///< of a message
  UPSWEEP_RING_SLOTS = 1 << 18,
  /// Of one message; captured values that are larger are not enqueued.
  UPSWEEP_MESSAGE_SLOTS = 1 << 15,
  UPSWEEP_TREE_GRIDS = 16,       ///< that are under way at once, each in a stream of its own
  UPSWEEP_TREE_QUEUES = 16,      ///< that a launch can name: its arguments and the default one
  UPSWEEP_TREE_EVENTS = 1 << 18  ///< CL_DEVICE_MAX_ON_DEVICE_EVENTS
};

/// What a message says; those of events have one slot.
enum UpsweepMessageAction {
  UPSWEEP_MESSAGE_NOTHING,   ///< its slots were taken for nothing
  UPSWEEP_MESSAGE_COMMAND,   ///< a command is enqueued
  UPSWEEP_MESSAGE_RELEASED,  ///< kernels have given back their last reference of an event
  UPSWEEP_MESSAGE_STATUS,    ///< of a user event, in `value`
  UPSWEEP_MESSAGE_TIMES      ///< of an event that is not complete yet go to the address in `value`, when it is
};

/// Bit 0 of each word of a slot while it has a message of that time that the ring is filled, the slot's number counting all
/// slots that there ever were. So each word tells by itself that it is there, and words may come in any order: a fence that
/// waits until they have arrived in the host's memory takes a microsecond and more.
#define UPSWEEP_SLOT_PHASE(slot) ((((slot) / UPSWEEP_RING_SLOTS) & 1) ^ 1)

/// A message is words of 8 bytes, UPSWEEP_SLOT_WORDS in each slot. The slot's last word has their bits 0, above its own: that
/// of the first word is bit 1. All words of a slot are written.
/// Of a command, numbers of 8 bytes follow: of each dimension its offset, size and size of work-groups, then the events that
/// it waits for, the bytes of its local arguments and the block's literal.
struct UpsweepMessage {
  UPSWEEP_ENQUEUE_U32 slots;
  UPSWEEP_ENQUEUE_U32 action;
  UPSWEEP_ENQUEUE_U64 command;  ///< that the kernel belongs to which enqueues: UpsweepGrid::command
  UPSWEEP_ENQUEUE_U64 event;
  UPSWEEP_ENQUEUE_U64 value;
  UPSWEEP_ENQUEUE_U32 block;  ///< its number, or 0 for a marker
  /// UpsweepEnqueueFlags, above 16 bits the dimensions, above 24 the queue's number in UpsweepTree::queues.
  UPSWEEP_ENQUEUE_U32 flags_work_dim_and_queue;
  UPSWEEP_ENQUEUE_U32 num_events;
  UPSWEEP_ENQUEUE_U32 num_locals;
  UPSWEEP_ENQUEUE_U32 literal_bytes;
  UPSWEEP_ENQUEUE_U32 queue_bytes;
};

/// Of an event that is complete.
struct UpsweepEventTimes {
  UPSWEEP_ENQUEUE_U64 event;      ///< stored last
  UPSWEEP_ENQUEUE_U64 values[2];  ///< as capture_event_profiling_info has them
};

/// An event in the GPU's memory: above, the number of times that its place was used, below, the kernels' references. An event
/// (clk_event_t) is that number above its place.

/// In host memory that the GPU reads: what the host gives back.
struct UpsweepTreeHost {
  UPSWEEP_ENQUEUE_U64 read_slots;   ///< of the ring, of all that there ever were
  UPSWEEP_ENQUEUE_U64 free_events;  ///< that `places` ever got
  UPSWEEP_ENQUEUE_U64 unused[6];
  UPSWEEP_ENQUEUE_U64 returned[UPSWEEP_TREE_QUEUES];    ///< bytes of commands that are gone
  UPSWEEP_ENQUEUE_U32 places[UPSWEEP_TREE_EVENTS];      ///< of events that are gone, for new ones
  struct UpsweepEventTimes times[UPSWEEP_TREE_EVENTS];  ///< of the event that last had each place
};

struct UpsweepTreeQueue {
  UPSWEEP_ENQUEUE_U64 handle;    ///< the queue_t
  UPSWEEP_ENQUEUE_U64 bytes;     ///< CL_QUEUE_SIZE
  UPSWEEP_ENQUEUE_U64 taken;     ///< bytes of all commands that there ever were
  UPSWEEP_ENQUEUE_U64 returned;  ///< UpsweepTreeHost::returned, as last seen
};

/// What a block's kernel can do.
struct UpsweepBlockLimits {
  UPSWEEP_ENQUEUE_U64 local_bytes;  ///< of the local memory that a work-group has without its arguments
  UPSWEEP_ENQUEUE_U32 work_group_size;
  UPSWEEP_ENQUEUE_U32 is_uniform;      ///< KernelDescription::uniform_work_group_size
  UPSWEEP_ENQUEUE_U32 argument_bytes;  ///< KernelDescription::argument_block_bytes
  UPSWEEP_ENQUEUE_U32 local_alignment;
};

/// In the GPU's memory.
struct UpsweepTree {
  UPSWEEP_ENQUEUE_U64 ring;          ///< address of the slots
  UPSWEEP_ENQUEUE_U64 host;          ///< of the UpsweepTreeHost
  UPSWEEP_ENQUEUE_U64 events;        ///< of the events' table
  UPSWEEP_ENQUEUE_U64 blocks;        ///< of an UpsweepBlockLimits for each block
  UPSWEEP_ENQUEUE_U64 ended_groups;  ///< of each grid's number of work-groups that have ended, in the GPU's memory
  UPSWEEP_ENQUEUE_U64 ends;          ///< of what each grid's last one stores in the host's: taken_slots
  UPSWEEP_ENQUEUE_U64 default_queue;
  UPSWEEP_ENQUEUE_U64 local_bytes;    ///< that a work-group can have
  UPSWEEP_ENQUEUE_U32 most_items[3];  ///< of a work-group in a dimension
  UPSWEEP_ENQUEUE_U32 num_queues;
  // What changes
  UPSWEEP_ENQUEUE_U64 taken_slots;  ///< of the ring
  UPSWEEP_ENQUEUE_U64 read_slots;   ///< UpsweepTreeHost::read_slots, as last seen
  UPSWEEP_ENQUEUE_U64 new_events;   ///< places that were asked for
  UPSWEEP_ENQUEUE_U64 used_events;  ///< of UpsweepTreeHost::places
  struct UpsweepTreeQueue queues[UPSWEEP_TREE_QUEUES];
};

#endif
