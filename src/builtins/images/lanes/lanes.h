// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base of the image functions for the lanes of a sub-group: a vector has one element for each of LANES lanes. Compiled for x86-64
// levels (../../CMakeLists.txt), not into the portable library.
#pragma once
#include "base/image_abi.h"
#include "base/sampler_bits.h"

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define CAT3(a, b, c) CAT(CAT(a, b), c)

typedef CAT(float, LANES) F;
typedef CAT(int, LANES) I;
typedef CAT(uint, LANES) U;
typedef CAT(uchar, LANES) U8;
typedef CAT(ushort, LANES) U16;
typedef CAT(ulong, LANES) U64;
typedef const __constant struct UpsweepImage *image_ptr;

#define INLINE static inline __attribute__((always_inline))
/// A step shared by several functions.
#define PART static __attribute__((noinline))

/// Data exchanged between caller and function (passes/cpu/lanes/lane_images.cpp): the work-items' scalar arguments from in[0], and the
/// colours read or written. Colours are planar, or, with SIDE_BY_SIDE in the set of lanes, the work-items' vectors of four, one after
/// another.
union lanes {
  F f;
  I i;
  U u;
};
struct frame {
  union lanes in[4], colour[4];
};

// Lanes as bits (bit 0 for lane 0), and as vectors of 0 and -1.
#define SIDE_BY_SIDE (1u << 31)
#define ALL_LANES ((uint)((1UL << LANES) - 1))
#if LANES == 16
#define NUMBERS ((U)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
INLINE uint bits_of(I lanes) { return (ushort)__builtin_ia32_cvtd2mask512(lanes); }
INLINE I lanes_of(uint bits) { return __builtin_ia32_cvtmask2d512((ushort)bits); }
INLINE I nearest_int(F x) { return __builtin_ia32_cvtps2dq512_mask(x, (I)0, (ushort)-1, 4); }
#elif LANES == 8
#define NUMBERS ((U)(0, 1, 2, 3, 4, 5, 6, 7))
#ifdef __AVX2__
INLINE uint bits_of(I lanes) { return (uint)__builtin_ia32_movmskps256(as_float8(lanes)); }
INLINE I nearest_int(F x) { return __builtin_ia32_cvtps2dq256(x); }
#else
INLINE uint bits_of(I lanes) {
  return (uint)(__builtin_ia32_movmskps(as_float4(lanes.lo)) | __builtin_ia32_movmskps(as_float4(lanes.hi)) << 4);
}
INLINE I nearest_int(F x) { return (I)(__builtin_ia32_cvtps2dq(x.lo), __builtin_ia32_cvtps2dq(x.hi)); }
#endif
INLINE I lanes_of(uint bits) { return (((U)bits >> NUMBERS) & 1) != 0; }
#endif

/// Whether a set of lanes contains all lanes of another.
INLINE bool has_all(I lanes, uint wanted) { return (~bits_of(lanes) & wanted) == 0; }

#define MIN(a, b) __builtin_elementwise_min(a, b)
#define MAX(a, b) __builtin_elementwise_max(a, b)
#define FLOOR(x) __builtin_elementwise_floor(x)
#define TO_INT(x) __builtin_convertvector(x, I)
#define TO_FLOAT(x) __builtin_convertvector(as_i(x), F)

/// Texels may have any address, since an image may use application memory.
#define TEXEL(type) typedef type texel_##type __attribute__((aligned(1)));
TEXEL(uchar)
TEXEL(ushort)
TEXEL(uint)
TEXEL(ulong)
TEXEL(uint4)
TEXEL(U8)
TEXEL(U16)
TEXEL(U)
#define AT(type, address) (*(__global texel_##type *)(address))

/// M(0), M(1), ... for each lane.
#define FOR_8(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7)
#define FOR_16(M) FOR_8(M) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)
#define FOR_LANES(M) CAT(FOR_, LANES)(M)

/// Lanes' numbers in memory, from which computing an address is free; elements of a vector would first be moved to registers one by one.
struct numbers {
  U vector;
};
INLINE void spill(struct numbers *n, U vector) {
  n->vector = vector;
  __asm__("" : "+m"(n->vector));
}
#define NUMBER(n, lane) (((const uint *)&(n)->vector)[lane])

/// A loop over channels, which must be unrolled completely: arrays that it indexes would otherwise be in memory.
#define EACH_OF(k, count) _Pragma("unroll") for (int k = 0; k < (count); ++k)

/// A level of an image.
struct level {
  ulong data, row_pitch, slice_pitch;
  int width, height, depth;
};
INLINE struct level level_of(image_ptr image, uint number) {
  struct level l = {image->data,       image->row_pitch,   image->slice_pitch,
                    (int)image->width, (int)image->height, (int)image->depth};
  if (number != 0) {
    l.data += image->level_offset[number];
    l.width = MAX(l.width >> number, 1);
    l.height = MAX(l.height >> number, 1);
    l.depth = MAX(l.depth >> number, 1);
    l.row_pitch = (ulong)l.width * image->texel_bytes;
    l.slice_pitch = l.row_pitch * l.height;
  }
  return l;
}
/// Whether 32 bits can address all texels of a layer.
INLINE bool is_near(struct level l) { return l.slice_pitch * l.depth >> 32 == 0; }

/// Runs the statements once for each distinct value of the set's lanes; `same` is the set of lanes with that value.
#define FOR_EACH_VALUE(value, same, values, set, ...) \
  { \
    struct numbers of_lanes; \
    spill(&of_lanes, as_u(values)); \
    for (uint left = set, same; left; left &= ~same) { \
      const int value = (int)NUMBER(&of_lanes, __builtin_ctz(left)); \
      same = bits_of((values) == value) & left; \
      __VA_ARGS__ \
    } \
  }
#define as_u(x) __builtin_astype(x, U)
#define as_i(x) __builtin_astype(x, I)
#define as_f(x) __builtin_astype(x, F)
