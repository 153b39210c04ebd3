// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The five operations that BabelStream measures, on doubles.
kernel void copy(global const double *a, global double *c) {
  const size_t i = get_global_id(0);
  c[i] = a[i];
}

kernel void mul(global double *b, global const double *c, double scalar) {
  const size_t i = get_global_id(0);
  b[i] = scalar * c[i];
}

kernel void add(global const double *a, global const double *b, global double *c) {
  const size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}

kernel void triad(global double *a, global const double *b, global const double *c, double scalar) {
  const size_t i = get_global_id(0);
  a[i] = b[i] + scalar * c[i];
}

kernel void dot(global const double *a, global const double *b, global double *sums, local double *tile, uint count) {
  const uint item = get_local_id(0);
  double sum = 0;
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) sum += a[i] * b[i];
  tile[item] = sum;
  for (uint width = get_local_size(0) / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < width) tile[item] += tile[item + width];
  }
  if (item == 0) sums[get_group_id(0)] = tile[0];
}
