// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on images with and without races and unwritten texels. A work-item for each texel of 16 x 16, in groups of 16 x 1.
#define X ((int)get_global_id(0))
#define Y ((int)get_global_id(1))
#define MINE ((int2)(X, Y))
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel __attribute__((reqd_work_group_size(16, 1, 1))) void NAME(global int *out, read_write image2d_t picture,
                                                                 write_only image2d_array_t layers, int n) {
#if defined(OWN_TEXELS)  // correct
  write_imagei(picture, MINE, read_imagei(picture, MINE) + X);
  write_imagei(layers, (int4)(X, Y, n & 1, 0), (int4)(X));
#elif defined(NEIGHBOUR_TEXELS)
  write_imagei(picture, MINE, (int4)(X));
  out[16 * Y + X] = read_imagei(picture, (int2)(X ^ 1, Y)).x;
#elif defined(NEIGHBOUR_TEXELS_BARRIER)  // correct
  write_imagei(picture, MINE, (int4)(X));
  work_group_barrier(CLK_IMAGE_MEM_FENCE);
  out[16 * Y + X] = read_imagei(picture, (int2)(X ^ 1, Y)).x;
#elif defined(NEXT_GROUPS_TEXELS)        // a barrier orders no other group
  write_imagei(picture, MINE, (int4)(X));
  work_group_barrier(CLK_IMAGE_MEM_FENCE);
  out[16 * Y + X] = read_imagei(picture, (int2)(X, (Y + 1) % 16)).x;
#elif defined(ONE_TEXEL)
  write_imagei(layers, (int4)(3, 3, 1, 0), (int4)(X, Y, 0, 0));
#elif defined(ONE_TEXEL_OF_EACH_LAYER)  // correct
  if (X < 2 && Y == 0) write_imagei(layers, (int4)(3, 3, X, 0), (int4)(X));
#elif defined(OUTSIDE)                  // correct for races: nothing is written
  write_imagei(picture, (int2)(16, 16), (int4)(X));
#elif defined(UNWRITTEN)
  if (X != 5) write_imagei(picture, MINE, (int4)(X));
  if (read_imagei(picture, MINE).x > 3) out[16 * Y + X] = 1;
#elif defined(WRITTEN)            // correct
  write_imagei(picture, MINE, (int4)(X));
  if (read_imagei(picture, MINE).x > 3) out[16 * Y + X] = 1;
#elif defined(CONSTANT_CHANNELS)  // correct: the image stores no alpha
  if (read_imagei(picture, MINE).w > 0) out[16 * Y + X] = 1;
#elif defined(UNWRITTEN_VALUE)
  int value;
  if (n == 5) value = 4;
  write_imagei(picture, MINE, (int4)(value));
#elif defined(UNWRITTEN_COORDINATE)
  int at[2];
  at[n & 1] = X;
  write_imagei(picture, (int2)(at[1], 3), (int4)(X));
#endif
}
