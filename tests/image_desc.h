// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of images that a test makes.
#ifndef UPSWEEP_TESTS_IMAGE_DESC_H
#define UPSWEEP_TESTS_IMAGE_DESC_H

#include <CL/cl.h>

namespace upsweep::tests {

inline cl_image_desc desc_of(cl_mem_object_type type, size_t width, size_t height = 0, size_t depth = 0, size_t layers = 0) {
  cl_image_desc desc{};
  desc.image_type = type;
  desc.image_width = width;
  desc.image_height = height;
  desc.image_depth = depth;
  desc.image_array_size = layers;
  return desc;
}

}  // namespace upsweep::tests
#endif
