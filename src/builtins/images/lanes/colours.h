// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts texels at offsets to colours.
#pragma once
#include "images/lanes/addressing.h"
#include "images/lanes/conversions.h"

#define RGBA_SWIZZLE 0x03020100u
/// Whether the order has an alpha that is not stored but 1.
INLINE bool is_opaque(image_ptr image) { return image->swizzle[3] == UPSWEEP_CHANNEL_ONE; }

/// Converts colours from planar to interleaved.
INLINE void put_side_by_side(const union lanes by_channel[4], union lanes colour[4]) {
  const U w[4] = {by_channel[0].u, by_channel[1].u, by_channel[2].u, by_channel[3].u};
  U v[4];
  interleave(w, v);
  EACH_OF(k, 4) colour[k].u = v[k];
}

/// Maps stored channels to r, g, b, a; `one` is the value of 1, `form` is SIDE_BY_SIDE or 0.
INLINE void put_in_order(image_ptr image, const union lanes stored[4], I one, uint form, union lanes colour[4]) {
  if (*(const __constant uint *)image->swizzle == RGBA_SWIZZLE) {
    if (form)
      put_side_by_side(stored, colour);
    else
      EACH_OF(k, 4) colour[k] = stored[k];
    return;
  }
  const union lanes from[6] = {stored[0], stored[1], stored[2], stored[3], {.i = 0}, {.i = one}};
  const __constant uchar *const swizzle = image->swizzle;
  const union lanes ordered[4] = {from[swizzle[0]], from[swizzle[1]], from[swizzle[2]], from[swizzle[3]]};
  if (form)
    put_side_by_side(ordered, colour);
  else
    EACH_OF(k, 4) colour[k] = ordered[k];
}

/// The value of a missing alpha: 1 in the image, and outside if the border is opaque.
INLINE I opaque(image_ptr image, uint inside, I one) {
  return inside == ALL_LANES || image->border_alpha_one ? one : lanes_of(inside) & one;
}

// Texels of four channels in the order of colours, or with blue before red: interleaved colours need no separation of channels. Quarter q
// has the texels of a quarter of the lanes.
#define BGRA_SWIZZLE 0x03000102u
#define EACH_QUARTER(M) M(0) M(1) M(2) M(3)
#define BYTES_0(w) __builtin_astype((w)[0].QUARTER_0, U8)
#define BYTES_1(w) __builtin_astype((w)[0].QUARTER_1, U8)
#define BYTES_2(w) __builtin_astype((w)[0].QUARTER_2, U8)
#define BYTES_3(w) __builtin_astype((w)[0].QUARTER_3, U8)
#define SHORTS_0(w) __builtin_astype((w)[0].lo, U16)
#define SHORTS_1(w) __builtin_astype((w)[0].hi, U16)
#define SHORTS_2(w) __builtin_astype((w)[1].lo, U16)
#define SHORTS_3(w) __builtin_astype((w)[1].hi, U16)
#define AS_SIGNED(x, T) __builtin_convertvector(__builtin_astype(x, T), I)
#define AS_UNSIGNED(x) __builtin_convertvector(x, I)

/// Loads the bytes of texels of 4, 8 or 16 bytes, one after another.
INLINE void load_bytes(uint bytes, ulong base, U offset, bool in_row, U w[4]) {
  const ulong row = base + offset.s0;
  if (in_row) {
    w[0] = AT(U, row);
    if (bytes > 4) w[1] = AT(U, row + sizeof(U));
    if (bytes > 8) {
      w[2] = AT(U, row + 2 * sizeof(U));
      w[3] = AT(U, row + 3 * sizeof(U));
    }
    return;
  }
  if (bytes == 4) {
    w[0] = gathered_words(base, offset);
  } else if (bytes == 8) {
    const U64 pairs = gathered_pairs(base, offset);
    w[0] = as_u(pairs.lo);
    w[1] = as_u(pairs.hi);
  } else {
    struct numbers at;
    spill(&at, offset);
#define OF_LANE(lane) AT(uint4, PLACE(lane))
#if LANES == 16
#define LANES_FROM(lane) ((U)(OF_LANE(lane), OF_LANE(lane + 1), OF_LANE(lane + 2), OF_LANE(lane + 3)))
#else
#define LANES_FROM(lane) ((U)(OF_LANE(lane), OF_LANE(lane + 1)))
#endif
    EACH_OF(q, 4) w[q] = LANES_FROM(q * LANES / 4);
  }
}

/// Whether the format is of this kind. If so, sets the colours, which are 0 in lanes outside.
#define READ_SIDE_BY_SIDE(image, base, offset, inside, in_row, colour, CASES) \
  const uint swizzle = *(const __constant uint *)image->swizzle; \
  if (image->components != 4 || (swizzle != RGBA_SWIZZLE && swizzle != BGRA_SWIZZLE)) return false; \
  U w[4]; \
  switch (image->component) { \
    CASES \
  default: return false; \
  } \
  if (swizzle == BGRA_SWIZZLE) EACH_OF(q, 4) colour[q].i = TURNED(colour[q].i); \
  if (inside != ALL_LANES) { \
    const I lanes = lanes_of(inside); \
    EACH_QUARTER(KEEP) \
  } \
  return true;
