// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts of --arg for images and samplers.
#include "cli/image_argument.h"

#include "cli/npy.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace upsweep::cli {
namespace {

TEST(image_argument, GivenASize_WhenParsed_ThenAnImageOfTheFormat) {
  const auto argument = parse_argument("image:2^5x7,type=FLOAT,order=RG");
  ASSERT_TRUE(argument) << argument.error();
  EXPECT_EQ(argument->kind, HostArgument::Kind::Image);
  EXPECT_EQ(argument->extent, (std::vector<size_t>{32, 7}));
  EXPECT_EQ(argument->shape, (std::vector<size_t>{7, 32}));
  EXPECT_EQ(argument->format.image_channel_order, static_cast<cl_channel_order>(CL_RG));
  EXPECT_EQ(argument->format.image_channel_data_type, static_cast<cl_channel_type>(CL_FLOAT));
  EXPECT_EQ(argument->type.name(), "float2");
  const auto simple = parse_argument("image:4x5x6");
  ASSERT_TRUE(simple) << simple.error();
  EXPECT_EQ(simple->extent, (std::vector<size_t>{4, 5, 6}));
  EXPECT_EQ(simple->type.name(), "uchar4");
  // Three channels have no padding, unlike a vector of three.
  const auto rgb = parse_argument("image:9,order=RGB");
  ASSERT_TRUE(rgb) << rgb.error();
  EXPECT_EQ(rgb->type.name(), "uchar");
  EXPECT_EQ(rgb->shape, (std::vector<size_t>{9, 3}));
}

TEST(image_argument, GivenAnArray_WhenParsed_ThenItsAxesAreSizesAndChannels) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("upsweep,image_{}.npy", getpid());
  ASSERT_TRUE(write_npy(path, {Scalar::Float, {3, 5, 4}, std::vector<std::byte>(240)}));
  const auto volume = parse_argument(fmt::format("image:{}", path.string()));
  ASSERT_TRUE(volume) << volume.error();
  EXPECT_EQ(volume->extent, (std::vector<size_t>{4, 5, 3}));
  EXPECT_EQ(volume->format.image_channel_order, static_cast<cl_channel_order>(CL_R));
  EXPECT_EQ(volume->format.image_channel_data_type, static_cast<cl_channel_type>(CL_FLOAT));
  const auto colours = parse_argument(fmt::format("image:{},order=RGBA", path.string()));
  ASSERT_TRUE(colours) << colours.error();
  EXPECT_EQ(colours->extent, (std::vector<size_t>{5, 3}));
  EXPECT_EQ(colours->bytes.size(), 240u);
  EXPECT_FALSE(parse_argument(fmt::format("image:{},order=RG", path.string())));
  EXPECT_FALSE(parse_argument(fmt::format("image:{},type=UNORM_INT8", path.string())));
  std::filesystem::remove(path);
}

TEST(image_argument, GivenSamplers_WhenParsed_ThenWordsInAnyOrderAndDefaults) {
  const auto sampler = parse_argument("sampler:mirrored_repeat,normalized,linear");
  ASSERT_TRUE(sampler) << sampler.error();
  EXPECT_EQ(sampler->kind, HostArgument::Kind::Sampler);
  EXPECT_EQ(sampler->sampler.addressing, static_cast<cl_addressing_mode>(CL_ADDRESS_MIRRORED_REPEAT));
  EXPECT_EQ(sampler->sampler.filter, static_cast<cl_filter_mode>(CL_FILTER_LINEAR));
  EXPECT_EQ(sampler->sampler.normalized, static_cast<cl_bool>(CL_TRUE));
  const auto plain = parse_argument("sampler:nearest");
  ASSERT_TRUE(plain) << plain.error();
  EXPECT_EQ(plain->sampler.addressing, static_cast<cl_addressing_mode>(CL_ADDRESS_CLAMP_TO_EDGE));
  EXPECT_EQ(plain->sampler.normalized, static_cast<cl_bool>(CL_FALSE));
}

TEST(image_argument, GivenMistakes_WhenParsed_ThenTheyFail) {
  for (const char *text : {"image:", "image:0x4", "image:4x0", "image:2^40x2^40", "image:4x4,order=", "image:4x4,order=RGBX",
                           "image:4x4,order=R,order=R", "image:4x4,size=4", "image:4x4,order=BGRA,type=FLOAT", "image:none.png",
                           "image:none.npy", "image:4x", "image:x4", "image:4X4", "sampler:", "sampler:linear,nearest",
                           "sampler:linear,linear", "sampler:cubic", "sampler:linear,"})
    EXPECT_FALSE(parse_argument(text)) << text;
}

}  // namespace
}  // namespace upsweep::cli
