// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images as kernels see them.
#ifndef UPSWEEP_RUNTIME_OBJECTS_IMAGE_DESCRIPTION_H
#define UPSWEEP_RUNTIME_OBJECTS_IMAGE_DESCRIPTION_H

#include "base/image_abi.h"
#include <cstdint>

namespace upsweep {

class Image;

/// `data`: the address of its first byte where the kernel runs.
UpsweepImage describe(const Image &image, uint64_t data);

}  // namespace upsweep
#endif
