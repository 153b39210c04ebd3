// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies of elements of type T, or of ints.
#ifndef T
#define T uchar
#endif
#ifndef SHIFTS
#define SHIFTS 16
#endif

#define FOR_ITEMS(i, n)                                                                                                        \
  for (uint i = get_local_linear_id(); i < (n); i += get_local_size(0) * get_local_size(1) * get_local_size(2))

// Each work-group copies n elements into local memory, changes each byte there, and copies them out. The places of groups
// differ in alignment. `out` has a part for each group: the contents of local memory after the first copy, then the second
// copy's result.
kernel void round_trip(global uchar *out, global const T *in, uint n, local T *area) {
  const uint group = get_group_id(0);
  const uint shift_in = group % SHIFTS, shift_local = group / SHIFTS % SHIFTS,
             shift_out = (shift_in * 5 + shift_local) % SHIFTS;
  const uint bytes = (n + SHIFTS) * sizeof(T);
  local uchar *area_bytes = (local uchar *)area;
  FOR_ITEMS(b, bytes) area_bytes[b] = 0xee;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t event = async_work_group_copy(area + shift_local, in + shift_in, n, 0);
  wait_group_events(1, &event);
  global uchar *seen = out + group * 2 * bytes;
  FOR_ITEMS(b, bytes) {
    seen[b] = area_bytes[b];
    ++area_bytes[b];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  event = async_work_group_copy((global T *)(seen + bytes) + shift_out, (local const T *)area + shift_local, n, 0);
  wait_group_events(1, &event);
}

// Two buffers: one tile is copied in and another out while a third is processed. The last event stands for all copies.
kernel void tiles(global int *out, global const int *in, uint tiles, uint ints, local int *memory) {
  local int *now = memory, *soon = memory + ints;
  uint tile = get_group_id(0);
  event_t event = async_work_group_copy(now, in + tile * ints, ints, 0);
  for (; tile < tiles; tile += get_num_groups(0)) {
    wait_group_events(1, &event);
    const uint next = tile + get_num_groups(0);
    if (next < tiles) event = async_work_group_copy(soon, in + next * ints, ints, event);
    FOR_ITEMS(i, ints) now[i] = 3 * now[i] + (int)tile;
    barrier(CLK_LOCAL_MEM_FENCE);
    event = async_work_group_copy(out + tile * ints, (local const int *)now, ints, event);
    local int *free = now;
    now = soon;
    soon = free;
  }
  wait_group_events(1, &event);
}

// Four copies with a common wait. Two begin and end within 16 bytes of others; fewer copies write the results.
kernel void pieces(global int *out, global const int *in, uint ints, local int *memory) {
  const size_t first = get_group_id(0) * ints;
  const uint cuts[] = {0, 5, ints / 2 + 1, ints - 3, ints};
  event_t events[4];
  for (int i = 0; i < 4; ++i)
    events[i] = async_work_group_copy(memory + cuts[i], in + first + cuts[i], cuts[i + 1] - cuts[i], 0);
  wait_group_events(4, events);
  for (int i = 0; i < 4; i += 2)
    events[i] = async_work_group_copy(out + first + cuts[i], (local const int *)memory + cuts[i], cuts[i + 2] - cuts[i], 0);
  event_t both[] = {events[2], events[0]};
  wait_group_events(2, both);
}

// The same copy many times, with a single wait at the end.
kernel void in_flight(global int *out, global const int *in, uint ints, uint times, local int *memory) {
  event_t event = 0;
  for (uint i = 0; i < times; ++i) event = async_work_group_copy(memory, in, ints, event);
  wait_group_events(1, &event);
  FOR_ITEMS(i, ints) memory[i] += get_group_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < times; ++i)
    event = async_work_group_copy(out + get_group_id(0) * ints, (local const int *)memory, ints, event);
  wait_group_events(1, &event);
}

// No wait: copies of even work-groups must not overwrite the local memory of odd work-groups that follow there.
kernel void unwaited(global int *out, global const int *in, uint ints, local int *memory) {
  const uint group = get_group_id(0);
  if (group % 2) {
    async_work_group_copy(memory, in, ints, 0);
    return;
  }
  FOR_ITEMS(i, ints) memory[i] = (int)(group * ints + i);
  barrier(CLK_LOCAL_MEM_FENCE);
  async_work_group_copy(out + group / 2 * ints, (local const int *)memory, ints, 0);
}

// One work-group of three returns before it copies, another with a copy under way.
kernel void early(global int *out, global const int *in, uint ints, local int *memory) {
  const uint group = get_group_id(0);
  if (group % 3 == 1) return;
  event_t event = async_work_group_copy(memory, in + group * ints, ints, 0);
  if (group % 3 == 2) return;
  wait_group_events(1, &event);
  event = async_work_group_copy(out + group * ints, (local const int *)memory, ints, event);
  wait_group_events(1, &event);
}

// Copies data that the work-group has written to global memory, and copies back to memory that it has read. Counts the errors.
kernel void through_global(global int *wrong, global int *memory, uint ints, uint rounds, local int *tile) {
  global int *written = memory + get_group_id(0) * 2 * ints, *copied = written + ints;
  for (uint round = 0; round < rounds; ++round) {
    FOR_ITEMS(i, ints) written[i] = (int)(round * ints + i);
    barrier(CLK_GLOBAL_MEM_FENCE);
    event_t event = async_work_group_copy(tile, (global const int *)written, ints, 0);
    wait_group_events(1, &event);
    FOR_ITEMS(i, ints) {
      const uint other = (i + 33) % ints;
      if (tile[other] != (int)(round * ints + other) || copied[other] != (int)((round - 1) * ints + other))
        atomic_inc(&wrong[get_group_id(0)]);
    }
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    event = async_work_group_copy(copied, (local const int *)tile, ints, 0);
    wait_group_events(1, &event);
    FOR_ITEMS(i, ints) {
      const uint other = (i + 70) % ints;
      if (copied[other] != (int)(round * ints + other)) atomic_inc(&wrong[get_group_id(0)]);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
