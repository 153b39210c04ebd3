// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vloadn and vstoren (specification: "Vector Data Load and Store Functions"): memory is aligned only to the element.
#include "library.h"

// A structure of an under-aligned vector tells clang the alignment; three components must not touch a fourth.
#define DEFINE_LOAD(space, N, T) \
  SMALL CAT(T, N) CAT(vload, N)(size_t offset, const space T *p) { \
    typedef CAT(T, N) __attribute__((aligned(sizeof(T)))) Unaligned; \
    return *(const space Unaligned *)(p + offset * N); \
  }
#define DEFINE_STORE(space, N, T) \
  SMALL void CAT(vstore, N)(CAT(T, N) v, size_t offset, space T *p) { \
    typedef CAT(T, N) __attribute__((aligned(sizeof(T)))) Unaligned; \
    *(space Unaligned *)(p + offset * N) = v; \
  }
#define DEFINE_LOAD3(space, T) \
  SMALL CAT(T, 3) vload3(size_t offset, const space T *p) { \
    p += offset * 3; \
    return (CAT(T, 3))(p[0], p[1], p[2]); \
  }
#define DEFINE_STORE3(space, T) \
  SMALL void vstore3(CAT(T, 3) v, size_t offset, space T *p) { \
    p += offset * 3; \
    p[0] = v.x, p[1] = v.y, p[2] = v.z; \
  }

#define DEFINE_ALL_LOADS(space, T) \
  DEFINE_LOAD(space, 2, T) DEFINE_LOAD3(space, T) DEFINE_LOAD(space, 4, T) DEFINE_LOAD(space, 8, T) \
  DEFINE_LOAD(space, 16, T)
#define DEFINE_ALL_STORES(space, T) \
  DEFINE_STORE(space, 2, T) DEFINE_STORE3(space, T) DEFINE_STORE(space, 4, T) DEFINE_STORE(space, 8, T) \
  DEFINE_STORE(space, 16, T)
#define DEFINE_TYPE(T, ...) FOR_SPACES(DEFINE_ALL_LOADS, T) FOR_WRITABLE_SPACES(DEFINE_ALL_STORES, T)

FOR_TYPES(DEFINE_TYPE)
