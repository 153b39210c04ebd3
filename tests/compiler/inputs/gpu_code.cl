// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose PTX gpu_code.test checks.

// Loops index this array; unrolling them puts it into registers.
kernel void chains(global float16 *out, float a, int steps) {
  float16 chain[8];
  for (int c = 0; c < 8; ++c) chain[c] = (float16)(get_global_id(0) + c);
  for (int step = 0; step < steps; ++step)
    for (int c = 0; c < 8; ++c) chain[c] = mad(chain[c], a, a);
  float16 sum = 0;
  for (int c = 0; c < 8; ++c) sum += chain[c];
  out[get_global_id(0)] = sum;
}

// The program's attribute overrides the compiler's choice.
kernel void kept(global int *out) {
#pragma unroll 1
  for (int i = 0; i < 4; ++i) atomic_inc(out);
}

kernel void copies(global const int *in, global int *out, local int *tile) {
  event_t event = async_work_group_copy(tile, in, 64, 0);
  wait_group_events(1, &event);
  out[get_local_id(0)] = tile[63 - get_local_id(0)];
}

#if __OPENCL_C_VERSION__ == 300
// Eight warps: five steps in each warp, three among the warps.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sums(global float *x) {
  x[get_global_id(0)] = work_group_scan_inclusive_add(x[get_global_id(0)]);
}

kernel void votes(global int *x) { x[get_global_id(0)] = work_group_any(x[get_global_id(0)]); }
#endif
