// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texels at offsets to colours: the parts that all reads share.
#pragma once
#include "images/lanes/addressing.h"
#include "images/lanes/conversions.h"

#define RGBA_SWIZZLE 0x03020100u
/// Whether the order has an alpha that is not stored but 1.
INLINE bool is_opaque(image_ptr image) { return image->swizzle[3] == UPSWEEP_CHANNEL_ONE; }

/// Stored channels to r, g, b, a; `one` is what stands for 1.
INLINE void put_in_order(image_ptr image, const union lanes stored[4], I one, union lanes colour[4]) {
  if (*(const __constant uint *)image->swizzle == RGBA_SWIZZLE) {
    EACH_OF(k, 4) colour[k] = stored[k];
    return;
  }
  const union lanes from[6] = {stored[0], stored[1], stored[2], stored[3], {.i = 0}, {.i = one}};
  EACH_OF(k, 4) colour[k] = from[image->swizzle[k]];
}

/// What an alpha that is not stored is: 1 in the image, and outside of it if the border has it.
INLINE I opaque(image_ptr image, uint inside, I one) {
  return inside == ALL_LANES || image->border_alpha_one ? one : lanes_of(inside) & one;
}

/// The texels of the lanes that are inside; the others, whose offset is 0, get the border's colour.
PART void read_floats(image_ptr image, ulong base, U offset, uint inside, union lanes colour[4]) {
  const uint bytes = image->texel_bytes;
  U w[4];
  F c[4];
  union lanes stored[4];
  load_words(bytes, base, offset, inside == ALL_LANES && is_row(offset, bytes), w);
  to_numbers(image->component, false, w, c);
  const float scale = scale_of(image);
  EACH_OF(k, 4) stored[k].f = c[k] * scale;
  if (inside != ALL_LANES)
    EACH_OF(k, 4) stored[k].i &= lanes_of(inside);
  put_in_order(image, stored, opaque(image, inside, as_i((F)1.0f)), colour);
}

PART void read_integers(image_ptr image, ulong base, U offset, uint inside, union lanes colour[4]) {
  const uint bytes = image->texel_bytes;
  U w[4];
  I c[4];
  union lanes stored[4];
  load_words(bytes, base, offset, inside == ALL_LANES && is_row(offset, bytes), w);
  to_integers(image->component, w, c);
  EACH_OF(k, 4) stored[k].i = inside == ALL_LANES ? c[k] : c[k] & lanes_of(inside);
  put_in_order(image, stored, opaque(image, inside, (I)1), colour);
}

/// What a linear filter adds up: of each of `rows` rows two texels at offsets and with weights that all rows share.
struct filter {
  uint rows;
  U low, high;
  F low_weight, high_weight;
  U row[4];
  F row_weight[4];
};

#define SUMS _Pragma("clang fp contract(fast)")

/// Both texels of four bytes: one load for each lane, or two for all.
INLINE void load_pairs(ulong base, U offset, bool in_row, U *low, U *high) {
  if (in_row) {
    const ulong row = base + offset.s0;
    *low = AT(U, row);
    *high = AT(U, row + 4);
  } else {
    const U64 both = gathered_pairs(base, offset);
    *low = LOW_WORDS(both);
    *high = HIGH_WORDS(both);
  }
}

#define SUM_PAIRS(component, one) \
  for (uint r = 0; r < f->rows; ++r) { \
    SUMS \
    U low[4] = {0, 0, 0, 0}, high[4] = {0, 0, 0, 0}; \
    F a[4], b[4]; \
    const F low_weight = f->low_weight * f->row_weight[r], high_weight = f->high_weight * f->row_weight[r]; \
    const U offset = f->low + f->row[r]; \
    load_pairs(base, offset, is_row(offset, 4), &low[0], &high[0]); \
    to_numbers(component, one, low, a); \
    to_numbers(component, one, high, b); \
    EACH_OF(k, one ? 1 : 4) sum[k] = sum[k] + a[k] * low_weight + b[k] * high_weight; \
  }

