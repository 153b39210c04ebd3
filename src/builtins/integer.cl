// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer functions (specification: "Integer Functions") and cl_khr_extended_bit_ops.
#include "library.h"

#define V(T, N) CAT(T, N)
#define SPLAT(N, T, x) ((V(T, N))((T)(x)))

#define SIMPLE(N, T, S, U) \
  SMALL V(T, N) max(V(T, N) x, V(T, N) y) { return __builtin_elementwise_max(x, y); } \
  SMALL V(T, N) min(V(T, N) x, V(T, N) y) { return __builtin_elementwise_min(x, y); } \
  SMALL V(T, N) clamp(V(T, N) x, V(T, N) low, V(T, N) high) { \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, low), high); \
  } \
  SMALL V(U, N) abs_diff(V(T, N) x, V(T, N) y) { \
    return BITS(N, U, max(x, y)) - BITS(N, U, min(x, y)); \
  } \
  SMALL V(T, N) hadd(V(T, N) x, V(T, N) y) { return (x >> SPLAT(N, T, 1)) + (y >> SPLAT(N, T, 1)) + (x & y & SPLAT(N, T, 1)); } \
  SMALL V(T, N) rhadd(V(T, N) x, V(T, N) y) { return (x >> SPLAT(N, T, 1)) + (y >> SPLAT(N, T, 1)) + ((x | y) & SPLAT(N, T, 1)); } \
  SMALL V(T, N) rotate(V(T, N) x, V(T, N) y) { \
    V(U, N) bits = BITS(N, U, x), by = BITS(N, U, y), last = SPLAT(N, U, sizeof(T) * 8 - 1); \
    return BITS(N, T, (V(U, N))((V(U, N))(bits << (by & last)) | (V(U, N))(bits >> (-by & last)))); \
  }


// Clang promotes scalars below int before these builtins, so they are saturated and reversed within int.
#define WIDTH_SENSITIVE(N, T, S, U) \
  SMALL V(T, N) add_sat(V(T, N) x, V(T, N) y) { return __builtin_elementwise_add_sat(x, y); } \
  SMALL V(T, N) sub_sat(V(T, N) x, V(T, N) y) { return __builtin_elementwise_sub_sat(x, y); } \
  SMALL V(T, N) bit_reverse(V(T, N) x) { return __builtin_elementwise_bitreverse(x); }
#define NARROW(T, U) \
  HELPER T saturated_##T(int x) { return (T)(x < LEAST(T) ? LEAST(T) : x > GREATEST(T) ? GREATEST(T) : x); } \
  SMALL T add_sat(T x, T y) { return saturated_##T(x + y); } \
  SMALL T sub_sat(T x, T y) { return saturated_##T(x - y); } \
  SMALL T bit_reverse(T x) { return (T)(__builtin_elementwise_bitreverse((uint)(U)x) >> (32 - sizeof(T) * 8)); }
NARROW(char, uchar)
NARROW(uchar, uchar)
NARROW(short, ushort)
NARROW(ushort, ushort)
WIDTH_SENSITIVE(, int, int, uint)
WIDTH_SENSITIVE(, uint, int, uint)
WIDTH_SENSITIVE(, long, long, ulong)
WIDTH_SENSITIVE(, ulong, long, ulong)

#define WITH_SCALAR(N, T, S, U) \
  SMALL V(T, N) max(V(T, N) x, T y) { return __builtin_elementwise_max(x, (V(T, N))y); } \
  SMALL V(T, N) min(V(T, N) x, T y) { return __builtin_elementwise_min(x, (V(T, N))y); } \
  SMALL V(T, N) clamp(V(T, N) x, T low, T high) { \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, (V(T, N))low), (V(T, N))high); \
  }

#define ABS_SIGNED(N, T, S, U) \
  SMALL V(U, N) abs(V(T, N) x) { return BITS(N, U, (V(T, N))__builtin_elementwise_abs(x)); }
#define ABS_UNSIGNED(N, T, S, U) \
  SMALL V(T, N) abs(V(T, N) x) { return x; }

