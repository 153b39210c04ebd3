// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections 1.1, 1.6, 1.8 and 1.13.14: types of images and samplers.

//: builds -cl-std=CL1.0 | -cl-std=CL1.1 | -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
#define LINEAR (CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR)
float4 both(image2d_t a, read_only image3d_t b, sampler_t s) {
  return read_imagef(a, s, (float2)(0)) + read_imagef(b, s, (float4)(0));
}
kernel void f(image2d_t a, read_only image3d_t b, __write_only image2d_t c, sampler_t s) {
  const sampler_t own = LINEAR;
  int x = get_global_id(0), y = get_global_id(1);
  int2 at = (int2)(x, y);
  write_imagef(c, at, both(a, b, s) + both(a, b, own) + read_imagef(a, nearest, at));
}

//: builds -cl-std=CL2.0 | -cl-std=CL3.0 | -cl-std=CLC++ | -cl-std=CLC++2021
kernel void f(read_write image2d_t a, read_only image1d_buffer_t b, write_only image3d_t c, read_write image2d_array_t d,
              read_only image2d_depth_t e, write_only image2d_array_depth_t g, read_only image1d_t h,
              write_only image1d_array_t i) {
  int x = get_global_id(0), y = get_global_id(1);
  int2 at = (int2)(x, y);
  float4 colour = read_imagef(a, at) + read_imagef(b, at.x) + read_imagef(e, at) + read_imagef(h, at.x);
  write_imagef(a, at, colour);
  write_imagef(c, (int4)(at, 0, 0), colour);
  write_imageui(d, (int4)(at, 0, 0), read_imageui(d, (int4)(at, 1, 0)));
  write_imagef(g, (int4)(at, 0, 0), colour.x);
  write_imagei(i, at, (int4)(get_image_array_size(i)));
}

//: refused "cannot be used to declare a structure or union field"
struct S {
  image2d_t i;
};
//: refused "array of '__read_only image2d_t' type is invalid"
kernel void f(read_only image2d_t i[2]) {}
//: refused "pointer to type '__read_only image2d_t' is invalid"
kernel void f(read_only image2d_t *i) {}
//: refused "can only be used as a function parameter"
image2d_t g;
//: refused "can only be used as a function parameter"
kernel void f(global int *a) { image2d_t i; }
//: refused "return value of type '__read_only image2d_t' is not allowed"
image2d_t g(image2d_t i) { return i; }
//: refused "no matching function for call to 'read_imagef'"
kernel void f(write_only image2d_t i, global float4 *o) { o[0] = read_imagef(i, (int2)(0)); }
//: refused "no matching function for call to 'write_imagef'"
kernel void f(read_only image2d_t i) { write_imagef(i, (int2)(0), (float4)(0)); }
//: refused "can not be used for '__read_write image2d_t'" -cl-std=CL1.2
kernel void f(read_write image2d_t i) {}
//: refused "no matching function for call to 'read_imagef'" -cl-std=CL2.0 | -cl-std=CL3.0
kernel void f(read_write image2d_t i, sampler_t s, global float4 *o) { o[0] = read_imagef(i, s, (int2)(0)); }
//: refused "invalid operands to binary expression"
kernel void f(read_only image2d_t i, read_only image2d_t j) { i = j; }
//: refused "cannot be used to declare a structure or union field"
struct S {
  sampler_t s;
};
//: refused "array of 'sampler_t' type is invalid"
kernel void f(global int *a) { sampler_t s[2]; }
//: refused "pointer to type '__global sampler_t' is invalid"
kernel void f(global sampler_t *s) {}
//: refused "global sampler requires a const or constant address space qualifier"
sampler_t s;
//: refused "sampler type cannot be used with the __local and __global address space qualifiers"
global sampler_t s = 0;
//: refused "return value of type 'sampler_t' is not allowed"
sampler_t g(sampler_t s) { return s; }
//: refused "invalid operands to binary expression"
kernel void f(sampler_t s) { s = s; }
//: refused "this value is not known at compile time"
kernel void f(read_only image2d_t i, global float4 *o, global int *a) {
  sampler_t s = a[0];
  *o = read_imagef(i, s, (int2)(0));
}
//: refused "this value is not known at compile time"
kernel void f(read_only image2d_t i, global float4 *o, int n) { *o = read_imagef(i, n | CLK_FILTER_LINEAR, (int2)(0)); }
//: refused "this value is not known at compile time"
float4 g(read_only image2d_t i, sampler_t s) { return read_imagef(i, s, (int2)(0)); }
kernel void f(read_only image2d_t i, global float4 *o, int n) { *o = g(i, n ? CLK_FILTER_LINEAR : CLK_FILTER_NEAREST); }

//: builds -cl-std=CL1.2 | -cl-std=CLC++2021
constant sampler_t first = CLK_ADDRESS_CLAMP, second = CLK_ADDRESS_CLAMP_TO_EDGE;
float4 g(read_only image2d_t i, sampler_t s) { return read_imagef(i, s, (int2)(0)); }
kernel void f(read_only image2d_t i, global float4 *o, sampler_t a, int n) {
  sampler_t copy = first;
  *o = g(i, copy) + g(i, n ? first : a) + g(i, n ? first : second) + g(i, n ? a : copy);
}
