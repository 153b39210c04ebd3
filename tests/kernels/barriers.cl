// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose work-items may reach different barriers. Each test builds a kernel under a name of its own (-D NAME=…), since
// the checker counts further findings of a kernel at a line. `n` makes the kernel wrong; lines with a comment are the places of
// findings.

#ifdef EARLY_RETURN
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_local_id(0);
  if (i >= n) return;            // condition
  barrier(CLK_LOCAL_MEM_FENCE);  // barrier
  out[get_global_id(0)] = in[get_global_id(0)];
}
#endif

#ifdef IN_BRANCH
kernel void NAME(global int *out, global const int *in, int n) {
  local int tile[4];
  const int i = get_local_id(0);
  if (i == n) {  // condition
    tile[0] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);  // barrier
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = i;
}
#endif

#ifdef TWO_BARRIERS
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_local_id(0);
  if (i < n) {  // condition
    out[i] = in[i];
    barrier(CLK_GLOBAL_MEM_FENCE);  // barrier
  } else {
    barrier(CLK_GLOBAL_MEM_FENCE);  // other
    out[i] = in[i];
  }
}
#endif

#ifdef TRIPS
kernel void NAME(global int *out, global const int *in, int n) {
  local int total;
  const int i = get_local_id(0), trips = in[i];
  if (i == 0) total = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < trips; ++k) {  // condition
    if (i == 0) total += k;
    barrier(CLK_LOCAL_MEM_FENCE);  // barrier
  }
  out[get_global_id(0)] = i;
}
#endif

// Both paths lead to the same barrier, although each operand of || differs.
#ifdef EITHER
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_local_id(0);
  const bool even = in[i] % 2 == 0;
  if (even || in[i] % 2 != 0) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = i;
}
#endif

// The number of rounds is in local memory, so that no analysis knows that all work-items have the same number.
#ifdef UNIFORM
kernel void NAME(global int *out, global const int *in, int n) {
  local int rounds, sums[64];
  const int i = get_local_id(0);
  if (i == 0) rounds = in[0];
  sums[i % 64] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < rounds; ++k) {
    if (i % 3 == k % 3) sums[i % 64] += k;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[1] > k) barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < i % 5; ++j) sums[i % 64] ^= 0;
  }
  out[get_global_id(0)] = i;
}
#endif

#ifdef COLLECTIVE
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_local_id(0);
  int sum = 0;
  if (i < n)                             // condition
    sum = work_group_reduce_add(in[i]);  // barrier
  out[get_global_id(0)] = sum;
}
#endif

#ifdef BROADCAST
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_local_id(0);
  out[get_global_id(0)] = work_group_broadcast(in[i], i == n ? 1 : 0);  // barrier
}
#endif

#ifdef COPY
kernel void NAME(global int *out, global const int *in, int n) {
  local int tile[64];
  const int i = get_local_id(0);
  event_t event = async_work_group_copy(tile, in, i == n ? 8 : 16, 0);  // barrier
  wait_group_events(1, &event);
  out[get_global_id(0)] = tile[i % 8];
}
#endif

#ifdef COPIES
// The first unit reaches three copies in each round before the next unit reaches the first of them.
kernel void NAME(global int *out, global const int *in, int n) {
  local int tile[64], other[64];
  const int i = get_local_id(0);
  for (int round = 0; round < 3; ++round) {
    event_t event = async_work_group_copy(tile, in, 16, 0);
    if (i != n || round != 1)                              // condition
      event = async_work_group_copy(other, in, 8, event);  // barrier
    event = async_work_group_copy(tile + 16, in, 16, event);
    wait_group_events(1, &event);
  }
  out[get_global_id(0)] = tile[i % 16] + other[i % 8] + tile[16 + i % 16];
}
#endif

#ifdef COPIES_OF_SIZES
kernel void NAME(global int *out, global const int *in, int n) {
  local int tile[64];
  const int i = get_local_id(0);
  event_t event = async_work_group_copy(tile, in, 16, 0);
  event = async_work_group_copy(tile + 16, in, i == n ? 8 : 16, event);  // barrier
  wait_group_events(1, &event);
  out[get_global_id(0)] = tile[i % 24];
}
#endif

#ifdef COPY_OF_ONE
kernel void NAME(global int *out, global const int *in, int n) {
  local int tile[64];
  const int i = get_local_id(0);
  event_t event = async_work_group_copy(tile, in, 16, 0);
  if (i == n)                                           // condition
    event = async_work_group_copy(tile, in, 8, event);  // barrier
  wait_group_events(1, &event);
  out[get_global_id(0)] = tile[i % 8];
}
#endif

#ifdef COPY_LATER
kernel void NAME(global int *out, global const int *in, int n) {
  local int tile[64];
  const int i = get_local_id(0);
  event_t event = 0;
  for (int round = 0; round < 2; ++round)  // whole sub-groups come first, then parts of others
    if (round == (i > 20 ? i % 2 : 0)) event = async_work_group_copy(tile, in, 16, 0);
  wait_group_events(1, &event);
  out[get_global_id(0)] = tile[i % 8];
}
#endif

#ifdef UNWAITED
kernel void NAME(global int *out, global const int *in, int n) {
  local int tile[64];
  event_t event = async_work_group_copy(tile, in, 16, 0);  // barrier
  if (n) wait_group_events(1, &event);
  out[get_global_id(0)] = get_local_id(0);
}
#endif

#ifdef SUB_GROUP
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_local_id(0);
  int sum = 0;
  if (get_sub_group_id() % 2 == 0) sum = sub_group_reduce_add(1);
  if ((int)get_sub_group_local_id() != n)  // condition
    sum += sub_group_reduce_max(1);        // barrier
  out[get_global_id(0)] = sum != 0;
}
#endif

#ifdef IN_FUNCTION
void meet(bool all, int i) {
  if (all || i != 1)               // condition
    barrier(CLK_LOCAL_MEM_FENCE);  // barrier
}
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_local_id(0);
  meet(true, i);
  meet(n == 0, i);
  out[get_global_id(0)] = i;
}
#endif

// Work-item 0 waits for a number that the host or work-item 1 writes; work-item 1 writes it behind the barrier.
#ifdef WAIT
kernel void NAME(global int *out, volatile global atomic_int *flag, int n) {
  const int i = get_local_id(0);
  if (n && i == 1) atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
  if (i == 0)
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_all_svm_devices) == 0);  // barrier
  barrier(CLK_GLOBAL_MEM_FENCE);                                                                  // other
  if (i == 1) atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
  out[get_global_id(0)] = i;
}
#endif
