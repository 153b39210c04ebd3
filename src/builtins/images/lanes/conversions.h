// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts the words of texels to channels and back, like ../conversions.h for one texel. Here a channel that becomes a float is still an
// unscaled number: scale_of() is its factor, so that a filter only scales its sum.
#pragma once
#include "images/lanes/words.h"

/// The linear values of sRGB's 256 codes.
static const __constant float image_srgb_to_linear[256] = {
#include "images/srgb_table.h"
};

/// A half's bits, in the low 16.
INLINE F half_to_float(U h) {
#ifdef __F16C__
  return __builtin_convertvector(__builtin_astype(__builtin_convertvector(h, U16), CAT(half, LANES)), F);
#else
  const U magnitude = h & 0x7fff;
  U bits = (magnitude << 13) + (112 << 23);
  bits = as_u(magnitude >= 0x7c00 ? as_i(bits + (112 << 23)) : as_i(bits));
  bits = as_u(magnitude < 0x400 ? as_i(TO_FLOAT(magnitude) * 0x1p-24f) : as_i(bits));
  return as_f(bits | (h & 0x8000) << 16);
#endif
}
/// Rounds to nearest, ties to even.
INLINE U float_to_half(F x) {
#ifdef __F16C__
  return __builtin_convertvector(__builtin_astype(__builtin_convertvector(x, CAT(half, LANES)), U16), U);
#else
  const U magnitude = as_u(x) & 0x7fffffff;
  const U normal = (magnitude + 0xfff + (magnitude >> 13 & 1) - (112 << 23)) >> 13;
  const U small = as_u(as_f(magnitude) + 0.5f) - 0x3f000000;  // the sum rounds to multiples of 2^-24
  const U large = as_u(magnitude > 0x7f800000 ? (I)0x7e00 : (I)0x7c00);
  const I bits = magnitude < 0x38800000 ? as_i(small) : magnitude >= 0x47800000 ? as_i(large) : as_i(normal);
  return as_u(bits) | (as_u(x) >> 16 & 0x8000);
#endif
}

#define BYTE(w, k) TO_FLOAT((w)[0] >> (8 * (k)) & 255)
#define SIGNED_BYTE(w, k) (as_i((w)[0] << (24 - 8 * (k))) >> 24)
#define SHORT(w, k) ((w)[(k) / 2] >> (16 * ((k) % 2)) & 0xffff)
#define SIGNED_SHORT(w, k) (as_i((w)[(k) / 2] << (16 - 16 * ((k) % 2))) >> 16)
#define PACKED_MOST(bits) ((float)((1 << (bits)) - 1))
#define PACKED_SCALE(bits) ((bits) > 0 ? 1.0f / PACKED_MOST(bits) : 0.0f)
#define BITS(w, shift, bits) TO_FLOAT((w)[0] >> (shift) & ((1 << (bits)) - 1))

INLINE F linear_of_srgb(U code) {
  struct numbers n;
  spill(&n, code);
#define LINEAR(lane) v[lane] = image_srgb_to_linear[NUMBER(&n, lane)];
  F v;
  FOR_LANES(LINEAR)
  return v;
}

/// The channels that become floats, with the expression for channel k of the words w: M(component, scale, number).
#define FOR_PLAIN_FLOATS(M) \
  M(UPSWEEP_UNORM8, 1.0f / 255.0f, BYTE(w, k)) \
  M(UPSWEEP_SNORM8, 1.0f / 127.0f, MAX(TO_FLOAT(SIGNED_BYTE(w, k)), (F)-127.0f)) \
  M(UPSWEEP_UNORM16, 1.0f / 65535.0f, TO_FLOAT(SHORT(w, k))) \
  M(UPSWEEP_SNORM16, 1.0f / 32767.0f, MAX(TO_FLOAT(SIGNED_SHORT(w, k)), (F)-32767.0f)) \
  M(UPSWEEP_HALF, 1.0f, half_to_float(SHORT(w, k))) \
  M(UPSWEEP_FLOAT, 1.0f, as_f((w)[k]))

