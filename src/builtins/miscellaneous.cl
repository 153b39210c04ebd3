// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// shuffle and shuffle2 (specification: "Miscellaneous Vector Functions").
// Chains of selects: no component is indexed by a variable, so constant masks fold to one instruction, and variable masks stay in
// registers.
#include "library.h"

#define V(T, N) CAT(T, N)

#define SHUFFLE(M, N, T, U) \
  SMALL V(T, N) shuffle(V(T, M) x, V(U, N) mask) { \
    V(U, N) from = mask & (V(U, N))(M - 1); \
    V(T, N) r = (V(T, N))(x[0]); \
    _Pragma("unroll") for (int i = 1; i < M; ++i) r = from == (V(U, N))(i) ? (V(T, N))(x[i]) : r; \
    return r; \
  } \
  SMALL V(T, N) shuffle2(V(T, M) x, V(T, M) y, V(U, N) mask) { \
    V(U, N) from = mask & (V(U, N))(2 * M - 1); \
    V(T, N) r = (V(T, N))(x[0]); \
    _Pragma("unroll") for (int i = 1; i < M; ++i) r = from == (V(U, N))(i) ? (V(T, N))(x[i]) : r; \
    _Pragma("unroll") for (int i = 0; i < M; ++i) r = from == (V(U, N))(M + i) ? (V(T, N))(y[i]) : r; \
    return r; \
  }
#define FROM(M, T, U) SHUFFLE(M, 2, T, U) SHUFFLE(M, 4, T, U) SHUFFLE(M, 8, T, U) SHUFFLE(M, 16, T, U)
#define SHUFFLE_TYPE(T, S, U, ...) FROM(2, T, U) FROM(4, T, U) FROM(8, T, U) FROM(16, T, U)
FOR_TYPES(SHUFFLE_TYPE)
