// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-side enqueue (specification: "Enqueuing Kernels"): checks, and a message to the host (targets/cuda/tree_abi.h), which starts the
// kernel.
#include "nvptx.h"
#include "targets/cuda/tree_abi.h"

typedef __global struct UpsweepTree *tree_ptr;
typedef __global ulong *word_ptr;

HELPER tree_ptr this_tree(void) { return (tree_ptr)__ups_tree(); }

HELPER ulong add(word_ptr p, ulong x) {
  ulong old;
  __asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(x) : "memory");
  return old;
}
HELPER void raise(word_ptr p, ulong x) {
  ulong old;
  __asm volatile("atom.relaxed.gpu.global.max.u64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(x) : "memory");
}
HELPER ulong exchange_if(word_ptr p, ulong expected, ulong x) {
  ulong old;
  __asm volatile("atom.relaxed.gpu.global.cas.b64 %0, [%1], %2, %3;" : "=l"(old) : "l"(p), "l"(expected), "l"(x) : "memory");
  return old;
}
HELPER ulong load(word_ptr p) {
  ulong x;
  __asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
  return x;
}
/// Loads from host memory; earlier writes of the host are visible afterwards.
HELPER ulong load_from_host(word_ptr p) {
  ulong x;
  __asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
  return x;
}
HELPER void publish(word_ptr p, ulong x) {
  __asm volatile("st.release.sys.global.u64 [%0], %1;" : : "l"(p), "l"(x) : "memory");
}
/// Stores two words of a slot; each word arrives as a whole.
HELPER void store_pair(word_ptr p, ulong low, ulong high) {
  __asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1, %2};" : : "l"(p), "l"(low), "l"(high) : "memory");
}

// The ring

/// Reserves slots. Kernels that start later see the work-item's earlier writes: a grid starts only after its message has reached the
/// host, and by then these writes are in the GPU's memory.
HELPER ulong take_slots(tree_ptr tree, ulong count) {
  ulong old;
  __asm volatile("atom.release.gpu.global.add.u64 %0, [%1], %2;" : "=l"(old) : "l"(&tree->taken_slots), "l"(count) : "memory");
  return old;
}

/// The wait is short: the host reads messages independently of kernels.
HELPER void wait_for_room(tree_ptr tree, ulong end, ulong read_slots) {
  while (end - read_slots > UPSWEEP_RING_SLOTS) {
    __asm volatile("nanosleep.u32 500;");
    __global struct UpsweepTreeHost *host = (__global struct UpsweepTreeHost *)tree->host;
    raise(&tree->read_slots, load_from_host(&host->read_slots));
    read_slots = load(&tree->read_slots);
  }
}

#define PAIR(low, high) ((ulong)(low) | (ulong)(high) << 32)

/// A message being written: two words per store, since each store is sent to the host separately.
typedef struct {
  ulong ring, slot;
  uint word;  // in the slot
  ulong phase, before, bits;
} message;
HELPER message message_at(ulong ring, ulong first) {
  return (message){.ring = ring, .slot = first, .word = 0, .phase = UPSWEEP_SLOT_PHASE(first), .before = 0, .bits = 0};
}
HELPER void put(message *m, ulong value) {
  const ulong word = (value & ~1ul) | m->phase;
  const word_ptr slot = (word_ptr)(m->ring + (m->slot & (UPSWEEP_RING_SLOTS - 1)) * UPSWEEP_SLOT_BYTES);
  m->bits |= (value & 1) << (m->word + 1);
  if (m->word == UPSWEEP_SLOT_WORDS - 1) {
    store_pair(slot + m->word, word, m->bits | m->phase);
    *m = message_at(m->ring, m->slot + 1);
    return;
  }
  if (m->word % 2) store_pair(slot + (m->word - 1), m->before, word);
  m->before = word;
  ++m->word;
}
HELPER void end_words(message *m) {
  while (m->word) put(m, 0);
}

HELPER void send_about_event(tree_ptr tree, uint action, ulong event, ulong value) {
  const ulong ring = tree->ring, first = take_slots(tree, 1);
  wait_for_room(tree, first + 1, load(&tree->read_slots));
  message m = message_at(ring, first);
  put(&m, PAIR(1, action));
  put(&m, 0);
  put(&m, event);
  put(&m, value);
  end_words(&m);
}

/// Replaces a message that will not be sent.
HELPER void send_nothing(ulong ring, ulong first, uint slots) {
  message m = message_at(ring, first);
  put(&m, PAIR(slots, UPSWEEP_MESSAGE_NOTHING));
  while (m.slot != first + slots) put(&m, 0);
}

// Events

