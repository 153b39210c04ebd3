// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image* with and without a sampler (specification: "Built-in Image Read Functions").
#include "images/image.h"

// Reads an image's bytes. A target with other ways to read read_only images defines SAMPLED and READ.
#define SAMPLED_BY_CODE(name, kind, image, bits, c) ACCESS(sample, kind, name)(described(image), bits, PLACE_##name(c))
#define READ_BY_CODE(name, kind, image, bits, c) ACCESS(read, kind, name)(described(image), bits, PLACE_##name(c))
#ifndef SAMPLED
#define SAMPLED SAMPLED_BY_CODE
#define READ READ_BY_CODE
#endif
#define READ_read_only READ
#define READ_read_write READ_BY_CODE

#define WITH_SAMPLER(name, type, W, kind, suffix, R) \
  SMALL R CAT(read_image, suffix)(read_only type image, sampler_t sampler, CAT(float, W) c) { \
    return CAT(as_, R)(SAMPLED(name, kind, image, sampler_bits(sampler), c)); \
  } \
  SMALL R CAT(read_image, suffix)(read_only type image, sampler_t sampler, CAT(int, W) c) { \
    return CAT(as_, R)(READ(name, kind, image, sampler_bits(sampler), c)); \
  }
#define WITHOUT_SAMPLER(access, name, type, W, kind, suffix, R) \
  SMALL R CAT(read_image, suffix)(access type image, CAT(int, W) c) { return CAT(as_, R)(READ_##access(name, kind, image, 0, c)); }

#define WITH_SAMPLERS(name, type, D, W, ...) \
  WITH_SAMPLER(name, type, W, f, f, float4) WITH_SAMPLER(name, type, W, i, i, int4) WITH_SAMPLER(name, type, W, i, ui, uint4) \
  SMALL half4 read_imageh(read_only type image, sampler_t sampler, CAT(float, W) c) { \
    return __builtin_convertvector(SAMPLED(name, f, image, sampler_bits(sampler), c), half4); \
  } \
  SMALL half4 read_imageh(read_only type image, sampler_t sampler, CAT(int, W) c) { \
    return __builtin_convertvector(READ(name, f, image, sampler_bits(sampler), c), half4); \
  }
FOR_COLOUR_IMAGES(WITH_SAMPLERS)

#define WITHOUT_SAMPLERS_OF(access, name, type, W) \
  WITHOUT_SAMPLER(access, name, type, W, f, f, float4) WITHOUT_SAMPLER(access, name, type, W, i, i, int4) \
  WITHOUT_SAMPLER(access, name, type, W, i, ui, uint4) \
  SMALL half4 read_imageh(access type image, CAT(int, W) c) { return __builtin_convertvector(READ_##access(name, f, image, 0, c), half4); }
#define WITHOUT_SAMPLERS(name, type, D, W, ...) \
  WITHOUT_SAMPLERS_OF(read_only, name, type, W) WITHOUT_SAMPLERS_OF(read_write, name, type, W)
FOR_COLOUR_IMAGES(WITHOUT_SAMPLERS)
FOR_BUFFER_IMAGES(WITHOUT_SAMPLERS)

#define DEPTHS(name, type, D, W, ...) \
  SMALL float read_imagef(read_only type image, sampler_t sampler, CAT(float, W) c) { return SAMPLED(name, f, image, sampler_bits(sampler), c).x; } \
  SMALL float read_imagef(read_only type image, sampler_t sampler, CAT(int, W) c) { \
    return READ(name, f, image, sampler_bits(sampler), c).x; \
  } \
  SMALL float read_imagef(read_only type image, CAT(int, W) c) { return READ(name, f, image, 0, c).x; } \
  SMALL float read_imagef(read_write type image, CAT(int, W) c) { return READ_BY_CODE(name, f, image, 0, c).x; }
FOR_DEPTH_IMAGES(DEPTHS)
