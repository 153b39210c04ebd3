// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the sub-group intrinsics of intrinsics.h for each element type, and names them by OpenCL type: sg_reduce_add(int x)
// is __ups_sg_reduce_add_i32. Overloads hide which intrinsic (signed, unsigned, floating) an operation is.
#pragma once
#include "library.h"

/// M(type, intrinsic's type, intrinsic's suffix, prefix of min and max, prefix of add and mul, infix for the table's user)
#define FOR_SIGNED_LANES(M) M(char, char, i8, s, ) M(short, short, i16, s, ) M(int, int, i32, s, ) M(long, long, i64, s, )
#define FOR_UNSIGNED_LANES(M) M(uchar, char, i8, u, ) M(ushort, short, i16, u, ) M(uint, int, i32, u, ) M(ulong, long, i64, u, )
#define FOR_FLOAT_LANES(M) M(half, half, f16, f, f) M(float, float, f32, f, f) M(double, double, f64, f, f)
#define FOR_INTEGER_LANES(M) FOR_SIGNED_LANES(M) FOR_UNSIGNED_LANES(M)
#define FOR_LANES(M) FOR_INTEGER_LANES(M) FOR_FLOAT_LANES(M)

#define DECLARE_COLLECTIVE(op, I, suffix) \
  I CAT4(__ups_sg_reduce_, op, _, suffix)(I x); \
  I CAT4(__ups_sg_scan_inclusive_, op, _, suffix)(I x); \
  I CAT4(__ups_sg_scan_exclusive_, op, _, suffix)(I x); \
  I CAT4(__ups_sg_clustered_reduce_, op, _, suffix)(I x, uint cluster);

#define DECLARE_INTEGERS(I, suffix) \
  DECLARE_COLLECTIVE(add, I, suffix) DECLARE_COLLECTIVE(mul, I, suffix) DECLARE_COLLECTIVE(and, I, suffix) \
  DECLARE_COLLECTIVE(or, I, suffix) DECLARE_COLLECTIVE(xor, I, suffix) DECLARE_COLLECTIVE(smin, I, suffix) \
  DECLARE_COLLECTIVE(smax, I, suffix) DECLARE_COLLECTIVE(umin, I, suffix) DECLARE_COLLECTIVE(umax, I, suffix) \
  DECLARE_MOVES(I, suffix)
#define DECLARE_FLOATS(I, suffix) \
  DECLARE_COLLECTIVE(fadd, I, suffix) DECLARE_COLLECTIVE(fmul, I, suffix) DECLARE_COLLECTIVE(fmin, I, suffix) \
  DECLARE_COLLECTIVE(fmax, I, suffix) DECLARE_MOVES(I, suffix)
#define DECLARE_MOVES(I, suffix) \
  I CAT(__ups_sg_shuffle_, suffix)(I x, uint lane); \
  I CAT(__ups_sg_broadcast_, suffix)(I x, uint lane);

DECLARE_INTEGERS(char, i8)
DECLARE_INTEGERS(short, i16)
DECLARE_INTEGERS(int, i32)
DECLARE_INTEGERS(long, i64)
DECLARE_FLOATS(half, f16)
DECLARE_FLOATS(float, f32)
DECLARE_FLOATS(double, f64)

#define NAME_COLLECTIVE(name, op, T, I, suffix) \
  HELPER T CAT(sg_reduce_, name)(T x) { return (T)CAT4(__ups_sg_reduce_, op, _, suffix)((I)x); } \
  HELPER T CAT(sg_scan_inclusive_, name)(T x) { return (T)CAT4(__ups_sg_scan_inclusive_, op, _, suffix)((I)x); } \
  HELPER T CAT(sg_scan_exclusive_, name)(T x) { return (T)CAT4(__ups_sg_scan_exclusive_, op, _, suffix)((I)x); } \
  HELPER T CAT(sg_clustered_reduce_, name)(T x, uint n) { \
    return (T)CAT4(__ups_sg_clustered_reduce_, op, _, suffix)((I)x, n); \
  }
#define NAME_ARITHMETIC(T, I, suffix, m, a) \
  NAME_COLLECTIVE(add, CAT(a, add), T, I, suffix) NAME_COLLECTIVE(mul, CAT(a, mul), T, I, suffix) \
  NAME_COLLECTIVE(min, CAT(m, min), T, I, suffix) NAME_COLLECTIVE(max, CAT(m, max), T, I, suffix) \
  HELPER T sg_shuffle(T x, uint lane) { return (T)CAT(__ups_sg_shuffle_, suffix)((I)x, lane); } \
  HELPER T sg_broadcast(T x, uint lane) { return (T)CAT(__ups_sg_broadcast_, suffix)((I)x, lane); }
#define NAME_BITWISE(T, I, suffix, m, a) \
  NAME_COLLECTIVE(and, and, T, I, suffix) NAME_COLLECTIVE(or, or, T, I, suffix) NAME_COLLECTIVE(xor, xor, T, I, suffix)

FOR_LANES(NAME_ARITHMETIC)
FOR_INTEGER_LANES(NAME_BITWISE)
