// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that store the start times of their work-groups, by the processor's time stamp counter.

ulong now() { return (ulong)__builtin_readcyclecounter(); }

kernel void stamp(global float *values, global ulong *starts) {
  if (get_local_id(0) == 0) starts[get_group_id(0)] = now();
  values[get_global_id(0)] += 1;
}

kernel void hold(global ulong *starts, ulong cycles) {
  const ulong start = now();
  starts[get_group_id(0)] = start;
  while (now() - start < cycles) {
  }
}

kernel void touch(global float *values) { values[get_global_id(0)] = get_global_id(0); }

kernel void turn(global float *values) {
  local float ids[64];
  const uint item = get_local_id(0), last = get_local_size(0) - 1;
  ids[last - item] = get_global_id(0) - item + last - item;  // the ID of the work-item that reads it
  barrier(CLK_LOCAL_MEM_FENCE);
  values[get_global_id(0)] = ids[item];
}
