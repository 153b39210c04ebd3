// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes of images of type IMAGE by some of the work-items: in branches, in loops with different trip counts, on
// both sides of a barrier.

kernel void branches(read_only IMAGE a, read_only IMAGE b, global const int4 *at, global const int *ways, global uint4 *out,
                     sampler_t sampler) {
  const size_t i = get_global_id(0);
  uint4 result = (uint4)(1, 2, 3, 4);
  if (ways[i] % 3 == 0)
    result = read_imageui(a, sampler, at[i].AT);
  else if (ways[i] % 3 == 1)
    result = read_imageui(b, sampler, at[i].AT);
  out[i] = result;
}

kernel void loops(read_only IMAGE a, read_only IMAGE b, global const int4 *at, global const int *ways, global uint4 *out,
                  sampler_t sampler) {
  const size_t i = get_global_id(0), count = get_global_size(0);
  uint4 sum = 0;
  for (int k = 0; k < ways[i]; ++k) {
    const int4 place = at[(i * 7 + k) % count];
    if ((k + i) % 2 == 0)
      sum += read_imageui(a, sampler, place.AT);
    else
      sum = sum * 3 + read_imageui(b, sampler, place.AT);
    if (sum.x % 64 == 5) break;
  }
  out[i] = sum;
}

kernel void waits(read_only IMAGE a, read_only IMAGE b, global const int4 *at, global const int *ways, global uint4 *out,
                  sampler_t sampler) {
  local uint4 shared[64];
  const size_t i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
  shared[l] = ways[i] % 2 ? read_imageui(a, sampler, at[i].AT) : (uint4)(l);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  uint4 sum = shared[(l + 1) % size];
  if (ways[i] % 3 == 0) sum += read_imageui(b, sampler, at[i].AT);
  out[i] = sum;
}

kernel void writes(write_only IMAGE a, write_only IMAGE b, global const int4 *at, global const int *ways,
                   global const uint4 *colours) {
  const size_t i = get_global_id(0), count = get_global_size(0);
  const int way = ways[i] % 4;
  if (way == 1) {
    write_imageui(a, at[i].AT, colours[i]);
  } else if (way == 2) {
    for (int k = 0; k <= ways[i]; ++k) write_imageui(b, at[i].AT, colours[(i + k) % count]);
  } else if (way == 3) {
    write_imageui(b, at[i].AT, colours[i]);
    write_imageui(a, at[i].AT, colours[(i + 1) % count]);
  }
}