HELPER word_ptr place_of(tree_ptr tree, ulong event) { return (word_ptr)tree->events + (uint)event % UPSWEEP_TREE_EVENTS; }
/// Whether the event still owns its entry: the host may hold references when kernels have none.
HELPER bool has_place(ulong state, ulong event) {
  return event >> 32 != 0 && (uint)event < UPSWEEP_TREE_EVENTS && state >> 32 == event >> 32;
}
HELPER bool is_valid(tree_ptr tree, ulong event) {
  const ulong state = load(place_of(tree, event));
  return has_place(state, event) && (uint)state != 0;
}

/// The entry of a freed event, or UPSWEEP_TREE_EVENTS.
HELPER ulong used_place(tree_ptr tree) {
  __global struct UpsweepTreeHost *host = (__global struct UpsweepTreeHost *)tree->host;
  for (;;) {
    const ulong used = load(&tree->used_events);
    if (used == load_from_host(&host->free_events)) return UPSWEEP_TREE_EVENTS;
    const uint place = host->places[used % UPSWEEP_TREE_EVENTS];
    if (exchange_if(&tree->used_events, used, used + 1) == used) return place;
  }
}

/// A new event with one reference; 0 if there are too many.
HELPER ulong new_event(tree_ptr tree) {
  ulong place = UPSWEEP_TREE_EVENTS;
  if (load(&tree->new_events) < UPSWEEP_TREE_EVENTS) place = add(&tree->new_events, 1);
  if (place >= UPSWEEP_TREE_EVENTS) place = used_place(tree);
  if (place >= UPSWEEP_TREE_EVENTS) return 0;
  const word_ptr state = (word_ptr)tree->events + place;
  const uint uses = max((uint)(load(state) >> 32) + 1, 1u);
  __asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(state), "l"(PAIR(1, uses)) : "memory");
  return PAIR(place, uses);
}

HELPER void release(tree_ptr tree, ulong event) {
  if (is_valid(tree, event) && (uint)add(place_of(tree, event), ~0ul) == 1)
    send_about_event(tree, UPSWEEP_MESSAGE_RELEASED, event, 0);
}

/// The times of a complete event are stored immediately; for others the host stores them on completion.
HELPER void capture_times(tree_ptr tree, ulong event, ulong to) {
  __global struct UpsweepTreeHost *host = (__global struct UpsweepTreeHost *)tree->host;
  __global struct UpsweepEventTimes *times = &host->times[(uint)event];
  if (load_from_host(&times->event) != event) return send_about_event(tree, UPSWEEP_MESSAGE_TIMES, event, to);
  for (uint i = 0; i < 2; ++i) ((word_ptr)to)[i] = load_from_host(&times->values[i]);
}

ulong __ups_event(ulong event, uint action, ulong value) {
  const tree_ptr tree = this_tree();
  switch (action) {
  case UPSWEEP_CREATE_EVENT: return new_event(tree);
  case UPSWEEP_IS_VALID_EVENT: return is_valid(tree, event);
  case UPSWEEP_RETAIN_EVENT:
    if (is_valid(tree, event)) add(place_of(tree, event), 1);
    break;
  case UPSWEEP_RELEASE_EVENT: release(tree, event); break;
  case UPSWEEP_SET_EVENT_STATUS:
    if (has_place(load(place_of(tree, event)), event)) send_about_event(tree, UPSWEEP_MESSAGE_STATUS, event, value);
    break;
  case UPSWEEP_CAPTURE_TIMES:
    if (value && has_place(load(place_of(tree, event)), event)) capture_times(tree, event, value);
    break;
  }
  return 0;
}

ulong __ups_default_queue(void) { return this_tree()->default_queue; }

// Ranges

#define RANGE_MEMBERS uint work_dim, ulong o0, ulong o1, ulong o2, ulong g0, ulong g1, ulong g2, ulong l0, ulong l1, ulong l2

typedef struct {
  uint work_dim;
  ulong offset[3], global_size[3], local_size[3];
} range;

HELPER bool is_empty(const range *r) { return !r->global_size[0] || !r->global_size[1] || !r->global_size[2]; }
HELPER ulong items_of_group(const range *r) { return r->local_size[0] * r->local_size[1] * r->local_size[2]; }

/// The largest size of at most `most` work-items that divides `size` if all work-groups must have the same size.
HELPER ulong fitting(ulong size, ulong most, bool divides) {
  if (size <= most) return size;
  while (divides && size % most) --most;
  return most;
}
HELPER void choose_local_size(range *r, tree_ptr tree, __global const struct UpsweepBlockLimits *limits) {
  ulong most = min(limits->work_group_size, 256u);
  for (uint d = 0; d < 3; ++d) {
    const ulong size = fitting(r->global_size[d], min(most, (ulong)tree->most_items[d]), limits->is_uniform);
    r->local_size[d] = size;
    most /= size;
    if (!most) most = 1;
  }
}

