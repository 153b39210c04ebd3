// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Supported formats against the specification's lists, and the colours that clEnqueueFillImage stores in each format.
#include "image_fixture.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace {

using namespace upsweep::tests;
using ImageFormatTest = ImageFixture;

using Format = std::pair<cl_channel_order, cl_channel_type>;
using Formats = std::set<Format>;

Formats all_of(std::initializer_list<cl_channel_order> orders, std::initializer_list<cl_channel_type> types) {
  Formats formats;
  for (cl_channel_order order : orders)
    for (cl_channel_type type : types) formats.emplace(order, type);
  return formats;
}

Formats as_set(const std::vector<cl_image_format> &list) {
  Formats formats;
  for (const cl_image_format &format : list) {
    EXPECT_TRUE(formats.emplace(format.image_channel_order, format.image_channel_data_type).second) << "twice";
  }
  return formats;
}

/// "Minimum list of required image formats for reading or writing", with the formats that 2.0 requires and 3.0 does not.
Formats least_formats() {
  Formats formats = all_of({CL_R, CL_RG, CL_RGBA},
                           {CL_UNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT8, CL_SNORM_INT16, CL_SIGNED_INT8, CL_SIGNED_INT16,
                            CL_SIGNED_INT32, CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT});
  formats.merge(all_of({CL_BGRA, CL_sRGBA}, {CL_UNORM_INT8}));
  return formats;
}
Formats least_depth_formats() { return all_of({CL_DEPTH}, {CL_UNORM_INT16, CL_FLOAT}); }

TEST_F(ImageFormatTest, GivenEachTypeAndAccess_WhenFormatsAreAsked_ThenTheRequiredOnesAreThere) {
  for (cl_mem_object_type type : kImageTypes) {
    const bool has_depth = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    for (cl_mem_flags flags : {cl_mem_flags{0}, cl_mem_flags{CL_MEM_READ_ONLY}, cl_mem_flags{CL_MEM_WRITE_ONLY},
                               cl_mem_flags{CL_MEM_READ_WRITE}, cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE},
                               cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_NO_ACCESS}}) {
      const Formats formats = as_set(supported(type, flags));
      EXPECT_TRUE(std::ranges::includes(formats, least_formats())) << type << " " << flags;
      EXPECT_EQ(std::ranges::includes(formats, least_depth_formats()), has_depth) << type << " " << flags;
    }
  }
}

TEST_F(ImageFormatTest, GivenEveryPairOfValues_WhenAnImageIsCreated_ThenExactlyTheListedOnesWork) {
  const Formats listed = as_set(supported(CL_MEM_OBJECT_IMAGE2D));
  for (cl_channel_order order = CL_R - 2; order <= CL_ABGR + 2; ++order)
    for (cl_channel_type type = CL_SNORM_INT8 - 2; type <= CL_UNORM_INT_101010_2 + 2; ++type) {
      const cl_image_format format{order, type};
      const bool is_listed = listed.contains({order, type});
      cl_mem image = create(0, format, desc_2d(3, 2), nullptr, is_listed ? CL_SUCCESS : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
      if (!is_listed) continue;
      EXPECT_EQ(info<size_t>(image, CL_IMAGE_ELEMENT_SIZE), texel_bytes_of(format)) << order << " " << type;
      const auto answer = info<cl_image_format>(image, CL_IMAGE_FORMAT);
      EXPECT_EQ(answer.image_channel_order, order);
      EXPECT_EQ(answer.image_channel_data_type, type);
    }
}

TEST_F(ImageFormatTest, GivenDepth_WhenTheTypeHasNone_ThenFormatNotSupported) {
  const cl_image_format depth{CL_DEPTH, CL_FLOAT};
  create(0, depth, desc_2d(4, 4));
  create(0, depth, desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4, 0, 2));
  create(0, depth, desc_of(CL_MEM_OBJECT_IMAGE1D, 4), nullptr, CL_IMAGE_FORMAT_NOT_SUPPORTED);
  create(0, depth, desc_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4), nullptr, CL_IMAGE_FORMAT_NOT_SUPPORTED);
}

