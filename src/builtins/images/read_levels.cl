// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image* with a level of detail or with gradients (cl_khr_mipmap_image). A level is chosen as OpenGL does it: by the
// logarithm of the longer of the gradients in texels, between the sampler's bounds, then the nearest one or a mixture of two.
#include "images/sampling.h"

DECLARED float log2(float);
DECLARED float sqrt(float);
DECLARED float ceil(float);

#define MIXES_LEVELS(sampler) (((sampler) >> 16 & 1) != 0)
#define HAS_BOUNDS(sampler) (((sampler) >> 17 & 1) != 0)

HELPER float bounded(image_ptr image, ulong sampler, float lod) {
  if (HAS_BOUNDS(sampler))
    lod = within(lod, (float)as_half((ushort)(sampler >> 32)), (float)as_half((ushort)(sampler >> 48)));
  return within(lod, 0.0f, (float)(image->levels - 1));
}

HELPER uint nearest_level(float lod) { return lod > 0.5f ? (uint)(ceil(lod + 0.5f) - 1.0f) : 0; }

/// Of gradients in coordinates.
HELPER float lod_of(image_ptr image, ulong sampler, float4 dx, float4 dy) {
  float4 scale = 1.0f;
  if (IS_NORMALIZED(sampler)) scale = (float4)((float)image->width, (float)image->height, (float)image->depth, 0.0f);
  dx *= scale;
  dy *= scale;
  const float x = dx.x * dx.x + dx.y * dx.y + dx.z * dx.z, y = dy.x * dy.x + dy.y * dy.y + dy.z * dy.z;
  return 0.5f * log2(x > y ? x : y);
}

#define SHARED_NEAREST(D, kind, R) \
  SHARED R CAT4(image_level_, kind, _, D)(image_ptr image, ulong sampler, float4 c, int layer, float lod) { \
    const struct level l = layer_at(image, nearest_level(bounded(image, sampler, lod)), layer); \
    return CAT(colour_, kind)(image, nearest_texel(image, l, sampler, c, D)); \
  }
#define SHARED_LEVELS(D) \
  SHARED_NEAREST(D, i, int4) SHARED_NEAREST(D, ui, uint4) \
  SHARED float4 CAT(image_level_f_, D)(image_ptr image, ulong sampler, float4 c, int layer, float lod) { \
    lod = bounded(image, sampler, lod); \
    if (!MIXES_LEVELS(sampler)) return colour_by(image, layer_at(image, nearest_level(lod), layer), sampler, c, D); \
    const float low = floor(lod), high = ceil(lod), weight = lod - low; \
    return colour_by(image, layer_at(image, (uint)low, layer), sampler, c, D) * (1.0f - weight) + \
           colour_by(image, layer_at(image, (uint)high, layer), sampler, c, D) * weight; \
  }
SHARED_LEVELS(1)
SHARED_LEVELS(2)
SHARED_LEVELS(3)

#define AT_LEVEL(D, kind, W, layer, image, sampler, c, lod) \
  CAT4(image_level_, kind, _, D)(described(image), sampler_bits(sampler), COORDINATE(W, float, c), \
                                 layer_of(described(image), layer(c)), lod)
/// A gradient has a component for each dimension, of a volume four.
#define GRADIENT_1 float
#define GRADIENT_2 float2
#define GRADIENT_3 float4
#define WIDE_GRADIENT_1(g) COORDINATE_(float, g)
#define WIDE_GRADIENT_2(g) COORDINATE_2(float, g)
#define WIDE_GRADIENT_3(g) g

#define LEVEL(access, type, D, W, layer, kind, R, select) \
  SMALL R CAT(read_image, kind)(access type image, sampler_t sampler, CAT(float, W) c, float lod) { \
    return AT_LEVEL(D, kind, W, layer, image, sampler, c, lod) select; \
  } \
  SMALL R CAT(read_image, kind)(access type image, sampler_t sampler, CAT(float, W) c, CAT(GRADIENT_, D) dx, CAT(GRADIENT_, D) dy) { \
    const float lod = \
        lod_of(described(image), sampler_bits(sampler), CAT(WIDE_GRADIENT_, D)(dx), CAT(WIDE_GRADIENT_, D)(dy)); \
    return AT_LEVEL(D, kind, W, layer, image, sampler, c, lod) select; \
  }
#define LEVELS_OF(access, type, D, W, layer) \
  LEVEL(access, type, D, W, layer, f, float4, ) LEVEL(access, type, D, W, layer, i, int4, ) LEVEL(access, type, D, W, layer, ui, uint4, )
#define LEVELS(name, type, D, W, layer, ...) LEVELS_OF(read_only, type, D, W, layer) LEVELS_OF(read_write, type, D, W, layer)
FOR_COLOUR_IMAGES(LEVELS)
#define DEPTH_LEVELS(name, type, D, W, layer, ...) \
  LEVEL(read_only, type, D, W, layer, f, float, .x) LEVEL(read_write, type, D, W, layer, f, float, .x)
FOR_DEPTH_IMAGES(DEPTH_LEVELS)
