// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of a work-group's states in the order of its work-items. They use the device's work-group functions if these have the
// operator (UPS_NATIVE: add, min or max on int, uint, long or ulong). If the device has only sub-group functions, they use
// these; otherwise local memory, with OpenCL 1.2. Some compilers define the features of OpenCL C 3.0 for 1.2 as well.
//
// The file is read behind ups_state, ups_combine() and ups_none(), which form a monoid.

#if defined(UPS_NATIVE) && UPS_FUNCTIONS >= 2 && __OPENCL_C_VERSION__ >= 200 &&                                                \
    (defined(__opencl_c_work_group_collective_functions) || __OPENCL_C_VERSION__ < 300)
#define UPS_BY_WORK_GROUP_FUNCTIONS
#elif defined(UPS_NATIVE) && UPS_FUNCTIONS >= 1 && __OPENCL_C_VERSION__ >= 200 &&                                              \
    (defined(__opencl_c_subgroups) || defined(cl_khr_subgroups))
#define UPS_BY_SUB_GROUP_FUNCTIONS
#if __OPENCL_C_VERSION__ < 300
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
#endif

// The total of the states of earlier work-items; *total is the total of all. `memory` has room for 2 UPS_GROUP states, and may
// be reused immediately.
#if UPS_GROUP == 1
ups_state ups_group_scan(ups_state x, local ups_state *memory, ups_state *total) {
  *total = x;
  return ups_none();
}

#elif defined(UPS_BY_WORK_GROUP_FUNCTIONS)
ups_state ups_group_scan(ups_state x, local ups_state *memory, ups_state *total) {
#if UPS_BY_ROWS && (defined(__opencl_c_subgroups) || defined(cl_khr_subgroups))
  if (get_num_sub_groups() == 1) {  // no work-item waits
    const ups_state scanned = UPS_JOIN(sub_group_scan_exclusive_, UPS_NATIVE)(x);
    const ups_state before = get_local_id(0) == 0 ? ups_none() : scanned;
    *total = sub_group_broadcast(ups_combine(before, x), UPS_GROUP - 1);
    return before;
  }
#endif
  const ups_state scanned = UPS_JOIN(work_group_scan_exclusive_, UPS_NATIVE)(x);
  const ups_state before = get_local_id(0) == 0 ? ups_none() : scanned;
  *total = work_group_broadcast(ups_combine(before, x), UPS_GROUP - 1);
  return before;
}

#elif defined(UPS_BY_SUB_GROUP_FUNCTIONS)
ups_state ups_group_scan(ups_state x, local ups_state *memory, ups_state *total) {
  const uint sub_group = get_sub_group_id(), sub_groups = get_num_sub_groups();
  const ups_state scanned = UPS_JOIN(sub_group_scan_exclusive_, UPS_NATIVE)(x);
  ups_state before = get_sub_group_local_id() == 0 ? ups_none() : scanned;
  if (get_sub_group_local_id() == get_sub_group_size() - 1) memory[sub_group] = ups_combine(before, x);
  barrier(CLK_LOCAL_MEM_FENCE);
  ups_state sum = ups_none(), up_to_here = ups_none();
  for (uint i = 0; i < sub_groups; ++i) {
    if (i == sub_group) up_to_here = sum;
    sum = ups_combine(sum, memory[i]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  *total = sum;
  return ups_combine(up_to_here, before);
}

#else
ups_state ups_group_scan(ups_state x, local ups_state *memory, ups_state *total) {
  const uint item = get_local_id(0);
  uint now = 0;  // the half of the memory with the newest states
  memory[item] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 1; distance < UPS_GROUP; distance *= 2) {
    ups_state y = memory[now + item];
    if (item >= distance) y = ups_combine(memory[now + item - distance], y);
    now ^= UPS_GROUP;
    memory[now + item] = y;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  *total = memory[now + UPS_GROUP - 1];
  const ups_state before = item == 0 ? ups_none() : memory[now + item - 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  return before;
}
#endif
