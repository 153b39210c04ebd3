// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of a CPU kernel for images and samplers: UpsweepImage and the bits of base/sampler_bits.h.
#include "../image_desc.h"
#include "base/image_abi.h"
#include "base/sampler_bits.h"
#include "runtime/objects/image.h"
#include "runtime/objects/sampler.h"
#include <CL/cl_ext.h>
#include <cstring>
#include <gtest/gtest.h>

namespace upsweep {
namespace {

using tests::desc_of;

class CpuImagesTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(clGetPlatformIDs(1, &platform_, nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_CPU, 1, &device_, nullptr), CL_SUCCESS);
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
    ASSERT_NE(context_, nullptr);
  }
  void TearDown() override {
    for (cl_mem memory : memories_) EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context_), CL_SUCCESS);
  }

  Image &create(const cl_image_format &format, const cl_image_desc &desc, cl_mem_flags flags = 0, void *host = nullptr) {
    cl_int error = -1;
    memories_.push_back(clCreateImage(context_, flags, &format, &desc, host, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return **Image::from(memories_.back());
  }
  const UpsweepImage &describe(Image &image) {
    Target &target = (*Device::from(device_))->target();
    const uint64_t value = image.argument_on(target, ImageUse::kRead).value();
    EXPECT_EQ(image.argument_on(target, ImageUse::kWrite).value(), value);
    EXPECT_EQ(value % 64, 0u);
    return *reinterpret_cast<const UpsweepImage *>(value);
  }

  cl_platform_id platform_ = nullptr;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  std::vector<cl_mem> memories_;
};

TEST_F(CpuImagesTest, GivenEachType_WhenDescribed_ThenSizesThatItLacksAreOne) {
  const struct {
    cl_image_desc desc;
    uint32_t width, height, depth, layers;
    uint64_t slice;
  } cases[] = {{desc_of(CL_MEM_OBJECT_IMAGE1D, 7, 0, 0, 0), 7, 1, 1, 1, 56},
               {desc_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 7, 0, 0, 3), 7, 1, 1, 3, 56},
               {desc_of(CL_MEM_OBJECT_IMAGE2D, 7, 5, 0, 0), 7, 5, 1, 1, 280},
               {desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 7, 5, 0, 3), 7, 5, 1, 3, 280},
               {desc_of(CL_MEM_OBJECT_IMAGE3D, 7, 5, 4, 0), 7, 5, 4, 1, 280}};
  for (const auto &test : cases) {
    Image &image = create({CL_RGBA, CL_HALF_FLOAT}, test.desc);
    const UpsweepImage &d = describe(image);
    EXPECT_EQ(d.data, reinterpret_cast<uint64_t>(image.host().value()));
    EXPECT_EQ(d.row_pitch, 56u);
    EXPECT_EQ(d.slice_pitch, test.slice);
    EXPECT_EQ(d.width, test.width);
    EXPECT_EQ(d.height, test.height);
    EXPECT_EQ(d.depth, test.depth);
    EXPECT_EQ(d.layers, test.layers);
    EXPECT_EQ(d.levels, 1);
    EXPECT_EQ(d.level_offset[0], 0u);
    EXPECT_EQ(d.texel_bytes, 8);
    EXPECT_EQ(d.storage, 7);
  }
}

TEST_F(CpuImagesTest, GivenApplicationMemory_WhenDescribed_ThenDataAndPitchesAreIts) {
  std::array<char, 4096> host{};
  cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 0, 0, 5);
  desc.image_row_pitch = 20;
  desc.image_slice_pitch = 60;
  const UpsweepImage &d = describe(create({CL_R, CL_FLOAT}, desc, CL_MEM_USE_HOST_PTR, host.data()));
  EXPECT_EQ(d.data, reinterpret_cast<uint64_t>(host.data()));
  EXPECT_EQ(d.row_pitch, 20u);
  EXPECT_EQ(d.slice_pitch, 60u);
}

