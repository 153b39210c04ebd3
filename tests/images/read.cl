// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of an image of type IMAGE at the components AT of coordinates. Work-items store the results' bits.
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

// Reads of depth images return a scalar.
#ifdef DEPTH
#define BITS_OF_FLOATS(value) as_uint4((float4)(value, 0, 0, 0))
#else
#define BITS_OF_FLOATS(value) as_uint4(value)
#endif
#define BITS_OF_HALVES(value) as_uint4(convert_float4(value))

#define KERNELS_WITH_SAMPLER(function, bits)                                                                                   \
  kernel void function##_at_floats(read_only IMAGE image, global const float4 *at, global uint4 *out, sampler_t sampler) {     \
    const size_t i = get_global_id(0);                                                                                         \
    out[i] = bits(function(image, sampler, at[i].AT));                                                                         \
  }                                                                                                                            \
  kernel void function##_at_ints(read_only IMAGE image, global const int4 *at, global uint4 *out, sampler_t sampler) {         \
    const size_t i = get_global_id(0);                                                                                         \
    out[i] = bits(function(image, sampler, at[i].AT));                                                                         \
  }

#define KERNELS_WITHOUT_SAMPLER(function, bits)                                                                                \
  kernel void function##_directly(read_only IMAGE image, global const int4 *at, global uint4 *out) {                           \
    const size_t i = get_global_id(0);                                                                                         \
    out[i] = bits(function(image, at[i].AT));                                                                                  \
  }                                                                                                                            \
  kernel void function##_of_writable(read_write IMAGE image, global const int4 *at, global uint4 *out) {                       \
    const size_t i = get_global_id(0);                                                                                         \
    out[i] = bits(function(image, at[i].AT));                                                                                  \
  }

#ifdef BUFFER
#define KERNELS(function, bits) KERNELS_WITHOUT_SAMPLER(function, bits)
#else
#define KERNELS(function, bits) KERNELS_WITH_SAMPLER(function, bits) KERNELS_WITHOUT_SAMPLER(function, bits)
#endif

KERNELS(read_imagef, BITS_OF_FLOATS)
#ifndef DEPTH
KERNELS(read_imagei, as_uint4)
KERNELS(read_imageui, as_uint4)
#ifdef cl_khr_fp16
KERNELS(read_imageh, BITS_OF_HALVES)
#endif
#endif