INLINE void sum_texels(image_ptr image, ulong base, const struct filter *f, F sum[4]) {
  SUMS
  const uint bytes = image->texel_bytes;
  for (uint r = 0; r < f->rows; ++r)
    for (int side = 0; side < 2; ++side) {
      U w[4];
      F c[4];
      const U offset = (side ? f->high : f->low) + f->row[r];
      const F weight = (side ? f->high_weight : f->low_weight) * f->row_weight[r];
      load_words(bytes, base, offset, is_row(offset, bytes), w);
      if (image->components == 1) {
        to_numbers(image->component, true, w, c);
        sum[0] = sum[0] + c[0] * weight;
      } else {
        to_numbers(image->component, false, w, c);
        EACH_OF(k, 4) sum[k] = sum[k] + c[k] * weight;
      }
    }
}

PART void filter_floats(image_ptr image, ulong base, const struct filter *f, F alpha, union lanes colour[4]) {
  F sum[4] = {0, 0, 0, 0};
  const bool in_pairs = image->texel_bytes == 4 && has_all(f->high == f->low + 4, ALL_LANES);
  if (in_pairs && image->component == UPSWEEP_UNORM8) {
    SUM_PAIRS(UPSWEEP_UNORM8, false)
  } else if (in_pairs && image->component == UPSWEEP_FLOAT) {
    SUM_PAIRS(UPSWEEP_FLOAT, true)
  } else {
    sum_texels(image, base, f, sum);
  }
  const float scale = scale_of(image);
  union lanes stored[4];
  EACH_OF(k, 4) stored[k].f = sum[k] * scale;
  put_in_order(image, stored, as_i(alpha), colour);
}

INLINE void read_linear(image_ptr image, struct level l, ulong sampler, F x, F y, F z, int dimensions, union lanes colour[4]) {
  const uint bytes = image->texel_bytes, row_pitch = (uint)l.row_pitch, slice_pitch = (uint)l.slice_pitch;
  struct filter f;
  const struct pair in_x = neighbours(sampler, x, l.width);
  F whole = in_x.low_weight + in_x.high_weight;  // of the texels' colours, and not of the border's
  f.low = as_u(in_x.low) * bytes;
  f.high = as_u(in_x.high) * bytes;
  f.low_weight = in_x.low_weight;
  f.high_weight = in_x.high_weight;
  f.rows = 1;
  f.row[0] = 0;
  f.row_weight[0] = 1.0f;
  if (dimensions > 1) {
    const struct pair in_y = neighbours(sampler, y, l.height);
    f.rows = 2;
    f.row[0] = as_u(in_y.low) * row_pitch;
    f.row[1] = as_u(in_y.high) * row_pitch;
    f.row_weight[0] = in_y.low_weight;
    f.row_weight[1] = in_y.high_weight;
    whole *= in_y.low_weight + in_y.high_weight;
  }
  if (dimensions > 2) {
    const struct pair in_z = neighbours(sampler, z, l.depth);
    const U low = as_u(in_z.low) * slice_pitch, high = as_u(in_z.high) * slice_pitch;
    f.rows = 4;
    for (int r = 0; r < 2; ++r) {
      f.row[r + 2] = f.row[r] + high;
      f.row[r] += low;
      f.row_weight[r + 2] = f.row_weight[r] * in_z.high_weight;
      f.row_weight[r] *= in_z.low_weight;
    }
    whole *= in_z.low_weight + in_z.high_weight;
  }
  const bool is_even = ADDRESS_MODE(sampler) != UPSWEEP_SAMPLER_CLAMP || image->border_alpha_one;
  filter_floats(image, l.data, &f, is_even ? (F)1.0f : whole, colour);
}

INLINE U offset_of(image_ptr image, struct level l, I x, I y, I z, int dimensions) {
  U offset = as_u(x) * (uint)image->texel_bytes;
  if (dimensions > 1) offset += as_u(y) * (uint)l.row_pitch;
  if (dimensions > 2) offset += as_u(z) * (uint)l.slice_pitch;
  return offset;
}

INLINE I is_inside(struct level l, I x, I y, I z, int dimensions) {
  I inside = IN(x, l.width);
  if (dimensions > 1) inside &= IN(y, l.height);
  if (dimensions > 2) inside &= IN(z, l.depth);
  return inside;
}