TEST_F(ImageFormatTest, GivenBadArguments_WhenFormatsAreAsked_ThenInvalidValue) {
  cl_image_format format{};
  cl_uint count = 0;
  auto ask = [&](cl_mem_flags flags, cl_mem_object_type type, cl_uint entries, cl_image_format *out) {
    return clGetSupportedImageFormats(context_, flags, type, entries, out, &count);
  };
  EXPECT_EQ(ask(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(ask(cl_mem_flags{1} << 30, CL_MEM_OBJECT_IMAGE2D, 0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(ask(0, CL_MEM_OBJECT_BUFFER, 0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(ask(0, CL_MEM_OBJECT_IMAGE2D, 0, &format), CL_INVALID_VALUE);
  EXPECT_EQ(ask(0, CL_MEM_OBJECT_IMAGE2D, 1, &format), CL_SUCCESS);
  EXPECT_GT(count, 1u);
  EXPECT_EQ(clGetSupportedImageFormats(nullptr, 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count), CL_INVALID_CONTEXT);
}

// Colours

bool is_signed_integer(cl_channel_type type) {
  return type == CL_SIGNED_INT8 || type == CL_SIGNED_INT16 || type == CL_SIGNED_INT32;
}
bool is_unsigned_integer(cl_channel_type type) {
  return type == CL_UNSIGNED_INT8 || type == CL_UNSIGNED_INT16 || type == CL_UNSIGNED_INT32;
}

/// The components r g b a of a colour in the order of the texel's channels. 'x' stands for an ignored channel, which gets
/// alpha.
const char *channels_of(cl_channel_order order) {
  switch (order) {
  case CL_A: return "a";
  case CL_RG:
  case CL_RGx: return "rg";
  case CL_RA: return "ra";
  case CL_RGB:
  case CL_sRGB: return "rgb";
  case CL_RGBA:
  case CL_sRGBA: return "rgba";
  case CL_RGBx:
  case CL_sRGBx: return "rgbx";
  case CL_BGRA:
  case CL_sBGRA: return "bgra";
  case CL_ARGB: return "argb";
  case CL_ABGR: return "abgr";
  default: return "r";
  }
}
size_t component_index(char name) { return name == 'x' ? 3 : std::string("rgba").find(name); }

/// `scale` times the value, rounded to the nearest integer, ties to even, and limited to the bounds.
int64_t rounded(double value, double scale, double least) {
  if (std::isnan(value)) return 0;
  return std::llrint(
      std::fmax(least, std::fmin(scale, static_cast<double>(static_cast<float>(value) * static_cast<float>(scale)))));
}

/// The permitted error of a stored channel: none, except for sRGB, for which the specification has a tolerance.
struct Channel {
  size_t bytes;
  int64_t value;
};
Channel channel_of(cl_channel_type type, float f, int32_t i, uint32_t u) {
  switch (type) {
  case CL_UNORM_INT8: return {1, rounded(f, 255, 0)};
  case CL_UNORM_INT16: return {2, rounded(f, 65535, 0)};
  case CL_SNORM_INT8: return {1, rounded(f, 127, -128)};
  case CL_SNORM_INT16: return {2, rounded(f, 32767, -32768)};
  case CL_SIGNED_INT8: return {1, std::clamp(i, -128, 127)};
  case CL_SIGNED_INT16: return {2, std::clamp(i, -32768, 32767)};
  case CL_SIGNED_INT32: return {4, i};
  case CL_UNSIGNED_INT8: return {1, std::min<uint32_t>(u, 255)};
  case CL_UNSIGNED_INT16: return {2, std::min<uint32_t>(u, 65535)};
  case CL_UNSIGNED_INT32: return {4, u};
  default: {
    uint32_t bits = 0;
    std::memcpy(&bits, &f, 4);
    return {4, bits};
  }
  }
}

/// The nearest half, by a search among all finite halves; ties go to the even one.
uint16_t nearest_half(float f) {
  if (std::isnan(f)) return 0x7e00;
  const double magnitude = std::fabs(static_cast<double>(f));
  auto value = [](uint32_t bits) {
    const int exponent = static_cast<int>(bits >> 10);
    const double fraction = bits & 0x3ff;
    return exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  };
  uint32_t best = 0;
  for (uint32_t bits = 1; bits <= 0x7c00; ++bits) {  // infinity counts as the next power of two
    const double distance = std::fabs(value(bits) - magnitude), least = std::fabs(value(best) - magnitude);
    if (distance < least || (distance == least && bits % 2 == 0)) best = bits;
  }
  return static_cast<uint16_t>(best | (std::signbit(f) ? 0x8000 : 0));
}

struct Color {
  std::array<float, 4> f;
  std::array<int32_t, 4> i;
  std::array<uint32_t, 4> u;
};

uint64_t packed_texel(cl_channel_type type, const Color &c) {
  auto unorm = [&](size_t component, double scale) { return static_cast<uint64_t>(rounded(c.f[component], scale, 0)); };
  switch (type) {
  case CL_UNORM_SHORT_565: return unorm(0, 31) << 11 | unorm(1, 63) << 5 | unorm(2, 31);
  case CL_UNORM_SHORT_555: return unorm(0, 31) << 10 | unorm(1, 31) << 5 | unorm(2, 31);
  case CL_UNORM_INT_101010: return unorm(0, 1023) << 20 | unorm(1, 1023) << 10 | unorm(2, 1023);
  case CL_UNORM_INT_101010_2: return unorm(0, 1023) << 22 | unorm(1, 1023) << 12 | unorm(2, 1023) << 2 | unorm(3, 3);
  default: return UINT64_MAX;
  }
}

double srgb_of(double c) {
  if (std::isnan(c) || c < 0) return 0;
  if (c > 1) return 255;
  return 255 * (c < 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055);
}

void expect_texel(const cl_image_format &format, const Color &c, const std::vector<unsigned char> &texel) {
  const auto [order, type] = std::pair(format.image_channel_order, format.image_channel_data_type);
  uint64_t word = 0;
  std::memcpy(&word, texel.data(), std::min<size_t>(8, texel.size()));
  if (const uint64_t packed = packed_texel(type, c); packed != UINT64_MAX) {
    EXPECT_EQ(word, packed) << order << " " << type;
    return;
  }
  const bool is_srgb = order == CL_sRGB || order == CL_sRGBx || order == CL_sRGBA || order == CL_sBGRA;
  size_t at = 0;
  for (const char *name = channels_of(order); *name; ++name) {
    const size_t k = component_index(*name);
    const size_t bytes = type == CL_HALF_FLOAT ? 2 : channel_of(type, 0, 0, 0).bytes;
    int64_t got = 0;
    std::memcpy(&got, texel.data() + at, bytes);
    at += bytes;
    const std::string where = testing::PrintToString(order) + " " + testing::PrintToString(type) + " " + *name;
    if (type == CL_HALF_FLOAT) {
      const uint16_t expected = nearest_half(c.f[k]);
      EXPECT_TRUE(std::isnan(c.f[k]) ? (got & 0x7fff) > 0x7c00 : got == expected) << where << " " << c.f[k] << " " << got;
    } else if (is_srgb && k < 3) {
      EXPECT_LE(std::fabs(static_cast<double>(got) - srgb_of(c.f[k])), 0.5 + 1e-6) << where << " " << c.f[k];
    } else {
      const Channel expected = channel_of(type, c.f[k], c.i[k], c.u[k]);
      EXPECT_EQ(got, expected.value & static_cast<int64_t>((uint64_t{1} << 8 * bytes) - 1)) << where << " " << c.f[k];
    }
  }
  EXPECT_EQ(at, texel.size());
}

TEST_F(ImageFormatTest, GivenColours_WhenFilled_ThenTexelsAreAsWriteImageMakesThem) {
  constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  const std::array<float, 4> floats[] = {{0, 1, 0.5f, 0.25f},
                                         {-1, -0.5f, 2, -2},
                                         {kInf, -kInf, kNan, 1e30f},
                                         {0.5f / 255, 1.5f / 255, 2.5f / 255, 254.5f / 255},
                                         {0.003f, 0.0031308f, 0.04045f, 0.999f},
                                         {65504, 65520, 1e-8f, -1e-8f},
                                         {0.7353f, 0.2121f, 0.9999f, 1.0001f},
                                         {0.5f / 31, 0.5f / 63, 511.5f / 1023, 0.5f / 3}};
  const std::array<int32_t, 4> ints[] = {
      {0, 1, -1, 127}, {128, -128, -129, 255}, {32767, 32768, -32768, -32769}, {INT32_MAX, INT32_MIN, 256, -256}};
  const std::array<uint32_t, 4> uints[] = {{0, 1, 255, 256}, {65535, 65536, UINT32_MAX, 7}, {254, 65534, 1u << 31, 3}};
  for (const cl_image_format &format : supported(CL_MEM_OBJECT_IMAGE2D)) {
    cl_mem image = create(0, format, desc_2d(5, 4));
    for (size_t i = 0; i < std::size(floats); ++i) {
      const Color color{floats[i], ints[i % std::size(ints)], uints[i % std::size(uints)]};
      const cl_channel_type type = format.image_channel_data_type;
      const void *fill = is_signed_integer(type)     ? static_cast<const void *>(color.i.data())
                         : is_unsigned_integer(type) ? static_cast<const void *>(color.u.data())
                                                     : color.f.data();
      const Coordinates origin{1, 1, 0}, region{3, 2, 1};
      ASSERT_EQ(clEnqueueFillImage(in_order_, image, fill, origin.data(), region.data(), 0, nullptr, nullptr), CL_SUCCESS);
      const size_t bytes = texel_bytes_of(format);
      const auto texels = read(image, origin, region, bytes);
      for (size_t texel = 0; texel < 6; ++texel)
        expect_texel(format, color,
                     {texels.begin() + static_cast<ptrdiff_t>(texel * bytes),
                      texels.begin() + static_cast<ptrdiff_t>((texel + 1) * bytes)});
    }
  }
}

TEST_F(ImageFormatTest, GivenEveryType_WhenARegionIsFilled_ThenNothingElseChanges) {
  std::mt19937 random(3);
  const cl_image_format formats[] = {{CL_RGB, CL_UNSIGNED_INT16}, {CL_RGBA, CL_UNSIGNED_INT32}, {CL_R, CL_UNSIGNED_INT8}};
  const Coordinates extents[] = {{300, 1, 1}, {300, 9, 1}, {300, 9, 5}};
  for (const cl_image_format &format : formats)
    for (cl_mem_object_type type : kImageTypes) {
      if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) continue;
      const unsigned dims = Model(type, format, {1, 1, 1}).dims();
      Model model(type, format, extents[dims - 1]);
      model.randomise(random);
      cl_mem image = create(CL_MEM_COPY_HOST_PTR, format, model.desc(), model.texels.data());
      const Coordinates origin{7, dims > 1 ? 2u : 0u, dims > 2 ? 1u : 0u}, region{271, dims > 1 ? 5u : 1u, dims > 2 ? 3u : 1u};
      const std::array<uint32_t, 4> color{1, 2, 3, 4};
      ASSERT_EQ(clEnqueueFillImage(in_order_, image, color.data(), origin.data(), region.data(), 0, nullptr, nullptr),
                CL_SUCCESS);
      const size_t channels = format.image_channel_order == CL_R ? 1 : format.image_channel_order == CL_RGB ? 3 : 4;
      Model::each(region, [&](size_t x, size_t y, size_t z) {
        for (size_t c = 0; c < channels; ++c)
          std::memcpy(model.at(origin[0] + x, origin[1] + y, origin[2] + z) + c * model.texel_bytes() / channels, &color[c],
                      model.texel_bytes() / channels);
      });
      EXPECT_EQ(read(image, {0, 0, 0}, model.extent, model.texel_bytes()), model.texels) << testing::PrintToString(model);
    }
}

}  // namespace
