// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the commands on images share.
#ifndef UPSWEEP_API_IMAGE_CHECKS_H
#define UPSWEEP_API_IMAGE_CHECKS_H

#include "runtime/objects/image.h"
#include "runtime/objects/queue.h"

namespace upsweep {

/// An image that a command of `queue` may use.
Result<Image *> check_image(const Queue &queue, cl_mem handle);

/// A region of an image: CL_INVALID_VALUE, CL_INVALID_MIP_LEVEL. `name`: of the argument that gives the origin.
Result<ImageRegion> check_image_region(const Image &image, const size_t *origin, const size_t *region, const char *name);

/// What the specification lists after the wait list's errors: whether the queue's device can use the image.
Result<void> check_image_device(const Queue &queue, const Image &image);

}  // namespace upsweep
#endif
