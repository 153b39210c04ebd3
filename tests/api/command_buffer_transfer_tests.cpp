// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer: each command that moves memory, against loops on the host.
#include "command_buffer_fixture.h"
#include <array>

namespace upsweep::tests {
namespace {

constexpr size_t kWidth = 16, kHeight = 8;

class CommandBufferTransferTest : public CommandBufferFixture {
protected:
  void SetUp() override {
    CommandBufferFixture::SetUp();
    buffer_ = create(in_order_);
  }
  void TearDown() override {
    release(buffer_);
    CommandBufferFixture::TearDown();
  }
  cl_mem make_image(const Values &texels) {
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = kWidth;
    desc.image_height = kHeight;
    cl_int error = -1;
    cl_mem image =
        keep(clCreateImage(context_, CL_MEM_COPY_HOST_PTR, &format, &desc, const_cast<uint32_t *>(texels.data()), &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return image;
  }
  Values texels_of(cl_mem image) {
    Values texels(kWidth * kHeight, 0xdeadbeef);
    const size_t origin[] = {0, 0, 0}, region[] = {kWidth, kHeight, 1};
    EXPECT_EQ(clEnqueueReadImage(in_order_, image, CL_TRUE, origin, region, 0, 0, texels.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return texels;
  }
  static Values counting_values(size_t count, uint32_t first = 0) {
    Values values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
  }
  void run_recorded() {
    finalize(buffer_);
    enqueue(buffer_);
    EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  }
  cl_command_buffer_khr buffer_ = nullptr;
};

TEST_F(CommandBufferTransferTest, GivenAFillAndACopy_WhenRun_ThenOnlyTheirBytesChange) {
  cl_mem from = make_values(counting_values(64)), to = make_values(Values(64, 0xabababab));
  const uint16_t pattern = 0x1234;
  EXPECT_EQ(cl_.clCommandFillBufferKHR(buffer_, nullptr, nullptr, from, &pattern, 2, 8, 6, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(cl_.clCommandCopyBufferKHR(buffer_, nullptr, nullptr, from, to, 4, 16, 20, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  run_recorded();
  Values source = counting_values(64), result(64, 0xabababab);
  source[2] = 0x12341234;
  source[3] = (source[3] & 0xffff0000) | 0x1234;
  std::copy_n(source.begin() + 1, 5, result.begin() + 4);
  EXPECT_EQ(values_of(from), source);
  EXPECT_EQ(values_of(to), result);
}

TEST_F(CommandBufferTransferTest, GivenARectangle_WhenCopied_ThenOnlyItsBytesChange) {
  cl_mem from = make_values(counting_values(16 * 8)), to = make_values(Values(10 * 10, 0xabababab));
  const size_t src[] = {8, 1, 0}, dst[] = {4, 2, 0}, region[] = {20, 3, 1};
  EXPECT_EQ(cl_.clCommandCopyBufferRectKHR(buffer_, nullptr, nullptr, from, to, src, dst, region, 64, 0, 40, 0, 0, nullptr,
                                           nullptr, nullptr),
            CL_SUCCESS);
  run_recorded();
  Values result(10 * 10, 0xabababab);
  for (uint32_t y = 0; y < 3; ++y)
    for (uint32_t x = 0; x < 5; ++x) result[(2 + y) * 10 + 1 + x] = (1 + y) * 16 + 2 + x;
  EXPECT_EQ(values_of(to), result);
}

TEST_F(CommandBufferTransferTest, GivenImages_WhenFilledAndCopied_ThenTheirTexelsAreTheModels) {
  if (!figure_of<cl_bool>(device_, CL_DEVICE_IMAGE_SUPPORT)) GTEST_SKIP() << "the device has no images";
  Values a = counting_values(kWidth * kHeight), b(kWidth * kHeight, 0xabababab), c = counting_values(64, 1000),
         d(64, 0xcdcdcdcd);
  cl_mem image_a = make_image(a), image_b = make_image(b), from = make_values(c), to = make_values(d);
  const cl_uint colour[] = {1, 2, 3, 4};
  const size_t fill_origin[] = {2, 1, 0}, fill_region[] = {3, 2, 1};
  EXPECT_EQ(cl_.clCommandFillImageKHR(buffer_, nullptr, nullptr, image_a, colour, fill_origin, fill_region, 0, nullptr, nullptr,
                                      nullptr),
            CL_SUCCESS);
  const size_t copy_from[] = {1, 1, 0}, copy_to[] = {5, 3, 0}, copy_region[] = {6, 4, 1};
  EXPECT_EQ(cl_.clCommandCopyImageKHR(buffer_, nullptr, nullptr, image_a, image_b, copy_from, copy_to, copy_region, 0, nullptr,
                                      nullptr, nullptr),
            CL_SUCCESS);
  const size_t put_origin[] = {0, 6, 0}, put_region[] = {4, 2, 1};
  EXPECT_EQ(cl_.clCommandCopyBufferToImageKHR(buffer_, nullptr, nullptr, from, image_b, 8, put_origin, put_region, 0, nullptr,
                                              nullptr, nullptr),
            CL_SUCCESS);
  const size_t get_origin[] = {3, 2, 0}, get_region[] = {4, 5, 1};
  EXPECT_EQ(cl_.clCommandCopyImageToBufferKHR(buffer_, nullptr, nullptr, image_b, to, get_origin, get_region, 12, 0, nullptr,
                                              nullptr, nullptr),
            CL_SUCCESS);
  run_recorded();
  for (size_t y = 0; y < 2; ++y)
    for (size_t x = 0; x < 3; ++x) a[(1 + y) * kWidth + 2 + x] = 0x04030201;
  for (size_t y = 0; y < 4; ++y)
    for (size_t x = 0; x < 6; ++x) b[(3 + y) * kWidth + 5 + x] = a[(1 + y) * kWidth + 1 + x];
  for (size_t y = 0; y < 2; ++y)
    for (size_t x = 0; x < 4; ++x) b[(6 + y) * kWidth + x] = c[2 + y * 4 + x];
  for (size_t y = 0; y < 5; ++y)
    for (size_t x = 0; x < 4; ++x) d[3 + y * 4 + x] = b[(2 + y) * kWidth + 3 + x];
  EXPECT_EQ(texels_of(image_a), a);
  EXPECT_EQ(texels_of(image_b), b);
  EXPECT_EQ(values_of(to), d);
}

TEST_F(CommandBufferTransferTest, GivenSvmMemory_WhenFilledAndCopied_ThenOnlyItsBytesChange) {
  if (!(figure_of<cl_device_svm_capabilities>(device_, CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
    GTEST_SKIP() << "the device has no fine-grain SVM";
  auto *svm =
      static_cast<uint32_t *>(clSVMAlloc(context_, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64 * sizeof(uint32_t), 0));
  ASSERT_NE(svm, nullptr);
  std::fill_n(svm, 64, 9u);
  const uint32_t pattern = 77;
  EXPECT_EQ(cl_.clCommandSVMMemFillKHR(buffer_, nullptr, nullptr, svm + 4, &pattern, 4, 16, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(cl_.clCommandSVMMemcpyKHR(buffer_, nullptr, nullptr, svm + 32, svm + 2, 16, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  run_recorded();
  Values result(64, 9);
  std::fill_n(result.begin() + 4, 4, pattern);
  std::copy_n(result.begin() + 2, 4, result.begin() + 32);
  EXPECT_EQ(Values(svm, svm + 64), result);
  clSVMFree(context_, svm);
}

}  // namespace
}  // namespace upsweep::tests