#define KEEP(q) colour[q].i &= FOUR_TIMES(lanes, q);
#define FLOATS_OF(x, scale) __builtin_convertvector(x, F) * (scale)
#define UNORM8_QUARTER(q) colour[q].f = FLOATS_OF(AS_UNSIGNED(BYTES_##q(w)), 1.0f / 255.0f);
#define UNORM16_QUARTER(q) colour[q].f = FLOATS_OF(AS_UNSIGNED(SHORTS_##q(w)), 1.0f / 65535.0f);
#define HALF_QUARTER(q) colour[q].f = half_to_float(as_u(AS_UNSIGNED(SHORTS_##q(w))));
#define WORD_QUARTER(q) colour[q].u = w[q];
#define QUARTERS(component, bytes, QUARTER) \
  case component: \
    load_bytes(bytes, base, offset, in_row, w); \
    EACH_QUARTER(QUARTER) \
    break;
INLINE bool side_by_side_f(image_ptr image, ulong base, U offset, uint inside, bool in_row,
                                union lanes colour[4]) {
  READ_SIDE_BY_SIDE(image, base, offset, inside, in_row, colour,
                    QUARTERS(UPSWEEP_UNORM8, 4, UNORM8_QUARTER) QUARTERS(UPSWEEP_UNORM16, 8, UNORM16_QUARTER)
                        QUARTERS(UPSWEEP_HALF, 8, HALF_QUARTER) QUARTERS(UPSWEEP_FLOAT, 16, WORD_QUARTER))
}
#define UINT8_QUARTER(q) colour[q].i = AS_UNSIGNED(BYTES_##q(w));
#define SINT8_QUARTER(q) colour[q].i = AS_SIGNED(BYTES_##q(w), CAT(char, LANES));
#define UINT16_QUARTER(q) colour[q].i = AS_UNSIGNED(SHORTS_##q(w));
#define SINT16_QUARTER(q) colour[q].i = AS_SIGNED(SHORTS_##q(w), CAT(short, LANES));
INLINE bool side_by_side_i(image_ptr image, ulong base, U offset, uint inside, bool in_row,
                                union lanes colour[4]) {
  READ_SIDE_BY_SIDE(image, base, offset, inside, in_row, colour,
                    QUARTERS(UPSWEEP_UINT8, 4, UINT8_QUARTER) QUARTERS(UPSWEEP_SINT8, 4, SINT8_QUARTER)
                        QUARTERS(UPSWEEP_UINT16, 8, UINT16_QUARTER) QUARTERS(UPSWEEP_SINT16, 8, SINT16_QUARTER)
                            QUARTERS(UPSWEEP_UINT32, 16, WORD_QUARTER) QUARTERS(UPSWEEP_SINT32, 16, WORD_QUARTER))
}

/// The texels of the lanes inside; the others, whose offset is 0, get the border's colour. `how`: SIDE_BY_SIDE, IN_ROW.
#define IN_ROW 1u
INLINE void floats_at(image_ptr image, ulong base, U offset, uint inside, uint how, union lanes colour[4]) {
  const uint form = how & SIDE_BY_SIDE;
  const bool in_row = (how & IN_ROW) != 0;
  if (form && side_by_side_f(image, base, offset, inside, in_row, colour)) return;
  U w[4];
  F c[4];
  union lanes stored[4];
  load_words(image->texel_bytes, base, offset, in_row, w);
  to_numbers(image->component, false, w, c);
  const float scale = scale_of(image);
  EACH_OF(k, 4) stored[k].f = c[k] * scale;
  if (inside != ALL_LANES) EACH_OF(k, 4) stored[k].i &= lanes_of(inside);
  put_in_order(image, stored, opaque(image, inside, as_i((F)1.0f)), form, colour);
}

INLINE void integers_at(image_ptr image, ulong base, U offset, uint inside, uint how, union lanes colour[4]) {
  const uint form = how & SIDE_BY_SIDE;
  const bool in_row = (how & IN_ROW) != 0;
  if (form && side_by_side_i(image, base, offset, inside, in_row, colour)) return;
  U w[4];
  I c[4];
  union lanes stored[4];
  load_words(image->texel_bytes, base, offset, in_row, w);
  to_integers(image->component, w, c);
  EACH_OF(k, 4) stored[k].i = inside == ALL_LANES ? c[k] : c[k] & lanes_of(inside);
  put_in_order(image, stored, opaque(image, inside, (I)1), form, colour);
}

PART void read_floats(image_ptr image, ulong base, U offset, uint inside, uint how, union lanes colour[4]) {
  floats_at(image, base, offset, inside, how, colour);
}
PART void read_integers(image_ptr image, ulong base, U offset, uint inside, uint how, union lanes colour[4]) {
  integers_at(image, base, offset, inside, how, colour);
}

INLINE U offset_of(image_ptr image, struct level l, I x, I y, I z, int dimensions) {
  U offset = as_u(x) * (uint)image->texel_bytes;
  if (dimensions > 1) offset += as_u(y) * (uint)l.row_pitch;
  if (dimensions > 2) offset += as_u(z) * (uint)l.slice_pitch;
  return offset;
}

/// Whether the texels of the active lanes, given by `set`, can be read as a row. Inactive lanes have offsets as well.
INLINE bool can_read_row(image_ptr image, struct level l, U offset, uint inside, uint set) {
  const uint bytes = image->texel_bytes;
  if (set == ALL_LANES) return inside == ALL_LANES && is_row(offset, bytes);
  if ((set & 1) == 0 || (set & ~inside) != 0 || !is_row_of(set, offset, bytes)) return false;
  const ulong end = (ulong)(l.depth - 1) * l.slice_pitch + (ulong)(l.height - 1) * l.row_pitch + (ulong)l.width * bytes;
  return (ulong)offset.s0 + LANES * bytes <= end;
}

INLINE I is_inside(struct level l, I x, I y, I z, int dimensions) {
  I inside = IN(x, l.width);
  if (dimensions > 1) inside &= IN(y, l.height);
  if (dimensions > 2) inside &= IN(z, l.depth);
  return inside;
}
