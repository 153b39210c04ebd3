// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts the words of a texel to channels and back (specification: "Conversion Rules"), for each channel type. A reciprocal is at most
// 1 ulp from the specified quotient, and exact at both ends.
#pragma once
#include "images/image.h"
#include "rounding.h"

DECLARED float exp2(float);
DECLARED float log2(float);
DECLARED float4 rint(float4);

/// The linear values of sRGB's 256 codes (images/srgb.cl).
extern const __constant float image_srgb_to_linear[256];

#define TO_FLOAT(x) __builtin_convertvector(x, float4)
HELPER float4 at_least(float4 x, float least) { return x > least ? x : (float4)least; }

HELPER float4 unorm8_of(struct raw r) { return TO_FLOAT(as_uchar4(r.bytes)) * (1.0f / 255.0f); }
HELPER float4 snorm8_of(struct raw r) { return at_least(TO_FLOAT(as_char4(r.bytes)) * (1.0f / 127.0f), -1.0f); }
HELPER float4 unorm16_of(struct raw r) { return TO_FLOAT(r.shorts) * (1.0f / 65535.0f); }
HELPER float4 snorm16_of(struct raw r) { return at_least(TO_FLOAT(as_short4(r.shorts)) * (1.0f / 32767.0f), -1.0f); }
HELPER float4 half_of(struct raw r) { return TO_FLOAT(as_half4(r.shorts)); }
HELPER float4 float_of(struct raw r) { return as_float4(r.words); }
#define PACKED_MOST(bits) ((float)((1 << (bits)) - 1))
#define PACKED_SCALE(bits) ((bits) > 0 ? 1.0f / PACKED_MOST(bits) : 0.0f)
#define PACKED_BITS(word, shift, bits) ((word) >> (shift) & ((1 << (bits)) - 1))
#define UPSWEEP_PACKED_TYPE(name, component, bytes_of_texel, channels, r, r_bits, g, g_bits, b, b_bits, a, a_bits) \
  HELPER float4 CAT(component, _of)(struct raw x) { \
    const uint4 c = {PACKED_BITS(x.bytes, r, r_bits), PACKED_BITS(x.bytes, g, g_bits), PACKED_BITS(x.bytes, b, b_bits), \
                     PACKED_BITS(x.bytes, a, a_bits)}; \
    return TO_FLOAT(c) * (float4)(PACKED_SCALE(r_bits), PACKED_SCALE(g_bits), PACKED_SCALE(b_bits), PACKED_SCALE(a_bits)); \
  }
#include "formats/image_formats.def"
HELPER float4 srgb8_of(struct raw r) {
  const uchar4 b = as_uchar4(r.bytes);
  return (float4)(image_srgb_to_linear[b.x], image_srgb_to_linear[b.y], image_srgb_to_linear[b.z], (float)b.w * (1.0f / 255.0f));
}

/// The channel types that become floats, without packed ones, and the subset for orders with a single channel.
#define FOR_SINGLE_FLOATS(M) \
  M(UPSWEEP_UNORM8, unorm8) \
  M(UPSWEEP_SNORM8, snorm8) M(UPSWEEP_UNORM16, unorm16) M(UPSWEEP_SNORM16, snorm16) M(UPSWEEP_HALF, half) M(UPSWEEP_FLOAT, float)
#define FOR_FLOAT_CHANNELS(M) \
  FOR_SINGLE_FLOATS(M) \
  M(UPSWEEP_SRGB8, srgb8)

HELPER float4 stored_to_float(image_ptr image, struct raw r) {
  switch (image->component) {
#define CONVERT_ONE(component, name) \
  case component: return CAT(name, _of)(r);
    FOR_FLOAT_CHANNELS(CONVERT_ONE)
#define UPSWEEP_PACKED_TYPE(name, component, ...) CONVERT_ONE(UPSWEEP_##component, component)
#include "formats/image_formats.def"
  default: return (float4)0.0f;
  }
}

/// The weighted sum of four texels.
HELPER float4 weighted(image_ptr image, struct square s, float a, float b, float c, float d) {
  if (image->components == 1) switch (image->component) {
#define SUM_SINGLES(component, name) \
  case component: \
    return (float4)(CAT(name, _of)(s.texels[0]).x * a + CAT(name, _of)(s.texels[1]).x * b + CAT(name, _of)(s.texels[2]).x * c + \
                        CAT(name, _of)(s.texels[3]).x * d, \
                    0, 0, 0);
      FOR_SINGLE_FLOATS(SUM_SINGLES)
    }
  switch (image->component) {
#define SUM(component, name) \
  case component: \
    return CAT(name, _of)(s.texels[0]) * a + CAT(name, _of)(s.texels[1]) * b + CAT(name, _of)(s.texels[2]) * c + \
           CAT(name, _of)(s.texels[3]) * d;
    FOR_FLOAT_CHANNELS(SUM)
#define UPSWEEP_PACKED_TYPE(name, component, ...) SUM(UPSWEEP_##component, component)
#include "formats/image_formats.def"
  default: return (float4)0.0f;
  }
}

