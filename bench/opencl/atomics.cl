// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic additions to local and global memory, and a histogram of 256 bins.

// Each work-item adds to ADDITIONS of SPREAD counters; neighbours use different ones.
kernel void add_global(global uint *counters) {
  const uint item = get_global_id(0);
  for (uint i = 0; i < ADDITIONS; ++i) atomic_add(&counters[(item + i) % SPREAD], 1);
}

kernel void add_local(global uint *counters, local uint *own) {
  const uint item = get_local_id(0);
  for (uint i = item; i < SPREAD; i += get_local_size(0)) own[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < ADDITIONS; ++i) atomic_add(&own[(item + i) % SPREAD], 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < SPREAD; i += get_local_size(0)) atomic_add(&counters[i], own[i]);
}

// All work-items add to one counter and use the returned values, so that compilers cannot combine the additions.
kernel void tickets(global uint *counter, global uint *got) { got[get_global_id(0)] = atomic_inc(counter); }

kernel void histogram(global const uchar *in, global uint *bins, uint count) {
  local uint own[256];
  const uint item = get_local_id(0);
  for (uint i = item; i < 256; i += get_local_size(0)) own[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < count / 4; i += get_global_size(0)) {
    const uchar4 value = vload4(i, in);
    atomic_inc(&own[value.x]);
    atomic_inc(&own[value.y]);
    atomic_inc(&own[value.z]);
    atomic_inc(&own[value.w]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < 256; i += get_local_size(0)) atomic_add(&bins[i], own[i]);
}
