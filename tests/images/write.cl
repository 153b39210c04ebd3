// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes of an image of type IMAGE at the components AT of coordinates, by the work-items that `writes` selects.
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

// Reads and writes of depth images use a scalar.
#ifdef DEPTH
#define COLOUR(value) (value).x
#define BITS_OF_FLOATS(value) as_uint4((float4)(value, 0, 0, 0))
#else
#define COLOUR(value) value
#define BITS_OF_FLOATS(value) as_uint4(value)
#endif
#define BITS_OF_HALVES(value) as_uint4(convert_float4(value))

#define KERNELS(suffix, to_colour, bits)                                                                                       \
  kernel void write_image##suffix##_once(write_only IMAGE image, global const int4 *at, global const uint4 *colours,           \
                                         global const int *writes) {                                                           \
    const size_t i = get_global_id(0);                                                                                         \
    if (writes[i]) write_image##suffix(image, at[i].AT, COLOUR(to_colour(colours[i])));                                        \
  }                                                                                                                            \
  kernel void write_image##suffix##_back(read_write IMAGE image, global const int4 *at, global const uint4 *colours,           \
                                         global const int *writes, global uint4 *out) {                                        \
    const size_t i = get_global_id(0);                                                                                         \
    if (writes[i]) write_image##suffix(image, at[i].AT, COLOUR(to_colour(colours[i])));                                        \
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);                                 \
    out[i] = bits(read_image##suffix(image, at[i].AT));                                                                        \
  }

KERNELS(f, as_float4, BITS_OF_FLOATS)
#ifndef DEPTH
KERNELS(i, as_int4, as_uint4)
KERNELS(ui, as_uint4, as_uint4)
#ifdef cl_khr_fp16
#define HALVES(value) convert_half4(as_float4(value))
KERNELS(h, HALVES, BITS_OF_HALVES)
#endif
#endif
