// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images as kernel arguments.
#ifndef UPSWEEP_RUNTIME_OBJECTS_IMAGE_ARGUMENT_H
#define UPSWEEP_RUNTIME_OBJECTS_IMAGE_ARGUMENT_H

#include "base/kernel_description.h"
#include "runtime/objects/image.h"

namespace upsweep {

class Device;

ImageUse use_of(const ArgumentDescription &argument);

/// CL_INVALID_MEM_OBJECT if the image does not match the argument's type, CL_INVALID_ARG_VALUE if its flags forbid the access.
Result<void> check_image_argument(const ArgumentDescription &argument, const Image &image);

/// CL_INVALID_IMAGE_SIZE or CL_IMAGE_FORMAT_NOT_SUPPORTED if `device` cannot access the image in this way.
Result<void> check_image_on(const Device &device, const Image &image, ImageUse use);

/// CL_OUT_OF_RESOURCES if the kernel has more image or sampler arguments than the device supports.
Result<void> check_image_counts(const KernelDescription &kernel, const Device &device);

}  // namespace upsweep
#endif
