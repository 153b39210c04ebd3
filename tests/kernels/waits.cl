// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in every place, and loops that wait for another sub-group.
kernel void reverse_often(global int *out, local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
  out[g] = 0;
  for (int round = 0; round < 3; ++round) {
    tile[i] = (int)i * 10 + round + out[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[n - 1 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

void rotate_tile(local int *tile, size_t by) {
  int value = tile[(get_local_linear_id() + by) % (get_local_size(0) * get_local_size(1) * get_local_size(2))];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  tile[get_local_linear_id()] = value;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void barriers_in_calls(global int *out) {
  local int tile[4096];
  tile[get_local_linear_id()] = (int)get_local_linear_id();
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  rotate_tile(tile, 1);
  rotate_tile(tile, 5);
  out[get_global_linear_id()] = tile[get_local_linear_id()];
}

kernel void odd_groups_leave(global int *out) {
  local int shared;
  if (get_group_id(0) & 1) return;
  if (get_local_id(0) == get_local_size(0) - 1) shared = (int)get_group_id(0) + 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = shared;
}

// Values that live across a barrier: a private array with an index unknown to the compiler, and wide vectors.
kernel void private_state(global int *out, int seed) {
  int history[40];
  long16 wide = (long16)(get_local_id(0));
  for (int i = 0; i < 40; ++i) history[i] = (int)get_local_id(0) * i;
  barrier(CLK_LOCAL_MEM_FENCE);
  history[(get_local_id(0) + seed) % 40] += 1000;
  wide.s7 += 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int i = 0; i < 40; ++i) sum += history[i];
  out[get_global_id(0)] = sum + (int)(wide.s7 + wide.sf);
}

// Sub-groups proceed one by one, the last first: each spins until its successor is done.
kernel void turns(global int *out) {
  local atomic_int turn;
  local int order[1024];
  if (get_local_id(0) == 0) atomic_init(&turn, (int)get_num_sub_groups() - 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  int mine = (int)get_sub_group_id();
  while (atomic_load_explicit(&turn, memory_order_acquire, memory_scope_work_group) != mine) {
  }
  if (get_sub_group_local_id() == 0) order[mine] = (int)get_num_sub_groups() - mine;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_local_id() == 0) atomic_store_explicit(&turn, mine - 1, memory_order_release, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = order[mine];
}

// A flag in a volatile variable, and barriers before and after the wait.
kernel void flag(global int *out, volatile local int *ready) {
  size_t last = get_num_sub_groups() - 1;
  if (get_local_id(0) == 0) ready[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_id() == last) {
    if (get_sub_group_local_id() == 0) ready[0] = 42;
  } else {
    while (ready[0] == 0) {
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = ready[0];
}
