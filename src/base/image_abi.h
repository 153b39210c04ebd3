// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Image arguments of kernels: the address of an UpsweepImage on the device. A sampler is 64 bits (base/sampler_bits.h). Plain C
// that OpenCL C can include; a part of the targets' contracts (kernel_abi.h).
#ifndef UPSWEEP_BASE_IMAGE_ABI_H
#define UPSWEEP_BASE_IMAGE_ABI_H

#include "formats/image_component.h"

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

/// Formats that are so common that writes of single texels have a fast path, instead of three branches on the format.
enum UpsweepUsual { UPSWEEP_UNUSUAL, UPSWEEP_USUAL_4_UNORM8, UPSWEEP_USUAL_4_HALF, UPSWEEP_USUAL_WORD, UPSWEEP_USUAL_4_WORDS };

enum { UPSWEEP_CHANNEL_ZERO = 4, UPSWEEP_CHANNEL_ONE = 5, UPSWEEP_MOST_LEVELS = 16 };

/// Constant while a kernel runs; aligned to 64 bytes.
struct UpsweepImage {
  upsweep_u64 data;  ///< the address of texel (0, 0, 0) of level 0
  /// bytes, row_pitch below 2^32; slice_pitch is of a slice of a volume or of a layer
  upsweep_u64 row_pitch, slice_pitch;
  upsweep_u32 width, height, depth, layers;  ///< texels; 1 for dimensions that the type lacks
  upsweep_u32 channel_order, channel_type;   ///< the CL_ values
  upsweep_u8 component;                      ///< UpsweepComponent
  upsweep_u8 components;                     ///< stored channels, 1 to 4
  /// 0 for channels of 8 bits and packed formats, 4 for 16, 8 for 32, plus channels - 1 (packed: bytes - 1)
  upsweep_u8 storage;
  upsweep_u8 texel_bytes;
  upsweep_u8 swizzle[4];        ///< source of r, g, b and a: a stored channel, UPSWEEP_CHANNEL_ZERO or _ONE
  upsweep_u8 border_alpha_one;  ///< the border colour is (0, 0, 0, 1), not (0, 0, 0, 0)
  upsweep_u8 levels;            ///< mip levels; 1 for images without mip levels
  upsweep_u8 usual;             ///< UpsweepUsual
  upsweep_u8 reserved[5];
  upsweep_u64 level_offset[UPSWEEP_MOST_LEVELS];  ///< bytes from data; levels have no gaps between rows and slices
};

#endif
