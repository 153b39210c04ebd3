// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-group functions in divergent control flow: they act on the active work-items.
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_arithmetic : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_vote : enable

#ifdef SIZE
#define SIZED __attribute__((intel_reqd_sub_group_size(SIZE)))
#else
#define SIZED
#endif

SIZED kernel void both_sides(global int *out) {
  int i = (int)get_local_id(0), result;
  if (i % 3 == 0)
    result = sub_group_non_uniform_reduce_add(i);
  else
    result = 1000 + sub_group_non_uniform_scan_exclusive_add(i);
  out[get_global_id(0)] = result;
}

// Work-items leave the loop in different rounds; odd rounds skip the second function.
SIZED kernel void shrinking_loop(global int *out) {
  int i = (int)get_local_id(0), result = 0;
  for (int round = 0; round < i % 4; ++round) {
    result += sub_group_non_uniform_reduce_add(1);
    if ((round + i) & 1) continue;
    result += 100 * sub_group_non_uniform_reduce_max(i);
  }
  result += 100000 * sub_group_non_uniform_reduce_add(1);
  out[get_global_id(0)] = result;
}

// A function that is not inlined, called in several cases after some work-items have left.
__attribute__((noinline)) int collect(int x) {
  return sub_group_non_uniform_reduce_add(x) + (sub_group_non_uniform_any(x == 8) ? 100000 : 0);
}
SIZED kernel void cases(global int *out) {
  int i = (int)get_local_id(0), result = 0;
  if (i % 7 == 6) return;
  for (int round = 0; round < 2; ++round) {
    switch ((i + round) % 4) {
    case 0: result += collect(i); break;
    case 1: result += 3 * collect(2 * i); break;
    case 2:
      if (i & 8) break;
    default: result += popcount(sub_group_ballot(1).x) + 1000;
    }
  }
  out[get_global_id(0)] = result;
}

// Clusters in which some work-items are inactive; bit i of a pattern is for lane i.
SIZED kernel void clusters(global int *out) {
  const uint patterns[] = {0xffffffffu, 0x00010009u, 0xb7b7b7b7u, 0x55555555u, 0x80018001u, 0xf0f0f0f0u, 0x12345678u};
  uint i = (uint)get_local_id(0), lane = get_sub_group_local_id(), result = 0;
  for (uint p = 0; p < 7; ++p)
    if (patterns[p] >> lane & 1) {
      uint x = (i + 1) * 0x9e3779b9u + p;
      result = 31 * result + sub_group_clustered_reduce_add(x, 4) + 3 * sub_group_clustered_reduce_max(x, 8);
      result = 31 * result + sub_group_clustered_reduce_xor(x, 2) + 5 * sub_group_clustered_reduce_min(x, 1);
    }
  out[get_global_id(0)] = (int)result;
}

// The numbers of sub_groups_test.cpp.
SIZED kernel void all_functions(global int *all) {
  global int *out = all + get_global_id(0) * 24;
  const int x = (int)(((uint)get_global_id(0) + 1) * 0x9e3779b9u >> 8) - 5000000;
  const uint lane = get_sub_group_local_id(), count = get_sub_group_size();
  *out++ = sub_group_reduce_add(x);
  *out++ = sub_group_reduce_min(x);
  *out++ = sub_group_reduce_max(x);
  *out++ = sub_group_scan_inclusive_add(x);
  *out++ = sub_group_scan_inclusive_min(x);
  *out++ = sub_group_scan_inclusive_max(x);
  *out++ = sub_group_scan_exclusive_add(x);
  *out++ = sub_group_scan_exclusive_min(x);
  *out++ = sub_group_scan_exclusive_max(x);
  *out++ = sub_group_broadcast(x, count - 1);
  *out++ = sub_group_all(!(x & 1)) != 0;
  *out++ = sub_group_any(x & 1) != 0;
  const int other = sub_group_shuffle_xor(x, 1), below = sub_group_shuffle_up(x, 1), above = sub_group_shuffle_down(x, 1);
  *out++ = (lane ^ 1) < count ? other : x;
  *out++ = lane > 0 ? below : x;
  *out++ = lane + 1 < count ? above : x;
  const uint4 odd = sub_group_ballot(x & 1);
  *out++ = (int)odd.x;
  *out++ = (int)sub_group_ballot_inclusive_scan(odd);
  *out++ = (int)get_sub_group_id();
  *out++ = (int)get_num_sub_groups();
  *out++ = (int)count;
  *out++ = (int)lane;
  if (x & 1) {
    *out++ = sub_group_broadcast_first((int)lane);
    *out++ = sub_group_non_uniform_reduce_add(x);
    *out++ = sub_group_non_uniform_scan_exclusive_add(1);
  } else {
    *out++ = sub_group_broadcast_first((int)lane);
    *out++ = sub_group_non_uniform_reduce_add(x);
    *out++ = sub_group_non_uniform_scan_exclusive_add(1);
  }
}

SIZED kernel void scans_of_work_group(global int *out) {
  int i = (int)get_local_linear_id();
  int before = work_group_scan_exclusive_add(i);
  int highest = work_group_reduce_max(i ^ 5);
  int third = work_group_broadcast(i * 7, get_local_size(0) / 3);
  out[get_global_linear_id()] = before + 3 * highest + 5 * third + work_group_any(i == 2) + work_group_all(i >= 0);
}

#ifdef SIZE
SIZED kernel void of_required_size(global int *out) {
  int i = (int)get_local_id(0), id = (int)get_sub_group_local_id(), last = (int)get_sub_group_size() - 1;
  int before = sub_group_scan_inclusive_add(1);
  int other = sub_group_broadcast(i, 0) + min(id ^ 1, last);
  out[get_global_id(0)] =
      1000000 * (int)get_max_sub_group_size() + 10000 * (int)get_sub_group_size() + 100 * before + other % 100;
}
#endif