// Zero counts as all bits clear. The scalar builtins support any width; vectors are computed by component.
#define COUNT_SCALAR(T, S, U, ...) \
  SMALL T clz(T x) { return (T)__builtin_clzg((U)x, (int)sizeof(T) * 8); } \
  SMALL T ctz(T x) { return (T)__builtin_ctzg((U)x, (int)sizeof(T) * 8); } \
  SMALL T popcount(T x) { return (T)__builtin_popcountg((U)x); }
#define COUNT_VECTOR(N, T, S, U) \
  SMALL V(T, N) clz(V(T, N) x) BY_COMPONENT(N, T, clz(x[i])) \
  SMALL V(T, N) ctz(V(T, N) x) BY_COMPONENT(N, T, ctz(x[i])) \
  SMALL V(T, N) popcount(V(T, N) x) BY_COMPONENT(N, T, popcount(x[i]))

// A field of no bits is 0, and inserts nothing; the widest field is the whole type.
#define FIELDS(N, T, S, U) \
  SMALL V(T, N) bitfield_insert(V(T, N) base, V(T, N) insert, uint offset, uint count) { \
    U mask = count == 0 ? (U)0 : (U)((U)((U)~(U)0 >> (sizeof(T) * 8 - count)) << offset); \
    V(U, N) field = BITS(N, U, insert) << SPLAT(N, U, offset); \
    V(T, N) result = BITS(N, T, (V(U, N))((BITS(N, U, base) & SPLAT(N, U, ~mask)) | (field & SPLAT(N, U, mask)))); \
    return count == 0 ? base : result; /* such a field may begin past the last bit, where the shift is undefined */ \
  } \
  SMALL V(S, N) bitfield_extract_signed(V(T, N) base, uint offset, uint count) { \
    V(U, N) left = BITS(N, U, base) << SPLAT(N, U, sizeof(T) * 8 - offset - count); \
    V(S, N) field = BITS(N, S, left) >> SPLAT(N, S, sizeof(T) * 8 - count); \
    return count == 0 ? SPLAT(N, S, 0) : field; \
  } \
  SMALL V(U, N) bitfield_extract_unsigned(V(T, N) base, uint offset, uint count) { \
    V(U, N) left = BITS(N, U, base) << SPLAT(N, U, sizeof(T) * 8 - offset - count); \
    V(U, N) field = left >> SPLAT(N, U, sizeof(T) * 8 - count); \
    return count == 0 ? SPLAT(N, U, 0) : field; \
  }

#define ALL_WIDTHS(T, S, U, ...) FOR_WIDTHS(SIMPLE, T, S, U) FOR_VECTORS(WITH_SCALAR, T, S, U) \
  FOR_VECTORS(WIDTH_SENSITIVE, T, S, U) \
  COUNT_SCALAR(T, S, U) FOR_VECTORS(COUNT_VECTOR, T, S, U) FOR_WIDTHS(FIELDS, T, S, U)
#define ABS_SIGNED_WIDTHS(T, S, U, ...) FOR_WIDTHS(ABS_SIGNED, T, S, U)
#define ABS_UNSIGNED_WIDTHS(T, S, U, ...) FOR_WIDTHS(ABS_UNSIGNED, T, S, U)
FOR_INTEGERS(ALL_WIDTHS)
FOR_SIGNED(ABS_SIGNED_WIDTHS)
FOR_UNSIGNED(ABS_UNSIGNED_WIDTHS)

// upsample: the next wider type; the high half has the result's signedness.
#define UPSAMPLE(N, H, L, W) \
  SMALL V(W, N) upsample(V(H, N) high, V(L, N) low) { \
    return (V(W, N))(CONVERT(N, W, high) << (V(W, N))(sizeof(L) * 8)) | CONVERT(N, W, low); \
  }
FOR_WIDTHS(UPSAMPLE, char, uchar, short)
FOR_WIDTHS(UPSAMPLE, uchar, uchar, ushort)
FOR_WIDTHS(UPSAMPLE, short, ushort, int)
FOR_WIDTHS(UPSAMPLE, ushort, ushort, uint)
FOR_WIDTHS(UPSAMPLE, int, uint, long)
FOR_WIDTHS(UPSAMPLE, uint, uint, ulong)

