// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images that kernels read by textures. Their textures must have the newest texels.
#include "gpu_fixture.h"
#include <array>
#include <cstring>

namespace upsweep::tests {
namespace {

constexpr const char *kSample = R"(
kernel void sample(read_only image2d_t image, sampler_t s, global int *out) {
  out[0] = read_imagei(image, s, (float2)(0, 0)).x;
}
)";

/// The version of the kernel that a launch has chosen (fake_cuda.cpp).
enum Version { kCode = 0, kArray = 1, kRows = 2, kOrdersOfArray = 3, kOrdersOfRows = 4 };

class GpuTextures : public GpuFixture {
protected:
  void SetUp() override {
    GpuFixture::SetUp();
    if (HasFatalFailure()) return;
    if (!fake()) GTEST_SKIP() << "the driver in software alone tells which texture a kernel got";
    const char *exact = std::getenv("UPSWEEP_EXACT_FILTER");
    filters_by_code_ = exact && std::strcmp(exact, "1") == 0;
    samples_ = clCreateProgramWithSource(context_, 1, const_cast<const char **>(&kSample), nullptr, nullptr);
    ASSERT_EQ(clBuildProgram(samples_, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
    out_ = make_ints(std::vector<int>(5, -1));
    fake()->textures_made = fake()->copies_to_arrays = 0;
  }
  void TearDown() override {
    if (fake()) {
      fake()->refuses_textures = fake()->refuses_arrays = fake()->arrays_fill_memory = false;
      for (cl_mem image : images_) clReleaseMemObject(image);
      for (cl_sampler sampler : samplers_) clReleaseSampler(sampler);
      if (samples_) clReleaseProgram(samples_);
    }
    GpuFixture::TearDown();
    if (!fake()) return;
    EXPECT_EQ(fake()->textures, 0U);
    EXPECT_EQ(fake()->arrays, 0U);
  }

  /// Four rows, in which each texel is `first`.
  cl_mem make_image(size_t width, int first, cl_image_format format = {CL_R, CL_SIGNED_INT32}) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = 4;
    cl_int error = -1;
    images_.push_back(clCreateImage(context_, 0, &format, &desc, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    width_ = width;
    write(first);
    return images_.back();
  }
  /// Writes the first texel of the newest image.
  void write(int first) {
    const std::array<size_t, 3> origin{}, region{1, 1, 1};
    const std::array<int, 4> texel{first};
    EXPECT_EQ(clEnqueueWriteImage(queue_, images_.back(), CL_TRUE, origin.data(), region.data(), 0, 0, texel.data(), 0, nullptr,
                                  nullptr),
              CL_SUCCESS);
  }

  cl_sampler make_sampler(cl_bool is_normalised, cl_addressing_mode addressing, cl_filter_mode filter) {
    cl_int error = -1;
    const cl_sampler_properties properties[] = {
        CL_SAMPLER_NORMALIZED_COORDS, is_normalised, CL_SAMPLER_ADDRESSING_MODE, addressing, CL_SAMPLER_FILTER_MODE, filter, 0};
    samplers_.push_back(clCreateSamplerWithProperties(context_, properties, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return samplers_.back();
  }

  /// The kernel's output: properties of its texture.
  std::vector<int> sample(cl_mem image, cl_sampler sampler, cl_command_queue queue = nullptr) {
    if (!queue) queue = queue_;
    cl_kernel kernel = clCreateKernel(samples_, "sample", nullptr);
    clSetKernelArg(kernel, 0, sizeof image, &image);
    clSetKernelArg(kernel, 1, sizeof sampler, &sampler);
    clSetKernelArg(kernel, 2, sizeof out_, &out_);
    EXPECT_EQ(launch(queue, kernel, 1, {}, nullptr), CL_SUCCESS);
    return read(queue, out_, 5);
  }
  Version version_of(cl_mem image, cl_sampler sampler) { return static_cast<Version>(sample(image, sampler)[0]); }

  bool filters_by_code_ = false;
  cl_program samples_ = nullptr;
  cl_mem out_ = nullptr;
  size_t width_ = 0;
  std::vector<cl_mem> images_;
  std::vector<cl_sampler> samplers_;
};

constexpr size_t kAligned = 64, kOdd = 63;  // of four bytes; rows of a texture are multiples of 32 bytes apart

TEST_F(GpuTextures, GivenAnImageAndASampler_WhenReadAgainAndAgain_ThenItsTexturesAreMadeOnce) {
  cl_sampler nearest = make_sampler(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST);
  cl_sampler repeated = make_sampler(CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST);
  cl_mem image = make_image(kAligned, 7);
  for (int round = 0; round < 5; ++round)
    for (cl_sampler sampler : {nearest, repeated}) {
      const std::vector<int> got = sample(image, sampler);
      EXPECT_EQ(got[0], round == 0 ? kRows : kArray) << round;
      EXPECT_EQ(got[1], 7);
      EXPECT_EQ(got[2], sampler == nearest ? 1 : 3) << "integers, and normalised coordinates";
      EXPECT_EQ(got[4], sampler == nearest ? 1 : 0) << "clamped, and wrapped";
    }
  EXPECT_EQ(fake()->textures_made, 4U) << "of rows and of the array, for two samplers";
  EXPECT_EQ(fake()->copies_to_arrays, 1U);
}

TEST_F(GpuTextures, GivenAnImageThatIsWrittenBetweenReads_WhenRead_ThenTheTextureHasTheNewestTexels) {
  cl_sampler sampler = make_sampler(CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
  for (size_t width : {kAligned, kOdd}) {
    cl_mem image = make_image(width, 0);
    int value = 0;
    for (int reads : {1, 4, 1, 1, 5, 3}) {
      write(++value);
      for (int i = 0; i < reads; ++i) {
        const std::vector<int> got = sample(image, sampler);
        EXPECT_EQ(got[1], value);
        EXPECT_EQ(got[0], width == kOdd || i >= 2 ? kArray : kRows) << i;
      }
    }
  }
  EXPECT_EQ(fake()->copies_to_arrays, 3U + 6U) << "after two reads of rows, and at once where rows are not aligned";
}

TEST_F(GpuTextures, GivenAMappedImage_WhenTheHostWritesIt_ThenTheCopyIsMadeAnew) {
  cl_sampler sampler = make_sampler(CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
  cl_mem image = make_image(kOdd, 1);
  for (int value = 2; value < 6; ++value) {
    EXPECT_EQ(sample(image, sampler)[1], value - 1);
    const std::array<size_t, 3> origin{}, region{1, 1, 1};
    size_t pitch = 0;
    cl_int error = -1;
    auto *texel = static_cast<int *>(clEnqueueMapImage(queue_, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin.data(),
                                                       region.data(), &pitch, nullptr, 0, nullptr, nullptr, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    *texel = value;
    ASSERT_EQ(clEnqueueUnmapMemObject(queue_, image, texel, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(sample(image, sampler)[1], value);
  }
}

TEST_F(GpuTextures, GivenACopyUnderWay_WhenAnotherQueueReadsTheImage_ThenItWaitsForTheCopy) {
  cl_sampler sampler = make_sampler(CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
  cl_command_queue other = make_queue(gpus_[0], 0);
  cl_mem busy = make_ints(std::vector<int>(1000, 0));
  for (int round = 0; round < 50; ++round) {
    cl_mem image = make_image(kOdd, 1000 + round);
    cl_kernel kernel = clCreateKernel(samples_, "sample", nullptr);
    cl_mem unused = make_ints(std::vector<int>(5, 0));
    clSetKernelArg(kernel, 0, sizeof image, &image);
    clSetKernelArg(kernel, 1, sizeof sampler, &sampler);
    clSetKernelArg(kernel, 2, sizeof unused, &unused);
    for (int i = 0; i < 20; ++i) ASSERT_EQ(add(queue_, busy, 1, 1000), CL_SUCCESS);
    ASSERT_EQ(launch(queue_, kernel, 1, {}, nullptr), CL_SUCCESS);  // its copy follows the additions
    ASSERT_EQ(sample(image, sampler, other)[1], 1000 + round);
    ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  }
  EXPECT_EQ(fake()->copies_to_arrays, 50U);
}

TEST_F(GpuTextures, GivenAnInexactRead_WhenItHasToBeExact_ThenCodeReads) {
  cl_sampler linear = make_sampler(CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR);
  cl_sampler nearest = make_sampler(CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST);
  cl_mem image = make_image(kAligned, 1, {CL_R, CL_FLOAT});
  const std::vector<int> got = sample(image, linear);
  EXPECT_EQ(got[0], filters_by_code_ ? kCode : kRows);
  if (!filters_by_code_) EXPECT_EQ(got[3], 1);
  EXPECT_EQ(version_of(image, nearest), kRows);
  cl_mem signed_bytes = make_image(kAligned, 1, {CL_RGBA, CL_SNORM_INT8});
  EXPECT_EQ(version_of(signed_bytes, linear), kCode) << "whose filter is too coarse";
  EXPECT_EQ(version_of(signed_bytes, nearest), kRows);
  cl_mem srgb = make_image(kAligned, 1, {CL_sRGBA, CL_UNORM_INT8});
  EXPECT_EQ(version_of(srgb, linear), kCode) << "whose filter is too coarse";
  EXPECT_EQ(version_of(srgb, nearest), filters_by_code_ ? kCode : kRows) << "whose colours are inexact";
}

TEST_F(GpuTextures, GivenFormatsAndSamplers_WhenTextureUnitsLackThem_ThenCodeReads) {
  cl_sampler plain = make_sampler(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST);
  cl_sampler border = make_sampler(CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
  EXPECT_EQ(version_of(make_image(kAligned, 1, {CL_RGB, CL_UNORM_INT8}), plain), kCode);
  EXPECT_EQ(version_of(make_image(kAligned, 1, {CL_RGB, CL_UNORM_SHORT_565}), plain), kCode);
  EXPECT_EQ(version_of(make_image(kAligned, 1, {CL_RGBA, CL_UNORM_INT_101010_2}), plain), kCode);
  EXPECT_EQ(version_of(make_image(kAligned, 1, {CL_RGBx, CL_FLOAT}), plain), kRows);
  EXPECT_EQ(version_of(make_image(kAligned, 1, {CL_RGBx, CL_FLOAT}), border), kCode)
      << "its border is not opaque, its texels are";
  EXPECT_EQ(version_of(make_image(kAligned, 1, {CL_BGRA, CL_UNORM_INT8}), plain), kOrdersOfRows);
  EXPECT_EQ(version_of(make_image(kOdd, 1, {CL_A, CL_HALF_FLOAT}), border), kOrdersOfArray);
}

TEST_F(GpuTextures, GivenNoTexturesOrArrays_WhenRead_ThenTheNextBestIsTaken) {
  cl_sampler sampler = make_sampler(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST);
  fake()->refuses_arrays = true;
  cl_mem aligned = make_image(kAligned, 1), odd = make_image(kOdd, 2);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(version_of(aligned, sampler), kRows);
  EXPECT_EQ(version_of(odd, sampler), kCode);
  fake()->refuses_arrays = false;
  EXPECT_EQ(version_of(odd, sampler), kCode) << "not tried again before the image is written";
  write(3);
  EXPECT_EQ(version_of(odd, sampler), kArray);
  fake()->refuses_textures = true;
  EXPECT_EQ(version_of(make_image(kAligned, 1), sampler), kCode);
}

TEST_F(GpuTextures, GivenMemoryThatIsFullOfCopies_WhenABufferIsMade_ThenTheCopiesMakeRoom) {
  cl_sampler sampler = make_sampler(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST);
  cl_mem image = make_image(kOdd, 5);
  EXPECT_EQ(version_of(image, sampler), kArray);
  EXPECT_EQ(fake()->arrays, 1U);
  fake()->arrays_fill_memory = true;
  cl_mem buffer = make_ints({1, 2, 3});
  EXPECT_EQ(add(queue_, buffer, 1, 3), CL_SUCCESS);
  EXPECT_EQ(read(queue_, buffer, 3), (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(fake()->arrays, 0U);
  const std::vector<int> got = sample(image, sampler);
  EXPECT_EQ(got[0], kArray);
  EXPECT_EQ(got[1], 5);
}

}  // namespace
}  // namespace upsweep::tests
