// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small kernel, of the kind that programs have many of. SEED makes each build one that no cache has seen.
kernel void small(global const float *x, global float *y, float a, uint count) {
  const size_t i = get_global_id(0);
  if (i < count) y[i] = fma(a, x[i], y[i]) + SEED * 1e-30f;
}
