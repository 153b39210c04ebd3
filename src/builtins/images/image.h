// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base of the image functions: types of images, texels in memory and as words, conversions.
//
// A texel is read in three steps, each a branch that all work-items of a sub-group take alike: its bytes become words by the
// texel's size, the words become channels by their type, the channels are put in their order. So there is code for each size,
// type and order, but not for each format.
#pragma once
#include "library.h"
#include "base/image_abi.h"

typedef const __constant struct UpsweepImage *image_ptr;

#define IN(i, size) ((uint)(i) < (uint)(size))
#define BETWEEN(x, low, high) __builtin_elementwise_min(__builtin_elementwise_max(x, low), high)

/// The functions that all overloads share. They are one to the library; the pipeline inlines them.
#define SHARED __attribute__((noinline))

/// The image types: M(name, type, dimensions, width of a coordinate, layer of a coordinate, ...).
#define FOR_COLOUR_IMAGES(M, ...) \
  M(1d, image1d_t, 1, , NO_LAYER, __VA_ARGS__) \
  M(1d_array, image1d_array_t, 1, 2, LAYER_Y, __VA_ARGS__) \
  M(2d, image2d_t, 2, 2, NO_LAYER, __VA_ARGS__) \
  M(2d_array, image2d_array_t, 2, 4, LAYER_Z, __VA_ARGS__) \
  M(3d, image3d_t, 3, 4, NO_LAYER, __VA_ARGS__)
#define FOR_DEPTH_IMAGES(M, ...) \
  M(2d_depth, image2d_depth_t, 2, 2, NO_LAYER, __VA_ARGS__) \
  M(2d_array_depth, image2d_array_depth_t, 2, 4, LAYER_Z, __VA_ARGS__)
/// Those have no functions with samplers.
#define FOR_BUFFER_IMAGES(M, ...) M(1d_buffer, image1d_buffer_t, 1, , NO_LAYER, __VA_ARGS__)
#define FOR_IMAGES(M, ...) \
  FOR_COLOUR_IMAGES(M, __VA_ARGS__) FOR_DEPTH_IMAGES(M, __VA_ARGS__) FOR_BUFFER_IMAGES(M, __VA_ARGS__)

/// A coordinate with all components.
#define COORDINATE_(T, c) ((CAT(T, 4))((c), 0, 0, 0))
#define COORDINATE_2(T, c) ((CAT(T, 4))((c), 0, 0))
#define COORDINATE_4(T, c) (c)
#define COORDINATE(W, T, c) CAT(COORDINATE_, W)(T, c)
/// The layer that a coordinate chooses.
#define NO_LAYER(c) 0
#define LAYER_Y(c) (c).y
#define LAYER_Z(c) (c).z

