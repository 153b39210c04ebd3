// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-group collectives of cl_khr_subgroups (specification: "Subgroup Functions").
#include "library.h"
#include "sub_group_intrinsics.h"

SMALL int sub_group_all(int predicate) { return __ups_sg_ballot(predicate == 0) == 0; }
SMALL int sub_group_any(int predicate) { return __ups_sg_ballot(predicate) != 0; }

#define DEFINE_OPERATION(op, T) \
  SMALL T CAT(sub_group_reduce_, op)(T x) { return CAT(sg_reduce_, op)(x); } \
  SMALL T CAT(sub_group_scan_inclusive_, op)(T x) { return CAT(sg_scan_inclusive_, op)(x); } \
  SMALL T CAT(sub_group_scan_exclusive_, op)(T x) { return CAT(sg_scan_exclusive_, op)(x); }
#define DEFINE_OPERATIONS(T, ...) DEFINE_OPERATION(add, T) DEFINE_OPERATION(min, T) DEFINE_OPERATION(max, T)

// All element types: cl_khr_subgroup_extended_types adds the narrow types.
FOR_LANES(DEFINE_OPERATIONS)

#define DEFINE_VECTOR_BROADCAST(N, T, ...) \
  SMALL CAT(T, N) sub_group_broadcast(CAT(T, N) x, uint lane) { \
    CAT(T, N) r; \
    _Pragma("unroll") for (int i = 0; i < N; ++i) r[i] = sg_broadcast(x[i], lane); \
    return r; \
  }
#define DEFINE_BROADCAST(T, ...) \
  SMALL T sub_group_broadcast(T x, uint lane) { return sg_broadcast(x, lane); } \
  FOR_VECTORS(DEFINE_VECTOR_BROADCAST, T)
FOR_LANES(DEFINE_BROADCAST)
