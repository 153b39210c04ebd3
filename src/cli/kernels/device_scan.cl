// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An inclusive scan of any number of blocks, in three launches that use only standard built-in functions.

// Each work-group scans its block and stores the block's sum.
kernel void scan_blocks(global const int *values, global int *scanned, global int *block_sums) {
  size_t i = get_global_id(0);
  int sum = work_group_scan_inclusive_add(values[i]);
  scanned[i] = sum;
  if (get_local_id(0) == get_local_size(0) - 1) block_sums[get_group_id(0)] = sum;
}

// A single work-group scans the block sums in place, in steps of its width, and carries the total.
kernel void scan_block_sums(global int *block_sums, uint blocks) {
  int carry = 0;
  for (uint first = 0; first < blocks; first += get_local_size(0)) {
    uint i = first + get_local_id(0);
    int sum = carry + work_group_scan_inclusive_add(i < blocks ? block_sums[i] : 0);
    if (i < blocks) block_sums[i] = sum;
    carry = work_group_broadcast(sum, get_local_size(0) - 1);
  }
}

// Each block but the first adds the sum of all previous blocks.
kernel void add_block_sums(global int *scanned, global const int *block_sums) {
  if (get_group_id(0) > 0) scanned[get_global_id(0)] += block_sums[get_group_id(0) - 1];
}
