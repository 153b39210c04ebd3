// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image* with and without a sampler (specification: "Built-in Image Read Functions").
#include "images/sampling.h"

// In one to three dimensions: colours of three kinds at float and at integer coordinates.
#define SHARED_READ(D, kind, R) \
  SHARED R CAT4(image_read_, kind, _, D)(image_ptr image, ulong sampler, int4 c, int layer) { \
    const struct level l = layer_at(image, 0, layer); \
    return CAT(colour_, kind)(image, texel_by_int(image, l, ADDRESS_MODE(sampler), c, D)); \
  }
#define SHARED_SAMPLE(D, kind, R) \
  SHARED R CAT4(image_sample_, kind, _, D)(image_ptr image, ulong sampler, float4 c, int layer) { \
    const struct level l = layer_at(image, 0, layer); \
    return CAT(colour_, kind)(image, nearest_texel(image, l, sampler, c, D)); \
  }
#define SHARED_READS(D) \
  SHARED_READ(D, f, float4) SHARED_READ(D, i, int4) SHARED_READ(D, ui, uint4) SHARED_SAMPLE(D, i, int4) SHARED_SAMPLE(D, ui, uint4) \
  SHARED float4 CAT(image_sample_f_, D)(image_ptr image, ulong sampler, float4 c, int layer) { \
    return colour_by(image, layer_at(image, 0, layer), sampler, c, D); \
  }
SHARED_READS(1)
SHARED_READS(2)
SHARED_READS(3)

#define SAMPLED(D, kind, W, layer, image, sampler, c) \
  CAT4(image_sample_, kind, _, D)(described(image), sampler_bits(sampler), COORDINATE(W, float, c), layer_of(described(image), layer(c)))
#define READ(D, kind, W, layer, image, bits, c) \
  CAT4(image_read_, kind, _, D)(described(image), bits, COORDINATE(W, int, c), layer_of(described(image), layer(c)))

#define WITH_SAMPLER(type, D, W, layer, kind, R) \
  SMALL R CAT(read_image, kind)(read_only type image, sampler_t sampler, CAT(float, W) c) { \
    return SAMPLED(D, kind, W, layer, image, sampler, c); \
  } \
  SMALL R CAT(read_image, kind)(read_only type image, sampler_t sampler, CAT(int, W) c) { \
    return READ(D, kind, W, layer, image, sampler_bits(sampler), c); \
  }
#define WITHOUT_SAMPLER(access, type, D, W, layer, kind, R) \
  SMALL R CAT(read_image, kind)(access type image, CAT(int, W) c) { return READ(D, kind, W, layer, image, 0, c); }

#define WITH_SAMPLERS(name, type, D, W, layer, ...) \
  WITH_SAMPLER(type, D, W, layer, f, float4) WITH_SAMPLER(type, D, W, layer, i, int4) WITH_SAMPLER(type, D, W, layer, ui, uint4) \
  SMALL half4 read_imageh(read_only type image, sampler_t sampler, CAT(float, W) c) { \
    return __builtin_convertvector(SAMPLED(D, f, W, layer, image, sampler, c), half4); \
  } \
  SMALL half4 read_imageh(read_only type image, sampler_t sampler, CAT(int, W) c) { \
    return __builtin_convertvector(READ(D, f, W, layer, image, sampler_bits(sampler), c), half4); \
  }
FOR_COLOUR_IMAGES(WITH_SAMPLERS)

#define WITHOUT_SAMPLERS_OF(access, type, D, W, layer) \
  WITHOUT_SAMPLER(access, type, D, W, layer, f, float4) WITHOUT_SAMPLER(access, type, D, W, layer, i, int4) \
  WITHOUT_SAMPLER(access, type, D, W, layer, ui, uint4) \
  SMALL half4 read_imageh(access type image, CAT(int, W) c) { \
    return __builtin_convertvector(READ(D, f, W, layer, image, 0, c), half4); \
  }
#define WITHOUT_SAMPLERS(name, type, D, W, layer, ...) \
  WITHOUT_SAMPLERS_OF(read_only, type, D, W, layer) WITHOUT_SAMPLERS_OF(read_write, type, D, W, layer)
FOR_COLOUR_IMAGES(WITHOUT_SAMPLERS)
FOR_BUFFER_IMAGES(WITHOUT_SAMPLERS)

#define DEPTHS(name, type, D, W, layer, ...) \
  SMALL float read_imagef(read_only type image, sampler_t sampler, CAT(float, W) c) { \
    return SAMPLED(D, f, W, layer, image, sampler, c).x; \
  } \
  SMALL float read_imagef(read_only type image, sampler_t sampler, CAT(int, W) c) { \
    return READ(D, f, W, layer, image, sampler_bits(sampler), c).x; \
  } \
  SMALL float read_imagef(read_only type image, CAT(int, W) c) { return READ(D, f, W, layer, image, 0, c).x; } \
  SMALL float read_imagef(read_write type image, CAT(int, W) c) { return READ(D, f, W, layer, image, 0, c).x; }
FOR_DEPTH_IMAGES(DEPTHS)
