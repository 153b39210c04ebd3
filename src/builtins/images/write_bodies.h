// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes of the texel of one work-item (images/shapes.h). A write outside of the image does nothing.
#pragma once
#include "images/conversions.h"

// The coordinates of one layer, and the layer.
#define TO_1d x, 0, 0, 0
#define TO_1d_array x, 0, 0, y
#define TO_2d x, y, 0, 0
#define TO_2d_array x, y, 0, z
#define TO_3d x, y, z, 0

#define WRITE_ONE(kind, T, to_stored) \
  HELPER void write_##kind(image_ptr image, uint number, T colour, int x, int y, int z, int layer) { \
    const struct level l = level_of(image, number); \
    if (!IN(x, l.width) || !IN(y, l.height) || !IN(z, l.depth) || !IN(layer, image->layers)) return; \
    const ulong row = row_at(l, y, z) + (ulong)layer * l.slice_pitch; \
    store_raw(image, row, x, to_stored(image, as_stored(image, colour))); \
  }
WRITE_ONE(f, float4, float_to_stored)
WRITE_ONE(i, int4, int_to_stored)

#define WRITE_BODIES(shape, D, is_array, N, kind, T) \
  SHARED void __ups_write_##kind##_##shape(image_ptr image, PARAMETERS_##N(int), uint number, T colour) { \
    write_##kind(image, number, colour, TO_##shape); \
  }
FOR_SHAPES(WRITE_BODIES, f, float4)
FOR_SHAPES(WRITE_BODIES, i, int4)
