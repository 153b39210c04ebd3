// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of one work-item's texel or texels (images/shapes.h).
#pragma once
#include "images/sampling.h"

#define READ_ONE(D, kind, T) \
  HELPER T CAT4(read_, kind, _, D)(image_ptr image, ulong sampler, int4 c, int layer) { \
    const struct level l = layer_at(image, 0, layer); \
    return CAT(colour_, kind)(image, texel_by_int(image, l, ADDRESS_MODE(sampler), c, D)); \
  }
#define READ_ONES(D) \
  READ_ONE(D, f, float4) READ_ONE(D, i, int4) \
  HELPER float4 CAT(sample_f_, D)(image_ptr image, ulong sampler, float4 c, int layer) { \
    return colour_by(image, layer_at(image, 0, layer), sampler, c, D); \
  } \
  HELPER int4 CAT(sample_i_, D)(image_ptr image, ulong sampler, float4 c, int layer) { \
    return colour_i(image, nearest_texel(image, layer_at(image, 0, layer), sampler, c, D)); \
  }
READ_ONES(1)
READ_ONES(2)
READ_ONES(3)

#define READ_BODIES(shape, D, is_array, N, kind, T) \
  SHARED T __ups_read_##kind##_##shape(image_ptr image, ulong sampler, PARAMETERS_##N(int)) { \
    return CAT4(read_, kind, _, D)(image, sampler, AT_##shape(int4)); \
  } \
  SHARED T __ups_sample_##kind##_##shape(image_ptr image, ulong sampler, PARAMETERS_##N(float)) { \
    return CAT4(sample_, kind, _, D)(image, sampler, AT_##shape(float4)); \
  }
FOR_SHAPES(READ_BODIES, f, float4)
FOR_SHAPES(READ_BODIES, i, int4)