TEST_F(CpuImagesTest, GivenFormats_WhenDescribed_ThenChannelsAreAsStored) {
  struct Expected {
    cl_image_format format;
    int component, components, bytes, storage;
    std::array<uint8_t, 4> swizzle;
    int border_alpha_one;
  };
  const Expected cases[] = {
      {{CL_R, CL_UNORM_INT8}, UPSWEEP_UNORM8, 1, 1, 0, {0, 4, 4, 5}, 1},
      {{CL_A, CL_SIGNED_INT16}, UPSWEEP_SINT16, 1, 2, 4, {4, 4, 4, 0}, 0},
      {{CL_RA, CL_UNSIGNED_INT32}, UPSWEEP_UINT32, 2, 8, 9, {0, 4, 4, 1}, 0},
      {{CL_RGB, CL_SNORM_INT16}, UPSWEEP_SNORM16, 3, 6, 6, {0, 1, 2, 5}, 1},
      {{CL_RGB, CL_UNORM_SHORT_565}, UPSWEEP_UNORM565, 3, 2, 1, {0, 1, 2, 5}, 1},
      {{CL_RGBx, CL_UNORM_INT_101010}, UPSWEEP_UNORM101010, 3, 4, 3, {0, 1, 2, 5}, 0},
      {{CL_RGBA, CL_UNORM_INT_101010_2}, UPSWEEP_UNORM101010_2, 4, 4, 3, {0, 1, 2, 3}, 0},
      {{CL_BGRA, CL_UNSIGNED_INT8}, UPSWEEP_UINT8, 4, 4, 3, {2, 1, 0, 3}, 0},
      {{CL_ARGB, CL_SIGNED_INT8}, UPSWEEP_SINT8, 4, 4, 3, {1, 2, 3, 0}, 0},
      {{CL_ABGR, CL_SNORM_INT8}, UPSWEEP_SNORM8, 4, 4, 3, {3, 2, 1, 0}, 0},
      {{CL_sBGRA, CL_UNORM_INT8}, UPSWEEP_SRGB8, 4, 4, 3, {2, 1, 0, 3}, 0},
      {{CL_sRGB, CL_UNORM_INT8}, UPSWEEP_SRGB8, 3, 3, 2, {0, 1, 2, 5}, 1},
      {{CL_INTENSITY, CL_HALF_FLOAT}, UPSWEEP_HALF, 1, 2, 4, {0, 0, 0, 0}, 0},
      {{CL_LUMINANCE, CL_FLOAT}, UPSWEEP_FLOAT, 1, 4, 8, {0, 0, 0, 5}, 1},
      {{CL_DEPTH, CL_UNORM_INT16}, UPSWEEP_UNORM16, 1, 2, 4, {0, 4, 4, 5}, 0},
  };
  for (const Expected &expected : cases) {
    const UpsweepImage &d = describe(create(expected.format, desc_of(CL_MEM_OBJECT_IMAGE2D, 3, 3, 0, 0)));
    const auto order = expected.format.image_channel_order;
    EXPECT_EQ(d.channel_order, order);
    EXPECT_EQ(d.channel_type, expected.format.image_channel_data_type);
    EXPECT_EQ(d.component, expected.component) << order;
    EXPECT_EQ(d.components, expected.components) << order;
    EXPECT_EQ(d.texel_bytes, expected.bytes) << order;
    EXPECT_EQ(d.storage, expected.storage) << order;
    EXPECT_EQ(std::memcmp(d.swizzle, expected.swizzle.data(), 4), 0) << order;
    EXPECT_EQ(d.border_alpha_one, expected.border_alpha_one) << order;
  }
}

TEST_F(CpuImagesTest, GivenTheMostMipLevels_WhenDescribed_ThenEachHasItsPlace) {
  cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE1D, 32768, 0, 0, 0);
  desc.num_mip_levels = UPSWEEP_MOST_LEVELS;
  Image &image = create({CL_R, CL_UNSIGNED_INT8}, desc);
  const UpsweepImage &d = describe(image);
  EXPECT_EQ(d.levels, UPSWEEP_MOST_LEVELS);
  uint64_t end = 0;
  for (unsigned level = 0; level < d.levels; ++level) {
    EXPECT_GE(d.level_offset[level], end);
    end = d.level_offset[level] + (32768u >> level);
  }
  EXPECT_LE(end, image.size());
}

TEST_F(CpuImagesTest, GivenSamplers_WhenArguments_ThenTheBitsAreClangsLiteral) {
  const auto bits = [&](const std::vector<cl_sampler_properties> &properties) {
    cl_sampler sampler = clCreateSamplerWithProperties(context_, properties.data(), nullptr);
    const uint64_t value = (*Sampler::from(sampler))->bits();
    EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
    return value;
  };
  // opencl-c-base.h: CLK_NORMALIZED_COORDS_TRUE 1, CLK_ADDRESS_… 2 4 6 8, CLK_FILTER_NEAREST 0x10, _LINEAR 0x20
  EXPECT_EQ(bits({0}), 0x15u);
  EXPECT_EQ(bits({CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_NONE, 0}), 0x10u);
  EXPECT_EQ(bits({CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}), 0x23u);
  EXPECT_EQ(bits({CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT, 0}), 0x17u);
  EXPECT_EQ(bits({CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_MIRRORED_REPEAT, 0}), 0x19u);
  const float two = 2.0f;
  cl_sampler_properties lod = 0;
  std::memcpy(&lod, &two, sizeof two);
  // The half floats 0 and infinity (the default is the largest float), then 2 as the maximum.
  EXPECT_EQ(bits({CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_FILTER_LINEAR, 0}), 0x7c00000000030015u);
  EXPECT_EQ(bits({CL_SAMPLER_LOD_MAX_KHR, lod, 0}), 0x4000000000020015u);
  EXPECT_EQ(bits({CL_SAMPLER_LOD_MIN_KHR, lod, 0}), 0x7c00400000020015u);
}

}  // namespace
}  // namespace upsweep
