// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image* on NVIDIA GPUs: through textures in kernels for launches whose images have textures (passes/gpu/texture_kernels.h),
// otherwise from an image's bytes. Texels are aligned to their size, since the driver chooses the layout in a GPU's memory.
#define UPSWEEP_ALIGNED_TEXELS
#define UPSWEEP_TEXELS_BY_CALL
#include "images/read_bodies.h"
#include "intrinsics.h"
#include "nvptx/textures.h"

/// A field of the texture for reading an image with a sampler.
#define FIELD(image, bits, field) __ups_texture_field((ulong)image, bits, (uint)__builtin_offsetof(struct UpsweepTexture, field))

/// The texel of an integer coordinate: clamped, or outside, by sizes from the kernel's parameters.
struct place {
  int4 texel;
  bool is_inside;
};
HELPER struct place place_of(image_ptr image, uint mode, int4 c, int dimensions) {
  struct place p = {c, true};
  if (mode != CLK_ADDRESS_CLAMP && mode != CLK_ADDRESS_CLAMP_TO_EDGE) return p;
  const int width = (int)FIELD(image, 0, width);
  p.texel.x = BETWEEN(c.x, 0, width - 1);
  p.is_inside = IN(c.x, width);
  if (dimensions > 1) {
    const int height = (int)FIELD(image, 0, height);
    p.texel.y = BETWEEN(c.y, 0, height - 1);
    p.is_inside = p.is_inside && IN(c.y, height);
  }
  if (dimensions > 2) {
    const int depth = (int)FIELD(image, 0, depth);
    p.texel.z = BETWEEN(c.z, 0, depth - 1);
    p.is_inside = p.is_inside && IN(c.z, depth);
  }
  return p;
}

// The hardware returns 0 for missing channels. In one version of the kernel the query for the order is a constant 0, so that unused
// components are not fetched.
#define COLOURS(kind, T) \
  HELPER T arranged_##kind(image_ptr image, ulong bits, T c) { \
    c.w = FIELD(image, bits, is_opaque) ? 1 : c.w; \
    const uint order = FIELD(image, bits, order); \
    if (order == 0) return c; \
    if (order == CLK_BGRA) return c.zyxw; \
    return by_order(order, c); \
  }
COLOURS(f, float4)
COLOURS(i, int4)

/// Texture units treat a subnormal coordinate as 0, which is inside. If its sign matters, they get the texel's number instead.
HELPER float4 texels_number(ulong bits, float4 c) {
  const bool decides = ADDRESS_MODE(bits) == CLK_ADDRESS_CLAMP && !IS_NORMALIZED(bits) && !IS_LINEAR(bits);
  return decides ? (float4)(floor(c.x), floor(c.y), floor(c.z), 0.0f) : c;
}

#define COORDINATES_1(T) (T)(x, 0, 0, 0)
#define COORDINATES_2(T) (T)(x, y, 0, 0)
#define COORDINATES_3(T) (T)(x, y, z, 0)
/// The layer of an array is rounded and clamped. Images other than arrays have one layer.
#define NUMBER_1d(bits) 0
#define NUMBER_1d_array(bits) (uint)layer_among(FIELD(image, bits, depth), y)
#define NUMBER_2d(bits) 0
#define NUMBER_2d_array(bits) (uint)layer_among(FIELD(image, bits, depth), z)
#define NUMBER_3d(bits) 0

#define TEXTURED(shape, D, is_array, N, kind, T) \
  HELPER T textured_sample_##kind##_##shape(image_ptr image, ulong bits, PARAMETERS_##N(float)) { \
    const ulong handle = __ups_texture((ulong)image, bits); \
    const float4 c = texels_number(bits, COORDINATES_##N(float4)); \
    return CAT(arranged_, kind)(image, bits, texture_sample_##kind##_##shape(handle, c, NUMBER_##shape(bits))); \
  } \
  HELPER T textured_read_##kind##_##shape(image_ptr image, ulong bits, PARAMETERS_##N(int)) { \
    const uint mode = ADDRESS_MODE(bits); \
    const struct place p = place_of(image, mode, COORDINATES_##N(int4), D); \
    const ulong handle = __ups_texture((ulong)image, 0); \
    T colour = CAT(arranged_, kind)(image, 0, texture_read_##kind##_##shape(handle, p.texel, NUMBER_##shape(0))); \
    if (mode != CLK_ADDRESS_CLAMP || p.is_inside) return colour; \
    return (T)(0, 0, 0, FIELD(image, 0, border_alpha)); \
  }
FOR_SHAPES(TEXTURED, f, float4)
FOR_SHAPES(TEXTURED, i, int4)

#define HAS_TEXTURE(name, image, bits) (!IS_BUFFER_##name && __ups_has_texture((ulong)described(image), bits))
#define IS_BUFFER_1d 0
#define IS_BUFFER_1d_array 0
#define IS_BUFFER_1d_buffer 1
#define IS_BUFFER_2d 0
#define IS_BUFFER_2d_array 0
#define IS_BUFFER_2d_depth 0
#define IS_BUFFER_2d_array_depth 0
#define IS_BUFFER_3d 0
#define BY_TEXTURE(operation, kind, name) CAT4(CAT3(textured_, operation, _), kind, _, CAT(SHAPE_, name))
#define SAMPLED(name, kind, image, bits, c) \
  (HAS_TEXTURE(name, image, bits) ? BY_TEXTURE(sample, kind, name)(described(image), bits, PLACE_##name(c)) \
                                  : SAMPLED_BY_CODE(name, kind, image, bits, c))
// Integer coordinates do not depend on the sampler, so one texture serves all.
#define READ(name, kind, image, bits, c) \
  (HAS_TEXTURE(name, image, 0) ? BY_TEXTURE(read, kind, name)(described(image), bits, PLACE_##name(c)) \
                               : READ_BY_CODE(name, kind, image, bits, c))

#include "images/read.cl"
