// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two buffers in local memory: one tile is copied in and another out while a third is processed.
kernel void tiles(global const int *in, global int *out, uint tiles, uint ints, local int *memory) {
  local int *now = memory, *soon = memory + ints;
  uint tile = get_group_id(0);
  event_t event = async_work_group_copy(now, in + (size_t)tile * ints, ints, 0);
  for (; tile < tiles; tile += get_num_groups(0)) {
    wait_group_events(1, &event);
    const uint next = tile + get_num_groups(0);
    if (next < tiles) event = async_work_group_copy(soon, in + (size_t)next * ints, ints, event);
    for (uint i = get_local_id(0); i < ints; i += get_local_size(0)) now[i] = 3 * now[i] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event = async_work_group_copy(out + (size_t)tile * ints, (local const int *)now, ints, event);
    local int *free = now;
    now = soon;
    soon = free;
  }
  wait_group_events(1, &event);
}
