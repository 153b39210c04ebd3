// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses by single work-items on CPUs: object code that is linked into kernels, like lanes/image_lanes.cl.
#include "images/read_bodies.h"
#include "images/read_levels_bodies.h"
#include "images/write_bodies.h"
#include "images/srgb.cl"

// Functions of the C library, which round at least as well as OpenCL C's.
#define FROM_C(T, name) \
  DECLARED T name(T x) { return __builtin_elementwise_##name(x); }
FROM_C(float, floor)
FROM_C(float, ceil)
FROM_C(float, rint)
FROM_C(float4, rint)
FROM_C(float, exp2)
FROM_C(float, log2)
DECLARED float fabs(float x) { return __builtin_elementwise_abs(x); }
