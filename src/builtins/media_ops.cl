// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_amd_media_ops and cl_amd_media_ops2: bytes and fields of 32-bit words; each function follows its formula in the extension.
#include "library.h"

#define V(T, N) CAT(T, N)
#define SPLAT(N, T, x) ((V(T, N))((T)(x)))
#define MINIMUM(x, y) __builtin_elementwise_min(x, y)
#define MAXIMUM(x, y) __builtin_elementwise_max(x, y)

/// Byte i of each word.
#define BYTE(x, i) (((x) >> ((i) * 8u)) & 255u)
/// |x - y| of unsigned numbers.
#define DISTANCE(x, y) (MAXIMUM(x, y) - MINIMUM(x, y))
#define BYTE_DISTANCE(x, y, i) DISTANCE(BYTE(x, i), BYTE(y, i))
#define BYTE_DISTANCES(x, y) (BYTE_DISTANCE(x, y, 0) + BYTE_DISTANCE(x, y, 1) + BYTE_DISTANCE(x, y, 2) + BYTE_DISTANCE(x, y, 3))
#define BYTE_MEAN(x, y, z, i) (((BYTE(x, i) + BYTE(y, i) + (BYTE(z, i) & 1u)) >> 1u) << ((i) * 8u))

// C leaves the conversion of an out-of-range number undefined; this uses the nearest uint.
SMALL uint amd_pack(float4 x) {
  uint4 bytes = __builtin_convertvector(MINIMUM(MAXIMUM(x, (float4)(0.0f)), (float4)(0x1.fffffep+31f)), uint4) & 255u;
  return bytes.s0 | bytes.s1 << 8 | bytes.s2 << 16 | bytes.s3 << 24;
}

#define ON_BYTES(N, ...) \
  SMALL V(float, N) amd_unpack0(V(uint, N) x) { return CONVERT(N, float, BYTE(x, 0)); } \
  SMALL V(float, N) amd_unpack1(V(uint, N) x) { return CONVERT(N, float, BYTE(x, 1)); } \
  SMALL V(float, N) amd_unpack2(V(uint, N) x) { return CONVERT(N, float, BYTE(x, 2)); } \
  SMALL V(float, N) amd_unpack3(V(uint, N) x) { return CONVERT(N, float, BYTE(x, 3)); } \
  SMALL V(uint, N) amd_bitalign(V(uint, N) high, V(uint, N) low, V(uint, N) bits) { \
    V(ulong, N) both = CONVERT(N, ulong, high) << 32u | CONVERT(N, ulong, low); \
    return CONVERT(N, uint, both >> CONVERT(N, ulong, bits & 31u)); \
  } \
  SMALL V(uint, N) amd_bytealign(V(uint, N) high, V(uint, N) low, V(uint, N) bytes) { \
    return amd_bitalign(high, low, (bytes & 3u) * 8u); \
  } \
  SMALL V(uint, N) amd_lerp(V(uint, N) x, V(uint, N) y, V(uint, N) z) { \
    return BYTE_MEAN(x, y, z, 0) + BYTE_MEAN(x, y, z, 1) + BYTE_MEAN(x, y, z, 2) + BYTE_MEAN(x, y, z, 3); \
  } \
  SMALL V(uint, N) amd_sad(V(uint, N) x, V(uint, N) y, V(uint, N) z) { return z + BYTE_DISTANCES(x, y); } \
  SMALL V(uint, N) amd_sadhi(V(uint, N) x, V(uint, N) y, V(uint, N) z) { return z + (BYTE_DISTANCES(x, y) << 16u); } \
  SMALL V(uint, N) amd_sadw(V(uint, N) x, V(uint, N) y, V(uint, N) z) { \
    return z + DISTANCE(x & 65535u, y & 65535u) + DISTANCE(x >> 16u, y >> 16u); \
  } \
  SMALL V(uint, N) amd_sadd(V(uint, N) x, V(uint, N) y, V(uint, N) z) { return z + DISTANCE(x, y); }
FOR_WIDTHS(ON_BYTES, )

SMALL uint amd_sad4(uint4 x, uint4 y, uint z) {
  uint4 sums = BYTE_DISTANCES(x, y);
  return z + sums.s0 + sums.s1 + sums.s2 + sums.s3;
}

