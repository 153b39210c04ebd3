// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inclusive sum of an array of any length in one launch, which reads each element once and writes each result once. It is
// a scan with decoupled look-back (Merrill and Garland 2016) in standard OpenCL C 3.0, with work-group functions and 64-bit
// atomics.
//
// A work-group draws tiles until none is left. Each tile passes through three stages in local memory: while a tile is scanned,
// the next tile's total is already published, and the tile after that is being loaded. The prefix of a tile is the
// work-group's last prefix plus the totals of all tiles since. A work-group waits only for totals of tiles that were drawn
// before, never for another look-back, so that no two work-groups need to run at the same time.
//
// A work-group has GROUP work-items, each with VECTORS × 4 elements of a tile. An odd number of vectors spreads a sub-group's
// accesses over all banks of a GPU's local memory.

#define VECTORS_OF_TILE (GROUP * VECTORS)
#define TILE (4 * VECTORS_OF_TILE)

/// A tile's total with the number of the run, so that nothing must be cleared between runs. A single word holds both, so that
/// no other memory must be ordered with it.
void publish(volatile global atomic_ulong *word, uint run, int total) {
  atomic_store_explicit(word, (ulong)run << 32 | (uint)total, memory_order_relaxed, memory_scope_device);
}

int wait_for(volatile global atomic_ulong *word, uint run) {
  ulong seen;
  do seen = atomic_load_explicit(word, memory_order_relaxed, memory_scope_device);
  while ((uint)(seen >> 32) != run);
  return (int)(uint)seen;
}

size_t elements_of(uint tile, ulong count) {
  const ulong first = (ulong)tile * TILE;
  return first < count ? min((ulong)TILE, count - first) : 0;
}

event_t load(local int4 *stage, global const int *in, uint tile, size_t elements) {
  return async_work_group_copy((local int *)stage, in + (elements ? (size_t)tile * TILE : 0), elements, 0);
}

/// The sum of the work-items' slices up to this one; publishes the tile's total.
int reduce(local const int4 *slice, volatile global atomic_ulong *word, uint run, bool exists) {
  int sum = 0;
  for (uint i = 0; i < VECTORS; ++i) sum += slice[i].s0 + slice[i].s1 + slice[i].s2 + slice[i].s3;
  const int up_to_item = work_group_scan_inclusive_add(sum);
  if (exists && get_local_id(0) == GROUP - 1) publish(word, run, up_to_item);
  return up_to_item - sum;
}

void scan_slice(local int4 *slice, int running) {
  for (uint i = 0; i < VECTORS; ++i) {
    int4 v = slice[i];
    v.s0 += running;
    v.s1 += v.s0;
    v.s2 += v.s1;
    v.s3 += v.s2;
    running = v.s3;
    slice[i] = v;
  }
}

/// counters[0] numbers the tiles, counters[1] counts finished work-groups; both are 0 between runs. `run` differs in each run
/// and is not 0. `memory` has room for three tiles.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void scan(global const int *in, global int *out, ulong count,
                                                                    volatile global atomic_ulong *totals,
                                                                    volatile global atomic_uint *counters, uint run,
                                                                    local int4 *memory) {
  const uint item = get_local_id(0), tiles = (uint)((count + TILE - 1) / TILE);
  local int4 *now = memory, *soon = memory + VECTORS_OF_TILE, *later = memory + 2 * VECTORS_OF_TILE;
  uint ticket = 0;
  if (item == 0) ticket = atomic_fetch_add_explicit(&counters[0], 1, memory_order_relaxed, memory_scope_device);
  uint tile = work_group_broadcast(ticket, 0);
  event_t moved = load(now, in, tile, elements_of(tile, count));
  if (item == 0) ticket = atomic_fetch_add_explicit(&counters[0], 1, memory_order_relaxed, memory_scope_device);
  wait_group_events(1, &moved);
  uint next = work_group_broadcast(ticket, 0);
  moved = load(soon, in, next, elements_of(next, count));
  int before_item = reduce(now + item * VECTORS, &totals[tile], run, tile < tiles);

  uint known = 0;  // `before` is the sum of all earlier tiles
  int before = 0;
  while (tile < tiles) {
    if (item == 0) ticket = atomic_fetch_add_explicit(&counters[0], 1, memory_order_relaxed, memory_scope_device);
    wait_group_events(1, &moved);
    const uint after_next = work_group_broadcast(ticket, 0);
    moved = load(later, in, after_next, elements_of(after_next, count));
    const int before_next_item = reduce(soon + item * VECTORS, &totals[next], run, next < tiles);

    int total = 0;
    for (uint i = known + item; i < tile; i += GROUP) total += wait_for(&totals[i], run);
    before += work_group_reduce_add(total);
    known = tile;
    scan_slice(now + item * VECTORS, before + before_item);
    barrier(CLK_LOCAL_MEM_FENCE);
    moved = async_work_group_copy(out + (size_t)tile * TILE, (local const int *)now, elements_of(tile, count), moved);

    local int4 *free = now;
    now = soon;
    soon = later;
    later = free;
    tile = next;
    next = after_next;
    before_item = before_next_item;
  }
  wait_group_events(1, &moved);
  // The last work-group resets the counters: all others have drawn their last tile.
  if (item == 0 &&
      atomic_fetch_add_explicit(&counters[1], 1, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1) {
    atomic_store_explicit(&counters[0], 0, memory_order_relaxed, memory_scope_device);
    atomic_store_explicit(&counters[1], 0, memory_order_relaxed, memory_scope_device);
  }
}
