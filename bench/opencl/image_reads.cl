// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of images, and loads of the same texels from a buffer. Options choose one kernel, since drivers build slowly:
//   the format:  RGBA8, RGBA_FLOAT, R_FLOAT, RGBA_HALF
//   the places:  ROTATED, RANDOM or in rows; with VOLUME in three dimensions; WIDTH, HEIGHT and DEPTH of the image
//   the read:    FROM_BUFFER, NORMALISED_PLACES, SAMPLER_ARGUMENT, INTEGER_PLACES, NO_SAMPLER or by a constant sampler; FILTER
// A work-item reads READS texels of one column and keeps their sum, so that reads are measured and not the stores of results.
#define READS 16

#if defined(RGBA8)
#define BUFFER const uchar4 *
#define LOAD(from, i) (convert_float4((from)[i]) * (1 / 255.0f))
#elif defined(RGBA_FLOAT)
#define BUFFER const float4 *
#define LOAD(from, i) (from)[i]
#elif defined(R_FLOAT)
#define BUFFER const float *
#define LOAD(from, i) (float4)((from)[i], 0, 0, 1)
#elif defined(RGBA_HALF)
#define BUFFER const half *
#define LOAD(from, i) vload_half4(i, from)
#endif

// Sums of images with one channel are of one channel.
#ifdef R_FLOAT
typedef float sum_t;
#define CHANNELS(colour) (colour).x
#else
typedef float4 sum_t;
#define CHANNELS(colour) (colour)
#endif

#ifdef VOLUME
#define IMAGE read_only image3d_t
typedef float4 place_t;
typedef int4 texel_t;
#define PLACE(x, y, z) (float4)(x, y, z, 0)
#define TEXEL(x, y, z) (int4)(x, y, z, 0)
#define INDEX(texel) (((texel).z * HEIGHT + (texel).y) * WIDTH + (texel).x)
#define PLACE_OF(texel) convert_float4(texel)
#define SIZES (float4)(WIDTH, HEIGHT, DEPTH, 1)
#else
#define IMAGE read_only image2d_t
typedef float2 place_t;
typedef int2 texel_t;
#define PLACE(x, y, z) (float2)(x, y)
#define TEXEL(x, y, z) (int2)(x, y)
#define INDEX(texel) ((texel).y * WIDTH + (texel).x)
#define PLACE_OF(texel) convert_float2(texel)
#define SIZES (float2)(WIDTH, HEIGHT)
#endif

// The place of a read within its texel. Multiples of 1/256 are exact in floats and in the weights of GPUs' filters. Odd
// multiples are never halfway between two texels, even with a rotation in multiples of 1/128.
#define WITHIN PLACE(197 / 256.0f, 101 / 256.0f, 59 / 256.0f)

// The next texel of a work-item in column x and layer z, at row y.
texel_t next_texel(int x, int y, int z, uint *state) {
#ifdef RANDOM
  uint random = *state = *state * 1664525u + 1013904223u;  // Numerical Recipes' generator
  return TEXEL(random >> 8 & (WIDTH - 1), random >> 19 & (HEIGHT - 1), (random >> 13) * 5 & (DEPTH - 1));
#else
  return TEXEL(x, y, z);
#endif
}

place_t next_place(int x, int y, int z, uint *state) {
#ifdef ROTATED
  // 111 / 128 and 64 / 128 are the cosine and the sine of 29.97 degrees, times 1.001. No operation rounds.
  float u = x - WIDTH / 2, v = y - HEIGHT / 2;
  return PLACE(0.8671875f * u - 0.5f * v + WIDTH / 2, 0.5f * u + 0.8671875f * v + HEIGHT / 2, z) + WITHIN;
#else
  return PLACE_OF(next_texel(x, y, z, state)) + WITHIN;
#endif
}

// The texel's index in a buffer.
int next_index(int x, int y, int z, uint *state) {
#ifdef ROTATED
  int2 texel = clamp(convert_int2(floor(next_place(x, y, z, state))), (int2)(0), (int2)(WIDTH - 1, HEIGHT - 1));
#else
  texel_t texel = next_texel(x, y, z, state);
#endif
  return INDEX(texel);
}

uint first_state(int x, int y, int z) { return (uint)((z * HEIGHT + y) * WIDTH + x) * 2654435761u; }

int result_index(int x, int z) { return (z * (int)get_global_size(1) + (int)get_global_id(1)) * WIDTH + x; }

#ifdef FROM_BUFFER

kernel void read(global BUFFER in, global sum_t *out) {
  int x = get_global_id(0), y = get_global_id(1) * READS, z = get_global_id(2);
  uint state = first_state(x, y, z);
  sum_t sum = 0;
  for (int i = 0; i < READS; ++i) sum += CHANNELS(LOAD(in, next_index(x, y + i, z, &state)));
  out[result_index(x, z)] = sum;
}

#else

#if defined(NORMALISED_PLACES)
#define READ() read_imagef(in, wrapping, next_place(x, y + i, z, &state) / SIZES)
#elif defined(SAMPLER_ARGUMENT)
#define READ() read_imagef(in, argument, next_place(x, y + i, z, &state))
#elif defined(INTEGER_PLACES)
#define READ() read_imagef(in, clamping, next_texel(x, y + i, z, &state))
#elif defined(NO_SAMPLER)
#define READ() read_imagef(in, next_texel(x, y + i, z, &state))
#else
#define READ() read_imagef(in, clamping, next_place(x, y + i, z, &state))
#endif

constant sampler_t clamping = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | FILTER;
constant sampler_t wrapping = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | FILTER;

kernel void read(IMAGE in, global sum_t *out, sampler_t argument) {
  int x = get_global_id(0), y = get_global_id(1) * READS, z = get_global_id(2);
  uint state = first_state(x, y, z);
  sum_t sum = 0;
  for (int i = 0; i < READS; ++i) sum += CHANNELS(READ());
  out[result_index(x, z)] = sum;
}

#endif
