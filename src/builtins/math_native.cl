// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// native_ and half_ functions (specification: "Math Functions"), only float; the precise functions meet their bounds.
#include "library.h"

#define NATIVE1(N, f) \
  DECLARED CAT(float, N) f(CAT(float, N) x); \
  SMALL CAT(float, N) CAT(native_, f)(CAT(float, N) x) { return f(x); } \
  SMALL CAT(float, N) CAT(half_, f)(CAT(float, N) x) { return f(x); }
#define NATIVE2(N, f) \
  DECLARED CAT(float, N) f(CAT(float, N) x, CAT(float, N) y); \
  SMALL CAT(float, N) CAT(native_, f)(CAT(float, N) x, CAT(float, N) y) { return f(x, y); } \
  SMALL CAT(float, N) CAT(half_, f)(CAT(float, N) x, CAT(float, N) y) { return f(x, y); }
#define OPERATORS(N, ...) \
  SMALL CAT(float, N) native_divide(CAT(float, N) x, CAT(float, N) y) { return x / y; } \
  SMALL CAT(float, N) half_divide(CAT(float, N) x, CAT(float, N) y) { return x / y; } \
  SMALL CAT(float, N) native_recip(CAT(float, N) x) { return 1.0f / x; } \
  SMALL CAT(float, N) half_recip(CAT(float, N) x) { return 1.0f / x; }
FOR_WIDTHS(OPERATORS, )
FOR_WIDTHS(NATIVE1, cos)
FOR_WIDTHS(NATIVE1, exp)
FOR_WIDTHS(NATIVE1, exp2)
FOR_WIDTHS(NATIVE1, exp10)
FOR_WIDTHS(NATIVE1, log)
FOR_WIDTHS(NATIVE1, log2)
FOR_WIDTHS(NATIVE1, log10)
FOR_WIDTHS(NATIVE1, rsqrt)
FOR_WIDTHS(NATIVE1, sin)
FOR_WIDTHS(NATIVE1, sqrt)
FOR_WIDTHS(NATIVE1, tan)
FOR_WIDTHS(NATIVE2, powr)
