// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that implement all reads and writes of texels (UPSWEEP_IMAGE_ACCESSES in intrinsics.def), for each shape of image and for
// channels that work-items see as floats (f) or integers (i):
//   __ups_read_K_SHAPE(image, sampler bits, int coordinates...)      at integer coordinates
//   __ups_sample_K_SHAPE(image, sampler bits, float coordinates...)
//   __ups_level_K_SHAPE(image, sampler bits, float coordinates..., float level of detail)
//   __ups_write_K_SHAPE(image, int coordinates..., uint level, colour)
// The last coordinate of an array is the layer. ../images/*_bodies.h has the bodies for GPUs and for single work-items on CPUs.
// lanes/image_lanes.cl has the bodies for the lanes of a sub-group: __ups_read_K_SHAPE_lanes8 etc.
#pragma once

/// M(shape, dimensions, whether it is an array, number of coordinates, ...)
#define FOR_SHAPES(M, ...) \
  M(1d, 1, false, 1, __VA_ARGS__) \
  M(1d_array, 1, true, 2, __VA_ARGS__) \
  M(2d, 2, false, 2, __VA_ARGS__) \
  M(2d_array, 2, true, 3, __VA_ARGS__) \
  M(3d, 3, false, 3, __VA_ARGS__)

#define PARAMETERS_1(T) T x
#define PARAMETERS_2(T) T x, T y
#define PARAMETERS_3(T) T x, T y, T z

#define DECLARE_ACCESSES(shape, D, is_array, N, kind, T) \
  T __ups_read_##kind##_##shape(image_ptr image, ulong sampler, PARAMETERS_##N(int)); \
  T __ups_sample_##kind##_##shape(image_ptr image, ulong sampler, PARAMETERS_##N(float)); \
  T __ups_level_##kind##_##shape(image_ptr image, ulong sampler, PARAMETERS_##N(float), float lod); \
  void __ups_write_##kind##_##shape(image_ptr image, PARAMETERS_##N(int), uint number, T colour);
FOR_SHAPES(DECLARE_ACCESSES, f, float4)
FOR_SHAPES(DECLARE_ACCESSES, i, int4)
