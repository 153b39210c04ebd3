// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads at the same coordinate of images that hold the same texels in different memory; `layer` is the place in the array.
#define READS(function, name, ONE, ARRAY, coordinate_t, AT, AT_LAYER)                                                          \
  kernel void function##name(read_only ONE own, read_only ONE rows, read_only ARRAY layers, global const coordinate_t *at,     \
                             global uint4 *out, int layer, sampler_t sampler) {                                                \
    const size_t i = get_global_id(0);                                                                                         \
    coordinate_t place = at[i];                                                                                                \
    out[3 * i] = as_uint4(function(own, sampler, place.AT));                                                                   \
    out[3 * i + 1] = as_uint4(function(rows, sampler, place.AT));                                                              \
    place.AT_LAYER = layer;                                                                                                    \
    out[3 * i + 2] = as_uint4(function(layers, sampler, place.AT##AT_LAYER));                                                  \
  }

#define ALL_READS(function)                                                                                                    \
  READS(function, _1d_at_floats, image1d_t, image1d_array_t, float4, x, y)                                                     \
  READS(function, _1d_at_ints, image1d_t, image1d_array_t, int4, x, y)                                                         \
  READS(function, _2d_at_floats, image2d_t, image2d_array_t, float4, xy, zw)                                                   \
  READS(function, _2d_at_ints, image2d_t, image2d_array_t, int4, xy, zw)

ALL_READS(read_imagef)
ALL_READS(read_imagei)
ALL_READS(read_imageui)
