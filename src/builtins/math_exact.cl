// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions whose result is exact or correctly rounded, by bit operations or instructions (specification: "Math Functions"): 0 ulp.
#include "library.h"

#define V(T, N) CAT(T, N)
#define SPLAT(N, T, x) ((V(T, N))((T)(x)))

// Formats: stored mantissa bits, largest exponent, and a power of two that makes every subnormal normal.
#define MANTISSA_half 10
#define MANTISSA_float 23
#define MANTISSA_double 52
#define BIAS_half 15
#define BIAS_float 127
#define BIAS_double 1023
#define INFINITE_half 0x7c00
#define INFINITE_float 0x7f800000
#define INFINITE_double 0x7ff0000000000000L
#define MANTISSA(T) CAT(MANTISSA_, T)
#define BIAS(T) CAT(BIAS_, T)
#define INFINITE(T) CAT(INFINITE_, T)
#define LARGEST_BELOW_ONE_half 0x1.ffcp-1
#define LARGEST_BELOW_ONE_float 0x1.fffffep-1
#define LARGEST_BELOW_ONE_double 0x1.fffffffffffffp-1

// The minimum or maximum of two numbers, ignoring a NaN. LLVM's operation on half would become a library call.
#define GREATER_float __builtin_elementwise_max
#define GREATER_double __builtin_elementwise_max
#define GREATER_half(x, y) (((x > y) | (y != y)) ? x : y)
#define LESSER_float __builtin_elementwise_min
#define LESSER_double __builtin_elementwise_min
#define LESSER_half(x, y) (((x < y) | (y != y)) ? x : y)

#define INSTRUCTIONS(N, T, I, U) \
  SMALL V(T, N) ceil(V(T, N) x) { return __builtin_elementwise_ceil(x); } \
  SMALL V(T, N) fabs(V(T, N) x) { return __builtin_elementwise_abs(x); } \
  SMALL V(T, N) floor(V(T, N) x) { return __builtin_elementwise_floor(x); } \
  SMALL V(T, N) rint(V(T, N) x) { return __builtin_elementwise_rint(x); } \
  SMALL V(T, N) round(V(T, N) x) { return __builtin_elementwise_round(x); } \
  SMALL V(T, N) trunc(V(T, N) x) { return __builtin_elementwise_trunc(x); } \
  SMALL V(T, N) sqrt(V(T, N) x) { return __builtin_elementwise_sqrt(x); } \
  SMALL V(T, N) copysign(V(T, N) x, V(T, N) y) { return __builtin_elementwise_copysign(x, y); } \
  SMALL V(T, N) fmax(V(T, N) x, V(T, N) y) { return CAT(GREATER_, T)(x, y); } \
  SMALL V(T, N) fmin(V(T, N) x, V(T, N) y) { return CAT(LESSER_, T)(x, y); } \
  SMALL V(T, N) fdim(V(T, N) x, V(T, N) y) { return x <= y ? SPLAT(N, T, 0) : x - y; } \
  /* As the processor does it fastest: in one instruction, or in two where there is no FMA. */ \
  SMALL V(T, N) mad(V(T, N) x, V(T, N) y, V(T, N) z) { \
    _Pragma("clang fp contract(on)") return x * y + z; \
  } \
  SMALL V(T, N) maxmag(V(T, N) x, V(T, N) y) { \
    V(T, N) a = fabs(x), b = fabs(y); \
    return a > b ? x : b > a ? y : fmax(x, y); \
  } \
  SMALL V(T, N) minmag(V(T, N) x, V(T, N) y) { \
    V(T, N) a = fabs(x), b = fabs(y); \
    return a < b ? x : b < a ? y : fmin(x, y); \
  } \
  SMALL V(T, N) nan(V(U, N) code) { \
    return BITS(N, T, (V(U, N))(code | SPLAT(N, U, INFINITE(T) | (INFINITE(T) >> 1)))); \
  } \
  /* Bits as a number line: negative numbers count down from zero. */ \
  SMALL V(T, N) nextafter(V(T, N) x, V(T, N) y) { \
    V(I, N) magnitude = SPLAT(N, I, GREATEST(I)); \
    V(I, N) a = BITS(N, I, x), b = BITS(N, I, y); \
    a = a < SPLAT(N, I, 0) ? (V(I, N))(-(a & magnitude)) : a; \
    b = b < SPLAT(N, I, 0) ? (V(I, N))(-(b & magnitude)) : b; \
    a = a < b ? (V(I, N))(a + SPLAT(N, I, 1)) : a > b ? (V(I, N))(a - SPLAT(N, I, 1)) : b; \
    V(I, N) zero_like_x = BITS(N, I, x) & SPLAT(N, I, LEAST(I)); \
    V(I, N) bits = a < SPLAT(N, I, 0) ? (V(I, N))(SPLAT(N, I, LEAST(I)) | -a) : a == SPLAT(N, I, 0) ? zero_like_x : a; \
    V(T, N) r = x == y ? y : BITS(N, T, bits); \
    r = y == y ? r : y; \
    return x == x ? r : x; \
  } \
  HELPER V(T, N) fraction(V(T, N) x, V(T, N) below) { \
    V(T, N) r = x - below; \
    r = r >= SPLAT(N, T, 1) ? SPLAT(N, T, CAT(LARGEST_BELOW_ONE_, T)) : r; \
    /* of infinities and zeros, zero with their sign */ \
    return ((fabs(x) == SPLAT(N, T, INFINITY)) | (x == SPLAT(N, T, 0))) ? copysign(SPLAT(N, T, 0), x) : r; \
  } \
  HELPER V(T, N) fractional_part(V(T, N) x, V(T, N) whole) { \
    return copysign(fabs(x) == SPLAT(N, T, INFINITY) ? SPLAT(N, T, 0) : x - whole, x); \
  }

