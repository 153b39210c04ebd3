// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with a parameter of each kind.
kernel void scan(global const int *in, global int *out) {
  out[get_global_id(0)] = work_group_scan_inclusive_add(in[get_global_id(0)]);
}

kernel void axpy(float4 a, global const float4 *x, global float4 *y) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}

kernel void reverse(global int *values, local int *tile) {
  tile[get_local_id(0)] = values[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  values[get_global_id(0)] = tile[get_local_size(0) - 1 - get_local_id(0)];
}

kernel void position(global uint *out) {
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 10 * get_global_id(1) + get_global_id(0);
}

kernel void offset(global uint *out) { out[get_global_id(0) - get_global_offset(0)] = get_global_id(0); }
