// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data after the UpsweepGrid (kernel_abi.h) of a kernel that reads images through textures, for each pair of an image and a
// sampler. Plain C that OpenCL C can include.
#ifndef UPSWEEP_TARGETS_CUDA_TEXTURE_ABI_H
#define UPSWEEP_TARGETS_CUDA_TEXTURE_ABI_H

#include "base/image_abi.h"

/// Limit of pairs; kernels with more read their images by code.
#define UPSWEEP_CUDA_MOST_TEXTURES 16

struct UpsweepTexture {
  upsweep_u64 handle;                ///< the CUDA driver's texture object
  upsweep_u32 width, height, depth;  ///< texels as in UpsweepImage; for arrays, depth is the number of layers
  upsweep_u32 order;                 ///< the CL_ value, or 0 if the hardware's r, g and b equal the image's
  upsweep_u32 is_opaque;             ///< alpha is 1; the hardware returns the stored value, or 0
  upsweep_u32 border_alpha;          ///< alpha of CLK_ADDRESS_CLAMP's border colour (0, 0, 0, alpha)
};

/// The pair as numbers of the kernel's arguments, or a sampler's bits.
struct UpsweepTextureUse {
  upsweep_u32 image;
  upsweep_u32 sampler;
  upsweep_u32 sampler_is_argument;
};

#endif
