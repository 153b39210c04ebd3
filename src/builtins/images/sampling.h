// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texels at a position, and the two filters in one to three dimensions.
#pragma once
#include "images/addressing.h"
#include "images/conversions.h"

/// The position of a texel. A texel outside the image has the border's colour.
struct texel {
  ulong row;
  int x;
  bool is_inside;
};

HELPER struct texel texel_at(struct level l, int x, int y, int z) {
  return (struct texel){row_at(l, y, z), x, IN(x, l.width) && IN(y, l.height) && IN(z, l.depth)};
}

/// Stored channels in r, g, b, a, with the alpha that is not stored.
#define STORED_COLOUR(kind, T, convert) \
  HELPER T stored_##kind(image_ptr image, ulong row, int x) { \
    T c = convert(image, load_raw(image, row, x)); \
    if (is_opaque(image)) c.w = 1; \
    return in_order(image, c); \
  }
STORED_COLOUR(f, float4, stored_to_float)
STORED_COLOUR(i, int4, stored_to_int)

#ifdef UPSWEEP_TEXELS_BY_CALL
// A kernel's reads share the code for all but the usual formats, since inlining it would dominate code size: nvptx/image_texels.cl.
float4 __ups_stored_f(image_ptr image, ulong row, int x);
int4 __ups_stored_i(image_ptr image, ulong row, int x);
HELPER float4 inside_f(image_ptr image, ulong row, int x) {
  switch (image->usual) {
  case UPSWEEP_USUAL_4_UNORM8: return unorm8_of(of_bytes(TEXELS(uint, row)[x]));
  case UPSWEEP_USUAL_4_WORDS: return as_float4(TEXELS(uint4, row)[x]);
  case UPSWEEP_USUAL_WORD: return (float4)(as_float(TEXELS(uint, row)[x]), 0, 0, 1);
  default: return __ups_stored_f(image, row, x);
  }
}
HELPER int4 inside_i(image_ptr image, ulong row, int x) {
  switch (image->usual) {
  case UPSWEEP_USUAL_4_WORDS: return as_int4(TEXELS(uint4, row)[x]);
  case UPSWEEP_USUAL_WORD: return (int4)(as_int(TEXELS(uint, row)[x]), 0, 0, 1);
  default: return __ups_stored_i(image, row, x);
  }
}
#else
#define inside_f stored_f
#define inside_i stored_i
#endif

#define COLOUR(kind, T) \
  HELPER T colour_##kind(image_ptr image, struct texel t) { \
    return t.is_inside ? inside_##kind(image, t.row, t.x) : (T)(0, 0, 0, is_opaque(image) && image->border_alpha_one); \
  }
COLOUR(f, float4)
COLOUR(i, int4)

HELPER struct texel nearest_texel(image_ptr image, struct level l, ulong sampler, float4 c, int dimensions) {
  const uint mode = ADDRESS_MODE(sampler);
  const bool is_normalised = IS_NORMALIZED(sampler);
  const int x = nearest(mode, is_normalised, c.x, l.width);
  const int y = dimensions > 1 ? nearest(mode, is_normalised, c.y, l.height) : 0;
  const int z = dimensions > 2 ? nearest(mode, is_normalised, c.z, l.depth) : 0;
  if (mode == CLK_ADDRESS_CLAMP) return texel_at(l, x, y, z);
  return (struct texel){row_at(l, y, z), x, true};
}

#ifdef UPSWEEP_TEXELS_BY_CALL
HELPER float4 sum_of_neighbours(image_ptr image, struct level l, struct pair x, struct pair y, struct pair z, int dimensions) {
  float4 sum = 0.0f;
#pragma nounroll
  for (int corner = 0; corner < 1 << dimensions; ++corner) {
    const bool right = corner & 1, low = corner & 2, back = corner & 4;
    const float weight = (right ? x.high_weight : x.low_weight) * (low ? y.high_weight : y.low_weight);
    const ulong row = row_at(l, low ? y.high : y.low, back ? z.high : z.low);
    sum += inside_f(image, row, right ? x.high : x.low) * (weight * (back ? z.high_weight : z.low_weight));
  }
  return sum;
}
#else
/// The weighted sum of a slice's texels.
HELPER float4 linear_slice(image_ptr image, struct level l, struct pair x, struct pair y, int z, float weight) {
  const struct square s = load_square(image, row_at(l, y.low, z), row_at(l, y.high, z), x.low, x.high);
  const float low = y.low_weight * weight, high = y.high_weight * weight;
  return weighted(image, s, x.low_weight * low, x.high_weight * low, x.low_weight * high, x.high_weight * high);
}

HELPER float4 sum_of_neighbours(image_ptr image, struct level l, struct pair x, struct pair y, struct pair z, int dimensions) {
  float4 sum = linear_slice(image, l, x, y, z.low, z.low_weight);
  if (dimensions > 2) sum += linear_slice(image, l, x, y, z.high, z.high_weight);
  return in_order(image, sum);
}
#endif

HELPER float4 linear_colour(image_ptr image, struct level l, ulong sampler, float4 c, int dimensions) {
  const uint mode = ADDRESS_MODE(sampler);
  const bool is_normalised = IS_NORMALIZED(sampler);
  const struct pair whole = {0, 0, 1.0f, 0.0f};
  const struct pair x = neighbours(mode, is_normalised, c.x, l.width);
  const struct pair y = dimensions > 1 ? neighbours(mode, is_normalised, c.y, l.height) : whole;
  const struct pair z = dimensions > 2 ? neighbours(mode, is_normalised, c.z, l.depth) : whole;
  float4 colour = sum_of_neighbours(image, l, x, y, z, dimensions);
  if (is_opaque(image)) {
    // A border that is not opaque contributes by the weights of its texels.
    const bool is_even = mode != CLK_ADDRESS_CLAMP || image->border_alpha_one;
    colour.w = is_even ? 1.0f
                       : (x.low_weight + x.high_weight) * (y.low_weight + y.high_weight) * (z.low_weight + z.high_weight);
  }
  return colour;
}

HELPER float4 colour_by(image_ptr image, struct level l, ulong sampler, float4 c, int dimensions) {
  if (IS_LINEAR(sampler)) return linear_colour(image, l, sampler, c, dimensions);
  return colour_f(image, nearest_texel(image, l, sampler, c, dimensions));
}

/// Adjacent work-items usually read adjacent texels: a coordinate inside the image is used unchanged, so that the compiler can recognise
/// this.
HELPER struct texel texel_by_int(image_ptr image, struct level l, uint mode, int4 c, int dimensions) {
  const int y = dimensions > 1 ? c.y : 0, z = dimensions > 2 ? c.z : 0;
  struct texel t = texel_at(l, c.x, y, z);
  if (!t.is_inside && mode == CLK_ADDRESS_CLAMP_TO_EDGE)
    t = texel_at(l, BETWEEN(c.x, 0, l.width - 1), BETWEEN(y, 0, l.height - 1), BETWEEN(z, 0, l.depth - 1));
  return t;
}

/// The layer of an array for the coordinate of a function with a sampler.
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

// The coordinates of a layer, and the layer, of a function in images/shapes.h.
#define AT_1d(T) (T)(x, 0, 0, 0), 0
#define AT_1d_array(T) (T)(x, 0, 0, 0), layer_of(image, y)
#define AT_2d(T) (T)(x, y, 0, 0), 0
#define AT_2d_array(T) (T)(x, y, 0, 0), layer_of(image, z)
#define AT_3d(T) (T)(x, y, z, 0), 0
