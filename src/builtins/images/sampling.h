// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texels at a place, and the two filters in one to three dimensions.
#pragma once
#include "images/addressing.h"
#include "images/conversions.h"

/// Stored channels of one texel, and whether it lies in the image.
struct texel {
  uint4 words;
  bool is_inside;
};

/// 0 outside.
HELPER struct texel texel_at(image_ptr image, struct level l, int x, int y, int z) {
  struct texel t = {(uint4)0, IN(x, l.width) && IN(y, l.height) && IN(z, l.depth)};
  if (t.is_inside) t.words = load_words(image, row_at(l, y, z), x);
  return t;
}

/// Stored channels with the alpha that is not stored.
HELPER float4 float_of(image_ptr image, struct texel t) {
  float4 stored = stored_to_float(image, t.words);
  if (is_opaque(image)) stored.w = t.is_inside || image->border_alpha_one ? 1.0f : 0.0f;
  return stored;
}

HELPER float4 colour_f(image_ptr image, struct texel t) { return in_order(image, float_of(image, t)); }
HELPER int4 colour_i(image_ptr image, struct texel t) {
  int4 stored = stored_to_int(image, t.words);
  if (is_opaque(image)) stored.w = t.is_inside || image->border_alpha_one;
  return in_order(image, stored);
}
HELPER uint4 colour_ui(image_ptr image, struct texel t) {
  uint4 stored = stored_to_uint(image, t.words);
  if (is_opaque(image)) stored.w = t.is_inside || image->border_alpha_one;
  return in_order(image, stored);
}

HELPER struct texel nearest_texel(image_ptr image, struct level l, ulong sampler, float4 c, int dimensions) {
  const uint mode = ADDRESS_MODE(sampler);
  const bool is_normalised = IS_NORMALIZED(sampler);
  const int x = nearest(mode, is_normalised, c.x, l.width);
  const int y = dimensions > 1 ? nearest(mode, is_normalised, c.y, l.height) : 0;
  const int z = dimensions > 2 ? nearest(mode, is_normalised, c.z, l.depth) : 0;
  return texel_at(image, l, x, y, z);
}

HELPER float4 linear_1d(image_ptr image, struct level l, struct pair x, int y, int z) {
  const float4 a = float_of(image, texel_at(image, l, x.low, y, z)), b = float_of(image, texel_at(image, l, x.high, y, z));
  return a * (1.0f - x.weight) + b * x.weight;
}
HELPER float4 linear_2d(image_ptr image, struct level l, struct pair x, struct pair y, int z) {
  return linear_1d(image, l, x, y.low, z) * (1.0f - y.weight) + linear_1d(image, l, x, y.high, z) * y.weight;
}

HELPER float4 linear_colour(image_ptr image, struct level l, ulong sampler, float4 c, int dimensions) {
  const uint mode = ADDRESS_MODE(sampler);
  const bool is_normalised = IS_NORMALIZED(sampler);
  const struct pair x = neighbours(mode, is_normalised, c.x, l.width);
  if (dimensions == 1) return in_order(image, linear_1d(image, l, x, 0, 0));
  const struct pair y = neighbours(mode, is_normalised, c.y, l.height);
  if (dimensions == 2) return in_order(image, linear_2d(image, l, x, y, 0));
  const struct pair z = neighbours(mode, is_normalised, c.z, l.depth);
  return in_order(image, linear_2d(image, l, x, y, z.low) * (1.0f - z.weight) + linear_2d(image, l, x, y, z.high) * z.weight);
}

HELPER float4 colour_by(image_ptr image, struct level l, ulong sampler, float4 c, int dimensions) {
  if (IS_LINEAR(sampler)) return linear_colour(image, l, sampler, c, dimensions);
  return colour_f(image, nearest_texel(image, l, sampler, c, dimensions));
}

/// Neighbouring work-items mostly read neighbouring texels: a coordinate that is inside is used as it is, so that this is seen.
HELPER struct texel texel_by_int(image_ptr image, struct level l, uint mode, int4 c, int dimensions) {
  const int y = dimensions > 1 ? c.y : 0, z = dimensions > 2 ? c.z : 0;
  struct texel t = texel_at(image, l, c.x, y, z);
  if (!t.is_inside && mode == CLK_ADDRESS_CLAMP_TO_EDGE)
    t = texel_at(image, l, BETWEEN(c.x, 0, l.width - 1), BETWEEN(y, 0, l.height - 1), BETWEEN(z, 0, l.depth - 1));
  return t;
}

/// A layer of an array, by a coordinate of the functions with a sampler.
HELPER int layer_of(image_ptr image, float layer) { return (int)within(rint(layer), 0.0f, (float)(image->layers - 1)); }
HELPER int layer_of(image_ptr image, int layer) { return BETWEEN(layer, 0, (int)image->layers - 1); }

/// A layer of a level. Arrays have no depth.
HELPER struct level layer_at(image_ptr image, uint number, int layer) {
  struct level l = level_of(image, number);
  l.data += (ulong)layer * l.slice_pitch;
  return l;
}
