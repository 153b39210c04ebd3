// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipe functions (specification: "Pipe Functions"), with Clang's additional parameters for the size and the alignment of a packet.
// base/pipe_abi.h describes the ring.
//
// A loop ends with success, or when the pipe was full (empty) while its end did not move; it iterates only if another work-item's step
// succeeded. So no work-item waits for another.
#include "library.h"
#include "base/pipe_abi.h"
#include "sub_group_intrinsics.h"

#define ORDERED memory_order order, memory_scope scope
DECLARED uint atomic_load_explicit(volatile __global atomic_uint *p, ORDERED);
DECLARED ulong atomic_load_explicit(volatile __global atomic_ulong *p, ORDERED);
DECLARED void atomic_store_explicit(volatile __global atomic_uint *p, uint x, ORDERED);
DECLARED ulong atomic_fetch_add_explicit(volatile __global atomic_ulong *p, ulong x, ORDERED);
DECLARED ulong atomic_fetch_sub_explicit(volatile __global atomic_ulong *p, ulong x, ORDERED);
DECLARED bool atomic_compare_exchange_strong_explicit(volatile __global atomic_ulong *p, __private ulong *expected, ulong x,
                                                      memory_order success, memory_order failure, memory_scope scope);
DECLARED size_t get_local_linear_id(void);
DECLARED size_t get_local_size(uint dimension);
DECLARED int work_group_all(int predicate);
DECLARED ulong work_group_broadcast(ulong x, size_t i, size_t j, size_t k);

// The passes turn a pipe into a generic pointer to its header.
typedef __generic void *pipe_ptr;
typedef __global struct UpsweepPipe *ring_ptr;
ulong reserve_bits(reserve_id_t id) __asm__("__ups_reserve_bits");
reserve_id_t make_reserve_id(ulong bits) __asm__("__ups_make_reserve_id");

// If slots are adjacent, accesses of a CPU's sub-group become vector accesses. GPUs coalesce adjacent accesses themselves, and their
// work-items run independently.
#ifdef PIPES_OF_GPUS
#define SIDE_BY_SIDE(x) false
#define NO_WAIT()
#else
#define SIDE_BY_SIDE(x) (x)
#define NO_WAIT() __ups_no_wait()
#endif

/// Whether work-items write or read: selects the counter of positions, and the lowest bit of the expected state.
enum side { WRITE = 0, READ = 1 };
HELPER volatile __global atomic_ulong *end_of(ring_ptr ring, enum side side) {
  return side == WRITE ? &ring->tail : &ring->head;
}

HELPER volatile __global atomic_uint *state_of(ring_ptr ring, uint place) {
  return (volatile __global atomic_uint *)(ring + 1) + place;
}
HELPER __global char *packet_of(ring_ptr ring, uint place) {
  return (__global char *)ring + ring->packets + (ulong)place * ring->packet_bytes;
}

HELPER ulong load(volatile __global atomic_ulong *counter) {
  return atomic_load_explicit(counter, memory_order_relaxed, memory_scope_device);
}
HELPER bool advance(volatile __global atomic_ulong *counter, __private ulong *seen, ulong next) {
  return atomic_compare_exchange_strong_explicit(counter, seen, next, memory_order_relaxed, memory_order_relaxed,
                                                 memory_scope_device);
}

/// The position `n` slots after `position`; n is at most the pipe's size.
HELPER ulong behind(ring_ptr ring, ulong position, uint n) {
  const ulong place = (position & 0xffffffff) + n;
  const ulong round = position & ~0xffffffffUL;
  return place < ring->places ? round | place : round + (1UL << 32) + (place - ring->places);
}
/// The state of a slot that is ready for this side, in the round of `position`.
HELPER uint ready_state(enum side side, ulong position) { return 2 * (uint)(position >> 32) + (uint)side; }
HELPER bool is_state(volatile __global atomic_uint *state, enum side side, ulong position) {
  return atomic_load_explicit(state, memory_order_acquire, memory_scope_device) == ready_state(side, position);
}
HELPER bool is_ready(ring_ptr ring, enum side side, ulong position) {
  return is_state(state_of(ring, (uint)position), side, position);
}
/// Passes the slot, whose packet is written (read), to the other side.
HELPER void hand_on(volatile __global atomic_uint *state) {
  const uint mine = atomic_load_explicit(state, memory_order_relaxed, memory_scope_device);
  atomic_store_explicit(state, mine + 1, memory_order_release, memory_scope_device);
}
HELPER void hand_over(ring_ptr ring, uint place) { hand_on(state_of(ring, place)); }

