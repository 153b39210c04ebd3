// Successive collectives, and the number of their barriers.
// RUN: %upsweepc -cl-std=CL3.0 -cl-uniform-work-group-size --target=cuda --cpu=sm_80 -o - %s | FileCheck %s

#define GROUP __attribute__((reqd_work_group_size(128, 1, 1)))

// CHECK-LABEL: .entry four(
// CHECK-COUNT-4: st.shared
// CHECK:         bar.sync
// CHECK-NOT:     bar.sync
// CHECK:         ret;
GROUP kernel void four(global float *out, global const int *in) {
  const size_t i = get_global_id(0);
  const int sum = work_group_scan_inclusive_add(in[i]), x = work_group_broadcast(in[i], 3);
  const float greatest = work_group_scan_exclusive_max(out[i]), y = work_group_broadcast(out[i], 9);
  out[i] = (float)(sum + x) + greatest + y;
}

// CHECK-LABEL: .entry five(
// CHECK-COUNT-2: bar.sync
// CHECK-NOT:     bar.sync
// CHECK:         ret;
GROUP kernel void five(global int *out, int a, int b, int c, int d, int e) {
  const int item = (int)get_local_id(0);
  out[item] = work_group_broadcast(a * item, 1) + work_group_broadcast(b * item, 2) + work_group_broadcast(c * item, 3) +
              work_group_broadcast(d * item, 4) + work_group_broadcast(e * item, 5);
}

// CHECK-LABEL: .entry one_by_one(
// CHECK-COUNT-3: bar.sync
// CHECK-NOT:     bar.sync
// CHECK:         ret;
GROUP kernel void one_by_one(global int *out) {
  const size_t i = get_global_id(0);
  const int sum = work_group_reduce_add(out[i]);
  out[i] = work_group_broadcast(work_group_scan_inclusive_max(sum * (int)i), 5);
}

// A value that another work-item has written may only be read behind the barrier.
// CHECK-LABEL: .entry with_barrier(
// CHECK-COUNT-3: bar.sync
// CHECK-NOT:     bar.sync
// CHECK:         ret;
GROUP kernel void with_barrier(global int *out, local int *space) {
  const size_t i = get_local_id(0);
  const int sum = work_group_scan_inclusive_add(out[i]);
  space[i] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = work_group_scan_inclusive_add(space[i ^ 1]);
}

// Four unrolled rounds of a loop.
// CHECK-LABEL: .entry rounds(
// CHECK-COUNT-2: bar.sync
// CHECK-NOT:     bar.sync
// CHECK:         ret;
GROUP kernel void rounds(global int *out, int rounds) {
  const size_t i = get_global_id(0);
  int x = out[i], sum = 0;
  for (int round = 0; round < rounds; ++round) {
    sum += work_group_broadcast(x, 3);
    x = x * 5 + 1;
  }
  out[i] = sum;
}
