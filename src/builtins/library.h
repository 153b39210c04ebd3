// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every file of the OpenCL C library starts with: how functions are defined and the tables of element types and widths
// that one body is expanded over. Nothing is declared beforehand (clang's own declarations are off), so a file declares what it
// uses of another one.
#pragma once
#include "intrinsics.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/// A function of the specification. SMALL ones vanish into their callers; LARGE ones leave the choice to the pipeline.
#define SMALL __attribute__((overloadable, always_inline))
#define LARGE __attribute__((overloadable))
#define DECLARED __attribute__((overloadable))
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

/// Address spaces: M(space, ...). The generic one is the unnamed pointer of OpenCL C 3.0.
#define FOR_WRITABLE_SPACES(M, ...) \
  M(__global, __VA_ARGS__) M(__local, __VA_ARGS__) M(__private, __VA_ARGS__) M(__generic, __VA_ARGS__)
#define FOR_SPACES(M, ...) M(__constant, __VA_ARGS__) FOR_WRITABLE_SPACES(M, __VA_ARGS__)
