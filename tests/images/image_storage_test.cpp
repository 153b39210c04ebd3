// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One picture as a separate image, as rows of a buffer with gaps, and as a layer of an array: reads of all three give the same
// bits, for every format and sampler.
#include "../image_desc.h"
#include "image_runner.h"

#include <cstring>

namespace upsweep::tests {
namespace {

constexpr size_t kLayers = 3;

class ImageStorageTest : public ImageRunner, public testing::WithParamInterface<bool> {
protected:
  void TearDown() override {
    drop();
    ImageRunner::TearDown();
  }

  [[nodiscard]] bool flat() const { return GetParam(); }  ///< of two dimensions
  [[nodiscard]] const ImageType &type() const { return kImageTypes[flat() ? 3 : 0]; }

  void drop() {
    for (cl_mem memory : memories_) clReleaseMemObject(memory);
    memories_.clear();
  }

  cl_mem keep(cl_mem memory, cl_int status) {
    EXPECT_EQ(status, CL_SUCCESS);
    if (memory) memories_.push_back(memory);
    return memory;
  }

  cl_mem image_of(const Image &image, cl_image_desc desc, const std::vector<unsigned char> &bytes) {
    cl_int status = -1;
    void *host = desc.buffer ? nullptr : const_cast<unsigned char *>(bytes.data());
    cl_mem made = clCreateImage(context_, host ? CL_MEM_COPY_HOST_PTR : 0, &image.format, &desc, host, &status);
    return keep(made, status);
  }

  /// Rows of a buffer, two texels apart; a 1D image, which has one row, uses host memory.
  cl_mem rows_of(const Image &image) {
    const size_t row = image.size[0] * bytes_of_texel(image.format), pitch = row + 2 * bytes_of_texel(image.format);
    spread_.assign(pitch * image.size[1], 0xa5);
    for (size_t y = 0; y < image.size[1]; ++y) std::memcpy(&spread_[y * pitch], &image.bytes[y * row], row);
    cl_int status = -1;
    if (!flat()) {
      const cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE1D, image.size[0]);
      cl_mem made = clCreateImage(context_, CL_MEM_USE_HOST_PTR, &image.format, &desc, spread_.data(), &status);
      return keep(made, status);
    }
    cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D, image.size[0], image.size[1]);
    desc.image_row_pitch = pitch;
    cl_mem buffer = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, spread_.size(), spread_.data(), &status);
    desc.buffer = keep(buffer, status);
    return image_of(image, desc, {});
  }

  cl_mem layers_of(const Image &image, size_t layer) {
    std::vector<unsigned char> all(image.bytes.size() * kLayers);
    for (unsigned char &byte : all) byte = static_cast<unsigned char>(below(256));
    std::ranges::copy(image.bytes, all.begin() + static_cast<std::ptrdiff_t>(layer * image.bytes.size()));
    return image_of(image,
                    flat() ? desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, image.size[0], image.size[1], 0, kLayers)
                           : desc_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, image.size[0], 0, 0, kLayers),
                    all);
  }

  /// Reports where the first of the three reads of a coordinate differs.
  template <typename At>
  void compare(const std::string &kernel, const std::array<cl_mem, 3> &images, const std::vector<At> &at, cl_int layer,
               cl_sampler sampler, const std::string &what) {
    std::vector<Components> got(at.size() * 3);
    cl_mem places = buffer_of(at.data(), at.size() * sizeof(At)), out = buffer_of(got.data(), got.size() * sizeof got[0]);
    use_kernel(kernel);
    for (cl_uint i = 0; i < 3; ++i) set(i, images[i]);
    set(3, places);
    set(4, out);
    set(5, layer);
    set(6, sampler);
    launch(at.size());
    clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, got.size() * sizeof got[0], got.data(), 0, nullptr, nullptr);
    clReleaseMemObject(places);
    clReleaseMemObject(out);
    for (size_t i = 0; i < at.size(); ++i) {
      const char *where = got[3 * i] != got[3 * i + 1] ? "rows" : got[3 * i] != got[3 * i + 2] ? "a layer" : nullptr;
      ASSERT_EQ(where, nullptr) << what << ", " << kernel << ": another value in " << where << " at " << at[i][0] << ", "
                                << at[i][1];
    }
  }

  void compare_all(const cl_image_format &format);

private:
  std::vector<cl_mem> memories_;
  std::vector<unsigned char> spread_;
};

void ImageStorageTest::compare_all(const cl_image_format &format) {
  const Image image = random_image(type(), format, Contents::kFinite);
  const auto layer = static_cast<cl_int>(below(kLayers));
  const std::array<cl_mem, 3> images{image_of(image,
                                              flat() ? desc_of(CL_MEM_OBJECT_IMAGE2D, image.size[0], image.size[1])
                                                     : desc_of(CL_MEM_OBJECT_IMAGE1D, image.size[0]),
                                              image.bytes),
                                     rows_of(image), layers_of(image, static_cast<size_t>(layer))};
  ASSERT_FALSE(HasFailure());
  const Kind kind = kind_of(format);
  const std::string function = std::string("read_image") +
                               (kind == Kind::kFloat    ? "f"
                                : kind == Kind::kSigned ? "i"
                                                        : "ui") +
                               (flat() ? "_2d" : "_1d");
  for (const Sampler &sampler : all_samplers()) {
    if (sampler.filter == CL_FILTER_LINEAR && kind != Kind::kFloat) continue;
    const std::array<cl_sampler_properties, 7> properties{CL_SAMPLER_NORMALIZED_COORDS,
                                                          sampler.normalised,
                                                          CL_SAMPLER_ADDRESSING_MODE,
                                                          sampler.addressing,
                                                          CL_SAMPLER_FILTER_MODE,
                                                          sampler.filter,
                                                          0};
    cl_sampler handle = clCreateSamplerWithProperties(context_, properties.data(), nullptr);
    const std::string what = name_of(format) + " " + sampler.expression();
    auto at = random_coordinates(image, sampler);
    // Also neighbours in a row, for which sub-groups copy.
    for (size_t i = 0; i < at.size() / 2; ++i) {
      const float step = sampler.normalised ? 1.0F / static_cast<float>(image.size[0]) : 1.0F;
      at[i] = {(static_cast<float>(i % image.size[0]) + 0.5F) * step, 0.25F, 0, 0};
    }
    compare(function + "_at_floats", images, at, layer, handle, what);
    if (!sampler.normalised && sampler.filter == CL_FILTER_NEAREST)
      compare(function + "_at_ints", images, random_int_coordinates(image, sampler), layer, handle, what);
    clReleaseSampler(handle);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ImageStorageTest, GivenOnePictureInThreeKindsOfMemory_WhenRead_ThenTheBitsAreTheSame) {
  if (texture_units.are_used) GTEST_SKIP() << "texture units may filter rows and arrays to other last bits";
  const auto [status, log] = try_build("storage.cl", "-cl-std=CL3.0");
  ASSERT_EQ(status, CL_SUCCESS) << log;
  for (const cl_image_format &format : formats(type(), CL_MEM_READ_ONLY)) {
    compare_all(format);
    drop();
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, ImageStorageTest, testing::Values(false, true),
                         [](const auto &two) { return two.param ? "Two" : "One"; });

}  // namespace
}  // namespace upsweep::tests
