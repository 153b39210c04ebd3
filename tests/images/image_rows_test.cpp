// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images that are copied row by row, with shifts beyond their edges: the texels of a sub-group are neighbours, some of them
// outside.
#include "image_runner.h"

namespace upsweep::tests {
namespace {

class ImageRowsTest : public ImageRunner, public testing::WithParamInterface<ImageType> {
protected:
  void check_copy(const std::string &kernel, const cl_image_format &format, const Sampler &sampler, cl_sampler handle);
};

void ImageRowsTest::check_copy(const std::string &kernel, const cl_image_format &format, const Sampler &sampler,
                               cl_sampler handle) {
  const Image from = random_image(GetParam(), format, Contents::kFinite);
  const DeviceImage source = create(from, CL_MEM_READ_ONLY), target = create(from, CL_MEM_WRITE_ONLY);
  ASSERT_NE(source.image, nullptr);
  ASSERT_NE(target.image, nullptr);
  IntCoordinate shift{};
  const bool sheared = kernel.starts_with("shear");
  if (sheared || kernel.starts_with("shift"))
    for (int32_t &s : shift) s = static_cast<int32_t>(below(9)) - 4;
  std::vector<Components> got(from.texels());
  cl_mem out = buffer_of(got.data(), got.size() * sizeof got[0]);
  use_kernel(kernel);
  set(0, source.image);
  set(1, target.image);
  set(2, out);
  set(3, shift);
  set(4, handle);
  ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 3, nullptr, from.size.data(), nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, got.size() * sizeof got[0], got.data(), 0, nullptr, nullptr);
  clReleaseMemObject(out);
  const auto copied = texels_of(from, target);
  for (size_t i = 0; i < got.size(); ++i) {
    const std::array<size_t, 3> id{i % from.size[0], i / from.size[0] % from.size[1], i / from.size[0] / from.size[1]};
    IntCoordinate at{};
    for (size_t d = 0; d < 3; ++d)
      at[d] = static_cast<int32_t>(id[d]) + shift[d] + static_cast<int32_t>(sheared && d > 0 ? id[0] >> d & 1 : 0);
    if (const auto wrong = wrong_read(from, sampler, at, got[i], Precision::kFloat)) FAIL() << kernel << ": " << *wrong;
    ASSERT_TRUE(may_be_stored(format, got[i], copied.data() + i * bytes_of_texel(format)))
        << kernel << ", " << name_of(format) << ", texel " << i;
  }
}

TEST_P(ImageRowsTest, GivenARowOfWorkItems_WhenTheyCopyTheirTexels_ThenAllAreCopied) {
  const bool sampled = GetParam().object != CL_MEM_OBJECT_IMAGE1D_BUFFER;
  for (const Kind kind : {Kind::kFloat, Kind::kSigned, Kind::kUnsigned}) {
    if (GetParam().depth && kind != Kind::kFloat) continue;
    release();
    const auto [status, log] = try_build("rows.cl", GetParam().options() + " -DKIND=" + std::to_string(static_cast<int>(kind)));
    ASSERT_EQ(status, CL_SUCCESS) << log;
    for (const cl_image_format &format : formats(GetParam(), CL_MEM_WRITE_ONLY)) {
      if (kind_of(format) != kind) continue;
      for (const cl_addressing_mode addressing : {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP}) {
        const Sampler sampler{false, addressing, CL_FILTER_NEAREST};
        const std::array<cl_sampler_properties, 7> properties{CL_SAMPLER_NORMALIZED_COORDS,
                                                              CL_FALSE,
                                                              CL_SAMPLER_ADDRESSING_MODE,
                                                              addressing,
                                                              CL_SAMPLER_FILTER_MODE,
                                                              CL_FILTER_NEAREST,
                                                              0};
        cl_sampler handle = clCreateSamplerWithProperties(context_, properties.data(), nullptr);
        check_copy("copy", format, sampler, handle);
        check_copy("channels", format, sampler, handle);
        for (const char *kernel : {"shift_ints", "shift_floats", "shear_ints", "shear_floats"})
          if (sampled) check_copy(kernel, format, sampler, handle);
        clReleaseSampler(handle);
        ASSERT_FALSE(HasFatalFailure());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, ImageRowsTest, testing::ValuesIn(kImageTypes),
                         [](const auto &type) { return std::string(type.param.name); });

}  // namespace
}  // namespace upsweep::tests
