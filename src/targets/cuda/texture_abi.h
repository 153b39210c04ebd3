// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel that reads images by textures gets for each pair of an image and a sampler, behind its UpsweepGrid
// (kernel_abi.h). Plain C that OpenCL C can include.
#ifndef UPSWEEP_TARGETS_CUDA_TEXTURE_ABI_H
#define UPSWEEP_TARGETS_CUDA_TEXTURE_ABI_H

#include "base/image_abi.h"

/// Pairs of a kernel; one with more reads its images by code.
#define UPSWEEP_CUDA_MOST_TEXTURES 16

struct UpsweepTexture {
  upsweep_u64 handle;                ///< the CUDA driver's texture object
  upsweep_u32 width, height, depth;  ///< texels as in UpsweepImage; of arrays the depth is the number of layers
  upsweep_u32 order;                 ///< the CL_ value, or 0 where the hardware's r, g and b are the image's
  upsweep_u32 is_opaque;             ///< alpha is 1, for which the hardware gives what is stored, or 0
  upsweep_u32 border_alpha;          ///< of CLK_ADDRESS_CLAMP's colour (0, 0, 0, alpha)
};

/// Such a pair: arguments of the kernel by their numbers, or a sampler's bits.
struct UpsweepTextureUse {
  upsweep_u32 image;
  upsweep_u32 sampler;
  upsweep_u32 sampler_is_argument;
};

#endif
