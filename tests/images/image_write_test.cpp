// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes of every type of image in every format against reference.h.
#include "image_runner.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

namespace upsweep::tests {
namespace {

class ImageWriteTest : public ImageRunner, public testing::WithParamInterface<ImageType> {
protected:
  /// Each texel once, in any order.
  std::vector<IntCoordinate> every_place(const Image &image) {
    std::vector<IntCoordinate> places;
    for (size_t k = 0; k < image.size[2]; ++k)
      for (size_t j = 0; j < image.size[1]; ++j)
        for (size_t i = 0; i < image.size[0]; ++i)
          places.push_back({static_cast<int32_t>(i), static_cast<int32_t>(j), static_cast<int32_t>(k), -5});
    std::ranges::shuffle(places, random_);
    return places;
  }

  uint32_t random_component(Kind kind) {
    if (kind != Kind::kFloat) {  // around where conversions saturate
      static constexpr std::array<int64_t, 8> kLimits{0, 127, 255, -128, 32767, 65535, -32768, 1LL << 31};
      if (one_in(2)) return static_cast<uint32_t>(kLimits[below(8)] + static_cast<int64_t>(below(3)) - 1);
      return static_cast<uint32_t>(random_()) >> below(32);
    }
    static constexpr std::array kSpecial{0.0F,     -0.0F,      1.0F, -1.0F,     65504.0F,   65519.9F,   65520.0F,
                                         0x1p-14F, 0x1.8p-25F, NAN,  HUGE_VALF, -HUGE_VALF, 0.0031308F, 0.5F};
    static constexpr std::array kScales{3.0, 31.0, 63.0, 127.0, 255.0, 1023.0, 32767.0, 65535.0};
    float value = 0;
    switch (below(6)) {
    case 0: value = kSpecial[below(kSpecial.size())]; break;
    case 1: value = std::bit_cast<float>(static_cast<uint32_t>(random_())); break;
    case 2: {  // halfway between two codes, where rounding decides
      const double scale = kScales[below(8)];
      value = static_cast<float>((std::floor(between(-scale, scale)) + 0.5) / scale);
      break;
    }
    case 3: value = static_cast<float>(between(-2, 2)); break;
    default: value = static_cast<float>(between(0, 1)); break;
    }
    return std::bit_cast<uint32_t>(value);
  }

  void check_writes(const cl_image_format &format, bool half, bool back);
};

std::string function_of(Kind kind, bool half) {
  return std::string("write_image") + (half ? "h" : kind == Kind::kFloat ? "f" : kind == Kind::kSigned ? "i" : "ui");
}

void ImageWriteTest::check_writes(const cl_image_format &format, bool half, bool back) {
  const Image image = random_image(GetParam(), format, Contents::kAnyBits);
  DeviceImage object = create(image, back ? CL_MEM_READ_WRITE : CL_MEM_WRITE_ONLY);
  ASSERT_NE(object.image, nullptr);
  const auto places = every_place(image);
  std::vector<Components> colours(places.size());
  for (Components &colour : colours)
    for (uint32_t &component : colour) {
      component = random_component(kind_of(format));
      if (half) component = std::bit_cast<uint32_t>(static_cast<float>(half_value(half_bits(std::bit_cast<float>(component)))));
    }
  std::vector<cl_int> writes(places.size());
  for (cl_int &write : writes) write = one_in(4) ? 0 : 1;
  std::vector<Components> got(places.size());

  cl_mem at = buffer_of(places.data(), places.size() * sizeof places[0]);
  cl_mem values = buffer_of(colours.data(), colours.size() * sizeof colours[0]);
  cl_mem choice = buffer_of(writes.data(), writes.size() * sizeof writes[0]);
  cl_mem out = buffer_of(got.data(), got.size() * sizeof got[0]);
  use_kernel(function_of(kind_of(format), half) + (back ? "_back" : "_once"));
  set(0, object.image);
  set(1, at);
  set(2, values);
  set(3, choice);
  if (back) set(4, out);
  launch(places.size());
  clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, got.size() * sizeof got[0], got.data(), 0, nullptr, nullptr);
  for (cl_mem buffer : {at, values, choice, out}) clReleaseMemObject(buffer);

  const auto after = texels_of(image, object);
  const size_t bytes = bytes_of_texel(format);
  size_t failures = 0;
  for (size_t i = 0; i < places.size() && failures < 3; ++i) {
    const IntCoordinate &p = places[i];
    const size_t index = image.index(static_cast<size_t>(p[0]), static_cast<size_t>(p[1]), static_cast<size_t>(p[2]));
    const unsigned char *texel = after.data() + index * bytes;
    const std::string where = std::string(GetParam().name) + " " + function_of(kind_of(format), half) + " of " +
                              name_of(format) + " at " + std::to_string(p[0]) + " " + std::to_string(p[1]) + " " +
                              std::to_string(p[2]);
    const bool fine = writes[i] ? may_be_stored(format, colours[i], texel)
                                : std::memcmp(texel, image.bytes.data() + index * bytes, bytes) == 0;
    if (!fine) {
      ++failures;
      std::string text;
      for (const uint32_t bits : colours[i])
        text += " " + (kind_of(format) == Kind::kFloat ? std::to_string(std::bit_cast<float>(bits)) : std::to_string(bits));
      for (size_t b = 0; b < bytes; ++b) text += (b ? " " : ", stored as ") + std::to_string(texel[b]);
      ADD_FAILURE() << where << (writes[i] ? ": written" : ": not written") << text;
    }
    if (!back) continue;
    if (!may_be_read(format, decoded(format, texel), got[i], half ? Precision::kHalf : Precision::kFloat)) {
      ++failures;
      ADD_FAILURE() << where << ": read back as something else than stored";
    }
  }
  EXPECT_TRUE(gaps_are_untouched(image, object)) << GetParam().name << " " << name_of(format);
}

TEST_P(ImageWriteTest, GivenAnyFormat_WhenWritten_ThenColoursAreConvertedAndNothingElseChanges) {
  const auto [status, log] = try_build("write.cl", GetParam().options());
  ASSERT_EQ(status, CL_SUCCESS) << log;
  const bool halves = has_halves() && !GetParam().depth;
  for (const cl_image_format &format : formats(GetParam(), CL_MEM_WRITE_ONLY))
    for (const bool half : {false, true})
      if (!half || (halves && reads_as_half(format))) check_writes(format, half, false);
}

TEST_P(ImageWriteTest, GivenAReadWriteImage_WhenWrittenAndRead_ThenTheWorkItemSeesWhatItWrote) {
  const auto [status, log] = try_build("write.cl", GetParam().options());
  ASSERT_EQ(status, CL_SUCCESS) << log;
  const bool halves = has_halves() && !GetParam().depth;
  for (const cl_image_format &format : formats(GetParam(), CL_MEM_KERNEL_READ_AND_WRITE))
    for (const bool half : {false, true})
      if (!half || (halves && reads_as_half(format))) check_writes(format, half, true);
}

INSTANTIATE_TEST_SUITE_P(Types, ImageWriteTest, testing::ValuesIn(kImageTypes),
                         [](const auto &type) { return std::string(type.param.name); });

}  // namespace
}  // namespace upsweep::tests