// Exponents. A subnormal is first scaled into the normal range. E: int of width N; half is computed in float.
#define EXPONENTS(N, T, I, U) \
  HELPER V(I, N) is_special(V(T, N) x) { return (x == SPLAT(N, T, 0)) | !(fabs(x) < SPLAT(N, T, INFINITY)); } \
  HELPER V(T, N) normalized(V(T, N) x) { return fabs(x) < SPLAT(N, T, 0x1p-126) ? x * SPLAT(N, T, 0x1p54) : x; } \
  HELPER V(I, N) exponent(V(T, N) x) { \
    V(I, N) shift = fabs(x) < SPLAT(N, T, 0x1p-126) ? SPLAT(N, I, 54) : SPLAT(N, I, 0); \
    V(I, N) field = (BITS(N, I, normalized(x)) & SPLAT(N, I, INFINITE(T))) >> SPLAT(N, I, MANTISSA(T)); \
    return field - SPLAT(N, I, BIAS(T)) - shift; \
  } \
  HELPER V(T, N) mantissa_of(V(T, N) x) { \
    V(I, N) bits = BITS(N, I, normalized(x)) & SPLAT(N, I, ~INFINITE(T)); \
    V(T, N) m = BITS(N, T, (V(I, N))(bits | SPLAT(N, I, (I)(BIAS(T) - 1) << MANTISSA(T)))); \
    return is_special(x) ? x : m; \
  } \
  HELPER V(int, N) exponent_of(V(T, N) x) { \
    V(I, N) e = exponent(x) + SPLAT(N, I, 1); \
    return CONVERT(N, int, (is_special(x) ? SPLAT(N, I, 0) : e)); \
  } \
  SMALL V(int, N) ilogb(V(T, N) x) { \
    V(I, N) e = exponent(x); \
    e = x == SPLAT(N, T, 0) ? SPLAT(N, I, FP_ILOGB0) : e; \
    e = x != x ? SPLAT(N, I, FP_ILOGBNAN) : e; \
    return CONVERT(N, int, (fabs(x) == SPLAT(N, T, INFINITY) ? SPLAT(N, I, INT_MAX) : e)); \
  } \
  SMALL V(T, N) logb(V(T, N) x) { \
    V(T, N) e = CONVERT(N, T, exponent(x)); \
    e = x == SPLAT(N, T, 0) ? SPLAT(N, T, -INFINITY) : e; \
    return !(fabs(x) < SPLAT(N, T, INFINITY)) ? x * x : e; \
  }

