// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An elementary function of ROUNDS numbers in each work-item: T is the type, and CALL(x, y) the expression. All work-groups
// read the same numbers from the first-level cache and store only a sum, so that the function dominates the time, not memory.
kernel void apply(global const T *xs, global const T *ys, global T *results) {
  T sum = 0;
  for (uint round = 0; round < ROUNDS; ++round) {
    size_t i = round * get_local_size(0) + get_local_id(0);
    T x = xs[i], y = ys[i];
    sum += CALL;
  }
  results[get_global_id(0)] = sum;
}
