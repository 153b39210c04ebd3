// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of a texel to channels and back (specification: "Conversion Rules"), for each channel type. A reciprocal is at most 1 ulp
// from the quotient that the rules name, and exact at both ends.
#pragma once
#include "images/image.h"
#include "rounding.h"

DECLARED float exp2(float);
DECLARED float log2(float);
DECLARED float4 rint(float4);

/// Linear values of sRGB's 256 (images/srgb.cl).
extern const __constant float image_srgb_to_linear[256];

HELPER float4 floats_of(uint4 channels) { return __builtin_convertvector(channels, float4); }
HELPER float4 signed_floats_of(int4 channels) { return __builtin_convertvector(channels, float4); }

HELPER float4 at_least(float4 x, float least) { return x > least ? x : (float4)least; }

HELPER float4 halves_of(uint4 words) {
  uint4 bits = shorts_of(words);
  return (float4)((float)as_half((ushort)bits.x), (float)as_half((ushort)bits.y), (float)as_half((ushort)bits.z),
                  (float)as_half((ushort)bits.w));
}

HELPER float4 stored_to_float(image_ptr image, uint4 words) {
  const uint x = words.x;
  switch (image->component) {
  case UPSWEEP_UNORM8: return floats_of(bytes_of(words)) * (1.0f / 255.0f);
  case UPSWEEP_SNORM8: return at_least(signed_floats_of(signed_bytes_of(words)) * (1.0f / 127.0f), -1.0f);
  case UPSWEEP_UNORM16: return floats_of(shorts_of(words)) * (1.0f / 65535.0f);
  case UPSWEEP_SNORM16: return at_least(signed_floats_of(signed_shorts_of(words)) * (1.0f / 32767.0f), -1.0f);
  case UPSWEEP_HALF: return halves_of(words);
  case UPSWEEP_UNORM565:
    return floats_of((uint4)(x >> 11, x >> 5 & 63, x & 31, 0)) * (float4)(1.0f / 31.0f, 1.0f / 63.0f, 1.0f / 31.0f, 0);
  case UPSWEEP_UNORM555: return floats_of((uint4)(x >> 10 & 31, x >> 5 & 31, x & 31, 0)) * (1.0f / 31.0f);
  case UPSWEEP_UNORM101010: return floats_of((uint4)(x >> 20 & 1023, x >> 10 & 1023, x & 1023, 0)) * (1.0f / 1023.0f);
  case UPSWEEP_UNORM101010_2:
    return floats_of((uint4)(x >> 22, x >> 12 & 1023, x >> 2 & 1023, x & 3)) *
           (float4)(1.0f / 1023.0f, 1.0f / 1023.0f, 1.0f / 1023.0f, 1.0f / 3.0f);
  case UPSWEEP_SRGB8: {
    uint4 b = bytes_of(words);
    return (float4)(image_srgb_to_linear[b.x], image_srgb_to_linear[b.y], image_srgb_to_linear[b.z], (float)b.w * (1.0f / 255.0f));
  }
  default: return as_float4(words);
  }
}

HELPER int4 stored_to_int(image_ptr image, uint4 words) {
  switch (image->component) {
  case UPSWEEP_SINT8: return signed_bytes_of(words);
  case UPSWEEP_SINT16: return signed_shorts_of(words);
  default: return as_int4(words);
  }
}

HELPER uint4 stored_to_uint(image_ptr image, uint4 words) {
  switch (image->component) {
  case UPSWEEP_UINT8: return bytes_of(words);
  case UPSWEEP_UINT16: return shorts_of(words);
  default: return words;
  }
}

/// Rounded to the nearest even integer between 0, or -most, and most; NaN becomes 0 or -most.
HELPER uint4 to_unsigned(float4 c, float4 most) {
  c = c * most;
  c = c > 0.0f ? c : (float4)0.0f;
  return __builtin_convertvector(rint(c < most ? c : most), uint4);
}
HELPER uint4 to_signed(float4 c, float most) {
  c = c == c ? c * most : (float4)0.0f;
  c = c > -(most + 1.0f) ? c : (float4)(-(most + 1.0f));
  return as_uint4(__builtin_convertvector(rint(c < most ? c : (float4)most), int4));
}

HELPER float linear_to_srgb(float c) {
  c = c > 0.0f ? c < 1.0f ? c : 1.0f : 0.0f;  // NaN becomes 0
  return c < 0.0031308f ? 12.92f * c : 1.055f * exp2(log2(c) * (1.0f / 2.4f)) - 0.055f;
}

HELPER uint4 float_to_stored(image_ptr image, float4 c) {
  switch (image->component) {
  case UPSWEEP_UNORM8: return joined_bytes(to_unsigned(c, (float4)255.0f));
  case UPSWEEP_SNORM8: return joined_bytes(to_signed(c, 127.0f) & 255);
  case UPSWEEP_UNORM16: return joined_shorts(to_unsigned(c, (float4)65535.0f));
  case UPSWEEP_SNORM16: return joined_shorts(to_signed(c, 32767.0f) & 0xffff);
  case UPSWEEP_HALF:
    return joined_shorts((uint4)(as_ushort((half)c.x), as_ushort((half)c.y), as_ushort((half)c.z), as_ushort((half)c.w)));
  case UPSWEEP_UNORM565: {
    uint4 u = to_unsigned(c, (float4)(31.0f, 63.0f, 31.0f, 0.0f));
    return (uint4)(u.x << 11 | u.y << 5 | u.z, 0, 0, 0);
  }
  case UPSWEEP_UNORM555: {
    uint4 u = to_unsigned(c, (float4)31.0f);
    return (uint4)(u.x << 10 | u.y << 5 | u.z, 0, 0, 0);
  }
  case UPSWEEP_UNORM101010: {
    uint4 u = to_unsigned(c, (float4)1023.0f);
    return (uint4)(u.x << 20 | u.y << 10 | u.z, 0, 0, 0);
  }
  case UPSWEEP_UNORM101010_2: {
    uint4 u = to_unsigned(c, (float4)(1023.0f, 1023.0f, 1023.0f, 3.0f));
    return (uint4)(u.x << 22 | u.y << 12 | u.z << 2 | u.w, 0, 0, 0);
  }
  case UPSWEEP_SRGB8:
    return joined_bytes(to_unsigned((float4)(linear_to_srgb(c.x), linear_to_srgb(c.y), linear_to_srgb(c.z), c.w), (float4)255.0f));
  default: return as_uint4(c);
  }
}

HELPER uint4 int_to_stored(image_ptr image, int4 c) {
  switch (image->component) {
  case UPSWEEP_SINT8: return joined_bytes(as_uint4(BETWEEN(c, (int4)-128, (int4)127)) & 255);
  case UPSWEEP_SINT16: return joined_shorts(as_uint4(BETWEEN(c, (int4)-32768, (int4)32767)) & 0xffff);
  default: return as_uint4(c);
  }
}

HELPER uint4 uint_to_stored(image_ptr image, uint4 c) {
  switch (image->component) {
  case UPSWEEP_UINT8: return joined_bytes(__builtin_elementwise_min(c, (uint4)255));
  case UPSWEEP_UINT16: return joined_shorts(__builtin_elementwise_min(c, (uint4)0xffff));
  default: return c;
  }
}