// Products in the next wider type W, saturated there. W represents a product plus a sum of the narrower type.
#define PRODUCTS(N, T, W) \
  SMALL V(T, N) mul_hi(V(T, N) x, V(T, N) y) { \
    return CONVERT(N, T, (V(W, N))((CONVERT(N, W, x) * CONVERT(N, W, y)) >> (V(W, N))(sizeof(T) * 8))); \
  } \
  SMALL V(T, N) mad_sat(V(T, N) x, V(T, N) y, V(T, N) z) { \
    V(W, N) sum = CONVERT(N, W, x) * CONVERT(N, W, y) + CONVERT(N, W, z); \
    sum = __builtin_elementwise_min(__builtin_elementwise_max(sum, SPLAT(N, W, LEAST(T))), SPLAT(N, W, GREATEST(T))); \
    return CONVERT(N, T, sum); \
  }
FOR_WIDTHS(PRODUCTS, char, short)
FOR_WIDTHS(PRODUCTS, uchar, ushort)
FOR_WIDTHS(PRODUCTS, short, int)
FOR_WIDTHS(PRODUCTS, ushort, uint)
FOR_WIDTHS(PRODUCTS, int, long)
FOR_WIDTHS(PRODUCTS, uint, ulong)

// 64 bits have no wider type, so four partial products of 32-bit halves are used.
#define PRODUCTS_64(N, ...) \
  SMALL V(ulong, N) mul_hi(V(ulong, N) x, V(ulong, N) y) { \
    V(ulong, N) x0 = x & 0xffffffffUL, x1 = x >> 32UL, y0 = y & 0xffffffffUL, y1 = y >> 32UL; \
    V(ulong, N) middle = x1 * y0 + ((x0 * y0) >> 32UL); \
    V(ulong, N) low = x0 * y1 + (middle & 0xffffffffUL); \
    return x1 * y1 + (middle >> 32UL) + (low >> 32UL); \
  } \
  SMALL V(long, N) mul_hi(V(long, N) x, V(long, N) y) { \
    V(ulong, N) high = mul_hi(BITS(N, ulong, x), BITS(N, ulong, y)); \
    return BITS(N, long, high) - ((x >> 63L) & y) - ((y >> 63L) & x); \
  } \
  SMALL V(ulong, N) mad_sat(V(ulong, N) x, V(ulong, N) y, V(ulong, N) z) { \
    V(ulong, N) low = x * y, sum = low + z; \
    V(ulong, N) fits = mul_hi(x, y); \
    return (fits != 0UL) || (sum < low) ? SPLAT(N, ulong, ULONG_MAX) : sum; \
  } \
  SMALL V(long, N) mad_sat(V(long, N) x, V(long, N) y, V(long, N) z) { \
    V(ulong, N) low = BITS(N, ulong, x) * BITS(N, ulong, y), sum = low + BITS(N, ulong, z); \
    V(long, N) carry = sum < low ? SPLAT(N, long, 1) : SPLAT(N, long, 0); \
    V(long, N) high = mul_hi(x, y) + (z >> 63L) + carry; \
    V(long, N) limit = (high >> 63L) ^ SPLAT(N, long, LONG_MAX); \
    return high == (BITS(N, long, sum) >> 63L) ? BITS(N, long, sum) : limit; \
  }
FOR_WIDTHS(PRODUCTS_64, )

#define MAD_HI(N, T, S, U) \
  SMALL V(T, N) mad_hi(V(T, N) x, V(T, N) y, V(T, N) z) { return mul_hi(x, y) + z; }
#define MAD_HI_WIDTHS(T, S, U, ...) FOR_WIDTHS(MAD_HI, T, S, U)
FOR_INTEGERS(MAD_HI_WIDTHS)

// Only the low 24 bits of the operands, and the low 32 of the product, are defined to matter.
#define SMALL_PRODUCTS(N, T) \
  SMALL V(T, N) mul24(V(T, N) x, V(T, N) y) { return x * y; } \
  SMALL V(T, N) mad24(V(T, N) x, V(T, N) y, V(T, N) z) { return x * y + z; }
FOR_WIDTHS(SMALL_PRODUCTS, int)
FOR_WIDTHS(SMALL_PRODUCTS, uint)
