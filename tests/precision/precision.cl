// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CALL, a function of x, y, z of type T and of n, for each element.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void apply(global const T *xs, global const T *ys, global const T *zs, global const int *ns, global T *results) {
  size_t i = get_global_id(0);
  T x = xs[i], y = ys[i], z = zs[i], other;
  int n = ns[i], other_int;
  results[i] = CALL;
}
