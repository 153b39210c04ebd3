// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks common to commands on images.
#ifndef UPSWEEP_API_IMAGE_CHECKS_H
#define UPSWEEP_API_IMAGE_CHECKS_H

#include "runtime/objects/image.h"
#include "runtime/objects/queue.h"

namespace upsweep {

/// The image, if a command of `queue` may use it.
Result<Image *> check_image(const Queue &queue, cl_mem handle);

/// Checks a region of an image: CL_INVALID_VALUE, CL_INVALID_MIP_LEVEL. `name`: the argument with the origin.
Result<ImageRegion> check_image_region(const Image &image, const size_t *origin, const size_t *region, const char *name);

/// Whether the queue's device can use the image. The specification lists these errors after the wait list's errors.
Result<void> check_image_device(const Queue &queue, const Image &image);

}  // namespace upsweep
#endif
