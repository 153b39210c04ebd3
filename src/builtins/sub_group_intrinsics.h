// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the sub-group intrinsics of intrinsics.h for each element type, and names them by OpenCL type: sg_reduce_add(int x) is
// __ups_sg_reduce_add_i32. Overloads choose the signed, unsigned or floating-point intrinsic.
#pragma once
#include "library.h"

/// M(type, intrinsic's type, intrinsic's suffix, prefix of min and max, prefix of add and mul, infix for the table's user)
#define FOR_SIGNED_LANES(M) M(char, char, i8, s, ) M(short, short, i16, s, ) M(int, int, i32, s, ) M(long, long, i64, s, )
#define FOR_UNSIGNED_LANES(M) M(uchar, char, i8, u, ) M(ushort, short, i16, u, ) M(uint, int, i32, u, ) M(ulong, long, i64, u, )
#define FOR_FLOAT_LANES(M) M(half, half, f16, f, f) M(float, float, f32, f, f) M(double, double, f64, f, f)
#define FOR_INTEGER_LANES(M) FOR_SIGNED_LANES(M) FOR_UNSIGNED_LANES(M)
#define FOR_LANES(M) FOR_INTEGER_LANES(M) FOR_FLOAT_LANES(M)

#define DECLARE_COMBINATION(id, name, T, element, suffix, family, a, b) T CAT4(family, name, _, suffix)(T x);
#define DECLARE_CLUSTERS(id, name, T, element, suffix, family, a, b) T CAT4(family, name, _, suffix)(T x, uint cluster);
#define DECLARE_MOVE(id, name, T, element, suffix, family, a, b) T CAT(family, suffix)(T x, uint lane);
#define UPSWEEP_SUB_GROUP_COMBINATION(id, family, spread) UPSWEEP_COMBINATIONS(DECLARE_COMBINATION, family, , )
#define UPSWEEP_SUB_GROUP_CLUSTERS(id, family, spread) UPSWEEP_COMBINATIONS(DECLARE_CLUSTERS, family, , )
#define UPSWEEP_SUB_GROUP_MOVE(id, family, spread) UPSWEEP_MOVES(DECLARE_MOVE, family, , )
#include "intrinsics.def"

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
