// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image with a pitch so large that 32-bit offsets do not reach all rows.
#include "image_runner.h"

#include <sys/mman.h>

#include <cstring>

namespace upsweep::tests {
namespace {

constexpr size_t kPitch = size_t{1} << 30;

class FarImagesTest : public ImageRunner {
protected:
  void SetUp() override {
    ImageRunner::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    if (figure_of<cl_device_type>(device_, CL_DEVICE_TYPE) != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "the device copies the image";
    image_.type = CL_MEM_OBJECT_IMAGE2D;
    image_.format = {CL_RGBA, CL_UNORM_INT8};
    image_.size = {40, 5, 1};
    image_.bytes.resize(image_.texels() * 4);
    for (unsigned char &byte : image_.bytes) byte = static_cast<unsigned char>(random_());
    image_.decode();
    bytes_ = kPitch * image_.size[1];
    if (figure_of<cl_ulong>(device_, CL_DEVICE_MAX_MEM_ALLOC_SIZE) < bytes_) GTEST_SKIP() << "the device has not enough memory";
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) GTEST_SKIP() << "no addresses for the image";
    for (size_t y = 0; y < image_.size[1]; ++y) std::memcpy(row(y), image_.bytes.data() + y * 160, 160);
    cl_image_desc desc{};
    desc.image_type = image_.type;
    desc.image_width = image_.size[0];
    desc.image_height = image_.size[1];
    desc.image_row_pitch = kPitch;
    cl_int status = CL_SUCCESS;
    object_.image = clCreateImage(context_, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, &image_.format, &desc, memory_, &status);
    ASSERT_EQ(status, CL_SUCCESS);
  }
  void TearDown() override {
    object_ = DeviceImage();
    if (memory_ && memory_ != MAP_FAILED) munmap(memory_, bytes_);
    ImageRunner::TearDown();
  }
  unsigned char *row(size_t y) { return static_cast<unsigned char *>(memory_) + y * kPitch; }

  Image image_;
  DeviceImage object_;
  size_t bytes_ = 0;
  void *memory_ = nullptr;
};

TEST_F(FarImagesTest, GivenRowsFarApart_WhenRead_ThenTheirTexelsAreFound) {
  const auto [built, log] = try_build("read.cl", kImageTypes[3].options());
  ASSERT_EQ(built, CL_SUCCESS) << log;
  for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
    const Sampler sampler{false, CL_ADDRESS_CLAMP, filter};
    const std::array<cl_sampler_properties, 7> properties{CL_SAMPLER_NORMALIZED_COORDS,
                                                          CL_FALSE,
                                                          CL_SAMPLER_ADDRESSING_MODE,
                                                          sampler.addressing,
                                                          CL_SAMPLER_FILTER_MODE,
                                                          filter,
                                                          0};
    cl_sampler handle = clCreateSamplerWithProperties(context_, properties.data(), nullptr);
    const auto at = random_coordinates(image_, sampler);
    const auto got = read("read_imagef_at_floats", object_, at, handle);
    clReleaseSampler(handle);
    for (size_t i = 0; i < at.size(); ++i)
      if (const auto wrong = wrong_read(image_, sampler, at[i], got[i], Precision::kFloat)) FAIL() << *wrong;
  }
}

TEST_F(FarImagesTest, GivenRowsFarApart_WhenWritten_ThenTheirTexelsChange) {
  const auto [built, log] = try_build("write.cl", kImageTypes[3].options());
  ASSERT_EQ(built, CL_SUCCESS) << log;
  std::vector<IntCoordinate> at(image_.texels());
  std::vector<std::array<float, 4>> colours(at.size());
  std::vector<cl_int> writes(at.size());
  for (size_t i = 0; i < at.size(); ++i) {
    at[i] = {static_cast<int32_t>(i % 40), static_cast<int32_t>(i / 40), 0, 0};
    writes[i] = one_in(2);
    for (size_t c = 0; c < 4; ++c) {
      const auto code = static_cast<unsigned char>(random_());
      colours[i][c] = static_cast<float>(code) / 255.0F;
      if (writes[i]) image_.bytes[i * 4 + c] = code;
    }
  }
  cl_mem places = buffer_of(at.data(), at.size() * sizeof at[0]),
         values = buffer_of(colours.data(), colours.size() * sizeof colours[0]),
         chosen = buffer_of(writes.data(), writes.size() * sizeof(cl_int));
  use_kernel("write_imagef_once");
  set(0, object_.image);
  set(1, places);
  set(2, values);
  set(3, chosen);
  launch(at.size());
  clFinish(queue_);
  for (cl_mem buffer : {places, values, chosen}) clReleaseMemObject(buffer);
  for (size_t y = 0; y < image_.size[1]; ++y) EXPECT_EQ(std::memcmp(row(y), image_.bytes.data() + y * 160, 160), 0) << y;
}

}  // namespace
}  // namespace upsweep::tests