#define FMA(N, T, ...) \
  SMALL V(T, N) fma(V(T, N) x, V(T, N) y, V(T, N) z) { return __builtin_elementwise_fma(x, y, z); }
#define FMA_TYPE(T, ...) FOR_WIDTHS(FMA, T)
FOR_FLOATS(FMA_TYPE)

// ldexp rounds once. float: in double, where nothing is lost. double: two factors, of which only the second rounds.
SMALL float ldexp(float x, int n) {
  long scale = (long)(__builtin_elementwise_min(__builtin_elementwise_max(n, -400), 400) + 1023) << 52;
  return (float)((double)x * __builtin_astype(scale, double));
}
SMALL double ldexp(double x, int n) {
  // Up to three exact scalings of the range; downwards, the first factors keep the result 53 bits above the subnormals.
  n = __builtin_elementwise_min(__builtin_elementwise_max(n, -2200), 2200);
  bool up = n > 1023, down = n < -1022;
  double first = up ? 0x1p1023 : down ? 0x1p-969 : 1.0;
  n -= up ? 1023 : down ? -969 : 0;
  bool up_again = n > 1023, down_again = n < -1022;
  double second = up_again ? 0x1p1023 : down_again ? 0x1p-969 : 1.0;
  n -= up_again ? 1023 : down_again ? -969 : 0;
  n = __builtin_elementwise_min(__builtin_elementwise_max(n, -1022), 1023);
  return x * first * second * __builtin_astype((long)(n + 1023) << 52, double);
}
SMALL half ldexp(half x, int n) { return (half)ldexp((float)x, n); }
#define LDEXP(N, T, ...) \
  SMALL V(T, N) ldexp(V(T, N) x, V(int, N) n) BY_COMPONENT(N, T, ldexp(x[i], n[i])) \
  SMALL V(T, N) ldexp(V(T, N) x, int n) BY_COMPONENT(N, T, ldexp(x[i], n))

#define WITH_SCALAR(N, T, ...) \
  SMALL V(T, N) fmax(V(T, N) x, T y) { return fmax(x, (V(T, N))y); } \
  SMALL V(T, N) fmin(V(T, N) x, T y) { return fmin(x, (V(T, N))y); } \
  LDEXP(N, T)

#define EXACT_TYPE(T, I, U, ...) FOR_WIDTHS(INSTRUCTIONS, T, I, U) FOR_VECTORS(WITH_SCALAR, T)
FOR_FLOATS(EXACT_TYPE)
FOR_WIDTHS(EXPONENTS, float, int, uint)
FOR_WIDTHS(EXPONENTS, double, long, ulong)
#define HALF_EXPONENTS(N, ...) \
  SMALL V(int, N) ilogb(V(half, N) x) { return ilogb(CONVERT(N, float, x)); } \
  SMALL V(half, N) logb(V(half, N) x) { return CONVERT(N, half, logb(CONVERT(N, float, x))); } \
  HELPER V(half, N) mantissa_of(V(half, N) x) { return CONVERT(N, half, mantissa_of(CONVERT(N, float, x))); } \
  HELPER V(int, N) exponent_of(V(half, N) x) { return exponent_of(CONVERT(N, float, x)); }
FOR_WIDTHS(HALF_EXPONENTS, )

// Results through pointers.
#define POINTERS(N, space, T) \
  SMALL V(T, N) fract(V(T, N) x, space V(T, N) * whole) { \
    V(T, N) below = floor(x); \
    *whole = below; \
    return fraction(x, below); \
  } \
  SMALL V(T, N) modf(V(T, N) x, space V(T, N) * whole) { \
    V(T, N) towards_zero = trunc(x); \
    *whole = towards_zero; \
    return fractional_part(x, towards_zero); \
  } \
  SMALL V(T, N) frexp(V(T, N) x, space V(int, N) * e) { \
    *e = exponent_of(x); \
    return mantissa_of(x); \
  }
#define POINTER_WIDTHS(space, T) FOR_WIDTHS(POINTERS, space, T)
#define POINTER_TYPE(T, ...) FOR_WRITABLE_SPACES(POINTER_WIDTHS, T)
FOR_FLOATS(POINTER_TYPE)
