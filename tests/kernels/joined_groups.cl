// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose work-groups may run several at a time, each for a different reason, and a kernel whose work-groups may not.

size_t place(size_t x, size_t y, size_t z) {
  return ((z - get_global_offset(2)) * get_global_size(1) + y - get_global_offset(1)) * get_global_size(0) + x -
         get_global_offset(0);
}

#define X get_global_id(0)
#define Y get_global_id(1)
#define Z get_global_id(2)

// A work-item that ran twice would store another number.
kernel void in_rows(global int *out) { out[place(X, Y, Z)] = out[place(X, Y, Z)] * 7 + (int)(X + 100000 * Y + 10000000 * Z); }

// Divergent: a loop writes odd places.
kernel void in_lines(global int *out) {
  int sum = out[place(X, Y, Z)] * 7;
  for (size_t i = 0; i < (X & 1 ? Y + 3 : 1); ++i) sum += (int)(X + i);
  out[place(X, Y, Z)] = sum;
}

kernel void never(global int *out) {
  out[place(X, Y, Z)] = out[place(X, Y, Z)] * 7 +
                        (int)(get_local_id(0) + 1000 * get_local_size(0) + 100000 * get_group_id(0) + 10 * get_local_id(1));
}
