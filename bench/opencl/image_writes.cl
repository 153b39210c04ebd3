// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes and copies of images, and the same by buffers. Options: RGBA8, RGBA_FLOAT, R_FLOAT or RGBA_HALF, and WIDTH.

#if defined(RGBA8)
typedef uint texel_t;
#define STORE(colour, i, to) ((global uchar4 *)(to))[i] = convert_uchar4_sat_rte((colour) * 255)
#elif defined(RGBA_FLOAT)
typedef float4 texel_t;
#define STORE(colour, i, to) (to)[i] = (colour)
#elif defined(R_FLOAT)
typedef float texel_t;
#define STORE(colour, i, to) (to)[i] = (colour).x
#elif defined(RGBA_HALF)
typedef ushort4 texel_t;
#define STORE(colour, i, to) vstore_half4(colour, i, (global half *)(to))
#endif

// A colour that the format holds exactly.
float4 colour_of(int2 at) {
#ifdef RGBA8
  float unit = 1 / 255.0f;
#else
  float unit = 1 / 256.0f;
#endif
  return convert_float4((int4)(at.x & 255, at.y & 255, (at.x ^ at.y) & 255, (at.x + at.y) & 255)) * unit;
}

kernel void write_image(write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, colour_of(at));
}

kernel void write_buffer(global texel_t *out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  STORE(colour_of(at), at.y * WIDTH + at.x, out);
}

kernel void copy_image(read_only image2d_t in, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, at));
}

kernel void copy_buffer(global const texel_t *in, global texel_t *out) {
  int i = get_global_id(1) * WIDTH + get_global_id(0);
  out[i] = in[i];
}
