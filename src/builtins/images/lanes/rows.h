// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar address of all lanes' texels, if these are adjacent in a row of the image.
#pragma once
#include "images/lanes/colours.h"

/// The address of texels (x, y, z) to (x + LANES - 1, y, z) of level 0, or 0 if some are outside the image.
INLINE ulong row_from(image_ptr image, int x, int y, int z) {
  if (x < 0 || (ulong)(uint)x + LANES > image->width || (uint)y >= image->height || (uint)z >= image->depth) return 0;
  return image->data + (ulong)z * image->slice_pitch + (ulong)(uint)y * (uint)image->row_pitch + (ulong)(uint)x * image->texel_bytes;
}

/// For integer coordinates.
INLINE ulong row_of_ints(image_ptr image, const struct frame *io, int D) {
  const int x = io->in[0].i.s0, y = D > 1 ? io->in[1].i.s0 : 0, z = D > 2 ? io->in[2].i.s0 : 0;
  I in_row = io->in[0].i == x + as_i(NUMBERS);
  if (D > 1) in_row &= io->in[1].i == y;
  if (D > 2) in_row &= io->in[2].i == z;
  return has_all(in_row, ALL_LANES) ? row_from(image, x, y, z) : 0;
}

/// For unnormalised float coordinates without a filter. NaN is in no row.
INLINE ulong row_of_floats(image_ptr image, const struct frame *io, int D) {
  const F x = FLOOR(io->in[0].f), y = FLOOR(io->in[1].f), z = FLOOR(io->in[2].f);
  I in_row = x == x.s0 + __builtin_convertvector(NUMBERS, F);
  if (D > 1) in_row &= y == y.s0;
  if (D > 2) in_row &= z == z.s0;
  // float represents every size exactly.
  const float width = (float)(int)image->width, height = (float)(int)image->height, depth = (float)(int)image->depth;
  if (!(x.s0 >= 0.0f && x.s0 < width)) return 0;
  if (D > 1 && !(y.s0 >= 0.0f && y.s0 < height)) return 0;
  if (D > 2 && !(z.s0 >= 0.0f && z.s0 < depth)) return 0;
  if (!has_all(in_row, ALL_LANES)) return 0;
  return row_from(image, (int)x.s0, D > 1 ? (int)y.s0 : 0, D > 2 ? (int)z.s0 : 0);
}
