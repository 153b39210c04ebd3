// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small kernel of a common kind. SEED makes each build differ, so that no cache has it.
kernel void small(global const float *x, global float *y, float a, uint count) {
  const size_t i = get_global_id(0);
  if (i < count) y[i] = fma(a, x[i], y[i]) + SEED * 1e-30f;
}
