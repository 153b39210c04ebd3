// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One elementary function of each element: T, the type, and CALL(x, y), the expression.
kernel void apply(global const T *xs, global const T *ys, global T *results) {
  size_t i = get_global_id(0);
  T x = xs[i], y = ys[i];
  results[i] = CALL;
}
