// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of one work-item with a level of detail (images/shapes.h): the nearest level within the sampler's bounds, or a mixture of two.
#pragma once
#include "images/sampling.h"

DECLARED float ceil(float);

#define MIXES_LEVELS(sampler) (((sampler) >> 16 & 1) != 0)
#define HAS_BOUNDS(sampler) (((sampler) >> 17 & 1) != 0)

HELPER float bounded(image_ptr image, ulong sampler, float lod) {
  if (HAS_BOUNDS(sampler))
    lod = within(lod, (float)as_half((ushort)(sampler >> 32)), (float)as_half((ushort)(sampler >> 48)));
  return within(lod, 0.0f, (float)(image->levels - 1));
}

HELPER uint nearest_level(float lod) { return lod > 0.5f ? (uint)(ceil(lod + 0.5f) - 1.0f) : 0; }

#define LEVEL_ONES(D) \
  HELPER int4 CAT(level_i_, D)(image_ptr image, ulong sampler, float4 c, int layer, float lod) { \
    const struct level l = layer_at(image, nearest_level(bounded(image, sampler, lod)), layer); \
    return colour_i(image, nearest_texel(image, l, sampler, c, D)); \
  } \
  HELPER float4 CAT(level_f_, D)(image_ptr image, ulong sampler, float4 c, int layer, float lod) { \
    lod = bounded(image, sampler, lod); \
    if (!MIXES_LEVELS(sampler)) return colour_by(image, layer_at(image, nearest_level(lod), layer), sampler, c, D); \
    const float low = floor(lod), high = ceil(lod), weight = lod - low; \
    return colour_by(image, layer_at(image, (uint)low, layer), sampler, c, D) * (1.0f - weight) + \
           colour_by(image, layer_at(image, (uint)high, layer), sampler, c, D) * weight; \
  }
LEVEL_ONES(1)
LEVEL_ONES(2)
LEVEL_ONES(3)

#define LEVEL_BODIES(shape, D, is_array, N, kind, T) \
  SHARED T __ups_level_##kind##_##shape(image_ptr image, ulong sampler, PARAMETERS_##N(float), float lod) { \
    return CAT4(level_, kind, _, D)(image, sampler, AT_##shape(float4), lod); \
  }
FOR_SHAPES(LEVEL_BODIES, f, float4)
FOR_SHAPES(LEVEL_BODIES, i, int4)