#define COPY_AS(T) \
  for (uint i = 0; i < size / sizeof(T); ++i) ((T *)to)[i] = ((const T *)from)[i]
/// Size and alignment are constants in the kernel, so the loop is unrolled.
HELPER void copy_packet(__generic void *to, const __generic void *from, uint size, uint align) {
  if (align >= 64) {
    COPY_AS(uint16);
  } else if (align == 32) {
    COPY_AS(uint8);
  } else if (align == 16) {
    COPY_AS(uint4);
  } else if (align == 8) {
    COPY_AS(ulong);
  } else if (align == 4) {
    COPY_AS(uint);
  } else if (align == 2) {
    COPY_AS(ushort);
  } else {
    COPY_AS(uchar);
  }
}
HELPER void exchange_stored(__global char *stored, enum side side, __generic void *packet, uint size, uint align) {
  if (side == WRITE)
    copy_packet(stored, packet, size, align);
  else
    copy_packet(packet, stored, size, align);
}
HELPER void exchange_packet(ring_ptr ring, enum side side, uint place, __generic void *packet, uint size, uint align) {
  exchange_stored(packet_of(ring, place), side, packet, size, align);
}

HELPER ulong lanes_below(uint n) { return (1UL << n) - 1; }

/// Reserves a slot for each active work-item of the sub-group, up to the available number, with one compare-exchange.
HELPER bool take_place(ring_ptr ring, enum side side, __private uint *place) {
  volatile __global atomic_ulong *counter = end_of(ring, side);
  const uint lane = __ups_lane();
  ulong waiting = __ups_sg_ballot(1);
  const uint leader = (uint)__builtin_ctzl(waiting);
  ulong position = 0;
  if (lane == leader) position = load(counter);
  position = sg_broadcast(position, leader);
  bool has_place = false;
  while (true) {
    const uint rank = (uint)__builtin_popcountl(waiting & lanes_below(lane));
    const bool is_waiting = (waiting >> lane & 1) != 0;
    const ulong wanted = behind(ring, position, rank < ring->places ? rank : 0);
    const ulong ready = __ups_sg_ballot(is_waiting && rank < ring->places && is_ready(ring, side, wanted));
    const ulong late = waiting & ~ready;
    const ulong first = late ? waiting & lanes_below((uint)__builtin_ctzl(late)) : waiting;
    const ulong next = behind(ring, position, (uint)__builtin_popcountl(first));
    ulong seen = position;
    if (lane == leader) {
      if (first != 0)
        advance(counter, &seen, next);
      else
        seen = load(counter);
    }
    seen = sg_broadcast(seen, leader);
    if (seen == position) {
      if (first == 0) break;
      if (first >> lane & 1) {
        has_place = true;
        *place = (uint)wanted;
      }
      waiting &= ~first;
      if (waiting == 0) break;
      position = next;
    } else {
      position = seen;
    }
    NO_WAIT();
  }
  return has_place;
}

