// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The images and the launch of a case of image_checks.cl.
#ifndef UPSWEEP_TESTS_KERNELS_IMAGE_CHECKS_H
#define UPSWEEP_TESTS_KERNELS_IMAGE_CHECKS_H

#include <CL/cl.h>
#include <cstddef>
#include <gtest/gtest.h>

namespace upsweep::tests {

/// An image of 16 x 16 ints; with `layers`, an array of this number of images.
inline cl_mem int_image(cl_context context, size_t layers) {
  const cl_image_format format{CL_R, CL_SIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = layers ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 16;
  desc.image_array_size = layers;
  cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, nullptr, nullptr);
  EXPECT_NE(image, nullptr);
  return image;
}

/// Runs the kernel with a work-item for each texel, and a work-group for each row.
inline void run_for_texels(cl_command_queue queue, cl_kernel kernel) {
  const size_t items[2] = {16, 16}, local[2] = {16, 1};
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, items, local, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

}  // namespace upsweep::tests
#endif
