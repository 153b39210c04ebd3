// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images that a GPU and the CPU of a context share.
#include "gpu_fixture.h"
#include <algorithm>
#include <array>
#include <random>

namespace upsweep::tests {
namespace {

using Size3 = std::array<size_t, 3>;

/// A volume of bytes, and its texels in the application's memory.
class GpuImages : public GpuFixture {
protected:
  static constexpr Size3 kExtent{37, 9, 5};
  static constexpr size_t kTexel = 3, kRow = 40 * kTexel, kSlice = 11 * kRow;

  unsigned char &model(size_t x, size_t y, size_t z) { return model_[(z * kExtent[1] + y) * kExtent[0] * kTexel + x]; }

  size_t draw(size_t last) { return std::uniform_int_distribution<size_t>(0, last)(random_); }
  void draw_region() {
    for (int i = 0; i < 3; ++i) {
      region_[i] = 1 + draw(kExtent[i] - 1);
      origin_[i] = draw(kExtent[i] - region_[i]);
    }
  }
  template <typename Visit>
  void each_byte(Visit &&visit) {
    for (size_t z = 0; z < region_[2]; ++z)
      for (size_t y = 0; y < region_[1]; ++y)
        for (size_t x = 0; x < region_[0] * kTexel; ++x)
          visit(x, y, z, model(origin_[0] * kTexel + x, origin_[1] + y, origin_[2] + z));
  }

  void write(cl_command_queue queue) {
    std::vector<unsigned char> bytes(kTexel * region_[0] * region_[1] * region_[2]);
    for (unsigned char &byte : bytes) byte = static_cast<unsigned char>(random_());
    each_byte([&, i = size_t{0}](size_t, size_t, size_t, unsigned char &byte) mutable { byte = bytes[i++]; });
    EXPECT_EQ(
        clEnqueueWriteImage(queue, image_, CL_TRUE, origin_.data(), region_.data(), 0, 0, bytes.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
  }
  void fill(cl_command_queue queue) {
    const std::array<cl_uint, 4> color{static_cast<cl_uint>(draw(255)), static_cast<cl_uint>(draw(255)),
                                       static_cast<cl_uint>(draw(255)), 0};
    each_byte([&](size_t x, size_t, size_t, unsigned char &byte) { byte = static_cast<unsigned char>(color[x % kTexel]); });
    EXPECT_EQ(clEnqueueFillImage(queue, image_, color.data(), origin_.data(), region_.data(), 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  }
  void map(cl_command_queue queue, cl_map_flags flags) {
    size_t row = 0, slice = 0;
    cl_int error = -1;
    auto *bytes = static_cast<unsigned char *>(clEnqueueMapImage(queue, image_, CL_TRUE, flags, origin_.data(), region_.data(),
                                                                 &row, &slice, 0, nullptr, nullptr, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    size_t wrong = 0;
    each_byte([&](size_t x, size_t y, size_t z, unsigned char &byte) {
      unsigned char &mapped = bytes[z * slice + y * row + x];
      if (flags & CL_MAP_READ) wrong += mapped != byte;
      if (flags != CL_MAP_READ) mapped = byte = static_cast<unsigned char>(random_());
    });
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, image_, bytes, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  }
  void expect_model(cl_command_queue queue) {
    const Size3 zero{};
    std::vector<unsigned char> got(model_.size());
    EXPECT_EQ(clEnqueueReadImage(queue, image_, CL_TRUE, zero.data(), kExtent.data(), 0, 0, got.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(got, model_);
  }

  std::mt19937 random_{4};
  std::vector<unsigned char> model_ = std::vector<unsigned char>(kTexel * kExtent[0] * kExtent[1] * kExtent[2]);
  Size3 origin_{}, region_{};
  cl_mem image_ = nullptr;
};

TEST_F(GpuImages, GivenAnImageOfTwoDevices_WhenBothWriteItInTurn_ThenNothingIsLost) {
  const cl_image_format format{CL_RGB, CL_UNSIGNED_INT8};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE3D;
  desc.image_width = kExtent[0];
  desc.image_height = kExtent[1];
  desc.image_depth = kExtent[2];
  desc.image_row_pitch = kRow;
  desc.image_slice_pitch = kSlice;
  std::vector<unsigned char> host(kSlice * kExtent[2]);
  for (cl_mem_flags flags : {cl_mem_flags{0}, cl_mem_flags{CL_MEM_COPY_HOST_PTR}, cl_mem_flags{CL_MEM_USE_HOST_PTR}}) {
    if (!flags) desc.image_row_pitch = desc.image_slice_pitch = 0;
    cl_int error = -1;
    image_ = clCreateImage(context_, flags, &format, &desc, flags ? host.data() : nullptr, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    desc.image_row_pitch = kRow;
    desc.image_slice_pitch = kSlice;
    const cl_command_queue queues[] = {queue_, make_queue(cpu_, 0)};
    region_ = kExtent;
    origin_ = {};
    write(queues[draw(1)]);
    for (int round = 0; round < 120; ++round) {
      draw_region();
      const cl_command_queue queue = queues[draw(1)];
      switch (draw(4)) {
      case 0: write(queue); break;
      case 1: fill(queue); break;
      case 2: map(queue, CL_MAP_READ); break;
      case 3: map(queue, CL_MAP_READ | CL_MAP_WRITE); break;
      case 4: map(queue, CL_MAP_WRITE_INVALIDATE_REGION); break;
      }
      if (draw(3) == 0) expect_model(queues[draw(1)]);
      if (HasFailure()) return;
    }
    for (cl_command_queue queue : queues) expect_model(queue);
    EXPECT_EQ(clReleaseMemObject(image_), CL_SUCCESS);
  }
}

TEST_F(GpuImages, GivenABufferOnTheGpu_WhenReadAsAnImage_ThenItsBytesComeAlong) {
  cl_mem buffer = make_ints(counting(64));
  ASSERT_EQ(add(queue_, buffer, 100, 64), CL_SUCCESS);
  const cl_image_format format{CL_R, CL_SIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 8;
  desc.mem_object = buffer;
  cl_int error = -1;
  cl_mem image = clCreateImage(context_, 0, &format, &desc, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  const Size3 origin{2, 3, 0}, region{3, 2, 1};
  for (cl_command_queue queue : {queue_, make_queue(cpu_, 0)}) {
    std::array<int, 6> got{};
    EXPECT_EQ(clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0, got.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(got, (std::array<int, 6>{127, 128, 129, 135, 136, 137}));
  }
  EXPECT_EQ(clReleaseMemObject(image), CL_SUCCESS);
}

}  // namespace
}  // namespace upsweep::tests