/// False if the range is invalid. A range without work-items is valid.
HELPER bool complete_range(range *r, tree_ptr tree, __global const struct UpsweepBlockLimits *limits) {
  if (r->work_dim < 1 || r->work_dim > 3) return false;
  bool has_local = true;
  for (uint d = 0; d < 3; ++d) {
    if (d >= r->work_dim) {
      r->offset[d] = 0;
      r->global_size[d] = r->local_size[d] = 1;
    }
    has_local &= r->local_size[d] != 0;
    if (r->global_size[d] + r->offset[d] < r->offset[d]) return false;
  }
  if (is_empty(r)) return true;
  if (!has_local) choose_local_size(r, tree, limits);
  ulong items = 1, groups = 1;
  for (uint d = 0; d < 3; ++d) {
    const ulong size = r->local_size[d], global_size = r->global_size[d];
    if (size > tree->most_items[d]) return false;
    items *= size;
    // "CLK_INVALID_NDRANGE … if the program was compiled with -cl-uniform-work-group-size and the local_work_size is specified
    // in ndrange but the global_work_size specified in ndrange is not a multiple of the local_work_size."
    if (limits->is_uniform && global_size % size) return false;
    const ulong count = global_size / size + (global_size % size != 0);
    if (count >> 62 || __builtin_mul_overflow(groups, count, &groups) || groups >> 62) return false;
  }
  return items <= limits->work_group_size;
}

HELPER __global const struct UpsweepBlockLimits *limits_of(tree_ptr tree, ulong kernel_number) {
  return (__global const struct UpsweepBlockLimits *)tree->blocks + (kernel_number - 1);
}

uint __ups_block_query(RANGE_MEMBERS, const void *kernel_number, uint query) {
  const tree_ptr tree = this_tree();
  __global const struct UpsweepBlockLimits *limits = limits_of(tree, (ulong)kernel_number);
  if (query == UPSWEEP_WORK_GROUP_SIZE) return limits->work_group_size;
  const uint warp = 32;  // a block has no attribute for another size
  if (query != UPSWEEP_SUB_GROUP_COUNT) return warp;
  range r = {work_dim, {o0, o1, o2}, {g0, g1, g2}, {l0, l1, l2}};
  if (!complete_range(&r, tree, limits) || is_empty(&r)) return 0;
  return (uint)((items_of_group(&r) + warp - 1) / warp);
}

// Commands

/// Bytes that a command takes of its queue in addition to its arguments, as on CPUs.
#define COMMAND_BYTES 256

/// False if the queue is full.
HELPER bool take_queue(tree_ptr tree, uint index, uint bytes) {
  __global struct UpsweepTreeQueue *queue = &tree->queues[index];
  const ulong end = add(&queue->taken, bytes) + bytes;
  if (end - load(&queue->returned) <= queue->bytes) return true;
  raise(&queue->returned, load_from_host(&((__global struct UpsweepTreeHost *)tree->host)->returned[index]));
  if (end - load(&queue->returned) <= queue->bytes) return true;
  add(&queue->taken, -(ulong)bytes);
  return false;
}

HELPER int check_locals(tree_ptr tree, __global const struct UpsweepBlockLimits *limits, uint num_locals, const ulong *local_bytes) {
  ulong bytes = limits->local_bytes;
  const ulong alignment = limits->local_alignment;
  for (uint i = 0; i < num_locals; ++i) {
    if (!local_bytes[i]) return UPSWEEP_INVALID_ARG_SIZE;
    if (local_bytes[i] > tree->local_bytes) return UPSWEEP_OUT_OF_RESOURCES;
    bytes = (bytes + alignment - 1) / alignment * alignment + local_bytes[i];
    if (bytes > tree->local_bytes) return UPSWEEP_OUT_OF_RESOURCES;
  }
  return bytes > tree->local_bytes ? UPSWEEP_OUT_OF_RESOURCES : UPSWEEP_ENQUEUED;
}

