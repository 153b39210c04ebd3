// Loops around barriers, with uniform numbers of rounds or not.
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_80 -o - %s | FileCheck %s

// CHECK-LABEL: .entry common_rounds(
// CHECK-COUNT-5: bar.sync
// CHECK-NOT:     bar.sync
// CHECK:         ret;
kernel void common_rounds(global int *out, local int *space, int rounds) {
  int x = out[get_global_id(0)];
  for (int i = 0; i < rounds; ++i) {
    space[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x += space[x & 31];
  }
  out[get_global_id(0)] = x;
}

// CHECK-LABEL: .entry own_rounds(
// CHECK:         vote.sync.ballot
// CHECK:         shfl.sync.idx
// CHECK-NOT:     shfl.sync
// CHECK:         ret;
kernel void own_rounds(global int *out, global const int *rounds) {
  int x = out[get_global_id(0)];
  for (int i = 0; i < rounds[get_global_id(0)]; ++i) x += sub_group_shuffle(x, 3);
  out[get_global_id(0)] = x;
}
