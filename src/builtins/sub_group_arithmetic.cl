// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_subgroup_non_uniform_arithmetic and cl_khr_subgroup_clustered_reduce: over the active work-items, and within clusters.
#include "library.h"
#include "sub_group_intrinsics.h"

#define OPERATION(op, T) \
  SMALL T CAT(sub_group_non_uniform_reduce_, op)(T x) { return CAT(sg_reduce_, op)(x); } \
  SMALL T CAT(sub_group_non_uniform_scan_inclusive_, op)(T x) { return CAT(sg_scan_inclusive_, op)(x); } \
  SMALL T CAT(sub_group_non_uniform_scan_exclusive_, op)(T x) { return CAT(sg_scan_exclusive_, op)(x); } \
  SMALL T CAT(sub_group_clustered_reduce_, op)(T x, uint cluster) { return CAT(sg_clustered_reduce_, op)(x, cluster); }
#define ARITHMETIC(T, ...) OPERATION(add, T) OPERATION(mul, T) OPERATION(min, T) OPERATION(max, T)
#define BITWISE(T, ...) OPERATION(and, T) OPERATION(or, T) OPERATION(xor, T)
FOR_LANES(ARITHMETIC)
FOR_INTEGER_LANES(BITWISE)

// Logical operations are bitwise operations on 0 and 1.
#define LOGICAL(op) \
  SMALL int CAT(sub_group_non_uniform_reduce_logical_, op)(int x) { return CAT(sg_reduce_, op)((int)(x != 0)); } \
  SMALL int CAT(sub_group_non_uniform_scan_inclusive_logical_, op)(int x) { \
    return CAT(sg_scan_inclusive_, op)((int)(x != 0)); \
  } \
  SMALL int CAT(sub_group_non_uniform_scan_exclusive_logical_, op)(int x) { \
    return CAT(sg_scan_exclusive_, op)((int)(x != 0)) & 1; \
  } \
  SMALL int CAT(sub_group_clustered_reduce_logical_, op)(int x, uint cluster) { \
    return CAT(sg_clustered_reduce_, op)((int)(x != 0), cluster); \
  }
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)
