// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts colours to texels at offsets.
#pragma once
#include "images/lanes/colours.h"

// Rows of texels with four channels in the colours' order: a quarter of the lanes at a time.
#define UNORM8_STORED(q) AT(U8, row + q * LANES) = __builtin_convertvector(to_unsigned(colour[q].f, 255.0f), U8);
#define HALF_STORED(q) AT(U16, row + q * sizeof(U16)) = __builtin_convertvector(float_to_half(colour[q].f), U16);
#define WORDS_STORED(q) AT(U, row + q * sizeof(U)) = colour[q].u;
INLINE bool store_row(uint component, ulong row, const union lanes colour[4]) {
  switch (component) {
  case UPSWEEP_UNORM8: EACH_QUARTER(UNORM8_STORED) return true;
  case UPSWEEP_HALF: EACH_QUARTER(HALF_STORED) return true;
  case UPSWEEP_FLOAT:
  case UPSWEEP_UINT32:
  case UPSWEEP_SINT32: EACH_QUARTER(WORDS_STORED) return true;
  default: return false;
  }
}

#define WRITER(kind, T, member, convert) \
  /** Writes lanes that are all inside the image. */ \
  INLINE void write_##kind##_at(image_ptr image, ulong base, U offset, uint set, uint form, const union lanes colour[4]) { \
    const bool is_rgba = *(const __constant uint *)image->swizzle == RGBA_SWIZZLE; \
    if (form && is_rgba && set == ALL_LANES && is_row(offset, image->texel_bytes) && \
        store_row(image->component, base + offset.s0, colour)) \
      return; \
    union lanes by_channel[4] = {colour[0], colour[1], colour[2], colour[3]}; \
    if (form) { \
      const U v[4] = {colour[0].u, colour[1].u, colour[2].u, colour[3].u}; \
      U d[4]; \
      deinterleave(v, d); \
      EACH_OF(k, 4) by_channel[k].u = d[k]; \
    } \
    T c[4]; \
    U w[4]; \
    if (is_rgba) { \
      EACH_OF(k, 4) c[k] = by_channel[k].member; \
    } else { \
      /* A stored channel takes the first component that reads it; a channel that no component reads takes alpha. */ \
      int source[4] = {0, 1, 2, 3}; \
      EACH_OF(k, 4) if (image->swizzle[3 - k] < 4) source[image->swizzle[3 - k]] = 3 - k; \
      const union lanes from[4] = {by_channel[0], by_channel[1], by_channel[2], by_channel[3]}; \
      EACH_OF(k, 4) c[k] = from[source[k]].member; \
    } \
    convert(image->component, c, w); \
    store_words(image->texel_bytes, base, offset, set, w); \
  }
WRITER(f, F, f, of_floats)
WRITER(i, I, i, of_integers)
