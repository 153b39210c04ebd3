// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_integer_dot_product: the sum of four products of bytes, optionally accumulated with saturation.
#include "library.h"


#define PRODUCT(R, A, B, suffix) \
  SMALL R dot(CAT(A, 4) x, CAT(B, 4) y) { \
    return (R)x.s0 * (R)y.s0 + (R)x.s1 * (R)y.s1 + (R)x.s2 * (R)y.s2 + (R)x.s3 * (R)y.s3; \
  } \
  SMALL R dot_acc_sat(CAT(A, 4) x, CAT(B, 4) y, R sum) { return __builtin_elementwise_add_sat(dot(x, y), sum); } \
  SMALL R CAT(dot_4x8packed_, suffix)(uint x, uint y) { \
    return dot(__builtin_astype(x, CAT(A, 4)), __builtin_astype(y, CAT(B, 4))); \
  } \
  SMALL R CAT(dot_acc_sat_4x8packed_, suffix)(uint x, uint y, R sum) { \
    return dot_acc_sat(__builtin_astype(x, CAT(A, 4)), __builtin_astype(y, CAT(B, 4)), sum); \
  }
PRODUCT(uint, uchar, uchar, uu_uint)
PRODUCT(int, char, char, ss_int)
PRODUCT(int, uchar, char, us_int)
PRODUCT(int, char, uchar, su_int)
