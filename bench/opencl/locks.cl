// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items that wait for locks: all of them, or the leader of each work-group. Inserts into a hash table without locks, and
// into a table whose slots are locks.

#define FENCE atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)

// Each work-item adds 1 behind a lock. Neighbours take different locks.
kernel void lock_sums(volatile global int *locks, volatile global uint *sums) {
  const uint item = get_global_id(0), at = item % LOCKS;
  for (bool done = false; !done;)
    if (atomic_cmpxchg(locks + at, 0, 1) == 0) {
      FENCE;
      sums[at] += 1;
      FENCE;
      atomic_xchg(locks + at, 0);
      done = true;
    }
}

// Counts work-groups under a lock; each first computes a sum, which is below the limit.
kernel void leader_sums(volatile global int *locks, volatile global uint *sums) {
  local uint own[256];
  const uint item = get_local_id(0);
  uint sum = 0;
  for (uint i = 0; i < 256; ++i) sum += ((uint)get_global_id(0) * 2654435761u + i * i) >> 24;
  own[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 128; step; step /= 2) {
    if (item < step) own[item] += own[item + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) {
    while (atomic_cmpxchg(locks, 0, 1)) {
    }
    FENCE;
    sums[0] += own[0] < 0xf0000000u;
    FENCE;
    atomic_xchg(locks, 0);
  }
}

// Inserts keys, each of which occurs four times, into a table of SLOTS, which becomes half full; counts the occurrences of
// each.
kernel void insert(volatile global int *keys, volatile global uint *counts) {
  const uint key = get_global_id(0) / 4 * 2654435761u % KEYS + 1;
  uint at = key * 2246822519u % SLOTS;
  for (;;) {
    const int seen = atomic_cmpxchg(keys + at, 0, (int)key);
    if (seen == 0 || seen == (int)key) break;
    at = (at + 1) % SLOTS;
  }
  atomic_inc(counts + at);
}

// The same with slots that are busy while their count is set to 0.
kernel void insert_busy(volatile global int *keys, volatile global uint *counts) {
  const uint key = get_global_id(0) / 4 * 2654435761u % KEYS + 1;
  uint at = key * 2246822519u % SLOTS;
  for (;;) {
    const int seen = atomic_cmpxchg(keys + at, 0, -1);
    if (seen == 0) {
      FENCE;
      atomic_xchg(keys + at, (int)key);
      break;
    }
    if (seen == -1) continue;
    if (seen == (int)key) break;
    at = (at + 1) % SLOTS;
  }
  atomic_inc(counts + at);
}
