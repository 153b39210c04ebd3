// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes of one work-item's texel (images/shapes.h). A write outside the image does nothing.
#pragma once
#include "images/conversions.h"

// The coordinates of a layer, and the layer.
#define TO_1d x, 0, 0, 0
#define TO_1d_array x, 0, 0, y
#define TO_2d x, y, 0, 0
#define TO_2d_array x, y, 0, z
#define TO_3d x, y, z, 0

/// Writes formats that need no branches; false for others.
HELPER bool write_usual_f(image_ptr image, ulong row, int x, float4 c) {
  switch (image->usual) {
  case UPSWEEP_USUAL_4_UNORM8: store_3(of_bytes4(to_unsigned(c, (float4)255.0f)), row, x); return true;
  case UPSWEEP_USUAL_4_HALF: store_7(of_shorts(as_ushort4(__builtin_convertvector(c, half4))), row, x); return true;
  case UPSWEEP_USUAL_WORD: store_8(of_words(as_uint4(c)), row, x); return true;
  case UPSWEEP_USUAL_4_WORDS: store_11(of_words(as_uint4(c)), row, x); return true;
  default: return false;
  }
}
HELPER bool write_usual_i(image_ptr image, ulong row, int x, int4 c) {
  switch (image->usual) {
  case UPSWEEP_USUAL_WORD: store_8(of_words(as_uint4(c)), row, x); return true;
  case UPSWEEP_USUAL_4_WORDS: store_11(of_words(as_uint4(c)), row, x); return true;
  default: return false;
  }
}

#ifdef UPSWEEP_TEXELS_BY_CALL
void __ups_store_f(image_ptr image, ulong row, int x, float4 colour);
void __ups_store_i(image_ptr image, ulong row, int x, int4 colour);
#define STORED_BY(kind, to_stored, image, row, x, colour) __ups_store_##kind(image, row, x, colour)
#else
#define STORED_BY(kind, to_stored, image, row, x, colour) store_raw(image, row, x, to_stored(image, as_stored(image, colour)))
#endif

/// Properties of a shape: dimensions beyond the first, layers.
#define WRITE_ONE(kind, T, to_stored) \
  HELPER void write_##kind(image_ptr image, uint number, T colour, int D, bool is_array, int x, int y, int z, int layer) { \
    const struct level l = level_of(image, number); \
    if (!IN(x, l.width) || (D > 1 && !IN(y, l.height)) || (D > 2 && !IN(z, l.depth))) return; \
    if (is_array && !IN(layer, image->layers)) return; \
    const ulong row = row_at(l, y, z) + (ulong)layer * l.slice_pitch; \
    if (!write_usual_##kind(image, row, x, colour)) STORED_BY(kind, to_stored, image, row, x, colour); \
  }
WRITE_ONE(f, float4, float_to_stored)
WRITE_ONE(i, int4, int_to_stored)

#define WRITE_BODIES(shape, D, is_array, N, kind, T) \
  SHARED void __ups_write_##kind##_##shape(image_ptr image, PARAMETERS_##N(int), uint number, T colour) { \
    write_##kind(image, number, colour, D, is_array, TO_##shape); \
  }
FOR_SHAPES(WRITE_BODIES, f, float4)
FOR_SHAPES(WRITE_BODIES, i, int4)
