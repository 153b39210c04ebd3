// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pixels as texels of each format, and back.
#include "cli/texels.h"

#include <cstring>
#include <gtest/gtest.h>

namespace upsweep::cli {
namespace {

ImageFormat format(std::string_view order, std::string_view type) {
  const auto found = parse_image_format(order, type);
  EXPECT_TRUE(found) << found.error();
  return *found;
}

// The texel of one pixel.
template <typename T>
std::vector<T> texel(std::string_view order, std::string_view type, std::vector<uint16_t> pixel, unsigned most = 255) {
  const auto bytes = texels_of(Picture{1, 1, 4, most, std::move(pixel)}, format(order, type));
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(texels, GivenOrders_WhenAPixelIsStored_ThenChannelsGoByTheirNames) {
  const std::vector<uint16_t> pixel{10, 20, 30, 40};
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(texel<uint8_t>("RGBA", "UNORM_INT8", pixel), (Bytes{10, 20, 30, 40}));
  EXPECT_EQ(texel<uint8_t>("BGRA", "UNORM_INT8", pixel), (Bytes{30, 20, 10, 40}));
  EXPECT_EQ(texel<uint8_t>("ARGB", "UNSIGNED_INT8", pixel), (Bytes{40, 10, 20, 30}));
  EXPECT_EQ(texel<uint8_t>("ABGR", "UNORM_INT8", pixel), (Bytes{40, 30, 20, 10}));
  EXPECT_EQ(texel<uint8_t>("RGB", "UNORM_INT8", pixel), (Bytes{10, 20, 30}));
  EXPECT_EQ(texel<uint8_t>("RG", "UNORM_INT8", pixel), (Bytes{10, 20}));
  EXPECT_EQ(texel<uint8_t>("RA", "UNORM_INT8", pixel), (Bytes{10, 40}));
  EXPECT_EQ(texel<uint8_t>("R", "UNORM_INT8", pixel), (Bytes{10}));
  EXPECT_EQ(texel<uint8_t>("A", "UNORM_INT8", pixel), (Bytes{40}));
  // 0.299 r + 0.587 g + 0.114 b = 18.15
  EXPECT_EQ(texel<uint8_t>("LUMINANCE", "UNORM_INT8", pixel), (Bytes{18}));
  EXPECT_EQ(texel<uint8_t>("INTENSITY", "UNORM_INT8", pixel), (Bytes{18}));
  // Pictures are sRGB, so nothing is converted.
  EXPECT_EQ(texel<uint8_t>("sRGBA", "UNORM_INT8", pixel), (Bytes{10, 20, 30, 40}));
  EXPECT_EQ(texel<uint8_t>("sBGRA", "UNORM_INT8", pixel), (Bytes{30, 20, 10, 40}));
  EXPECT_EQ(texel<uint8_t>("sRGB", "UNORM_INT8", pixel), (Bytes{10, 20, 30}));
}

TEST(texels, GivenTypes_WhenAPixelIsStored_ThenFullIntensityIsOneOr255) {
  const std::vector<uint16_t> pixel{255, 0, 51, 255};
  EXPECT_EQ(texel<float>("RGBA", "FLOAT", pixel), (std::vector<float>{1, 0, 0.2f, 1}));
  EXPECT_EQ(texel<uint16_t>("RGBA", "HALF_FLOAT", pixel), (std::vector<uint16_t>{0x3c00, 0, 0x3266, 0x3c00}));
  EXPECT_EQ(texel<uint16_t>("RGBA", "UNORM_INT16", pixel), (std::vector<uint16_t>{65535, 0, 13107, 65535}));
  EXPECT_EQ(texel<int8_t>("RGBA", "SNORM_INT8", pixel), (std::vector<int8_t>{127, 0, 25, 127}));
  EXPECT_EQ(texel<int8_t>("RGBA", "SIGNED_INT8", pixel), (std::vector<int8_t>{127, 0, 51, 127}));
  EXPECT_EQ(texel<uint32_t>("RGBA", "UNSIGNED_INT32", pixel), (std::vector<uint32_t>{255, 0, 51, 255}));
  // 51 / 255 of 31 is 6.2, of 63 is 12.6, of 1023 is 204.6
  EXPECT_EQ(texel<uint16_t>("RGB", "UNORM_SHORT_565", pixel), (std::vector<uint16_t>{31 << 11 | 6}));
  EXPECT_EQ(texel<uint16_t>("RGB", "UNORM_SHORT_555", pixel), (std::vector<uint16_t>{31 << 10 | 6}));
  EXPECT_EQ(texel<uint32_t>("RGB", "UNORM_INT_101010", pixel), (std::vector<uint32_t>{1023u << 20 | 205}));
  EXPECT_EQ(texel<uint32_t>("RGBA", "UNORM_INT_101010_2", pixel), (std::vector<uint32_t>{1023u << 22 | 205 << 2 | 3}));
  const std::vector<uint16_t> fine{65535, 1, 257, 32768};
  EXPECT_EQ(texel<uint16_t>("RGBA", "UNORM_INT16", fine, 65535), fine);
  EXPECT_EQ(texel<uint8_t>("RGBA", "UNORM_INT8", fine, 65535), (std::vector<uint8_t>{255, 0, 1, 128}));
  EXPECT_EQ(texel<uint16_t>("RGBA", "UNSIGNED_INT16", fine, 65535), (std::vector<uint16_t>{255, 0, 1, 128}));
}

// Each format with four greys: black, white, and two that every type except the packed ones stores to half of 1 / 255.
TEST(texels, GivenEachFormat_WhenStoredAndShown_ThenThePixelsAreNear) {
  for (const ImageFormat &each : image_formats()) {
    SCOPED_TRACE(format_name(each));
    Picture picture{2, 2, 4, 255, {}};
    for (const uint16_t grey : {0, 255, 64, 100}) picture.values.insert(picture.values.end(), 4, grey);
    const Picture shown = picture_of(texels_of(picture, each), each, 2, 2);
    ASSERT_EQ(shown.values.size(), 4 * shown.channels);
    for (size_t i = 0; i < shown.values.size(); ++i) {
      const size_t channel = i % shown.channels;
      const bool is_blue_of_two = each.order().stored == 2 && shown.channels == 3 && channel == 2;
      // A type of 5 bits has steps of 8, and 2 bits (alpha) have steps of 85.
      const int bound = each.type().packed ? (channel == 3 ? 43 : 5) : 1;
      const bool is_full = i / shown.channels == 1 && each.type().value == CL_SIGNED_INT8;
      EXPECT_NEAR(shown.values[i], is_blue_of_two ? 0 : is_full ? 127 : picture.values[i / shown.channels * 4], bound) << i;
    }
  }
}

TEST(texels, GivenValuesOutside_WhenShown_ThenTheyAreClamped) {
  const float values[] = {-1, 2, 0.5f, NAN};
  const auto bytes = std::as_bytes(std::span(values));
  EXPECT_EQ(picture_of(bytes, format("R", "FLOAT"), 4, 1).values, (std::vector<uint16_t>{0, 255, 128, 0}));
  const int32_t integers[] = {-5, 256, 100, INT32_MAX};
  EXPECT_EQ(picture_of(std::as_bytes(std::span(integers)), format("RGBA", "SIGNED_INT32"), 1, 1).values,
            (std::vector<uint16_t>{0, 255, 100, 255}));
}

TEST(texels, GivenUnknownNames_WhenParsed_ThenTheMessageListsThoseThatThereAre) {
  EXPECT_NE(parse_image_format("RGAB", "FLOAT").error().find("orders are R, A, RG, RA, RGB, RGBA"), std::string::npos);
  EXPECT_EQ(parse_image_format("DEPTH", "FLOT").error(),
            "'FLOT' is not a channel type of order DEPTH, which has UNORM_INT16, FLOAT");
  EXPECT_FALSE(parse_image_format("BGRA", "FLOAT"));
  EXPECT_FALSE(parse_image_format("", ""));
}

}  // namespace
}  // namespace upsweep::cli
