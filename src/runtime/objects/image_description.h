// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptions of images for kernels.
#ifndef UPSWEEP_RUNTIME_OBJECTS_IMAGE_DESCRIPTION_H
#define UPSWEEP_RUNTIME_OBJECTS_IMAGE_DESCRIPTION_H

#include "base/image_abi.h"
#include <cstdint>

namespace upsweep {

class Image;

/// `data`: the address of the image's first byte on the device.
UpsweepImage describe(const Image &image, uint64_t data);

}  // namespace upsweep
#endif
