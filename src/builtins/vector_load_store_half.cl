// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vload_half and vstore_half (specification: "Vector Data Load and Store Functions"): half in memory, float or double in registers,
// every rounding mode. vloada and vstorea have the vector's alignment, three components that of four.
#include "library.h"
#include "rounding.h"

#define LOAD_SCALAR(space, ...) \
  SMALL float vload_half(size_t offset, const space half *p) { return (float)p[offset]; } \
  SMALL float vloada_half(size_t offset, const space half *p) { return (float)p[offset]; }
#define LOAD(N, space, ...) \
  SMALL CAT(float, N) CAT(vload_half, N)(size_t offset, const space half *p) { \
    p += offset * N; \
    CAT(half, N) h; \
    _Pragma("unroll") for (int i = 0; i < N; ++i) h[i] = p[i]; \
    return CONVERT(N, float, h); \
  } \
  SMALL CAT(float, N) CAT(vloada_half, N)(size_t offset, const space half *p) { \
    return CONVERT(N, float, ((const space CAT(half, N) *)p)[offset]); \
  }
#define LOADS(space, ...) LOAD_SCALAR(space) FOR_VECTORS(LOAD, space)
FOR_SPACES(LOADS, )

#define STORE_SCALAR(space, T, mode, round) \
  SMALL void CAT(vstore_half, mode)(T x, size_t offset, space half *p) { p[offset] = round(x); } \
  SMALL void CAT(vstorea_half, mode)(T x, size_t offset, space half *p) { p[offset] = round(x); }
#define STORE(N, space, T, mode, round) \
  SMALL void CAT3(vstore_half, N, mode)(CAT(T, N) x, size_t offset, space half *p) { \
    p += offset * N; \
    CAT(half, N) h = round(x); \
    _Pragma("unroll") for (int i = 0; i < N; ++i) p[i] = h[i]; \
  } \
  SMALL void CAT3(vstorea_half, N, mode)(CAT(T, N) x, size_t offset, space half *p) { \
    ((space CAT(half, N) *)p)[offset] = round(x); \
  }
#define STORES_OF(space, T, mode, round) STORE_SCALAR(space, T, mode, round) FOR_VECTORS(STORE, space, T, mode, round)
#define STORES_FROM(space, T) \
  STORES_OF(space, T, , half_rte) STORES_OF(space, T, _rte, half_rte) STORES_OF(space, T, _rtz, half_rtz) \
  STORES_OF(space, T, _rtp, half_rtp) STORES_OF(space, T, _rtn, half_rtn)
#define STORES(space, ...) STORES_FROM(space, float) STORES_FROM(space, double)
FOR_WRITABLE_SPACES(STORES, )