INLINE float scale_of(image_ptr image) {
  switch (image->component) {
#define SCALE(component, scale, number) \
  case component: return scale;
    FOR_PLAIN_FLOATS(SCALE)
  default: return 1.0f;
  }
}

/// The unscaled channels of texels. `one`: only the first; the others are 0.
INLINE void to_numbers(uint component, bool one, const U w[4], F c[4]) {
  c[0] = c[1] = c[2] = c[3] = 0;
  switch (component) {
#define PLAIN(component, scale, number) \
  case component: \
    EACH_OF(k, one ? 1 : 4) c[k] = number; \
    break;
    FOR_PLAIN_FLOATS(PLAIN)
  default:
    if (one) break;  // packed types have several channels
    switch (component) {
#define UPSWEEP_PACKED_TYPE(name, component, bytes, channels, r, r_bits, g, g_bits, b, b_bits, a, a_bits) \
  case UPSWEEP_##component: \
    c[0] = BITS(w, r, r_bits) * PACKED_SCALE(r_bits); \
    c[1] = BITS(w, g, g_bits) * PACKED_SCALE(g_bits); \
    c[2] = BITS(w, b, b_bits) * PACKED_SCALE(b_bits); \
    if ((a_bits) > 0) c[3] = BITS(w, a, a_bits) * PACKED_SCALE(a_bits); \
    break;
#include "formats/image_formats.def"
    case UPSWEEP_SRGB8:
      EACH_OF(k, 3) c[k] = linear_of_srgb(w[0] >> (8 * k) & 255);
      c[3] = BYTE(w, 3) * (1.0f / 255.0f);
      break;
    }
  }
}

/// The channels of texels that stay integers.
INLINE void to_integers(uint component, const U w[4], I c[4]) {
  switch (component) {
#define INTEGERS(component, expression) \
  case component: \
    EACH_OF(k, 4) c[k] = expression; \
    break;
    INTEGERS(UPSWEEP_SINT8, SIGNED_BYTE(w, k))
    INTEGERS(UPSWEEP_UINT8, as_i(w[0] >> (8 * k) & 255))
    INTEGERS(UPSWEEP_SINT16, SIGNED_SHORT(w, k))
    INTEGERS(UPSWEEP_UINT16, as_i(SHORT(w, k)))
  default:
    EACH_OF(k, 4) c[k] = as_i(w[k]);
  }
}

// The reverse direction. `c` are colours in the order of the stored channels.

/// Rounds to nearest, ties to even, and clamps to 0 and most; NaN becomes 0.
INLINE U to_unsigned(F c, float most) {
  c = c * most;
  c = c > (F)0.0f ? c : (F)0.0f;
  return as_u(nearest_int(c < (F)most ? c : (F)most));
}
INLINE U to_signed(F c, float most) {
  c = c == c ? c * most : (F)0.0f;
  c = c > (F)(-most - 1.0f) ? c : (F)(-most - 1.0f);
  return as_u(nearest_int(c < (F)most ? c : (F)most));
}

INLINE F log2_of_1_plus(F x) {
  return 1.65146709e-05f + x * (1.44149241f + x * (-0.706486449f + x * (0.409470299f + x * (-0.187488605f + x * 0.0430049578f))));
}
INLINE F exp2_of_part(F x) {
  return 1.00000349f + x * (0.692972922f + x * (0.241604357f + x * (0.0517449978f + x * 0.0136703095f)));
}
/// sRGB's code of a linear value, within 0.51 of the exact code: 1.055 c^(5/12) - 0.055 by polynomials for the logarithm (error 1.7e-5)
/// and the power of two (4e-6), both fitted at Chebyshev points.
INLINE U srgb_code(F c) {
  c = c > (F)0.0f ? c : (F)0.0f;  // NaN becomes 0
  c = c < (F)1.0f ? c : (F)1.0f;
  const F x = as_f((as_u(c) & 0x7fffff) | 0x3f800000) - 1.0f;
  const F exponent = TO_FLOAT(as_i(as_u(c) >> 23) - 127);
  const F t = (exponent + log2_of_1_plus(x)) * (5.0f / 12.0f), whole = FLOOR(t), part = t - whole;
  const F power = exp2_of_part(part) * as_f((TO_INT(whole) + 127) << 23);
  const F encoded = c < (F)0.0031308f ? 12.92f * c : 1.055f * power - 0.055f;
  return to_unsigned(encoded, 255.0f);
}

