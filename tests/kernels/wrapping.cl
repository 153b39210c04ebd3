// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 32-bit indices that wrap between two work-items of a sub-group: both sides are valid in a buffer of at least 4 GiB.

#define START 8u
#define VALUE(i) ((uchar)(3 * (i) + 1))

kernel void write_wrapped(global uchar *data) {
  uint i = get_global_id(0) - START;
  data[i] = VALUE(get_global_id(0));
}

kernel void write_guarded(global uchar *data, uint count) {
  uint item = get_global_id(0), i = item - START;
  if (item < count) data[i] = VALUE(item);
}

kernel void write_signed(global uchar *data) {
  global uchar *middle = data + (1ul << 31);
  int i = (int)(get_global_id(0) + INT_MAX - START + 1);
  middle[i] = VALUE(get_global_id(0));
}

kernel void write_rows(global uchar *data) {
  uint item = get_global_id(1) * get_global_size(0) + get_global_id(0), i = item - START;
  data[i] = VALUE(item);
}

kernel void write_behind_barrier(global uchar *data) {
  local uchar values[64];
  uint item = get_local_id(0), last = get_local_size(0) - 1, i = item - START;
  values[last - item] = VALUE(last - item);
  barrier(CLK_LOCAL_MEM_FENCE);
  data[i] = values[item];
}

kernel void write_by_sub_groups(global uchar *data) {
  uint item = get_sub_group_id() * get_max_sub_group_size() + get_sub_group_local_id(), i = item - START;
  data[i] = VALUE(sub_group_broadcast(item, 0) + get_sub_group_local_id());
}

// A pointer that all work-items use.
kernel void write_in_loop(global uchar *data, uint rounds) {
  uint item = get_global_id(0), i = item - START;
  global uchar *at = data + i;
  for (uint round = 0; round < rounds; ++round) *at = (uchar)(VALUE(item) + rounds - 1 - round);
}

kernel void copy_wrapped(global uchar *data, global uchar *copies) {
  uint i = get_global_id(0) - START;
  copies[get_global_id(0)] = data[i];
}
