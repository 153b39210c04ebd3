// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A required work-group size, in launches that nevertheless have smaller groups at their edges.

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

#ifdef GROUP
// Successive collectives, some of which need results of others, with fast and slow work-items.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void in_a_row(global int *out, int rounds) {
  local uint space[GROUP];
  const uint item = (uint)get_local_id(0), i = (uint)get_global_id(0);
  uint x = i * 2654435761u, y = x >> 7;
  ulong z = x * 77777777777ul;
  for (int round = 0; round < rounds; ++round) {
    for (uint wait = (item / 32 * 37 + (uint)round * 11) % 64; wait > 0; --wait) x = x * 1664525 + 1013904223;
    const uint given = work_group_broadcast(x, (uint)round * 7 % GROUP);
    const uint sum = work_group_scan_inclusive_add(y);
    const uint greatest = work_group_reduce_max(x ^ (uint)round);
    const ulong before = work_group_scan_exclusive_add(z);
    const uint least = work_group_reduce_min(y + 1);
    const ulong last = work_group_broadcast(z, GROUP - 1);
    x = x * 5 + given + sum;
    y = work_group_scan_inclusive_max(x) ^ greatest;
    z = z * 3 + before + least + last;
    if (round % 3 == 1) {
      space[item] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      y += space[(item + 1) % GROUP];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  out[3 * i] = (int)x;
  out[3 * i + 1] = (int)y;
  out[3 * i + 2] = (int)(z ^ z >> 32);
}
#endif
