// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Image formats and samplers in the terms of texture units.
#ifndef UPSWEEP_TARGETS_CUDA_TEXTURE_FORMATS_H
#define UPSWEEP_TARGETS_CUDA_TEXTURE_FORMATS_H

#include "base/image_format.h"
#include "targets/cuda/cuda_driver.h"
#include <optional>

namespace upsweep {

/// How texture units read a format's texels.
struct TextureFormat {
  unsigned format;      ///< CUarray_format, of a channel
  unsigned channels;    ///< 1, 2 or 4
  unsigned flags;       ///< of CudaSampler
  uint32_t order;       ///< UpsweepTexture::order
  bool is_opaque;       ///< alpha is 1, also where it is not stored
  bool border_differs;  ///< the border's alpha is 0 nevertheless
};

/// Nothing for formats that texture units lack: packed channels, three channels.
std::optional<TextureFormat> texture_format(const ImageFormat &format);

/// Of a sampler's bits (base/sampler_bits.h). Nothing for what texture units do otherwise.
std::optional<CudaSampler> texture_sampler(const ImageFormat &format, uint32_t sampler);

}  // namespace upsweep
#endif
