// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are bound by memory: vector add, SAXPY and two reductions.

kernel void vector_add(global const float *a, global const float *b, global float *sum) {
  size_t i = get_global_id(0);
  sum[i] = a[i] + b[i];
}

kernel void saxpy(float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}

// The classic reduction: a tree in local memory, with half as many work-items after each barrier.
kernel void reduce_tree(global const float *in, global float *sums, local float *tile) {
  uint item = get_local_id(0);
  tile[item] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_width = get_local_size(0) / 2; half_width > 0; half_width /= 2) {
    if (item < half_width) tile[item] += tile[item + half_width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) sums[get_group_id(0)] = tile[0];
}

// The better reduction: each work-item first sums a stride.
kernel void reduce_strided(global const float *in, global float *sums, local float *tile, uint count) {
  uint item = get_local_id(0);
  float sum = 0;
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) sum += in[i];
  tile[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_width = get_local_size(0) / 2; half_width > 0; half_width /= 2) {
    if (item < half_width) tile[item] += tile[item + half_width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) sums[get_group_id(0)] = tile[0];
}
