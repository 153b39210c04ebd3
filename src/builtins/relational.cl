// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relational functions (specification: "Relational Functions"): scalars return 0 or 1 as int, vectors 0 or -1 in integers of the
// component's size, like comparison operators.
#include "library.h"

#define V(T, N) CAT(T, N)

// R: the result's element type.
#define COMPARISONS(N, T, R, U) \
  SMALL V(R, N) isequal(V(T, N) x, V(T, N) y) { return x == y; } \
  SMALL V(R, N) isnotequal(V(T, N) x, V(T, N) y) { return x != y; } \
  SMALL V(R, N) isgreater(V(T, N) x, V(T, N) y) { return x > y; } \
  SMALL V(R, N) isgreaterequal(V(T, N) x, V(T, N) y) { return x >= y; } \
  SMALL V(R, N) isless(V(T, N) x, V(T, N) y) { return x < y; } \
  SMALL V(R, N) islessequal(V(T, N) x, V(T, N) y) { return x <= y; } \
  SMALL V(R, N) islessgreater(V(T, N) x, V(T, N) y) { return (x < y) | (x > y); } \
  SMALL V(R, N) isordered(V(T, N) x, V(T, N) y) { return (x == x) & (y == y); } \
  SMALL V(R, N) isunordered(V(T, N) x, V(T, N) y) { return (x != x) | (y != y); }

// Classification inspects the bits, so that options about NaNs cannot affect it. I: signed integer of the size, R: the result.
#define EXPONENT_half 0x7c00
#define EXPONENT_float 0x7f800000
#define EXPONENT_double 0x7ff0000000000000L
#define GREATEST_MAGNITUDE(N, I) ((V(I, N))GREATEST(I))
#define CLASSES(N, T, I, R) \
  HELPER V(I, N) magnitude(V(T, N) x) { return BITS(N, I, x) & GREATEST_MAGNITUDE(N, I); } \
  SMALL V(R, N) isfinite(V(T, N) x) { return magnitude(x) < (V(I, N))CAT(EXPONENT_, T); } \
  SMALL V(R, N) isinf(V(T, N) x) { return magnitude(x) == (V(I, N))CAT(EXPONENT_, T); } \
  SMALL V(R, N) isnan(V(T, N) x) { return magnitude(x) > (V(I, N))CAT(EXPONENT_, T); } \
  SMALL V(R, N) isnormal(V(T, N) x) { \
    V(I, N) exponent = BITS(N, I, x) & (V(I, N))CAT(EXPONENT_, T); \
    return (exponent != (V(I, N))0) & (exponent != (V(I, N))CAT(EXPONENT_, T)); \
  } \
  SMALL V(R, N) signbit(V(T, N) x) { return BITS(N, I, x) < (V(I, N))0; }

#define FLOAT_TYPE(T, I, U, ...) \
  COMPARISONS(, T, int, U) CLASSES(, T, I, int) FOR_VECTORS(COMPARISONS, T, I, U) FOR_VECTORS(CLASSES, T, I, I)
FOR_FLOATS(FLOAT_TYPE)

// any and all test the sign bits.
#define FOLD_2(op, x) (x.s0 op x.s1)
#define FOLD_3(op, x) (x.s0 op x.s1 op x.s2)
#define FOLD_4(op, x) FOLD_2(op, (x.lo op x.hi))
#define FOLD_8(op, x) FOLD_4(op, (x.lo op x.hi))
#define FOLD_16(op, x) FOLD_8(op, (x.lo op x.hi))
#define ANY_ALL(N, T, ...) \
  SMALL int any(V(T, N) x) { return CAT(FOLD_, N)(|, x) < 0; } \
  SMALL int all(V(T, N) x) { return CAT(FOLD_, N)(&, x) < 0; }
#define ANY_ALL_TYPE(T, ...) \
  SMALL int any(T x) { return x < 0; } \
  SMALL int all(T x) { return x < 0; } \
  FOR_VECTORS(ANY_ALL, T)
FOR_SIGNED(ANY_ALL_TYPE)

#define BITSELECT(N, T, I, U) \
  SMALL V(T, N) bitselect(V(T, N) a, V(T, N) b, V(T, N) c) { \
    return BITS(N, T, (V(U, N))((BITS(N, U, a) & ~BITS(N, U, c)) | (BITS(N, U, b) & BITS(N, U, c)))); \
  }
// A scalar's condition is its value, a vector's the sign bits.
#define SELECT_SCALAR(T, C) \
  SMALL T select(T a, T b, C c) { return c ? b : a; }
#define SELECT_VECTOR(N, T, I, C) \
  SMALL V(T, N) select(V(T, N) a, V(T, N) b, V(C, N) c) { return BITS(N, I, c) < (V(I, N))0 ? b : a; }
#define SELECTION_TYPE(T, I, U, ...) \
  FOR_WIDTHS(BITSELECT, T, I, U) SELECT_SCALAR(T, I) SELECT_SCALAR(T, U) \
  FOR_VECTORS(SELECT_VECTOR, T, I, I) FOR_VECTORS(SELECT_VECTOR, T, I, U)
FOR_TYPES(SELECTION_TYPE)
