// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image* with a level of detail or with gradients (cl_khr_mipmap_image). The level is chosen as in OpenGL: by the logarithm of the
// longer gradient in texels.
#include "images/addressing.h"

DECLARED float log2(float);

/// The level of detail for gradients in coordinates.
HELPER float lod_of(image_ptr image, ulong sampler, float4 dx, float4 dy) {
  float4 scale = 1.0f;
  if (IS_NORMALIZED(sampler)) scale = (float4)((float)image->width, (float)image->height, (float)image->depth, 0.0f);
  dx *= scale;
  dy *= scale;
  const float x = dx.x * dx.x + dx.y * dx.y + dx.z * dx.z, y = dy.x * dy.x + dy.y * dy.y + dy.z * dy.z;
  return 0.5f * log2(x > y ? x : y);
}

#define AT_LEVEL(name, kind, image, sampler, c, lod) \
  ACCESS(level, kind, name)(described(image), sampler_bits(sampler), PLACE_##name(c), lod)
/// A gradient has a component for each dimension; for a volume it has four.
#define GRADIENT_1 float
#define GRADIENT_2 float2
#define GRADIENT_3 float4
#define WIDE_GRADIENT_1(g) ((float4)(g, 0, 0, 0))
#define WIDE_GRADIENT_2(g) ((float4)(g, 0, 0))
#define WIDE_GRADIENT_3(g) g

#define LEVEL(access, name, type, D, W, kind, suffix, R, convert) \
  SMALL R CAT(read_image, suffix)(access type image, sampler_t sampler, CAT(float, W) c, float lod) { \
    return convert(AT_LEVEL(name, kind, image, sampler, c, lod)); \
  } \
  SMALL R CAT(read_image, suffix)(access type image, sampler_t sampler, CAT(float, W) c, CAT(GRADIENT_, D) dx, CAT(GRADIENT_, D) dy) { \
    const float lod = \
        lod_of(described(image), sampler_bits(sampler), CAT(WIDE_GRADIENT_, D)(dx), CAT(WIDE_GRADIENT_, D)(dy)); \
    return convert(AT_LEVEL(name, kind, image, sampler, c, lod)); \
  }
#define LEVELS_OF(access, name, type, D, W) \
  LEVEL(access, name, type, D, W, f, f, float4, ) LEVEL(access, name, type, D, W, i, i, int4, ) \
  LEVEL(access, name, type, D, W, i, ui, uint4, as_uint4)
#define LEVELS(name, type, D, W, ...) LEVELS_OF(read_only, name, type, D, W) LEVELS_OF(read_write, name, type, D, W)
FOR_COLOUR_IMAGES(LEVELS)
#define FIRST(colour) (colour).x
#define DEPTH_LEVELS(name, type, D, W, ...) \
  LEVEL(read_only, name, type, D, W, f, f, float, FIRST) LEVEL(read_write, name, type, D, W, f, f, float, FIRST)
FOR_DEPTH_IMAGES(DEPTH_LEVELS)
