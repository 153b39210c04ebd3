// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// write_image* (specification: "Built-in Image Write Functions"). A write outside of the image does nothing.
#include "images/conversions.h"

#define SHARED_WRITE(D, kind, T, to_stored) \
  SHARED void CAT4(image_write_, kind, _, D)(image_ptr image, int4 c, int layer, uint number, T colour) { \
    const struct level l = level_of(image, number); \
    const int y = D > 1 ? c.y : 0, z = D > 2 ? c.z : 0; \
    if (!IN(c.x, l.width) || !IN(y, l.height) || !IN(z, l.depth) || !IN(layer, image->layers)) return; \
    const ulong row = row_at(l, y, z) + (ulong)layer * l.slice_pitch; \
    store_raw(image, row, c.x, to_stored(image, as_stored(image, colour))); \
  }
#define SHARED_WRITES(D) \
  SHARED_WRITE(D, f, float4, float_to_stored) SHARED_WRITE(D, i, int4, int_to_stored) SHARED_WRITE(D, ui, uint4, uint_to_stored)
SHARED_WRITES(1)
SHARED_WRITES(2)
SHARED_WRITES(3)

#define WRITTEN(D, kind, W, layer, image, c, number, colour) \
  CAT4(image_write_, kind, _, D)(described(image), COORDINATE(W, int, c), layer(c), number, colour)

#define WRITE(access, type, D, W, layer, kind, T) \
  SMALL void CAT(write_image, kind)(access type image, CAT(int, W) c, T colour) { WRITTEN(D, kind, W, layer, image, c, 0, colour); }
#define WRITES_OF(access, type, D, W, layer) \
  WRITE(access, type, D, W, layer, f, float4) WRITE(access, type, D, W, layer, i, int4) WRITE(access, type, D, W, layer, ui, uint4) \
  SMALL void write_imageh(access type image, CAT(int, W) c, half4 colour) { \
    WRITTEN(D, f, W, layer, image, c, 0, __builtin_convertvector(colour, float4)); \
  }
#define WRITES(name, type, D, W, layer, ...) WRITES_OF(write_only, type, D, W, layer) WRITES_OF(read_write, type, D, W, layer)
FOR_COLOUR_IMAGES(WRITES)
FOR_BUFFER_IMAGES(WRITES)

#define WRITE_DEPTH(access, type, D, W, layer) \
  SMALL void write_imagef(access type image, CAT(int, W) c, float depth) { WRITTEN(D, f, W, layer, image, c, 0, (float4)(depth)); }
#define WRITE_DEPTHS(name, type, D, W, layer, ...) WRITE_DEPTH(write_only, type, D, W, layer) WRITE_DEPTH(read_write, type, D, W, layer)
FOR_DEPTH_IMAGES(WRITE_DEPTHS)

// cl_khr_mipmap_image_writes
#define WRITE_LEVEL(access, type, D, W, layer, kind, T) \
  SMALL void CAT(write_image, kind)(access type image, CAT(int, W) c, int lod, T colour) { \
    if (IN(lod, described(image)->levels)) WRITTEN(D, kind, W, layer, image, c, (uint)lod, colour); \
  }
#define WRITE_LEVELS_OF(access, type, D, W, layer) \
  WRITE_LEVEL(access, type, D, W, layer, f, float4) WRITE_LEVEL(access, type, D, W, layer, i, int4) \
  WRITE_LEVEL(access, type, D, W, layer, ui, uint4)
#define WRITE_LEVELS(name, type, D, W, layer, ...) \
  WRITE_LEVELS_OF(write_only, type, D, W, layer) WRITE_LEVELS_OF(read_write, type, D, W, layer)
FOR_COLOUR_IMAGES(WRITE_LEVELS)
#define WRITE_DEPTH_LEVEL(access, type, D, W, layer) \
  SMALL void write_imagef(access type image, CAT(int, W) c, int lod, float depth) { \
    if (IN(lod, described(image)->levels)) WRITTEN(D, f, W, layer, image, c, (uint)lod, (float4)(depth)); \
  }
#define WRITE_DEPTH_LEVELS(name, type, D, W, layer, ...) \
  WRITE_DEPTH_LEVEL(write_only, type, D, W, layer) WRITE_DEPTH_LEVEL(read_write, type, D, W, layer)
FOR_DEPTH_IMAGES(WRITE_DEPTH_LEVELS)
