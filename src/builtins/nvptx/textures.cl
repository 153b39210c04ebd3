// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture instructions in inline PTX. A 1D image is treated as a 2D image of one row: its y is in the middle of the row.
#include "nvptx/textures.h"

#define FETCH(geometry, place, type, r, x_constraint, coordinate, ...) \
  __asm("tex." geometry ".v4." type "." coordinate " {%0, %1, %2, %3}, [%4, {" place "}];" \
        : "="r(v.x), "="r(v.y), "="r(v.z), "="r(v.w) \
        : "l"(handle), __VA_ARGS__)

#define AT_1d(type, r, k, coordinate, middle) FETCH("2d", "%5, %6", type, r, k, coordinate, k(c.x), k(middle))
#define AT_1d_array(type, r, k, coordinate, middle) FETCH("a1d", "%6, %5", type, r, k, coordinate, k(c.x), "r"(number))
#define AT_2d(type, r, k, coordinate, middle) FETCH("2d", "%5, %6", type, r, k, coordinate, k(c.x), k(c.y))
#define AT_2d_array(type, r, k, coordinate, middle) \
  FETCH("a2d", "%7, %5, %6, %6", type, r, k, coordinate, k(c.x), k(c.y), "r"(number))
#define AT_3d(type, r, k, coordinate, middle) FETCH("3d", "%5, %6, %7, %7", type, r, k, coordinate, k(c.x), k(c.y), k(c.z))

#define DEFINE_KIND(shape, kind, T, type, r) \
  T texture_sample_##kind##_##shape(ulong handle, float4 c, uint number) { \
    T v; \
    AT_##shape(type, r, "f", "f32", 0.5f); \
    return v; \
  } \
  T texture_read_##kind##_##shape(ulong handle, int4 c, uint number) { \
    T v; \
    AT_##shape(type, r, "r", "s32", 0); \
    return v; \
  }
#define DEFINE_TEXTURE(shape) DEFINE_KIND(shape, f, float4, "f32", "f") DEFINE_KIND(shape, i, int4, "s32", "r")
FOR_TEXTURES(DEFINE_TEXTURE)
