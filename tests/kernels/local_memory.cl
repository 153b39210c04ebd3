// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory up to the device's limit: BYTES of it, in two variables and an argument.
#ifndef BYTES
#define BYTES 65536
#endif
#define INTS (BYTES / 4)

int turned(local int *tile, int ints, int i) { return tile[ints - 1 - i]; }

// Every work-item writes and reads places all over the array; only the last of them belongs to another work-item.
kernel void large_variable(global int *out) {
  local int tile[INTS];
  int i = (int)get_local_id(0), size = (int)get_local_size(0);
  for (int at = i; at < INTS; at += size) tile[at] = at + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int at = i; at < INTS; at += size) sum += turned(tile, INTS, at);
  out[get_global_id(0)] = sum;
}

kernel void variables_and_argument(global int *out, local int *tile) {
  local int first[INTS / 2];
  local char4 second[INTS / 4];
  int i = (int)get_local_id(0), size = (int)get_local_size(0);
  for (int at = i; at < INTS / 2; at += size) first[at] = at;
  for (int at = i; at < INTS / 4; at += size) second[at] = (char4)(at, 1, 2, 3);
  tile[i] = i + 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = turned(tile, size, i);
  for (int at = i; at < INTS / 2; at += size) sum += first[at] == at ? 0 : 1000;
  for (int at = i; at < INTS / 4; at += size) sum += all(second[at] == (char4)(at, 1, 2, 3)) ? 0 : 10000;
  out[get_global_id(0)] = sum;
}

// The total of a work-group needs scratch memory, which is local memory too.
kernel void with_collective(global int *out) {
  local int tile[INTS];
  int i = (int)get_local_id(0), size = (int)get_local_size(0);
  for (int at = i; at < INTS; at += size) tile[at] = 1;
  int items = work_group_reduce_add(1);
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int at = i; at < INTS; at += size) sum += turned(tile, INTS, at);
  out[get_global_id(0)] = items + work_group_reduce_add(sum);
}

// Variables of inner scopes, two of them with the same name: each round of the loop has the same memory, which all work-items
// share.
kernel void inner_scopes(global int *out) {
  int i = (int)get_local_id(0), size = (int)get_local_size(0), sum = (int)get_group_id(0);
  for (int turn = 0; turn < 4; ++turn) {
    local int tile[256];
    tile[i] = sum * (turn + 1) + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += turned(tile, size, i);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (turn & 1) {
      local int other[256];
      other[i] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
      sum += other[(i + 1) % size];
      barrier(CLK_LOCAL_MEM_FENCE);
    } else {
      local int other[256];
      other[i] = 3 * sum;
      barrier(CLK_LOCAL_MEM_FENCE);
      sum -= other[(i + 2) % size];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  out[get_global_id(0)] = sum;
}
