// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Section 1.10: directives, pragmas, predefined macros.

//: runs -cl-std=CL1.0 -DV=100 | -cl-std=CL1.1 -DV=110 | -cl-std=CL1.2 -DV=120 | -cl-std=CL2.0 -DV=200 | -cl-std=CL3.0 -DV=300 |
//: -cl-std=CL3.1 -DV=310
#if __OPENCL_C_VERSION__ != V || __OPENCL_VERSION__ < 300 || CL_VERSION_1_0 != 100 || CL_VERSION_1_1 != 110
#error a version
#endif
#if CL_VERSION_1_2 != 120 || CL_VERSION_2_0 != 200 || CL_VERSION_3_0 != 300
#error a version to compare with
#endif
#if V >= 310 ? __OPENCL_VERSION__ != 310 || CL_VERSION_3_1 != 310 : defined(CL_VERSION_3_1)
#error a version that only later languages name
#endif
#if !defined(__ENDIAN_LITTLE__) || defined(__FAST_RELAXED_MATH__) || __IMAGE_SUPPORT__ != 1
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
// The product is rounded: no contraction across statements.
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
//: refused "'no_such_file.h' file not found"
#include "no_such_file.h"
//: refused "macro name"
#define 1 2
//: refused "too few arguments provided to function-like macro"
#define TWO(a, b) a + b
kernel void f(global int *a) { a[0] = TWO(1); }
//: refused "expected value in expression"
#if 1 +
#endif

//: runs
// The named numbers are constant expressions.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
constant float floats[] = {MAXFLOAT, HUGE_VALF, INFINITY,   NAN,          FLT_MAX,   FLT_MIN,    FLT_EPSILON,
                           M_E_F,    M_LOG2E_F, M_LOG10E_F, M_LN2_F,      M_LN10_F,  M_PI_F,     M_PI_2_F,
                           M_PI_4_F, M_1_PI_F,  M_2_PI_F,   M_2_SQRTPI_F, M_SQRT2_F, M_SQRT1_2_F};
constant double doubles[] = {HUGE_VAL, DBL_MAX, DBL_MIN, DBL_EPSILON, M_E,    M_LOG2E,    M_LOG10E, M_LN2,    M_LN10,
                             M_PI,     M_PI_2,  M_PI_4,  M_1_PI,      M_2_PI, M_2_SQRTPI, M_SQRT2,  M_SQRT1_2};
constant half halves[] = {HALF_MAX, HALF_MIN, HALF_EPSILON, M_E_H,    M_LOG2E_H, M_LOG10E_H,   M_LN2_H,   M_LN10_H,
                          M_PI_H,   M_PI_2_H, M_PI_4_H,     M_1_PI_H, M_2_PI_H,  M_2_SQRTPI_H, M_SQRT2_H, M_SQRT1_2_H};
constant long numbers[] = {CHAR_BIT,       CHAR_MAX,        CHAR_MIN,       SCHAR_MAX,       SCHAR_MIN,    UCHAR_MAX,
                           SHRT_MAX,       SHRT_MIN,        USHRT_MAX,      INT_MAX,         INT_MIN,      UINT_MAX,
                           LONG_MAX,       LONG_MIN,        FP_ILOGB0,      FP_ILOGBNAN,     FLT_DIG,      FLT_MANT_DIG,
                           FLT_MAX_10_EXP, FLT_MAX_EXP,     FLT_MIN_10_EXP, FLT_MIN_EXP,     FLT_RADIX,    DBL_DIG,
                           DBL_MANT_DIG,   DBL_MAX_10_EXP,  DBL_MAX_EXP,    DBL_MIN_10_EXP,  DBL_MIN_EXP,  HALF_DIG,
                           HALF_MANT_DIG,  HALF_MAX_10_EXP, HALF_MAX_EXP,   HALF_MIN_10_EXP, HALF_MIN_EXP, HALF_RADIX};
constant ulong largest = ULONG_MAX;
TEST {
  CHECK(floats[0] == 0x1.fffffep127f && isinf(floats[1]) && isinf(floats[2]) && isnan(floats[3]) && floats[6] == 0x1p-23f);
  CHECK(floats[12] == 0x1.921fb6p+1f && isinf(doubles[0]) && doubles[3] == 0x1p-52 && doubles[9] == 0x1.921fb54442d18p+1);
  CHECK(halves[0] == 65504 && halves[2] == 0x1p-10h && halves[8] == 3.140625h && largest == ~(ulong)0);
  CHECK(numbers[0] == 8 && numbers[2] == -128 && numbers[10] == (int)0x80000000 && numbers[11] == 0xffffffff);
  CHECK((numbers[14] == INT_MIN || numbers[14] == -INT_MAX) && (numbers[15] == INT_MAX || numbers[15] == INT_MIN));
  CHECK(numbers[16] == 6 && numbers[17] == 24 && numbers[18] == 38 && numbers[19] == 128 && numbers[20] == -37);
  CHECK(numbers[21] == -125 && numbers[22] == 2 && numbers[23] == 15 && numbers[24] == 53 && numbers[25] == 308);
  CHECK(numbers[26] == 1024 && numbers[27] == -307 && numbers[28] == -1021 && numbers[29] == 3 && numbers[30] == 11);
  CHECK(numbers[31] == 4 && numbers[32] == 16 && numbers[33] == -4 && numbers[34] == -13 && numbers[35] == 2);
}