/// The fast path: the active work-items are the first of their sub-group, and the next slots are ready and adjacent. This is the usual
/// case, and allows vector accesses. False if it does not apply.
HELPER bool exchange_in_row(ring_ptr ring, enum side side, __generic void *packet, uint size, uint align) {
  volatile __global atomic_ulong *counter = end_of(ring, side);
  const ulong lanes = __ups_sg_ballot(1);
  const uint lane = __ups_lane(), n = (uint)__builtin_popcountl(lanes);
  if (!SIDE_BY_SIDE((lanes & lanes + 1) == 0 && n <= ring->places)) return false;
  ulong position = 0;
  if (lane == 0) position = load(counter);
  position = sg_broadcast(position, 0);
  while ((uint)position <= ring->places - n) {
    const uint first = (uint)position;
    volatile __global atomic_uint *state = state_of(ring, first) + lane;
    if (__ups_sg_ballot(!is_state(state, side, position)) != 0) return false;
    ulong seen = position;
    if (lane == 0) advance(counter, &seen, behind(ring, position, n));
    seen = sg_broadcast(seen, 0);
    if (seen == position) {
      exchange_stored(packet_of(ring, first) + (ulong)lane * size, side, packet, size, align);
      atomic_store_explicit(state, ready_state(side, position) + 1, memory_order_release, memory_scope_device);
      return true;
    }
    position = seen;
    NO_WAIT();
  }
  return false;
}

HELPER int exchange(pipe_ptr handle, enum side side, __generic void *packet, uint size, uint align) {
  ring_ptr ring = (ring_ptr)handle;
  if (size != ring->packet_bytes) return -1;  // another packet size
  if (exchange_in_row(ring, side, packet, size, align)) return 0;
  uint place = 0;
  if (!take_place(ring, side, &place)) return -1;
  exchange_packet(ring, side, place, packet, size, align);
  hand_over(ring, place);
  return 0;
}

// A reservation ID: the first slot and, in the upper half, the count. CLK_NULL_RESERVE_ID has all bits set.
#define NO_RESERVATION (~0UL)
HELPER ulong reserved(ulong position, uint n) { return (ulong)n << 32 | (uint)position; }
HELPER uint count_of(ulong id) { return (uint)(id >> 32); }
HELPER uint place_of(ring_ptr ring, ulong id, uint index) { return (uint)behind(ring, (uint)id, index); }

/// Whether the slots of a reservation are adjacent.
HELPER bool is_in_row(ring_ptr ring, ulong id) { return SIDE_BY_SIDE(count_of(id) <= ring->places - (uint)id); }

HELPER int exchange_at(pipe_ptr handle, enum side side, ulong id, uint index, __generic void *packet, uint size, uint align) {
  ring_ptr ring = (ring_ptr)handle;
  if (id == NO_RESERVATION || index >= count_of(id) || size != ring->packet_bytes) return -1;
  if (is_in_row(ring, id))
    exchange_stored(packet_of(ring, (uint)id) + (ulong)index * size, side, packet, size, align);
  else
    exchange_packet(ring, side, place_of(ring, id, index), packet, size, align);
  return 0;
}

HELPER bool can_reserve(ring_ptr ring, uint n, uint size) { return n != 0 && n <= ring->places && size == ring->packet_bytes; }
HELPER void note_unwritten(ring_ptr ring, enum side side, uint n) {
  if (side == WRITE) atomic_fetch_add_explicit(&ring->unwritten, n, memory_order_relaxed, memory_scope_device);
}
HELPER void note_written(ring_ptr ring, enum side side, uint n) {
  if (side == WRITE) atomic_fetch_sub_explicit(&ring->unwritten, n, memory_order_relaxed, memory_scope_device);
}

/// Reserves slots for one work-item. Checks the last slot first, since it is the likeliest to be unavailable.
HELPER ulong reserve(pipe_ptr handle, enum side side, uint n, uint size) {
  ring_ptr ring = (ring_ptr)handle;
  if (!can_reserve(ring, n, size)) return NO_RESERVATION;
  volatile __global atomic_ulong *counter = end_of(ring, side);
  ulong position = load(counter);
  while (true) {
    uint late = n;
    while (late != 0 && is_ready(ring, side, behind(ring, position, late - 1))) {
      --late;
      NO_WAIT();
    }
    ulong seen = position;
    if (late == 0) {
      if (advance(counter, &seen, behind(ring, position, n))) break;
    } else {
      seen = load(counter);
      if (seen == position) return NO_RESERVATION;
    }
    position = seen;
    NO_WAIT();
  }
  note_unwritten(ring, side, n);
  return reserved(position, n);
}
HELPER void commit(pipe_ptr handle, enum side side, ulong id) {
  if (id == NO_RESERVATION) return;
  ring_ptr ring = (ring_ptr)handle;
  note_written(ring, side, count_of(id));
  for (uint i = 0; i < count_of(id); ++i) hand_over(ring, place_of(ring, id, i));
}