INLINE U packed_bytes(const U c[4]) { return (c[0] & 255) | (c[1] & 255) << 8 | (c[2] & 255) << 16 | c[3] << 24; }
INLINE void pack_shorts(const U c[4], U w[4]) {
  w[0] = (c[0] & 0xffff) | c[1] << 16;
  w[1] = (c[2] & 0xffff) | c[3] << 16;
}

INLINE void of_floats(uint component, const F c[4], U w[4]) {
  U u[4];
  w[0] = w[1] = w[2] = w[3] = 0;
  switch (component) {
#define EACH(expression) \
  EACH_OF(k, 4) u[k] = expression
  case UPSWEEP_UNORM8:
    EACH(to_unsigned(c[k], 255.0f));
    w[0] = packed_bytes(u);
    break;
  case UPSWEEP_SNORM8:
    EACH(to_signed(c[k], 127.0f));
    w[0] = packed_bytes(u);
    break;
  case UPSWEEP_UNORM16:
    EACH(to_unsigned(c[k], 65535.0f));
    pack_shorts(u, w);
    break;
  case UPSWEEP_SNORM16:
    EACH(to_signed(c[k], 32767.0f));
    pack_shorts(u, w);
    break;
  case UPSWEEP_HALF:
    EACH(float_to_half(c[k]));
    pack_shorts(u, w);
    break;
#define UPSWEEP_PACKED_TYPE(name, component, bytes, channels, r, r_bits, g, g_bits, b, b_bits, a, a_bits) \
  case UPSWEEP_##component: \
    w[0] = to_unsigned(c[0], PACKED_MOST(r_bits)) << r | to_unsigned(c[1], PACKED_MOST(g_bits)) << g | \
           to_unsigned(c[2], PACKED_MOST(b_bits)) << b; \
    if ((a_bits) > 0) w[0] |= to_unsigned(c[3], PACKED_MOST(a_bits)) << a; \
    break;
#include "formats/image_formats.def"
  case UPSWEEP_SRGB8:
    EACH_OF(k, 3) u[k] = srgb_code(c[k]);
    u[3] = to_unsigned(c[3], 255.0f);
    w[0] = packed_bytes(u);
    break;
  default:
    EACH_OF(k, 4) w[k] = as_u(c[k]);
  }
}

INLINE void of_integers(uint component, const I c[4], U w[4]) {
  U u[4];
  w[0] = w[1] = w[2] = w[3] = 0;
  switch (component) {
  case UPSWEEP_SINT8:
    EACH(as_u(MIN(MAX(c[k], (I)-128), (I)127)));
    w[0] = packed_bytes(u);
    break;
  case UPSWEEP_UINT8:
    EACH(MIN(as_u(c[k]), (U)255));
    w[0] = packed_bytes(u);
    break;
  case UPSWEEP_SINT16:
    EACH(as_u(MIN(MAX(c[k], (I)-32768), (I)32767)));
    pack_shorts(u, w);
    break;
  case UPSWEEP_UINT16:
    EACH(MIN(as_u(c[k]), (U)0xffff));
    pack_shorts(u, w);
    break;
  default:
    EACH_OF(k, 4) w[k] = as_u(c[k]);
  }
}
