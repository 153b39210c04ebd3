// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of mip levels against reference.h: by level of detail and by gradients, with both filters between levels and with
// limits of the level of detail, for every image type that has levels.
#include "image_runner.h"

#include <CL/cl_ext.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace upsweep::tests {
namespace {

constexpr size_t kLevels = 5;

class ImageLevelsTest : public ImageRunner, public testing::WithParamInterface<ImageType> {
protected:
  void SetUp() override {
    ImageRunner::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    if (!has_extension("cl_khr_mipmap_image")) GTEST_SKIP() << "the device has no mip levels";
  }
  void TearDown() override {
    if (image_) clReleaseMemObject(image_);
    ImageRunner::TearDown();
  }

  /// Draws the texels of each level separately, and writes them.
  void create_levels(const cl_image_format &format) {
    static constexpr std::array<size_t, 3> kSizes{21, 16, 9};  // odd sizes, one of which reaches 1
    if (image_) clReleaseMemObject(image_);
    levels_.clear();
    cl_image_desc desc{};
    desc.image_type = GetParam().object;
    desc.num_mip_levels = kLevels;
    for (size_t level = 0; level < kLevels; ++level) {
      Image image = random_image(GetParam(), format, Contents::kFinite);
      for (unsigned d = 0; d < image.dimensions(); ++d) image.size[d] = std::max<size_t>(1, kSizes[d] >> level);
      if (image.is_array()) image.size[image.dimensions()] = 3;
      image.bytes.resize(image.texels() * bytes_of_texel(format));
      for (size_t i = 0; i < image.bytes.size(); ++i) image.bytes[i] = static_cast<unsigned char>(random_());
      if (format.image_channel_data_type == CL_FLOAT)
        for (size_t i = 0; i < image.bytes.size(); i += 4) {
          const auto value = static_cast<float>(between(-1, 1));
          std::memcpy(&image.bytes[i], &value, 4);
        }
      image.decode();
      levels_.push_back(std::move(image));
    }
    const Image &first = levels_[0];
    desc.image_width = first.size[0];
    desc.image_height = first.dimensions() > 1 ? first.size[1] : 0;
    desc.image_depth = first.dimensions() > 2 ? first.size[2] : 0;
    desc.image_array_size = first.is_array() ? 3 : 0;
    cl_int status = -1;
    image_ = clCreateImage(context_, CL_MEM_READ_ONLY, &format, &desc, nullptr, &status);
    ASSERT_EQ(status, CL_SUCCESS);
    for (size_t level = 0; level < kLevels; ++level) {
      std::array<size_t, 4> origin{};
      origin[first.dimensions() + (first.is_array() ? 1 : 0)] = level;
      ASSERT_EQ(clEnqueueWriteImage(queue_, image_, CL_TRUE, origin.data(), levels_[level].size.data(), 0, 0,
                                    levels_[level].bytes.data(), 0, nullptr, nullptr),
                CL_SUCCESS);
    }
  }

  cl_sampler make_sampler(const LevelSampler &sampler) {
    const auto bits = [](double value) { return cl_sampler_properties{std::bit_cast<uint32_t>(static_cast<float>(value))}; };
    const std::array<cl_sampler_properties, 13> properties{CL_SAMPLER_NORMALIZED_COORDS,
                                                           sampler.within.normalised,
                                                           CL_SAMPLER_ADDRESSING_MODE,
                                                           sampler.within.addressing,
                                                           CL_SAMPLER_FILTER_MODE,
                                                           sampler.within.filter,
                                                           CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                                           sampler.mip_filter,
                                                           CL_SAMPLER_LOD_MIN_KHR,
                                                           bits(sampler.lod_min),
                                                           CL_SAMPLER_LOD_MAX_KHR,
                                                           bits(sampler.lod_max),
                                                           0};
    cl_int status = -1;
    cl_sampler made = clCreateSamplerWithProperties(context_, properties.data(), &status);
    EXPECT_EQ(status, CL_SUCCESS);
    return made;
  }

  /// Below the first level, beyond the last, and around places where the level changes.
  float random_lod() {
    switch (below(4)) {
    case 0: return static_cast<float>(below(2 * kLevels + 4)) / 2 - 2;
    case 1: return std::nextafter(static_cast<float>(below(2 * kLevels)) / 2, one_in(2) ? HUGE_VALF : -HUGE_VALF);
    case 2: return static_cast<float>(one_in(2) ? between(-100, 100) : 1e30);
    default: return static_cast<float>(between(-0.5, kLevels));
    }
  }

