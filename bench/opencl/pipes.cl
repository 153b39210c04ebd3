// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packets through a pipe, and through rings by C11 atomics that keep a pipe's promises: writers and readers may run together,
// none waits for another, and calls report a full or an empty ring.

// --- a pipe
// ---------------------------------------------------------------------------------------------------------------------
kernel void write_each(write_only pipe PACKET out) {
  PACKET packet = (PACKET)(get_global_id(0));
  write_pipe(out, &packet);
}

kernel void read_each(read_only pipe PACKET in, global uint *got) {
  PACKET packet = (PACKET)(~0u);
  read_pipe(in, &packet);
  got[get_global_id(0)] = FIRST(packet);
}

kernel void write_group(write_only pipe PACKET out) {
  PACKET packet = (PACKET)(get_global_id(0));
  const reserve_id_t id = work_group_reserve_write_pipe(out, get_local_size(0));
  if (!is_valid_reserve_id(id)) return;
  write_pipe(out, id, get_local_id(0), &packet);
  work_group_commit_write_pipe(out, id);
}

kernel void read_group(read_only pipe PACKET in, global uint *got) {
  PACKET packet = (PACKET)(~0u);
  const reserve_id_t id = work_group_reserve_read_pipe(in, get_local_size(0));
  if (!is_valid_reserve_id(id)) return;
  read_pipe(in, id, get_local_id(0), &packet);
  work_group_commit_read_pipe(in, id);
  got[get_global_id(0)] = FIRST(packet);
}

// --- rings
// ---------------------------------------------------------------------------------------------------------------------- A
// place may be written at position p when its state is p, and read when it is p + 1 (D. Vyukov's bounded queue).
#define RELAXED memory_order_relaxed, memory_scope_device
#define RELAXED_TWICE memory_order_relaxed, memory_order_relaxed, memory_scope_device

// Reserves a position for the calling work-item by a compare-exchange; false if the place is not ready.
bool own_position(volatile global atomic_uint *end, volatile global atomic_uint *states, uint ready, private uint *position) {
  uint at = atomic_load_explicit(end, RELAXED);
  while (true) {
    const uint state = atomic_load_explicit(&states[at % PLACES], memory_order_acquire, memory_scope_device);
    const int ahead = (int)(state - (at + ready));
    if (ahead < 0) return false;
    if (ahead > 0)
      at = atomic_load_explicit(end, RELAXED);
    else if (atomic_compare_exchange_strong_explicit(end, &at, at + 1, RELAXED_TWICE))
      break;
  }
  *position = at;
  return true;
}

// The same for all work-items of a sub-group, by one compare-exchange.
bool shared_position(volatile global atomic_uint *end, volatile global atomic_uint *states, uint ready,
                     private uint *position) {
  const uint item = get_sub_group_local_id(), items = get_sub_group_size();
  uint first = sub_group_broadcast(atomic_load_explicit(end, RELAXED), 0);
  while (true) {
    const uint state = atomic_load_explicit(&states[(first + item) % PLACES], memory_order_acquire, memory_scope_device);
    const bool are_ready = sub_group_all(state == first + item + ready);
    uint now = first;
    bool is_mine = false;
    if (item == 0) {
      if (are_ready)
        is_mine = atomic_compare_exchange_strong_explicit(end, &now, first + items, RELAXED_TWICE);
      else
        now = atomic_load_explicit(end, RELAXED);
    }
    if (sub_group_any(is_mine)) break;
    now = sub_group_broadcast(now, 0);
    if (!are_ready && now == first) return false;
    first = now;
  }
  *position = first + item;
  return true;
}

#define RING_KERNELS(WAY, POSITION)                                                                                            \
  kernel void write_##WAY(volatile global atomic_uint *ends, volatile global atomic_uint *states, global PACKET *packets) {    \
    uint at = 0;                                                                                                               \
    if (!POSITION(&ends[0], states, 0, &at)) return;                                                                           \
    packets[at % PLACES] = (PACKET)(get_global_id(0));                                                                         \
    atomic_store_explicit(&states[at % PLACES], at + 1, memory_order_release, memory_scope_device);                            \
  }                                                                                                                            \
  kernel void read_##WAY(volatile global atomic_uint *ends, volatile global atomic_uint *states, global PACKET *packets,       \
                         global uint *got) {                                                                                   \
    uint at = 0;                                                                                                               \
    PACKET packet = (PACKET)(~0u);                                                                                             \
    if (POSITION(&ends[16], states, 1, &at)) {                                                                                 \
      packet = packets[at % PLACES];                                                                                           \
      atomic_store_explicit(&states[at % PLACES], at + PLACES, memory_order_release, memory_scope_device);                     \
    }                                                                                                                          \
    got[get_global_id(0)] = FIRST(packet);                                                                                     \
  }

RING_KERNELS(ring, own_position)
RING_KERNELS(shared_ring, shared_position)
