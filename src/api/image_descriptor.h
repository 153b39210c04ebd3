// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of clCreateImage's arguments.
#ifndef UPSWEEP_API_IMAGE_DESCRIPTOR_H
#define UPSWEEP_API_IMAGE_DESCRIPTOR_H

#include "runtime/objects/image.h"

namespace upsweep {

/// The arguments of clCreateImageWithProperties after the context and the properties.
struct ImageRequest {
  cl_mem_flags flags;
  const cl_image_format *format;
  const cl_image_desc *desc;
  void *host_ptr;
};

/// CL_INVALID_OPERATION if no device of the context supports images.
Result<void> check_has_images(const Context &context);

/// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if it is not a valid format.
Result<ImageFormat> check_image_format(const cl_image_format *format);

/// The object whose memory the image will share; null if the image gets its own. CL_INVALID_IMAGE_DESCRIPTOR.
Result<MemoryObject *> check_image_parent(const Context &context, const cl_image_desc *desc);

/// All other checks except those of flags.
Result<Image::Description> check_image_request(const Context &context, const ImageRequest &request, const ImageFormat &format,
                                               MemoryObject *parent);

}  // namespace upsweep
#endif