  void check_kernel(const std::string &kernel, const LevelSampler &sampler, bool by_gradient) {
    const std::vector<Coordinate> at = random_coordinates(levels_[0], sampler.within);
    std::vector<Coordinate> dx(at.size()), dy(at.size());
    std::vector<double> lods(at.size());
    for (size_t i = 0; i < at.size(); ++i) {
      if (by_gradient) {
        const double size = std::exp2(between(-2, kLevels + 1)) / 21;
        for (unsigned d = 0; d < 4; ++d) dx[i][d] = static_cast<float>(between(-size, size));
        for (unsigned d = 0; d < 4; ++d) dy[i][d] = static_cast<float>(between(-size, size));
        lods[i] = lod_of(levels_[0], dx[i], dy[i]);
      } else {
        dx[i][0] = random_lod();
        lods[i] = dx[i][0];
      }
    }
    std::vector<Components> got(at.size());
    cl_mem coordinates = buffer_of(at.data(), at.size() * sizeof at[0]),
           out = buffer_of(got.data(), got.size() * sizeof got[0]);
    cl_mem along_x = buffer_of(dx.data(), dx.size() * sizeof dx[0]), along_y = buffer_of(dy.data(), dy.size() * sizeof dy[0]);
    cl_sampler made = make_sampler(sampler);
    use_kernel(kernel);
    set(0, image_);
    set(1, coordinates);
    set(2, out);
    set(3, made);
    set(4, along_x);
    set(5, along_y);
    launch(at.size());
    EXPECT_EQ(clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, got.size() * sizeof got[0], got.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    clReleaseSampler(made);
    for (cl_mem memory : {coordinates, out, along_x, along_y}) clReleaseMemObject(memory);
    size_t failures = 0;
    for (size_t i = 0; i < at.size(); ++i)
      if (const auto wrong = wrong_level_read(levels_, sampler, lods[i], !by_gradient, at[i], got[i]); wrong && failures++ < 2)
        ADD_FAILURE() << GetParam().name << " " << kernel << " #" << i << ": " << *wrong;
  }

  std::vector<Image> levels_;
  cl_mem image_ = nullptr;
};

TEST_P(ImageLevelsTest, GivenMipLevels_WhenReadByLodAndByGradient_ThenTheLevelsAreChosenAndMixed) {
  static constexpr std::array kAlong{"x", "xy", "xyzw"};
  levels_.push_back(random_image(GetParam(), formats(GetParam(), CL_MEM_READ_ONLY)[0], Contents::kFinite));
  const auto [status, log] = try_build("levels.cl", GetParam().options() + " -DALONG=" + kAlong[levels_[0].dimensions() - 1]);
  ASSERT_EQ(status, CL_SUCCESS) << log;
  constexpr std::array<std::pair<double, double>, 4> kBounds{
      {{0, std::numeric_limits<float>::max()}, {0.75, 2.5}, {3, 3}, {1.25, 100}}};
  const std::vector<cl_image_format> all =
      GetParam().depth ? std::vector<cl_image_format>{{CL_DEPTH, CL_FLOAT}, {CL_DEPTH, CL_UNORM_INT16}}
                       : std::vector<cl_image_format>{{CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_FLOAT}, {CL_RGBA, CL_UNSIGNED_INT8}};
  for (const cl_image_format &format : all) {
    create_levels(format);
    if (HasFatalFailure()) return;
    const bool is_integer = kind_of(format) == Kind::kUnsigned;
    for (const Sampler &within : all_samplers()) {
      if (!within.normalised || (is_integer && within.filter == CL_FILTER_LINEAR)) continue;
      for (const cl_filter_mode mip_filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
        if (is_integer && mip_filter == CL_FILTER_LINEAR) continue;
        const auto &[lod_min, lod_max] = kBounds[below(kBounds.size())];
        const LevelSampler sampler{within, mip_filter, lod_min, lod_max};
        const std::string function = is_integer ? "read_imageui" : "read_imagef";
        check_kernel(function + "_by_lod", sampler, false);
        check_kernel(function + "_by_gradient", sampler, true);
      }
    }
  }
}

std::vector<ImageType> types_with_levels() {
  std::vector<ImageType> types(kImageTypes.begin(), kImageTypes.end());
  std::erase_if(types, [](const ImageType &type) { return type.object == CL_MEM_OBJECT_IMAGE1D_BUFFER; });
  return types;
}

INSTANTIATE_TEST_SUITE_P(Types, ImageLevelsTest, testing::ValuesIn(types_with_levels()),
                         [](const auto &type) { return std::string(type.param.name); });

}  // namespace
}  // namespace upsweep::tests
