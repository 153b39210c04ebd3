// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that require a work-group size, SX x SY x SZ, and query everything that depends on it.
#ifndef SX
#define SX 4
#define SY 2
#define SZ 1
#endif
#define SIZED kernel __attribute__((reqd_work_group_size(SX, SY, SZ)))

void tell(global int *mine) {
  for (uint d = 0; d < 3; ++d) {
    mine[d] = (int)get_local_id(d);
    mine[3 + d] = (int)get_local_size(d);
    mine[6 + d] = (int)get_enqueued_local_size(d);
    mine[9 + d] = (int)(get_global_id(d) - get_group_id(d) * get_enqueued_local_size(d));
  }
  mine[12] = (int)get_local_linear_id();
  mine[13] = (int)get_sub_group_size();
  mine[14] = (int)get_max_sub_group_size();
  mine[15] = (int)get_num_sub_groups();
  mine[16] = (int)get_enqueued_num_sub_groups();
  mine[17] = (int)get_sub_group_id();
  mine[18] = (int)get_sub_group_local_id();
  mine[19] = work_group_reduce_add((int)get_local_linear_id() + 1);
}

SIZED void queries(global int *out) { tell(out + 20 * get_global_linear_id()); }

#ifdef LANES
SIZED __attribute__((intel_reqd_sub_group_size(LANES))) void queries_of_lanes(global int *out) {
  tell(out + 20 * get_global_linear_id());
}
#endif

// Local memory, barriers and the neighbours' values.
SIZED void reversed(global int *out) {
  local int values[SX * SY * SZ];
  const int item = (int)get_local_linear_id(), items = (int)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  values[item] = (int)get_global_linear_id() * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int round = 0; round < 3; ++round) {
    const int other = values[items - 1 - item];
    barrier(CLK_LOCAL_MEM_FENCE);
    values[item] = other + round;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_linear_id()] = values[item];
}

#if SX * SY * SZ == 1
// A collective of a single work-item returns its operand, or a scan's initial value.
SIZED void collectives(global int *out) {
  const int x = (int)get_group_id(0) * 37 + 5;
  global int *mine = out + 20 * get_group_id(0);
  mine[0] = work_group_reduce_add(x);
  mine[1] = work_group_scan_inclusive_max(x);
  mine[2] = work_group_scan_exclusive_add(x);
  mine[3] = work_group_scan_exclusive_min(x) == INT_MAX;
  mine[4] = work_group_broadcast(x, 0);
  mine[5] = work_group_any(x & 1) * 2 + work_group_all(x & 1);
  mine[6] = sub_group_reduce_min(x);
  mine[7] = sub_group_scan_exclusive_max(x) == INT_MIN;
  mine[8] = sub_group_broadcast(x, 0);
  mine[9] = (int)sub_group_ballot(x & 1).x;
  mine[10] = sub_group_shuffle(x, 0);
  mine[11] = sub_group_clustered_reduce_add(x, 4);
  mine[12] = x & 2 ? sub_group_non_uniform_reduce_add(x) : sub_group_non_uniform_scan_inclusive_mul(x);
  mine[13] = as_int(sub_group_scan_exclusive_add((float)x));  // +0
  mine[14] = as_int(sub_group_reduce_add(-0.0f));
  mine[15] = sub_group_all(x & 1) + 2 * sub_group_any(x & 1);
  mine[16] = (int)sub_group_ballot_bit_count(sub_group_ballot(1));
  event_t copied = 0;
  local int copy[3];
  for (int i = 0; i < 3; ++i) mine[17 + i] = x + i;
  barrier(CLK_GLOBAL_MEM_FENCE);
  copied = async_work_group_copy(copy, mine + 17, 3, copied);
  wait_group_events(1, &copied);
  for (int i = 0; i < 3; ++i) mine[17 + i] = 2 * copy[i];
}

// Vectorised loops of every length: a map, a reduction, counters, and a running total in place.
SIZED void loops(global int *out, int most) {
  const int n = (int)get_group_id(0);
  global int *mine = out + 4 * most * n;
  local int counts[16];
  int total = 0;
  for (int i = 0; i < n; ++i) mine[i] = i * i - 7 * n;
  for (int i = 0; i < n; ++i) total += mine[i] ^ i;
  for (int i = 0; i < 16; ++i) counts[i] = 0;
  for (int i = 0; i < n; ++i) ++counts[(mine[i] >> 2) & 15];
  for (int i = 0; i < 16; ++i) mine[most + i] = counts[i];
  for (int i = 1; i < n; ++i) mine[i] += mine[i - 1];
  mine[2 * most] = total;
  for (int i = 0; i < n; ++i) mine[3 * most + i] = (int)((float)mine[n - 1 - i] * 0.5f);
}

// Each work-group waits for the previous one. Their number is counted behind the totals.
SIZED void chain(global int *out) {
  volatile global atomic_int *totals = (volatile global atomic_int *)out;
  const int group = atomic_fetch_add_explicit(&totals[get_num_groups(0)], 1, memory_order_relaxed, memory_scope_device);
  int before = 0;
  if (group > 0)
    while ((before = atomic_load_explicit(&totals[group - 1], memory_order_acquire, memory_scope_device)) == 0) {
    }
  atomic_store_explicit(&totals[group], before + 1 + (group & 3), memory_order_release, memory_scope_device);
}
#endif
