// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture units' equivalents of image formats and samplers.
#ifndef UPSWEEP_TARGETS_CUDA_TEXTURE_FORMATS_H
#define UPSWEEP_TARGETS_CUDA_TEXTURE_FORMATS_H

#include "formats/image_format.h"
#include "targets/cuda/cuda_driver.h"
#include <optional>

namespace upsweep {

/// Settings of texture units for a format's texels.
struct TextureFormat {
  unsigned format;      ///< CUarray_format of a channel
  unsigned channels;    ///< 1, 2 or 4
  unsigned flags;       ///< of CudaSampler
  uint32_t order;       ///< UpsweepTexture::order
  bool is_opaque;       ///< alpha is 1, even if it is not stored
  bool border_differs;  ///< but the border's alpha is 0
};

/// Empty for formats that texture units lack: packed channels, three channels.
std::optional<TextureFormat> texture_format(const ImageFormat &format);

/// For a sampler's bits (base/sampler_bits.h). Empty if texture units behave differently.
std::optional<CudaSampler> texture_sampler(const ImageFormat &format, uint32_t sampler);

}  // namespace upsweep
#endif
