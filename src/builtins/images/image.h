// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base of the image functions: image types, texels in memory and as words, conversions.
//
// A texel is read in three steps, each with a branch that is uniform over a sub-group. Its bytes are loaded by the size and number of
// channels, converted to numbers by their type, and reordered. So there is code for each size, type and order, but not for each format.
#pragma once
#include "library.h"
#include "base/image_abi.h"

typedef const __constant struct UpsweepImage *image_ptr;

#define IN(i, size) ((uint)(i) < (uint)(size))
#define BETWEEN(x, low, high) __builtin_elementwise_min(__builtin_elementwise_max(x, low), high)

/// The bodies of accesses: a single body in the library.
#define SHARED __attribute__((noinline))

/// The image types: M(name, type, dimensions, width of a coordinate, ...).
#define FOR_COLOUR_IMAGES(M, ...) \
  M(1d, image1d_t, 1, , __VA_ARGS__) \
  M(1d_array, image1d_array_t, 1, 2, __VA_ARGS__) \
  M(2d, image2d_t, 2, 2, __VA_ARGS__) \
  M(2d_array, image2d_array_t, 2, 4, __VA_ARGS__) \
  M(3d, image3d_t, 3, 4, __VA_ARGS__)
#define FOR_DEPTH_IMAGES(M, ...) \
  M(2d_depth, image2d_depth_t, 2, 2, __VA_ARGS__) \
  M(2d_array_depth, image2d_array_depth_t, 2, 4, __VA_ARGS__)
/// These types have no functions with samplers.
#define FOR_BUFFER_IMAGES(M, ...) M(1d_buffer, image1d_buffer_t, 1, , __VA_ARGS__)
#define FOR_IMAGES(M, ...) \
  FOR_COLOUR_IMAGES(M, __VA_ARGS__) FOR_DEPTH_IMAGES(M, __VA_ARGS__) FOR_BUFFER_IMAGES(M, __VA_ARGS__)

/// The shape of an image type (images/shapes.h), and the coordinates of its functions.
#define SHAPE_1d 1d
#define SHAPE_1d_array 1d_array
#define SHAPE_1d_buffer 1d
#define SHAPE_2d 2d
#define SHAPE_2d_array 2d_array
#define SHAPE_2d_depth 2d
#define SHAPE_2d_array_depth 2d_array
#define SHAPE_3d 3d
#define PLACE_1d(c) c
#define PLACE_1d_array(c) (c).x, (c).y
#define PLACE_1d_buffer(c) c
#define PLACE_2d(c) (c).x, (c).y
#define PLACE_2d_array(c) (c).x, (c).y, (c).z
#define PLACE_2d_depth(c) (c).x, (c).y
#define PLACE_2d_array_depth(c) (c).x, (c).y, (c).z
#define PLACE_3d(c) (c).x, (c).y, (c).z
/// The name of an access: its operation, the channels' type for the work-item (f, or i for both kinds of integers), and the image's name.
#define ACCESS(operation, kind, name) CAT4(CAT3(__ups_, operation, _), kind, _, CAT(SHAPE_, name))