/// The work-items that share a reservation: the active work-items of a sub-group, or a work-group. Each checks, and passes on, every n-th
/// slot.
struct share {
  uint first, stride;
};
HELPER struct share sub_group_share(void) {
  const ulong lanes = __ups_sg_ballot(1);
  return (struct share){(uint)__builtin_popcountl(lanes & lanes_below(__ups_lane())), (uint)__builtin_popcountl(lanes)};
}
HELPER struct share work_group_share(void) {
  return (struct share){(uint)get_local_linear_id(), (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2))};
}
HELPER bool sub_group_agrees(bool x) { return __ups_sg_ballot(!x) == 0; }
HELPER bool work_group_agrees(bool x) { return work_group_all(x) != 0; }
HELPER ulong of_first_lane(ulong x) {
  return sg_broadcast(x, (uint)__builtin_ctzl(__ups_sg_ballot(1)));
}
HELPER ulong of_first_item(ulong x) { return work_group_broadcast(x, 0, 0, 0); }
HELPER void sub_group_meets(void) { __ups_sub_group_barrier(CLK_GLOBAL_MEM_FENCE); }
HELPER void work_group_meets(void) { __ups_work_group_barrier(CLK_GLOBAL_MEM_FENCE); }

/// Reserves the next `n` slots for all sharing work-items, or none.
#define RESERVE_TOGETHER(name, agrees, of_first) \
  HELPER ulong name(pipe_ptr handle, enum side side, uint n, uint size, struct share mine) { \
    ring_ptr ring = (ring_ptr)handle; \
    if (!can_reserve(ring, n, size)) return NO_RESERVATION; \
    volatile __global atomic_ulong *counter = end_of(ring, side); \
    ulong position = of_first(load(counter)); \
    while (true) { \
      bool ready = true; \
      if (is_in_row(ring, reserved(position, n))) { \
        for (ulong i = mine.first; i < n && ready; i += mine.stride) { \
          ready = is_state(state_of(ring, (uint)position) + i, side, position); \
          NO_WAIT(); \
        } \
      } else { \
        for (uint i = mine.first; i < n && ready; i += mine.stride) { \
          ready = is_ready(ring, side, behind(ring, position, i)); \
          NO_WAIT(); \
        } \
      } \
      ready = agrees(ready); \
      ulong seen = position; \
      if (mine.first == 0) { \
        if (ready) \
          advance(counter, &seen, behind(ring, position, n)); \
        else \
          seen = load(counter); \
      } \
      seen = of_first(seen); \
      if (seen == position) { \
        if (!ready) return NO_RESERVATION; \
        if (mine.first == 0) note_unwritten(ring, side, n); \
        return reserved(position, n); \
      } \
      position = seen; \
      NO_WAIT(); \
    } \
  }
RESERVE_TOGETHER(reserve_as_sub_group, sub_group_agrees, of_first_lane)

HELPER ulong sub_group_reserve(pipe_ptr handle, enum side side, uint n, uint size) {
  return reserve_as_sub_group(handle, side, n, size, sub_group_share());
}
#ifdef PIPES_OF_GPUS
/// All work-items check, since the later the compare-exchange follows the check, the likelier it fails.
RESERVE_TOGETHER(reserve_as_work_group, work_group_agrees, of_first_item)
HELPER ulong work_group_reserve(pipe_ptr handle, enum side side, uint n, uint size) {
  return reserve_as_work_group(handle, side, n, size, work_group_share());
}
#else
/// The first sub-group, which is complete, reserves for the whole work-group, which waits for it once.
HELPER ulong work_group_reserve(pipe_ptr handle, enum side side, uint n, uint size) {
  ulong id = NO_RESERVATION;
  if (__ups_sub_group_id() == 0)
    id = reserve_as_sub_group(handle, side, n, size,
                              (struct share){__ups_lane(), (uint)__builtin_popcountl(__ups_sg_ballot(1))});
  return of_first_item(id);
}
#endif