HELPER int enqueue(range *r, ulong queue, uint flags, uint num_events, const ulong *wait_list, ulong *event, ulong kernel_number,
                   const ulong *literal, uint num_locals, const ulong *local_bytes) {
  const tree_ptr tree = this_tree();
  uint index = 0;
  while (index < tree->num_queues && tree->queues[index].handle != queue) ++index;
  if (queue == 0 || index == tree->num_queues) return UPSWEEP_INVALID_QUEUE;
  // A marker without events to wait for is invalid.
  if ((wait_list == 0) != (num_events == 0) || (kernel_number == 0 && num_events == 0)) return UPSWEEP_INVALID_EVENT_WAIT_LIST;
  for (uint i = 0; i < num_events; ++i)
    if (!is_valid(tree, wait_list[i])) return UPSWEEP_INVALID_EVENT_WAIT_LIST;

  uint bytes = COMMAND_BYTES, literal_bytes = 0;
  if (kernel_number) {
    __global const struct UpsweepBlockLimits *limits = limits_of(tree, kernel_number);
    if (!complete_range(r, tree, limits)) return UPSWEEP_INVALID_NDRANGE;
    const int checked = check_locals(tree, limits, num_locals, local_bytes);
    if (checked != UPSWEEP_ENQUEUED) return checked;
    literal_bytes = ((const struct UpsweepBlock *)literal)->bytes;
    bytes += limits->argument_bytes + literal_bytes;
  }
  const uint work_dim = kernel_number ? r->work_dim : 0;
  const ulong words = sizeof(struct UpsweepMessage) / 8 + 3 * work_dim + num_events + num_locals + (literal_bytes + 7) / 8;
  if (words > (ulong)UPSWEEP_MESSAGE_SLOTS * UPSWEEP_SLOT_WORDS) return UPSWEEP_OUT_OF_RESOURCES;
  const uint slots = ((uint)words + UPSWEEP_SLOT_WORDS - 1) / UPSWEEP_SLOT_WORDS;
  bytes = (bytes + 63) / 64 * 64;
  // All loads at the same time, to overlap their latencies.
  const ulong ring = tree->ring, first = take_slots(tree, slots), read_slots = load(&tree->read_slots);
  int result = take_queue(tree, index, bytes) ? UPSWEEP_ENQUEUED : UPSWEEP_DEVICE_QUEUE_FULL;
  ulong made = 0;
  if (event && result == UPSWEEP_ENQUEUED) {
    made = new_event(tree);
    if (!made) {
      add(&tree->queues[index].taken, -(ulong)bytes);
      result = UPSWEEP_EVENT_ALLOCATION_FAILURE;
    }
  }
  wait_for_room(tree, first + slots, read_slots);
  if (result != UPSWEEP_ENQUEUED) {
    send_nothing(ring, first, slots);
    return result;
  }
  message m = message_at(ring, first);
  put(&m, PAIR(slots, UPSWEEP_MESSAGE_COMMAND));
  put(&m, __ups_command());
  put(&m, made);
  put(&m, 0);
  put(&m, PAIR(kernel_number, (flags & 0xffff) | work_dim << 16 | index << 24));
  put(&m, PAIR(num_events, num_locals));
  put(&m, PAIR(literal_bytes, bytes));
  for (uint d = 0; d < work_dim; ++d) {
    put(&m, r->offset[d]);
    put(&m, r->global_size[d]);
    put(&m, r->local_size[d]);
  }
  for (uint i = 0; i < num_events; ++i) put(&m, wait_list[i]);
  for (uint i = 0; i < num_locals; ++i) put(&m, local_bytes[i]);
  for (uint i = 0; i < (literal_bytes + 7) / 8; ++i) put(&m, literal[i]);
  end_words(&m);
  // The event's address may be that of an event in the list.
  if (event) *event = made;
  return UPSWEEP_ENQUEUED;
}

int __ups_enqueue(RANGE_MEMBERS, ulong queue, uint flags, uint num_events, const void *wait_list, void *event,
                  const void *kernel_number, const void *block, uint num_locals, const void *local_bytes) {
  range r = {work_dim, {o0, o1, o2}, {g0, g1, g2}, {l0, l1, l2}};
  const int result = enqueue(&r, queue, flags, num_events, wait_list, event, (ulong)kernel_number, block, num_locals, local_bytes);
  // "… returns CLK_SUCCESS if the block is enqueued successfully and returns CLK_ENQUEUE_FAILURE otherwise."
  return result == UPSWEEP_ENQUEUED || flags & UPSWEEP_SAY_WHY ? result : UPSWEEP_ENQUEUE_FAILURE;
}

// Ends of kernels

HELPER void fence(void) { __asm volatile("fence.acq_rel.gpu;" : : : "memory"); }

/// The last action of each work-item in kernels that enqueue and in blocks' kernels. The grid's last work-group reports the number of
/// reserved slots to the host, which then knows when it has read all messages of the grid's kernels.
void __ups_end_group(void) {
  __asm volatile("barrier.sync 0;" : : : "memory");  // work-items arrive in any order
  if (linear_thread() != 0) return;
  const tree_ptr tree = this_tree();
  const uint end = __ups_grid_end();
  const ulong grid = end ? end - 1 : 0;
  const ulong groups = end ? (ulong)blocks_x() * blocks_y() * blocks_z() : __ups_num_groups(0) * __ups_num_groups(1) * __ups_num_groups(2);
  if (groups != 1) {
    const word_ptr ended = (word_ptr)tree->ended_groups + grid;
    fence();
    if (add(ended, 1) + 1 != groups) return;
    fence();
    *ended = 0;
  }
  publish((word_ptr)tree->ends + grid, load(&tree->taken_slots));
}
