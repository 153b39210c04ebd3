// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One elementary function of ROUNDS numbers in each work-item: T, the type, and CALL(x, y), the expression. All work-groups
// take the same numbers, which stay in the first-level cache, and store a sum alone, so that the time is the function's and not
// the memory's.
kernel void apply(global const T *xs, global const T *ys, global T *results) {
  T sum = 0;
  for (uint round = 0; round < ROUNDS; ++round) {
    size_t i = round * get_local_size(0) + get_local_id(0);
    T x = xs[i], y = ys[i];
    sum += CALL;
  }
  results[get_global_id(0)] = sum;
}
