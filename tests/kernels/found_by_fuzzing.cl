// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tests/fuzz found, made small.

// Both ways of a branch are loops of as many rounds for all work-items, and both end where the branch ends.
kernel void loops_on_both_ways(global int *out, int rounds) {
  int i = (int)get_local_id(0), down = 100, up = 4;
  if (i % 3 == 0) {
    down = rounds + 1;
    do {
    } while (--down > 2);
  } else {
    for (up = 0; up < rounds; ++up) {
    }
  }
  out[get_global_id(0)] = down * 1000 + up;
}

// The sum wraps, and the result is taken for a 64-bit number.
kernel void sums_that_wrap(global int *out, int value) {
  long sum = work_group_scan_inclusive_add(value), total = work_group_reduce_add(value);
  out[get_global_id(0)] = (int)(sum >> 32) + 10 * (int)(total >> 32);
}
