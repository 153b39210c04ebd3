// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images with mip levels: work-items of a sub-group read and write different levels.
#include "image_runner.h"

#include <CL/cl_ext.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace upsweep::tests {
namespace {

constexpr cl_uint kLevels = 5;

class LevelLanesTest : public ImageRunner, public testing::WithParamInterface<ImageType> {
protected:
  void SetUp() override {
    ImageRunner::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    if (!has_extension("cl_khr_mipmap_image_writes")) GTEST_SKIP() << "the device has no mip levels to write";
  }
  void TearDown() override {
    if (image_) clReleaseMemObject(image_);
    ImageRunner::TearDown();
  }

  /// Each level as a separate image.
  void create(const cl_image_format &format);
  std::vector<unsigned char> texels_of_level(cl_uint level);
  void build_for(const cl_image_format &format);
  cl_sampler sampler(const Sampler &state, cl_filter_mode mip_filter);
  std::vector<Components> read(const std::vector<Coordinate> &at, const std::vector<float> &lods, cl_sampler sampler);

  std::vector<Image> levels_;
  cl_mem image_ = nullptr;
};

std::array<size_t, 4> origin_of(const Image &image, cl_uint level) {
  std::array<size_t, 4> origin{};
  origin[image.dimensions() + (image.is_array() ? 1 : 0)] = level;
  return origin;
}

void LevelLanesTest::create(const cl_image_format &format) {
  Image base = random_image(GetParam(), format, Contents::kFinite);
  base.size = {61, base.dimensions() > 1 ? 37U : 1U, base.dimensions() > 2 ? 19U : 1U};
  if (base.is_array()) base.size[base.dimensions()] = 3;
  cl_image_desc desc{};
  desc.image_type = base.type;
  desc.image_width = base.size[0];
  desc.image_height = base.dimensions() > 1 ? base.size[1] : 0;
  desc.image_depth = base.dimensions() > 2 ? base.size[2] : 0;
  desc.image_array_size = base.is_array() ? base.size[base.dimensions()] : 0;
  desc.num_mip_levels = kLevels;
  cl_int status = CL_SUCCESS;
  image_ = clCreateImage(context_, CL_MEM_READ_WRITE, &format, &desc, nullptr, &status);
  ASSERT_EQ(status, CL_SUCCESS) << name_of(format);
  for (cl_uint level = 0; level < kLevels; ++level) {
    Image &image = levels_.emplace_back(base);
    for (unsigned d = 0; d < base.dimensions(); ++d) image.size[d] = std::max<size_t>(1, base.size[d] >> level);
    image.bytes.resize(image.texels() * bytes_of_texel(format));
    for (unsigned char &byte : image.bytes) byte = static_cast<unsigned char>(random_());
    if (format.image_channel_data_type == CL_FLOAT)
      for (size_t i = 0; i < image.bytes.size(); i += 4) {
        const auto value = static_cast<float>(between(-1, 1));
        std::memcpy(image.bytes.data() + i, &value, 4);
      }
    image.decode();
    ASSERT_EQ(clEnqueueWriteImage(queue_, image_, CL_TRUE, origin_of(image, level).data(), image.size.data(), 0, 0,
                                  image.bytes.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
  }
}

std::vector<unsigned char> LevelLanesTest::texels_of_level(cl_uint level) {
  std::vector<unsigned char> bytes(levels_[level].bytes.size());
  EXPECT_EQ(clEnqueueReadImage(queue_, image_, CL_TRUE, origin_of(levels_[level], level).data(), levels_[level].size.data(), 0,
                               0, bytes.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  return bytes;
}

void LevelLanesTest::build_for(const cl_image_format &format) {
  const bool real = kind_of(format) == Kind::kFloat;
  const std::string functions = real ? " -DREAD=read_imagef -DWRITE=write_imagef -DAS=as_float4"
                                     : " -DREAD=read_imageui -DWRITE=write_imageui -DAS=as_uint4";
  release();
  const auto [status, log] = try_build("level_lanes.cl", GetParam().options() + functions);
  ASSERT_EQ(status, CL_SUCCESS) << log;
}

cl_sampler LevelLanesTest::sampler(const Sampler &state, cl_filter_mode mip_filter) {
  const std::array<cl_sampler_properties, 9> properties{CL_SAMPLER_NORMALIZED_COORDS,
                                                        state.normalised,
                                                        CL_SAMPLER_ADDRESSING_MODE,
                                                        state.addressing,
                                                        CL_SAMPLER_FILTER_MODE,
                                                        state.filter,
                                                        CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                                        mip_filter,
                                                        0};
  cl_int status = CL_SUCCESS;
  cl_sampler made = clCreateSamplerWithProperties(context_, properties.data(), &status);
  EXPECT_EQ(status, CL_SUCCESS);
  return made;
}

std::vector<Components> LevelLanesTest::read(const std::vector<Coordinate> &at, const std::vector<float> &lods,
                                             cl_sampler sampler) {
  std::vector<Components> got(at.size());
  cl_mem places = buffer_of(at.data(), at.size() * sizeof at[0]), chosen = buffer_of(lods.data(), lods.size() * sizeof(float));
  cl_mem out = buffer_of(got.data(), got.size() * sizeof got[0]);
  use_kernel("read_levels");
  set(0, image_);
  set(1, places);
  set(2, out);
  set(3, sampler);
  set(4, chosen);
  launch(at.size());
  clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, got.size() * sizeof got[0], got.data(), 0, nullptr, nullptr);
  for (cl_mem buffer : {places, chosen, out}) clReleaseMemObject(buffer);
  return got;
}

constexpr cl_image_format kFloats{CL_RGBA, CL_FLOAT}, kBytes{CL_RGBA, CL_UNORM_INT8}, kWords{CL_RG, CL_UNSIGNED_INT16};

TEST_P(LevelLanesTest, GivenALevelForEachWorkItem_WhenRead_ThenEachHasItsTexels) {
  for (const cl_image_format &format : {kFloats, kBytes, kWords}) {
    levels_.clear();
    if (image_) clReleaseMemObject(std::exchange(image_, nullptr));
    create(format);
    build_for(format);
    ASSERT_FALSE(HasFatalFailure());
    for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
      if (filter == CL_FILTER_LINEAR && kind_of(format) != Kind::kFloat) continue;
      const Sampler state{true, CL_ADDRESS_CLAMP_TO_EDGE, filter};
      cl_sampler handle = sampler(state, CL_FILTER_NEAREST);
      const auto at = random_coordinates(levels_[0], state);
      std::vector<float> lods(at.size());
      for (float &lod : lods) lod = static_cast<float>(below(kLevels)) + static_cast<float>(between(-0.4, 0.4));
      const auto got = read(at, lods, handle);
      clReleaseSampler(handle);
      for (size_t i = 0; i < at.size(); ++i) {
        const auto level = static_cast<size_t>(std::max(0.0F, std::rint(lods[i])));
        if (const auto wrong = wrong_read(levels_[level], state, at[i], got[i], Precision::kFloat))
          FAIL() << "level " << lods[i] << ", " << *wrong;
      }
    }
  }
}

TEST_P(LevelLanesTest, GivenALinearMipFilter_WhenReadBetweenLevels_ThenTwoAreMixed) {
  create(kFloats);
  build_for(kFloats);
  ASSERT_FALSE(HasFatalFailure());
  const Sampler state{true, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR};
  cl_sampler handle = sampler(state, CL_FILTER_LINEAR);
  auto at = random_coordinates(levels_[0], state);
  for (Coordinate &c : at)
    for (float &x : c)
      if (!std::isfinite(x)) x = 0;
  std::vector<float> lods(at.size()), low(at.size()), high(at.size());
  for (size_t i = 0; i < at.size(); ++i) {
    lods[i] = static_cast<float>(between(0, kLevels - 1));
    low[i] = std::floor(lods[i]);
    high[i] = std::ceil(lods[i]);
  }
  const auto got = read(at, lods, handle), below = read(at, low, handle), above = read(at, high, handle);
  clReleaseSampler(handle);
  for (size_t i = 0; i < at.size(); ++i) {
    if (!is_defined(levels_[0], state, at[i])) continue;
    if (const auto wrong = wrong_read(levels_[static_cast<size_t>(low[i])], state, at[i], below[i], Precision::kFloat))
      FAIL() << *wrong;
    for (size_t c = 0; c < 4; ++c) {
      const double weight = lods[i] - low[i], a = std::bit_cast<float>(below[i][c]), b = std::bit_cast<float>(above[i][c]);
      ASSERT_NEAR(std::bit_cast<float>(got[i][c]), a * (1 - weight) + b * weight, 1e-5) << "at " << lods[i];
    }
  }
}

TEST_P(LevelLanesTest, GivenALevelForEachWorkItem_WhenWritten_ThenItsTexelChangesAndNoOther) {
  create(kWords);
  build_for(kWords);
  ASSERT_FALSE(HasFatalFailure());
  // A third of the texels, from one level after the other, and levels and layers that do not exist.
  std::vector<IntCoordinate> at;
  std::vector<Components> colours;
  std::vector<cl_int> chosen;
  for (size_t i = 0; i < levels_[0].texels(); ++i)
    for (cl_int level = -1; level <= static_cast<cl_int>(kLevels); ++level) {
      const bool exists = level >= 0 && level < static_cast<cl_int>(kLevels);
      Image &image = levels_[exists ? static_cast<size_t>(level) : 0];
      if (!one_in(3) || i >= image.texels()) continue;
      const std::array<size_t, 3> place{i % image.size[0], i / image.size[0] % image.size[1],
                                        i / image.size[0] / image.size[1]};
      at.push_back({static_cast<int32_t>(place[0]), static_cast<int32_t>(place[1]), static_cast<int32_t>(place[2]), 0});
      colours.push_back({static_cast<uint32_t>(below(1 << 17)), static_cast<uint32_t>(below(1 << 16)), 1, 2});
      chosen.push_back(level);
      if (!exists) continue;
      for (size_t c = 0; c < 2; ++c) {
        const auto stored = static_cast<uint16_t>(std::min(colours.back()[c], 0xffffU));
        std::memcpy(image.bytes.data() + (i * 2 + c) * sizeof stored, &stored, sizeof stored);
      }
    }
  cl_mem places = buffer_of(at.data(), at.size() * sizeof at[0]),
         values = buffer_of(colours.data(), colours.size() * sizeof colours[0]),
         levels = buffer_of(chosen.data(), chosen.size() * sizeof(cl_int));
  use_kernel("write_levels");
  set(0, image_);
  set(1, places);
  set(2, values);
  set(3, levels);
  launch(at.size());
  clFinish(queue_);
  for (cl_mem buffer : {places, values, levels}) clReleaseMemObject(buffer);
  for (cl_uint level = 0; level < kLevels; ++level) EXPECT_EQ(texels_of_level(level), levels_[level].bytes) << level;
}

INSTANTIATE_TEST_SUITE_P(Types, LevelLanesTest,
                         testing::Values(kImageTypes[0], kImageTypes[2], kImageTypes[3], kImageTypes[4], kImageTypes[7]),
                         [](const auto &type) { return std::string(type.param.name); });

}  // namespace
}  // namespace upsweep::tests
