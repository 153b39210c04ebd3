// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every work-item stores the sum of the values up to its own, within its work-group.
kernel void scan(global const int *in, global int *out) {
  out[get_global_id(0)] = work_group_scan_inclusive_add(in[get_global_id(0)]);
}
