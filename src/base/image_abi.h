// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel reads of an image: an image argument is the address of an UpsweepImage where the kernel runs, a sampler 64 bits
// (base/sampler_bits.h). Plain C that OpenCL C can include; a part of the targets' contracts (kernel_abi.h).
#ifndef UPSWEEP_BASE_IMAGE_ABI_H
#define UPSWEEP_BASE_IMAGE_ABI_H

#ifdef __OPENCL_C_VERSION__
typedef uchar upsweep_u8;
typedef uint upsweep_u32;
typedef ulong upsweep_u64;
#else
#include <stdint.h>
// NOLINTBEGIN(modernize-use-using): C
typedef uint8_t upsweep_u8;
typedef uint32_t upsweep_u32;
typedef uint64_t upsweep_u64;
// NOLINTEND(modernize-use-using)
#endif

/// How a stored channel is read. Bits of a texel count from the lowest address on.
enum UpsweepComponent {
  UPSWEEP_UNORM8,
  UPSWEEP_SNORM8,
  UPSWEEP_UNORM16,
  UPSWEEP_SNORM16,
  UPSWEEP_SINT8,
  UPSWEEP_SINT16,
  UPSWEEP_SINT32,
  UPSWEEP_UINT8,
  UPSWEEP_UINT16,
  UPSWEEP_UINT32,
  UPSWEEP_HALF,
  UPSWEEP_FLOAT,
  UPSWEEP_UNORM565,
  UPSWEEP_UNORM555,
  UPSWEEP_UNORM101010,
  UPSWEEP_UNORM101010_2,
  UPSWEEP_SRGB8  ///< the fourth channel, if there is one, is linear
};

/// What single texels of the commonest formats, in their usual order, are written by instead of three branches on the format.
enum UpsweepUsual { UPSWEEP_UNUSUAL, UPSWEEP_USUAL_4_UNORM8, UPSWEEP_USUAL_4_HALF, UPSWEEP_USUAL_WORD, UPSWEEP_USUAL_4_WORDS };

enum { UPSWEEP_CHANNEL_ZERO = 4, UPSWEEP_CHANNEL_ONE = 5, UPSWEEP_MOST_LEVELS = 16 };

/// Constant while a kernel runs; aligned to 64 bytes.
struct UpsweepImage {
  upsweep_u64 data;                          ///< the address of texel (0, 0, 0) of level 0
  upsweep_u64 row_pitch, slice_pitch;        ///< bytes, the former less than 2^32; the latter of a slice of a volume or a layer
  upsweep_u32 width, height, depth, layers;  ///< texels; 1 where the type has none
  upsweep_u32 channel_order, channel_type;   ///< the CL_ values
  upsweep_u8 component;                      ///< UpsweepComponent
  upsweep_u8 components;                     ///< stored channels, 1 to 4
  upsweep_u8 storage;  ///< 0 for channels of 8 bits and packed ones, 4 of 16, 8 of 32, plus channels - 1 (packed: bytes - 1)
  upsweep_u8 texel_bytes;
  upsweep_u8 swizzle[4];        ///< where r, g, b and a come from: a stored channel, UPSWEEP_CHANNEL_ZERO or _ONE
  upsweep_u8 border_alpha_one;  ///< the border colour is (0, 0, 0, 1), not (0, 0, 0, 0)
  upsweep_u8 levels;            ///< mip levels, 1 without
  upsweep_u8 usual;             ///< UpsweepUsual
  upsweep_u8 reserved[5];
  upsweep_u64 level_offset[UPSWEEP_MOST_LEVELS];  ///< bytes from data; rows and slices of the levels have no gaps
};

#endif