// A byte of y that is 0 excludes its distance.
#define IF_SET(N, y, i, x) (BYTE(y, i) == 0u ? SPLAT(N, uint, 0) : (x))
#define MASKED_DISTANCE(N, x, y, i) IF_SET(N, y, i, BYTE_DISTANCE(x, y, i))
#define MASKED(N, ...) \
  SMALL V(uint, N) amd_msad(V(uint, N) x, V(uint, N) y, V(uint, N) z) { \
    return z + MASKED_DISTANCE(N, x, y, 0) + MASKED_DISTANCE(N, x, y, 1) + MASKED_DISTANCE(N, x, y, 2) + MASKED_DISTANCE(N, x, y, 3); \
  }
FOR_WIDTHS(MASKED, )

// Four sums of 16 bits: y plus the distances of four bytes of x, starting at each of the first four bytes.
#define FOUR_SUMS(function, x, y, z) \
  { \
    ulong sums = 0; \
    _Pragma("unroll") for (uint i = 0; i < 4; ++i) { \
      uint sum = function((uint)((x) >> i * 8), y, (uint)((z) >> i * 16) & 65535u); \
      sums |= (ulong)(sum & 65535u) << i * 16; \
    } \
    return sums; \
  }
SMALL ulong amd_qsad(ulong x, uint y, ulong z) FOUR_SUMS(amd_sad, x, y, z)
SMALL ulong amd_mqsad(ulong x, uint y, ulong z) FOUR_SUMS(amd_msad, x, y, z)
#define QUADS(N, ...) \
  SMALL V(ulong, N) amd_qsad(V(ulong, N) x, V(uint, N) y, V(ulong, N) z) BY_COMPONENT(N, ulong, amd_qsad(x[i], y[i], z[i])) \
  SMALL V(ulong, N) amd_mqsad(V(ulong, N) x, V(uint, N) y, V(ulong, N) z) BY_COMPONENT(N, ulong, amd_mqsad(x[i], y[i], z[i]))
FOR_VECTORS(QUADS, )

#define BIT_FIELDS(N, ...) \
  SMALL V(uint, N) amd_bfm(V(uint, N) width, V(uint, N) offset) { \
    return ((SPLAT(N, uint, 1) << (width & 31u)) - 1u) << (offset & 31u); \
  }
FOR_WIDTHS(BIT_FIELDS, )

// Shifts the field to the top, then down. A field that reaches beyond the word ends with the word.
#define EXTRACT(N, T) \
  SMALL V(T, N) amd_bfe(V(T, N) x, V(uint, N) offsets, V(uint, N) widths) { \
    V(uint, N) offset = offsets & 31u, width = widths & 31u; \
    V(uint, N) above = MAXIMUM(offset + width, SPLAT(N, uint, 32)) - (offset + width), unused = MINIMUM(above + offset, SPLAT(N, uint, 31)); \
    V(T, N) field = (V(T, N))(x << BITS(N, T, above)) >> BITS(N, T, unused); \
    return width == 0u ? SPLAT(N, T, 0) : field; \
  }
FOR_WIDTHS(EXTRACT, uint)
FOR_WIDTHS(EXTRACT, int)

// Floats are ordered as by fmin and fmax: NaNs are ignored.
DECLARED float fmin(float, float);
DECLARED float fmax(float, float);
#define DECLARE(N, ...) \
  DECLARED V(float, N) fmin(V(float, N), V(float, N)); \
  DECLARED V(float, N) fmax(V(float, N), V(float, N));
FOR_VECTORS(DECLARE, )
#define ORDER(N, T, least, greatest) \
  SMALL V(T, N) amd_min3(V(T, N) x, V(T, N) y, V(T, N) z) { return least(least(x, y), z); } \
  SMALL V(T, N) amd_max3(V(T, N) x, V(T, N) y, V(T, N) z) { return greatest(greatest(x, y), z); } \
  SMALL V(T, N) amd_median3(V(T, N) x, V(T, N) y, V(T, N) z) { return greatest(least(x, y), least(greatest(x, y), z)); }
FOR_WIDTHS(ORDER, uint, MINIMUM, MAXIMUM)
FOR_WIDTHS(ORDER, int, MINIMUM, MAXIMUM)
FOR_WIDTHS(ORDER, float, fmin, fmax)
