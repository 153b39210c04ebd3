// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries of images in kernels: Table 25 of the OpenCL C specification.
#include "image_runner.h"

namespace upsweep::tests {
namespace {

class ImageQueryTest : public ImageRunner, public testing::WithParamInterface<ImageType> {};

/// The order of query.cl.
std::vector<cl_int> answers_of(const Image &image) {
  const auto size = [&](unsigned d) { return static_cast<cl_int>(image.size[d]); };
  const unsigned dimensions = image.dimensions();
  const bool has_dim = dimensions > 1;
  return {size(0),
          dimensions > 1 ? size(1) : 0,
          dimensions > 2 ? size(2) : 0,
          image.is_array() ? size(dimensions) : 0,
          has_dim ? size(0) : 0,
          has_dim ? size(1) : 0,
          dimensions > 2 ? size(2) : 0,
          0,
          static_cast<cl_int>(image.format.image_channel_data_type),
          static_cast<cl_int>(image.format.image_channel_order)};
}

TEST_P(ImageQueryTest, GivenAnImage_WhenAKernelAsks_ThenItIsToldSizeAndFormat) {
  Image shape;
  shape.type = GetParam().object;
  const std::string options =
      GetParam().options() + " -DDIMENSIONS=" + std::to_string(shape.dimensions()) + (shape.is_array() ? " -DARRAY" : "");
  const auto [status, log] = try_build("query.cl", options);
  ASSERT_EQ(status, CL_SUCCESS) << log;
  for (const auto &[access, flags] : {std::pair<const char *, cl_mem_flags>{"read_only", CL_MEM_READ_ONLY},
                                      {"write_only", CL_MEM_WRITE_ONLY},
                                      {"read_write", CL_MEM_KERNEL_READ_AND_WRITE}})
    for (const cl_image_format &format : formats(GetParam(), flags)) {
      const Image image = random_image(GetParam(), format, Contents::kAnyBits);
      const DeviceImage object = create(image, flags == CL_MEM_KERNEL_READ_AND_WRITE ? CL_MEM_READ_WRITE : flags);
      ASSERT_NE(object.image, nullptr);
      constexpr size_t kWorkItems = 3;
      const auto wanted = answers_of(image);
      std::vector<cl_int> got(wanted.size() * kWorkItems, -1);
      cl_mem out = buffer_of(got.data(), got.size() * sizeof(cl_int));
      use_kernel(std::string("query_") + access);
      set(0, object.image);
      set(1, out);
      launch(kWorkItems);
      clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, got.size() * sizeof(cl_int), got.data(), 0, nullptr, nullptr);
      clReleaseMemObject(out);
      for (size_t i = 0; i < got.size(); ++i)
        ASSERT_EQ(got[i], wanted[i % wanted.size()]) << GetParam().name << " " << name_of(format) << ", answer " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Types, ImageQueryTest, testing::ValuesIn(kImageTypes),
                         [](const auto &type) { return std::string(type.param.name); });

}  // namespace
}  // namespace upsweep::tests
