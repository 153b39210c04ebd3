// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linear filter in one to three dimensions.
#pragma once
#include "images/lanes/colours.h"

/// The operands of a linear filter: `rows` rows, with two texels each at offsets and with weights common to all rows.
struct filter {
  uint rows;
  U low, high;
  F low_weight, high_weight;
  U row[4];
  F row_weight[4];
};

#define SUMS _Pragma("clang fp contract(fast)")

/// Adjacent texels of four bytes: one load of eight bytes for each lane, or two loads for all lanes.
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
    const U offset = first + f->row[r]; \
    load_pairs(base, offset, is_row(offset, 4), &low[0], &high[0]); \
    if (at_edge) { \
      const U second = high[0]; \
      high[0] = as_u(f->high == first ? as_i(low[0]) : as_i(second)); \
      low[0] = as_u(f->low == first ? as_i(low[0]) : as_i(second)); \
    } \
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

PART void filter_floats(image_ptr image, ulong base, int width, const struct filter *f, F alpha, uint form, union lanes colour[4]) {
  F sum[4] = {0, 0, 0, 0};
  // Both texels are the same at the image's edges, or the pair starts one texel earlier; repeating modes need other pairs.
  const U first = MIN(f->low, (U)(4 * ((uint)width - 2)));
  const bool in_pairs = image->texel_bytes == 4 && width > 1 && has_all(f->high - first <= 4, ALL_LANES);
  const bool at_edge = in_pairs && !has_all(f->high == f->low + 4, ALL_LANES);
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
  put_in_order(image, stored, as_i(alpha), form, colour);
}

INLINE void read_linear(image_ptr image, struct level l, ulong sampler, F x, F y, F z, int dimensions, uint form,
                        union lanes colour[4]) {
  const uint bytes = image->texel_bytes, row_pitch = (uint)l.row_pitch, slice_pitch = (uint)l.slice_pitch;
  struct filter f;
  const struct pair in_x = neighbours(sampler, x, l.width);
  F whole = in_x.low_weight + in_x.high_weight;  // the weight of the texels' colours, without the border's
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
  filter_floats(image, l.data, l.width, &f, is_even ? (F)1.0f : whole, form, colour);
}
