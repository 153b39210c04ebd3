// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The specification's example: both scans of a work-group's values.
kernel void work_group_scans(global const int *values, global int *inclusive, global int *exclusive) {
  size_t i = get_global_id(0);
  inclusive[i] = work_group_scan_inclusive_add(values[i]);
  exclusive[i] = work_group_scan_exclusive_add(values[i]);
}