/// Channels that stay integers, signed or unsigned.
HELPER int4 stored_to_int(image_ptr image, struct raw r) {
  switch (image->component) {
  case UPSWEEP_SINT8: return __builtin_convertvector(as_char4(r.bytes), int4);
  case UPSWEEP_UINT8: return __builtin_convertvector(as_uchar4(r.bytes), int4);
  case UPSWEEP_SINT16: return __builtin_convertvector(as_short4(r.shorts), int4);
  case UPSWEEP_UINT16: return __builtin_convertvector(r.shorts, int4);
  default: return as_int4(r.words);
  }
}

/// Rounds to nearest, ties to even, and clamps to 0 (or -most - 1) and most; NaN becomes 0. Adding a power of two rounds, and
/// leaves the integer in the low bits: conversion instructions are slow on GPUs.
HELPER uint4 to_unsigned(float4 c, float4 most) {
  c = BETWEEN(c * most, (float4)0.0f, most);  // if c is NaN: 0
  return as_uint4(c + 0x1p23f) & 0x7fffff;
}
HELPER int4 to_signed(float4 c, float most) {
  c = c == c ? c * most : (float4)0.0f;
  c = BETWEEN(c, (float4)(-most - 1.0f), (float4)most);
  return as_int4(c + 0x1.8p23f) - as_int(0x1.8p23f);
}

HELPER float linear_to_srgb(float c) {
  c = c > 0.0f ? c < 1.0f ? c : 1.0f : 0.0f;  // NaN becomes 0
  return c < 0.0031308f ? 12.92f * c : 1.055f * exp2(log2(c) * (1.0f / 2.4f)) - 0.055f;
}

HELPER struct raw of_bytes(uint bytes) { return (struct raw){bytes, (ushort4)0, (uint4)0}; }
HELPER struct raw of_bytes4(uint4 c) { return of_bytes(as_uint(__builtin_convertvector(c, uchar4))); }
HELPER struct raw of_shorts(ushort4 shorts) { return (struct raw){0, shorts, (uint4)0}; }
HELPER struct raw of_shorts4(uint4 c) { return of_shorts(__builtin_convertvector(c, ushort4)); }
HELPER struct raw of_words(uint4 words) { return (struct raw){0, (ushort4)0, words}; }

HELPER struct raw float_to_stored(image_ptr image, float4 c) {
  switch (image->component) {
  case UPSWEEP_UNORM8: return of_bytes4(to_unsigned(c, (float4)255.0f));
  case UPSWEEP_SNORM8: return of_bytes4(as_uint4(to_signed(c, 127.0f)));
  case UPSWEEP_UNORM16: return of_shorts4(to_unsigned(c, (float4)65535.0f));
  case UPSWEEP_SNORM16: return of_shorts4(as_uint4(to_signed(c, 32767.0f)));
  case UPSWEEP_HALF: return of_shorts(as_ushort4(__builtin_convertvector(c, half4)));
#define UPSWEEP_PACKED_TYPE(name, component, bytes, channels, r, r_bits, g, g_bits, b, b_bits, a, a_bits) \
  case UPSWEEP_##component: { \
    const uint4 u = \
        to_unsigned(c, (float4)(PACKED_MOST(r_bits), PACKED_MOST(g_bits), PACKED_MOST(b_bits), PACKED_MOST(a_bits))); \
    return of_bytes(u.x << r | u.y << g | u.z << b | ((a_bits) > 0 ? u.w << a : 0)); \
  }
#include "formats/image_formats.def"
  case UPSWEEP_SRGB8:
    return of_bytes4(
        to_unsigned((float4)(linear_to_srgb(c.x), linear_to_srgb(c.y), linear_to_srgb(c.z), c.w), (float4)255.0f));
  default: return of_words(as_uint4(c));
  }
}

HELPER struct raw int_to_stored(image_ptr image, int4 c) {
  switch (image->component) {
  case UPSWEEP_SINT8: return of_bytes4(as_uint4(BETWEEN(c, (int4)-128, (int4)127)));
  case UPSWEEP_UINT8: return of_bytes4(__builtin_elementwise_min(as_uint4(c), (uint4)255));
  case UPSWEEP_SINT16: return of_shorts4(as_uint4(BETWEEN(c, (int4)-32768, (int4)32767)));
  case UPSWEEP_UINT16: return of_shorts4(__builtin_elementwise_min(as_uint4(c), (uint4)0xffff));
  default: return of_words(as_uint4(c));
  }
}
