// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices without images, alone and together with a device that has them.
#include "../image_desc.h"
#include "separate_fixture.h"

namespace upsweep::tests {
namespace {

using NoImages = SeparateFixture;

constexpr cl_image_format kFormat{CL_RGBA, CL_FLOAT};

TEST_F(NoImages, GivenDevicesWithoutImages_WhenTheyAreUsed_ThenTheSpecifiedErrors) {
  open({kFirst, kSecond});
  cl_int error = 0;
  const cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  EXPECT_EQ(clCreateImage(context_, 0, &kFormat, &desc, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_OPERATION);
  EXPECT_EQ(clCreateSamplerWithProperties(context_, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_OPERATION);
  cl_uint formats = 7;
  EXPECT_EQ(clGetSupportedImageFormats(context_, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &formats), CL_SUCCESS);
  EXPECT_EQ(formats, 0u);
}

TEST_F(NoImages, GivenAnImageOfTheCpu_WhenADeviceWithoutImagesShallReadIt_ThenInvalidOperation) {
  cl_int error = -1;
  const cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  cl_mem image = clCreateImage(context_, 0, &kFormat, &desc, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  const size_t origin[3] = {}, region[3] = {4, 4, 1};
  std::vector<float> texels(64);
  EXPECT_EQ(clEnqueueReadImage(queues_[kFirst], image, CL_TRUE, origin, region, 0, 0, texels.data(), 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueReadImage(queues_[kCpu], image, CL_TRUE, origin, region, 0, 0, texels.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(image), CL_SUCCESS);
}

}  // namespace
}  // namespace upsweep::tests
