// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with image and sampler parameters of each type.
kernel void copy(read_only image2d_t in, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, at));
}

kernel void sample(read_only image2d_t in, sampler_t how, float2 at, global float4 *out) { *out = read_imagef(in, how, at); }

kernel void line(read_only image1d_t a, read_only image1d_buffer_t b, read_only image1d_array_t c, global float *out) {
  int x = get_global_id(0);
  out[x] = read_imagef(a, x).x + 10 * read_imagef(b, x).x + 100 * read_imagef(c, (int2)(x, 1)).x;
}

kernel void volume(read_write image3d_t v, write_only image2d_array_t a) {
  int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  write_imageui(v, at, read_imageui(v, at) + (uint4)(100 * at.z + 10 * at.y + at.x));
  write_imagef(a, at, (float4)(at.x, at.y, at.z, 1) * (float4)(0.2f, 0.2f, 0.2f, 1));
}

kernel void depth(read_only image2d_depth_t d, global float *out) {
  out[get_global_id(0)] = read_imagef(d, (int2)(get_global_id(0), 0));
}
