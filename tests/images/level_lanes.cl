// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes of mip levels that each work-item chooses.
kernel void read_levels(read_only IMAGE image, global const float4 *at, global uint4 *out, sampler_t sampler,
                        global const float *lods) {
  const size_t i = get_global_id(0);
  out[i] = as_uint4(READ(image, sampler, at[i].AT, lods[i]));
}

kernel void write_levels(write_only IMAGE image, global const int4 *at, global const uint4 *colours, global const int *levels) {
  const size_t i = get_global_id(0);
  WRITE(image, at[i].AT, levels[i], AS(colours[i]));
}
