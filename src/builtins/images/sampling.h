// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texels at a place, and the two filters in one to three dimensions.
#pragma once
#include "images/addressing.h"
#include "images/conversions.h"

/// A texel, 0 outside of the image.
struct texel {
  struct raw stored;
  bool is_inside;
};

HELPER struct texel texel_at(image_ptr image, struct level l, int x, int y, int z) {
  struct texel t = {{0, (ushort4)0, (uint4)0}, IN(x, l.width) && IN(y, l.height) && IN(z, l.depth)};
  if (t.is_inside) t.stored = load_raw(image, row_at(l, y, z), x);
  return t;
}

/// Stored channels with the alpha that is not stored, in r, g, b, a.
#define COLOUR(kind, T, convert) \
  HELPER T colour_##kind(image_ptr image, struct texel t) { \
    T c = convert(image, t.stored); \
    if (is_opaque(image)) c.w = t.is_inside || image->border_alpha_one; \
    return in_order(image, c); \
  }
COLOUR(f, float4, stored_to_float)
COLOUR(i, int4, stored_to_int)

HELPER struct texel nearest_texel(image_ptr image, struct level l, ulong sampler, float4 c, int dimensions) {
  const uint mode = ADDRESS_MODE(sampler);
  const bool is_normalised = IS_NORMALIZED(sampler);
  const int x = nearest(mode, is_normalised, c.x, l.width);
  const int y = dimensions > 1 ? nearest(mode, is_normalised, c.y, l.height) : 0;
  const int z = dimensions > 2 ? nearest(mode, is_normalised, c.z, l.depth) : 0;
  if (mode == CLK_ADDRESS_CLAMP) return texel_at(image, l, x, y, z);
  return (struct texel){load_raw(image, row_at(l, y, z), x), true};
}

/// The sum of the texels of a slice.
HELPER float4 linear_slice(image_ptr image, struct level l, struct pair x, struct pair y, int z, float weight) {
  const struct square s = load_square(image, row_at(l, y.low, z), row_at(l, y.high, z), x.low, x.high);
  const float low = y.low_weight * weight, high = y.high_weight * weight;
  return weighted(image, s, x.low_weight * low, x.high_weight * low, x.low_weight * high, x.high_weight * high);
}

HELPER float4 linear_colour(image_ptr image, struct level l, ulong sampler, float4 c, int dimensions) {
  const uint mode = ADDRESS_MODE(sampler);
  const bool is_normalised = IS_NORMALIZED(sampler);
  const struct pair whole = {0, 0, 1.0f, 0.0f};
  const struct pair x = neighbours(mode, is_normalised, c.x, l.width);
  const struct pair y = dimensions > 1 ? neighbours(mode, is_normalised, c.y, l.height) : whole;
  const struct pair z = dimensions > 2 ? neighbours(mode, is_normalised, c.z, l.depth) : whole;
  float4 colour = linear_slice(image, l, x, y, z.low, z.low_weight);
  if (dimensions > 2) colour += linear_slice(image, l, x, y, z.high, z.high_weight);
  if (is_opaque(image)) {
    // Of a border that is not opaque there is as much as of its texels.
    const bool is_even = mode != CLK_ADDRESS_CLAMP || image->border_alpha_one;
    colour.w = is_even ? 1.0f
                       : (x.low_weight + x.high_weight) * (y.low_weight + y.high_weight) * (z.low_weight + z.high_weight);
  }
  return in_order(image, colour);
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
HELPER int layer_among(uint layers, float layer) { return (int)within(rint(layer), 0.0f, (float)(layers - 1)); }
HELPER int layer_among(uint layers, int layer) { return BETWEEN(layer, 0, (int)layers - 1); }
HELPER int layer_of(image_ptr image, float layer) { return layer_among(image->layers, layer); }
HELPER int layer_of(image_ptr image, int layer) { return layer_among(image->layers, layer); }

/// A layer of a level. Arrays have no depth.
HELPER struct level layer_at(image_ptr image, uint number, int layer) {
  struct level l = level_of(image, number);
  l.data += (ulong)layer * l.slice_pitch;
  return l;
}

// The coordinates of one layer, and the layer, of a function in images/shapes.h.
#define AT_1d(T) (T)(x, 0, 0, 0), 0
#define AT_1d_array(T) (T)(x, 0, 0, 0), layer_of(image, y)
#define AT_2d(T) (T)(x, y, 0, 0), 0
#define AT_2d_array(T) (T)(x, y, 0, 0), layer_of(image, z)
#define AT_3d(T) (T)(x, y, z, 0), 0