// The description behind an image argument, and a sampler's bits: the passes put the arguments themselves in their place.
#define DESCRIBED(name, type, D, W, layer, ...) \
  DECLARED image_ptr described(read_only type image) __asm__("__ups_image_" #name "_ro"); \
  DECLARED image_ptr described(write_only type image) __asm__("__ups_image_" #name "_wo"); \
  DECLARED image_ptr described(read_write type image) __asm__("__ups_image_" #name "_rw");
FOR_IMAGES(DESCRIBED)
ulong sampler_bits(sampler_t sampler) __asm__("__ups_sampler");

/// One level of an image.
struct level {
  ulong data, row_pitch, slice_pitch;
  int width, height, depth;
};

HELPER struct level level_of(image_ptr image, uint number) {
  struct level l = {image->data,       image->row_pitch,   image->slice_pitch,
                    (int)image->width, (int)image->height, (int)image->depth};
  if (number != 0) {
    l.data += image->level_offset[number];
    l.width = __builtin_elementwise_max(l.width >> number, 1);
    l.height = __builtin_elementwise_max(l.height >> number, 1);
    l.depth = __builtin_elementwise_max(l.depth >> number, 1);
    l.row_pitch = (ulong)l.width * image->texel_bytes;
    l.slice_pitch = l.row_pitch * l.height;
  }
  return l;
}

HELPER ulong row_at(struct level l, int y, int z) { return l.data + (ulong)z * l.slice_pitch + (ulong)y * l.row_pitch; }

// Where an application's memory is an image's, a texel on the CPU has any address.
#ifdef UPSWEEP_ALIGNED_TEXELS
#define TEXEL_ALIGN(type) sizeof(type)
#else
#define TEXEL_ALIGN(type) 1
#endif
#define TEXEL(type) typedef type texel_##type __attribute__((aligned(TEXEL_ALIGN(type))));
TEXEL(uchar)
TEXEL(ushort)
TEXEL(uint)
TEXEL(uint2)
TEXEL(uint4)
#define TEXELS(type, row) ((__global texel_##type *)(row))

/// The stored channels of a texel, side by side; words beyond are 0.
HELPER uint4 load_words(image_ptr image, ulong row, int x) {
  switch (image->texel_bytes) {
  case 1: return (uint4)(TEXELS(uchar, row)[x], 0, 0, 0);
  case 2: return (uint4)(TEXELS(ushort, row)[x], 0, 0, 0);
  case 3: {
    __global const uchar *at = TEXELS(uchar, row) + 3 * x;
    return (uint4)(at[0] | at[1] << 8 | at[2] << 16, 0, 0, 0);
  }
  case 4: return (uint4)(TEXELS(uint, row)[x], 0, 0, 0);
  case 6: {
    __global const ushort *at = TEXELS(ushort, row) + 3 * x;
    return (uint4)(at[0] | at[1] << 16, at[2], 0, 0);
  }
  case 8: return (uint4)(TEXELS(uint2, row)[x], 0, 0);
  case 12: {
    __global const uint *at = TEXELS(uint, row) + 3 * x;
    return (uint4)(at[0], at[1], at[2], 0);
  }
  default: return TEXELS(uint4, row)[x];
  }
}

HELPER void store_words(image_ptr image, ulong row, int x, uint4 words) {
  switch (image->texel_bytes) {
  case 1: TEXELS(uchar, row)[x] = (uchar)words.x; break;
  case 2: TEXELS(ushort, row)[x] = (ushort)words.x; break;
  case 3: {
    __global uchar *at = TEXELS(uchar, row) + 3 * x;
    at[0] = (uchar)words.x;
    at[1] = (uchar)(words.x >> 8);
    at[2] = (uchar)(words.x >> 16);
    break;
  }
  case 4: TEXELS(uint, row)[x] = words.x; break;
  case 6: {
    __global ushort *at = TEXELS(ushort, row) + 3 * x;
    at[0] = (ushort)words.x;
    at[1] = (ushort)(words.x >> 16);
    at[2] = (ushort)words.y;
    break;
  }
  case 8: TEXELS(uint2, row)[x] = words.xy; break;
  case 12: {
    __global uint *at = TEXELS(uint, row) + 3 * x;
    at[0] = words.x;
    at[1] = words.y;
    at[2] = words.z;
    break;
  }
  default: TEXELS(uint4, row)[x] = words; break;
  }
}

HELPER uint4 bytes_of(uint4 words) { return (uint4)(words.x & 255, words.x >> 8 & 255, words.x >> 16 & 255, words.x >> 24); }
HELPER uint4 shorts_of(uint4 words) { return (uint4)(words.x & 0xffff, words.x >> 16, words.y & 0xffff, words.y >> 16); }
/// The same as signed numbers.
HELPER int4 signed_bytes_of(uint4 words) {
  return (int4)((int)words.x << 24, (int)words.x << 16, (int)words.x << 8, (int)words.x) >> 24;
}
HELPER int4 signed_shorts_of(uint4 words) {
  return (int4)((int)words.x << 16, (int)words.x, (int)words.y << 16, (int)words.y) >> 16;
}
HELPER uint4 joined_bytes(uint4 b) { return (uint4)(b.x | b.y << 8 | b.z << 16 | b.w << 24, 0, 0, 0); }
HELPER uint4 joined_shorts(uint4 s) { return (uint4)(s.x | s.y << 16, s.z | s.w << 16, 0, 0); }

/// Whether the order has an alpha that is not stored but 1.
HELPER bool is_opaque(image_ptr image) { return image->swizzle[3] == UPSWEEP_CHANNEL_ONE; }

/// Stored channels to r, g, b, a: what is not stored is 0, but for an alpha that is 1, which is in w. DEPTH and all orders that
/// are not named keep theirs.
#define ORDERS(T) \
  HELPER T in_order(image_ptr image, T s) { \
    switch (image->channel_order) { \
    case CLK_A: return (T)(0, 0, 0, s.x); \
    case CLK_RA: return (T)(s.x, 0, 0, s.y); \
    case CLK_INTENSITY: return s.xxxx; \
    case CLK_LUMINANCE: return s.xxxw; \
    case CLK_BGRA: \
    case CLK_sBGRA: return s.zyxw; \
    case CLK_ARGB: return s.yzwx; \
    case CLK_ABGR: return s.wzyx; \
    default: return s; \
    } \
  } \
  /** r, g, b, a to stored channels. */ \
  HELPER T as_stored(image_ptr image, T c) { \
    switch (image->channel_order) { \
    case CLK_A: return c.wwww; \
    case CLK_RA: return c.xwww; \
    case CLK_BGRA: \
    case CLK_sBGRA: return c.zyxw; \
    case CLK_ARGB: return c.wxyz; \
    case CLK_ABGR: return c.wzyx; \
    default: return c; \
    } \
  }
ORDERS(float4)
ORDERS(int4)
ORDERS(uint4)
