// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items read and write the texels of their own ids or of their neighbours: rows of texels, and a sub-group has a run.
#if KIND == 0
#define READ read_imagef
#define WRITE write_imagef
typedef float4 colour_t;
#elif KIND == 1
#define READ read_imagei
#define WRITE write_imagei
typedef int4 colour_t;
#else
#define READ read_imageui
#define WRITE write_imageui
typedef uint4 colour_t;
#endif

#ifdef DEPTH
#define COLOUR(value) (colour_t)(value, 0, 0, 0)
#define WRITTEN(colour) (colour).x
#else
#define COLOUR(value) value
#define WRITTEN(colour) colour
#endif

#define ID (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0)

kernel void copy(read_only IMAGE from, write_only IMAGE to, global uint4 *out, int4 shift, sampler_t sampler) {
  const colour_t colour = COLOUR(READ(from, ID.AT));
  WRITE(to, ID.AT, WRITTEN(colour));
  out[get_global_linear_id()] = as_uint4(colour);
}

#ifndef BUFFER
kernel void shift_ints(read_only IMAGE from, write_only IMAGE to, global uint4 *out, int4 shift, sampler_t sampler) {
  const int4 at = ID + shift;
  const colour_t colour = COLOUR(READ(from, sampler, at.AT));
  WRITE(to, ID.AT, WRITTEN(colour));
  out[get_global_linear_id()] = as_uint4(colour);
}

// Neighbours in x in two different rows: they are no run, although x is consecutive.
#define SHEARED (ID + shift + (int4)(0, ID.x >> 1 & 1, ID.x >> 2 & 1, 0))

kernel void shear_ints(read_only IMAGE from, write_only IMAGE to, global uint4 *out, int4 shift, sampler_t sampler) {
  const int4 at = SHEARED;
  const colour_t colour = COLOUR(READ(from, sampler, at.AT));
  WRITE(to, ID.AT, WRITTEN(colour));
  out[get_global_linear_id()] = as_uint4(colour);
}

kernel void shear_floats(read_only IMAGE from, write_only IMAGE to, global uint4 *out, int4 shift, sampler_t sampler) {
  const float4 at = convert_float4(SHEARED) + 0.25f;
  const colour_t colour = COLOUR(READ(from, sampler, at.AT));
  WRITE(to, ID.AT, WRITTEN(colour));
  out[get_global_linear_id()] = as_uint4(colour);
}

kernel void shift_floats(read_only IMAGE from, write_only IMAGE to, global uint4 *out, int4 shift, sampler_t sampler) {
  const float4 at = convert_float4(ID + shift) + 0.25f;
  const colour_t colour = COLOUR(READ(from, sampler, at.AT));
  WRITE(to, ID.AT, WRITTEN(colour));
  out[get_global_linear_id()] = as_uint4(colour);
}
#endif

// The channels of a colour are used separately: each becomes a vector.
kernel void channels(read_only IMAGE from, write_only IMAGE to, global uint4 *out, int4 shift, sampler_t sampler) {
  const colour_t stored = COLOUR(READ(from, ID.AT));
  const colour_t colour = (colour_t)(shift.x > 100 ? stored.y : stored.x, shift.y > 100 ? stored.z : stored.y,
                                     shift.z > 100 ? stored.w : stored.z, shift.w > 100 ? stored.x : stored.w);
  WRITE(to, ID.AT, WRITTEN(colour));
  global uint *words = (global uint *)(out + get_global_linear_id());
  words[0] = as_uint(colour.x);
  words[1] = as_uint(colour.y);
  words[2] = as_uint(colour.z);
  words[3] = as_uint(colour.w);
}
