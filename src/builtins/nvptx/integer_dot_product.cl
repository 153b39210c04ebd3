// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_integer_dot_product: one instruction computes the sum of four products of bytes, and wraps.
#include "../library.h"

#define PRODUCT(R, A, B, suffix, instruction) \
  SMALL PURE R CAT(dot_4x8packed_, suffix)(uint x, uint y) { \
    R sum; \
    __asm(instruction " %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"(0)); \
    return sum; \
  } \
  SMALL PURE R CAT(dot_acc_sat_4x8packed_, suffix)(uint x, uint y, R sum) { \
    return __builtin_elementwise_add_sat(CAT(dot_4x8packed_, suffix)(x, y), sum); \
  } \
  SMALL PURE R dot(CAT(A, 4) x, CAT(B, 4) y) { \
    return CAT(dot_4x8packed_, suffix)(__builtin_astype(x, uint), __builtin_astype(y, uint)); \
  } \
  SMALL PURE R dot_acc_sat(CAT(A, 4) x, CAT(B, 4) y, R sum) { return __builtin_elementwise_add_sat(dot(x, y), sum); }
PRODUCT(uint, uchar, uchar, uu_uint, "dp4a.u32.u32")
PRODUCT(int, char, char, ss_int, "dp4a.s32.s32")
PRODUCT(int, uchar, char, us_int, "dp4a.u32.s32")
PRODUCT(int, char, uchar, su_int, "dp4a.s32.u32")
