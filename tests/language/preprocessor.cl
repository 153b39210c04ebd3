// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Section 1.10: directives, pragmas, predefined macros.

//: runs -cl-std=CL1.0 -DV=100 | -cl-std=CL1.1 -DV=110 | -cl-std=CL1.2 -DV=120 | -cl-std=CL2.0 -DV=200 | -cl-std=CL3.0 -DV=300
#if __OPENCL_C_VERSION__ != V || __OPENCL_VERSION__ != 300 || CL_VERSION_1_0 != 100 || CL_VERSION_1_1 != 110
#error a version
#endif
#if CL_VERSION_1_2 != 120 || CL_VERSION_2_0 != 200 || CL_VERSION_3_0 != 300
#error a version to compare with
#endif
#if !defined(__ENDIAN_LITTLE__) || defined(__FAST_RELAXED_MATH__) || defined(__IMAGE_SUPPORT__)
#error a property of the device
#endif
#ifdef __cplusplus
#error this is C
#endif
#define TEXT(x) #x
#define JOIN(a, b) a##b
#define SUM(first, ...) (first + JOIN(third, _of)(__VA_ARGS__))
#define third_of(a, b) b
TEST {
  int JOIN(va, lue) = 3 * one;
  constant char *text = TEXT(a b);
  CHECK(value == 3 && text[2] == 'b' && SUM(1, 2, 4) == 5 && __LINE__ > 5 && sizeof(__FILE__) > 1);
#if defined(V) && (V > 50 ? 1 : 0) && 0x10 == 16 && 'A' == 65
  value = 4;
#elif 1
  value = 5;
#else
  value = 6;
#endif
  CHECK(value == 4);
#undef TEXT
#ifndef TEXT
  value = 7;
#endif
  CHECK(value == 7);
#line 1000
  CHECK(__LINE__ == 1000);
}

//: runs -cl-fast-relaxed-math | -cl-fast-relaxed-math -cl-std=CL3.0
TEST { CHECK(__FAST_RELAXED_MATH__ == 1); }

//: runs -D A=5 -D B -DNAME="long" -D"TWICE(x)=((x)+(x))" -D 'C=1 + 1'
TEST { CHECK(A == 5 && B == 1 && sizeof(NAME) == 8 && TWICE(4) == 8 && C * 3 == 4); }

//: builds -cl-std=CL1.0 | -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0
#pragma OPENCL EXTENSION all : disable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL FP_CONTRACT ON
#pragma STDC FP_CONTRACT DEFAULT
#pragma unknown to everybody
kernel void f(global double *a, global half *h, global char *c) {
  half x = h[0];
  a[0] = a[1] * a[2] + x;
  c[1] = 1;
}

//: runs
// No contraction across this: the product is rounded.
#pragma OPENCL FP_CONTRACT OFF
TEST {
  float a = 1 + 0x1p-12f * one, b = 1 + 0x1p-11f * one;
  CHECK(a * a - b == 0 && fma(a, a, -b) == 0x1p-24f);
}

//: builds -cl-std=CL3.0 | -cl-std=CLC++2021
#ifndef __opencl_c_int64
#error 64-bit integers
#endif
#if __opencl_c_generic_address_space != 1 || __opencl_c_fp64 != 1 || __opencl_c_program_scope_global_variables != 1
#error a feature
#endif
kernel void f(global int *a) {}

//: builds -cl-std=CL1.2 | -cl-std=CL2.0
#if defined(__opencl_c_fp64) || defined(__opencl_c_subgroups)
#error features are of OpenCL C 3.0
#endif
kernel void f(global int *a) {}

//: refused "why not"
#error why not
//: refused "unterminated conditional directive"
#if 1
kernel void f(global int *a) {}
//: refused "#else without #if"
#else
//: refused "error"
#include "no_such_file.h"
//: refused "macro name"
#define 1 2
//: refused "too few arguments provided to function-like macro"
#define TWO(a, b) a + b
kernel void f(global int *a) { a[0] = TWO(1); }
//: refused "expected value in expression"
#if 1 +
#endif