#define SHARED_COMMIT(group, meets) \
  HELPER void CAT(group, _commit)(pipe_ptr handle, enum side side, ulong id) { \
    if (id == NO_RESERVATION) return; \
    ring_ptr ring = (ring_ptr)handle; \
    const struct share mine = CAT(group, _share)(); \
    meets(); \
    if (mine.first == 0) note_written(ring, side, count_of(id)); \
    if (is_in_row(ring, id)) \
      for (ulong i = mine.first; i < count_of(id); i += mine.stride) hand_on(state_of(ring, (uint)id) + i); \
    else \
      for (uint i = mine.first; i < count_of(id); i += mine.stride) hand_over(ring, place_of(ring, id, i)); \
  }
SHARED_COMMIT(sub_group, sub_group_meets)
SHARED_COMMIT(work_group, work_group_meets)

// The functions that Clang calls
#define CALLED __attribute__((always_inline))
#define RESERVATIONS(prefix, name, side) \
  CALLED reserve_id_t CAT4(__, prefix, reserve_, name)(pipe_ptr handle, uint n, uint size, uint align) { \
    return make_reserve_id(CAT(prefix, reserve)(handle, side, n, size)); \
  } \
  CALLED void CAT4(__, prefix, commit_, name)(pipe_ptr handle, reserve_id_t id, uint size, uint align) { \
    CAT(prefix, commit)(handle, side, reserve_bits(id)); \
  }
#define FUNCTIONS(name, side) \
  CALLED int CAT3(__, name, _2)(pipe_ptr handle, __generic void *packet, uint size, uint align) { \
    return exchange(handle, side, packet, size, align); \
  } \
  CALLED int CAT3(__, name, _4)(pipe_ptr handle, reserve_id_t id, uint index, __generic void *packet, uint size, uint align) { \
    return exchange_at(handle, side, reserve_bits(id), index, packet, size, align); \
  } \
  RESERVATIONS(, name, side) RESERVATIONS(sub_group_, name, side) RESERVATIONS(work_group_, name, side)
FUNCTIONS(read_pipe, READ)
FUNCTIONS(write_pipe, WRITE)

/// Reads the head first, so that it is never ahead of the tail. Packets being written count, packets of reservations do not.
HELPER uint packets_in(pipe_ptr handle) {
  ring_ptr ring = (ring_ptr)handle;
  const ulong head = load(&ring->head), tail = load(&ring->tail), unwritten = load(&ring->unwritten);
  const long rounds = (long)((tail >> 32) - (head >> 32) & 0xffffffff);
  const long taken = rounds * ring->places + (long)(uint)tail - (long)(uint)head;
  const long n = taken - (long)unwritten;
  return n < 0 ? 0 : n > (long)ring->places ? ring->places : (uint)n;
}
CALLED uint __get_pipe_num_packets_ro(pipe_ptr handle, uint size, uint align) { return packets_in(handle); }
CALLED uint __get_pipe_num_packets_wo(pipe_ptr handle, uint size, uint align) { return packets_in(handle); }
CALLED uint __get_pipe_max_packets_ro(pipe_ptr handle, uint size, uint align) { return ((ring_ptr)handle)->places; }
CALLED uint __get_pipe_max_packets_wo(pipe_ptr handle, uint size, uint align) { return ((ring_ptr)handle)->places; }

SMALL PURE bool is_valid_reserve_id(reserve_id_t id) { return reserve_bits(id) != NO_RESERVATION; }
/// CLK_NULL_RESERVE_ID
SMALL PURE reserve_id_t __null_reserve_id(void) { return make_reserve_id(NO_RESERVATION); }
