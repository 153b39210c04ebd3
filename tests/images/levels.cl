// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of an image with mip levels, of type IMAGE at the components AT of coordinates, with gradients of components ALONG.
#ifdef DEPTH
#define BITS(value) as_uint4((float4)(value, 0, 0, 0))
#else
#define BITS(value) as_uint4(value)
#endif

#define KERNELS(function, bits)                                                                                                \
  kernel void function##_by_lod(read_only IMAGE image, global const float4 *at, global uint4 *out, sampler_t sampler,          \
                                global const float4 *dx, global const float4 *dy) {                                            \
    const size_t i = get_global_id(0);                                                                                         \
    out[i] = bits(function(image, sampler, at[i].AT, dx[i].x));                                                                \
  }                                                                                                                            \
  kernel void function##_by_gradient(read_only IMAGE image, global const float4 *at, global uint4 *out, sampler_t sampler,     \
                                     global const float4 *dx, global const float4 *dy) {                                       \
    const size_t i = get_global_id(0);                                                                                         \
    out[i] = bits(function(image, sampler, at[i].AT, dx[i].ALONG, dy[i].ALONG));                                               \
  }

KERNELS(read_imagef, BITS)
#ifndef DEPTH
KERNELS(read_imageui, as_uint4)
#endif
