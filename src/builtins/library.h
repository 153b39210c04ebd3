// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Included first by all files of the OpenCL C library: macros that define functions, and tables of element types and widths that expand a
// body. Clang's own declarations are off, so a file declares the functions of other files that it uses.
#pragma once
#include "intrinsics.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/// A function of the specification. SMALL functions are inlined; for LARGE functions the pipeline decides.
#define SMALL __attribute__((overloadable, always_inline))
#define LARGE __attribute__((overloadable))
#define DECLARED __attribute__((overloadable))
/// SELDOM: a condition that stays a branch instead of becoming selects in the common path. RARE: a function for rare arguments; on
/// CPUs it stays outside the kernel's code, and a sub-group's lanes may run it one by one.
#define SELDOM(condition) __builtin_expect(condition, 0)
#define RARE __attribute__((overloadable, cold, noinline, const))
/// A helper of one file.
#define HELPER static __attribute__((overloadable, always_inline))
#define PURE __attribute__((const))

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define CAT3(a, b, c) CAT(CAT(a, b), c)
#define CAT4(a, b, c, d) CAT(CAT3(a, b, c), d)

/// Widths: M(N, ...) with N empty for the scalar.
#define FOR_VECTORS(M, ...) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)
#define FOR_WIDTHS(M, ...) M(, __VA_ARGS__) FOR_VECTORS(M, __VA_ARGS__)

/// Element types: M(type, signed integer of its size, unsigned integer of its size, ...).
#define FOR_SIGNED(M, ...) \
  M(char, char, uchar, __VA_ARGS__) \
  M(short, short, ushort, __VA_ARGS__) \
  M(int, int, uint, __VA_ARGS__) \
  M(long, long, ulong, __VA_ARGS__)
#define FOR_UNSIGNED(M, ...) \
  M(uchar, char, uchar, __VA_ARGS__) \
  M(ushort, short, ushort, __VA_ARGS__) \
  M(uint, int, uint, __VA_ARGS__) \
  M(ulong, long, ulong, __VA_ARGS__)
#define FOR_INTEGERS(M, ...) FOR_SIGNED(M, __VA_ARGS__) FOR_UNSIGNED(M, __VA_ARGS__)
#define FOR_FLOATS(M, ...) \
  M(half, short, ushort, __VA_ARGS__) \
  M(float, int, uint, __VA_ARGS__) \
  M(double, long, ulong, __VA_ARGS__)
#define FOR_TYPES(M, ...) FOR_INTEGERS(M, __VA_ARGS__) FOR_FLOATS(M, __VA_ARGS__)

/// Address spaces: M(space, ...). The generic space is the unnamed pointer of OpenCL C 3.0.
#define FOR_WRITABLE_SPACES(M, ...) \
  M(__global, __VA_ARGS__) M(__local, __VA_ARGS__) M(__private, __VA_ARGS__) M(__generic, __VA_ARGS__)
#define FOR_SPACES(M, ...) M(__constant, __VA_ARGS__) FOR_WRITABLE_SPACES(M, __VA_ARGS__)

/// Element-wise conversion of a value of width N: CONVERT(N, type, x).
#define CONVERT(N, T, x) CAT(CONVERT_, N)(T, x)
#define CONVERT_(T, x) ((T)(x))
#define CONVERT_2(T, x) __builtin_convertvector(x, CAT(T, 2))
#define CONVERT_3(T, x) __builtin_convertvector(x, CAT(T, 3))
#define CONVERT_4(T, x) __builtin_convertvector(x, CAT(T, 4))
#define CONVERT_8(T, x) __builtin_convertvector(x, CAT(T, 8))
#define CONVERT_16(T, x) __builtin_convertvector(x, CAT(T, 16))

/// Reinterprets the bits of one type as another of the same size and width: BITS(N, type, x).
#define BITS(N, T, x) __builtin_astype(x, CAT(T, N))

/// r = f(components of the arguments), for each component of the vector result.
#define BY_COMPONENT(N, T, expression) \
  { \
    CAT(T, N) r; \
    _Pragma("unroll") for (int i = 0; i < N; ++i) r[i] = expression; \
    return r; \
  }

/// Limits of the integer types by type name.
#define LEAST_char CHAR_MIN
#define LEAST_short SHRT_MIN
#define LEAST_int INT_MIN
#define LEAST_long LONG_MIN
#define LEAST_uchar 0
#define LEAST_ushort 0
#define LEAST_uint 0
#define LEAST_ulong 0
#define GREATEST_char CHAR_MAX
#define GREATEST_short SHRT_MAX
#define GREATEST_int INT_MAX
#define GREATEST_long LONG_MAX
#define GREATEST_uchar UCHAR_MAX
#define GREATEST_ushort USHRT_MAX
#define GREATEST_uint UINT_MAX
#define GREATEST_ulong ULONG_MAX
#define LEAST(T) CAT(LEAST_, T)
#define GREATEST(T) CAT(GREATEST_, T)
