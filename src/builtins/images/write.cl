// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// write_image* (specification: "Built-in Image Write Functions").
#include "images/image.h"

#define WRITTEN(name, kind, image, c, number, colour) ACCESS(write, kind, name)(described(image), PLACE_##name(c), number, colour)

#define WRITE(access, name, type, W, kind, suffix, T, convert) \
  SMALL void CAT(write_image, suffix)(access type image, CAT(int, W) c, T colour) { \
    WRITTEN(name, kind, image, c, 0, convert(colour)); \
  }
#define WRITES_OF(access, name, type, W) \
  WRITE(access, name, type, W, f, f, float4, ) WRITE(access, name, type, W, i, i, int4, ) \
  WRITE(access, name, type, W, i, ui, uint4, as_int4) WRITE(access, name, type, W, f, h, half4, TO_FLOATS)
#define TO_FLOATS(colour) __builtin_convertvector(colour, float4)
#define WRITES(name, type, D, W, ...) WRITES_OF(write_only, name, type, W) WRITES_OF(read_write, name, type, W)
FOR_COLOUR_IMAGES(WRITES)
FOR_BUFFER_IMAGES(WRITES)

#define WRITE_DEPTHS(name, type, D, W, ...) \
  WRITE(write_only, name, type, W, f, f, float, (float4)) WRITE(read_write, name, type, W, f, f, float, (float4))
FOR_DEPTH_IMAGES(WRITE_DEPTHS)

// cl_khr_mipmap_image_writes
#define WRITE_LEVEL(access, name, type, W, kind, suffix, T, convert) \
  SMALL void CAT(write_image, suffix)(access type image, CAT(int, W) c, int lod, T colour) { \
    if (IN(lod, described(image)->levels)) WRITTEN(name, kind, image, c, (uint)lod, convert(colour)); \
  }
#define WRITE_LEVELS_OF(access, name, type, W) \
  WRITE_LEVEL(access, name, type, W, f, f, float4, ) WRITE_LEVEL(access, name, type, W, i, i, int4, ) \
  WRITE_LEVEL(access, name, type, W, i, ui, uint4, as_int4)
#define WRITE_LEVELS(name, type, D, W, ...) WRITE_LEVELS_OF(write_only, name, type, W) WRITE_LEVELS_OF(read_write, name, type, W)
FOR_COLOUR_IMAGES(WRITE_LEVELS)
#define WRITE_DEPTH_LEVELS(name, type, D, W, ...) \
  WRITE_LEVEL(write_only, name, type, W, f, f, float, (float4)) WRITE_LEVEL(read_write, name, type, W, f, f, float, (float4))
FOR_DEPTH_IMAGES(WRITE_DEPTH_LEVELS)
