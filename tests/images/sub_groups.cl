// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes by sub-groups of SIZE, in work-groups whose rows are not a multiple of it: whole colours, and single
// channels.
kernel __attribute__((intel_reqd_sub_group_size(SIZE))) void move(read_only image2d_t from, write_only image2d_t to,
                                                                  write_only image2d_t turned, global float4 *filtered,
                                                                  sampler_t sampler) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, at, read_imagef(from, at));
  const float4 c = read_imagef(from, at);
  write_imagef(turned, at, (float4)(c.w, c.z, 0.25f, c.x));
  filtered[get_global_linear_id()] = read_imagef(from, sampler, convert_float2(at) + (float2)(0.75f, 0.25f));
}
