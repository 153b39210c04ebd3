// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A required work-group size, and launches that have smaller groups at their edges all the same.

#define SUMS                                                                                                                   \
  const int item = (int)get_local_linear_id();                                                                                 \
  const int sum = work_group_scan_exclusive_add(weight + item), greatest = work_group_reduce_max(item);                        \
  space[item] = sum;                                                                                                           \
  last[0] = greatest;                                                                                                          \
  barrier(CLK_LOCAL_MEM_FENCE);                                                                                                \
  const size_t size = get_local_size(0) * get_local_size(1), i = get_global_id(1) * get_global_size(0) + get_global_id(0);     \
  out[4 * i] = sum;                                                                                                            \
  out[4 * i + 1] = last[0] * 1000 + work_group_broadcast(item, get_local_size(0) - 1, 0);                                      \
  out[4 * i + 2] = space[size - 1 - item];                                                                                     \
  out[4 * i + 3] = (int)(get_enqueued_local_size(0) * 1000 + get_sub_group_size());

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void of_64(global int *out, int weight, local int *space) {
  local int last[1];
  SUMS
}
kernel __attribute__((reqd_work_group_size(32, 1, 1))) void of_32(global int *out, int weight, local int *space) {
  local int last[1];
  SUMS
}
kernel __attribute__((reqd_work_group_size(8, 6, 1))) void of_8_by_6(global int *out, int weight, local int *space) {
  local int last[1];
  SUMS
}