// The description behind an image argument, and a sampler's bits; the passes replace both by the arguments themselves.
#define DESCRIBED(name, type, D, W, ...) \
  DECLARED image_ptr described(read_only type image) __asm__("__ups_image_" #name "_ro"); \
  DECLARED image_ptr described(write_only type image) __asm__("__ups_image_" #name "_wo"); \
  DECLARED image_ptr described(read_write type image) __asm__("__ups_image_" #name "_rw");
FOR_IMAGES(DESCRIBED)
ulong sampler_bits(sampler_t sampler) __asm__("__ups_sampler");

#include "images/shapes.h"

/// A level of an image.
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

/// Rows are less than 4 GiB apart, so one 32-bit multiplication per work-item suffices.
HELPER ulong row_at(struct level l, int y, int z) {
  return l.data + (ulong)z * l.slice_pitch + (ulong)(uint)y * (uint)l.row_pitch;
}

// On CPUs a texel may have any address, since an image may use application memory.
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

/// A stored texel. The channel size chooses the member. Packed formats are treated as bytes.
struct raw {
  uint bytes;
  ushort4 shorts;
  uint4 words;
};

/// The channel size and the number of channels (UpsweepImage::storage): M(storage, member, load, store), where `at` is the row, x the
/// texel and v the member's value.
#define FOR_STORAGES(M) \
  M(0, bytes, TEXELS(uchar, at)[x], TEXELS(uchar, at)[x] = (uchar)v) \
  M(1, bytes, TEXELS(ushort, at)[x], TEXELS(ushort, at)[x] = (ushort)v) \
  M(2, bytes, three_bytes(at, x), store_three_bytes(at, x, v)) \
  M(3, bytes, TEXELS(uint, at)[x], TEXELS(uint, at)[x] = v) \
  M(4, shorts, (ushort4)(TEXELS(ushort, at)[x], 0, 0, 0), TEXELS(ushort, at)[x] = v.x) \
  M(5, shorts, as_ushort4((uint2)(TEXELS(uint, at)[x], 0)), TEXELS(uint, at)[x] = as_uint(v.xy)) \
  M(6, shorts, three_shorts(at, x), store_three_shorts(at, x, v)) \
  M(7, shorts, as_ushort4(TEXELS(uint2, at)[x]), TEXELS(uint2, at)[x] = as_uint2(v)) \
  M(8, words, (uint4)(TEXELS(uint, at)[x], 0, 0, 0), TEXELS(uint, at)[x] = v.x) \
  M(9, words, (uint4)(TEXELS(uint2, at)[x], 0, 0), TEXELS(uint2, at)[x] = v.xy) \
  M(10, words, three_words(at, x), store_three_words(at, x, v)) \
  M(11, words, TEXELS(uint4, at)[x], TEXELS(uint4, at)[x] = v)

HELPER uint three_bytes(ulong at, int x) {
  __global const uchar *p = TEXELS(uchar, at) + 3 * (long)x;
  return p[0] | p[1] << 8 | p[2] << 16;
}
HELPER ushort4 three_shorts(ulong at, int x) {
  __global const texel_ushort *p = TEXELS(ushort, at) + 3 * (long)x;
  return (ushort4)(p[0], p[1], p[2], 0);
}
HELPER uint4 three_words(ulong at, int x) {
  __global const texel_uint *p = TEXELS(uint, at) + 3 * (long)x;
  return (uint4)(p[0], p[1], p[2], 0);
}
HELPER void store_three_bytes(ulong at, int x, uint v) {
  __global uchar *p = TEXELS(uchar, at) + 3 * (long)x;
  p[0] = (uchar)v;
  p[1] = (uchar)(v >> 8);
  p[2] = (uchar)(v >> 16);
}
HELPER void store_three_shorts(ulong at, int x, ushort4 v) {
  __global texel_ushort *p = TEXELS(ushort, at) + 3 * (long)x;
  p[0] = v.x;
  p[1] = v.y;
  p[2] = v.z;
}
HELPER void store_three_words(ulong at, int x, uint4 v) {
  __global texel_uint *p = TEXELS(uint, at) + 3 * (long)x;
  p[0] = v.x;
  p[1] = v.y;
  p[2] = v.z;
}

#define LOAD_AND_STORE(storage, member, load, store) \
  HELPER void CAT(load_, storage)(__private struct raw *r, ulong at, int x) { r->member = load; } \
  HELPER void CAT(store_, storage)(struct raw r, ulong at, int x) { \
    __typeof__(r.member) v = r.member; \
    store; \
  }
FOR_STORAGES(LOAD_AND_STORE)

HELPER struct raw load_raw(image_ptr image, ulong at, int x) {
  struct raw r = {0, (ushort4)0, (uint4)0};
  switch (image->storage) {
#define LOAD_ONE(storage, ...) \
  case storage: CAT(load_, storage)(&r, at, x); break;
    FOR_STORAGES(LOAD_ONE)
  }
  return r;
}

HELPER void store_raw(image_ptr image, ulong at, int x, struct raw r) {
  switch (image->storage) {
#define STORE_ONE(storage, ...) \
  case storage: CAT(store_, storage)(r, at, x); break;
    FOR_STORAGES(STORE_ONE)
  }
}

/// Two texels from each of two rows.
struct square {
  struct raw texels[4];
};
HELPER struct square load_square(image_ptr image, ulong low, ulong high, int left, int right) {
  const struct raw none = {0, (ushort4)0, (uint4)0};
  struct square s = {{none, none, none, none}};
  switch (image->storage) {
#define LOAD_FOUR(storage, ...) \
  case storage: \
    CAT(load_, storage)(&s.texels[0], low, left); \
    CAT(load_, storage)(&s.texels[1], low, right); \
    CAT(load_, storage)(&s.texels[2], high, left); \
    CAT(load_, storage)(&s.texels[3], high, right); \
    break;
    FOR_STORAGES(LOAD_FOUR)
  }
  return s;
}

/// Whether the order has an alpha that is not stored but 1.
HELPER bool is_opaque(image_ptr image) { return image->swizzle[3] == UPSWEEP_CHANNEL_ONE; }

/// Maps stored channels to r, g, b, a. Missing channels are 0, except an alpha of 1, which is in w. DEPTH and orders without a case keep
/// their channels.
#define ORDERS(T) \
  HELPER T by_order(uint order, T s) { \
    switch (order) { \
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
  HELPER T in_order(image_ptr image, T s) { return by_order(image->channel_order, s); } \
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
