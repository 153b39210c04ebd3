// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The image functions for the LANES lanes of a sub-group (src/builtins/images/lanes) against the functions for one work-item.
// Colours and texels must be equal for any image, sampler, coordinates and set of active lanes, and no access may lie outside
// of the image.
#include "base/image_abi.h"
#include "base/sampler_bits.h"
#include "guarded_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#define UPSWEEP_TEXT_(x) #x
#define UPSWEEP_TEXT(x) UPSWEEP_TEXT_(x)
#define OF_LANES(name) name "_lanes" UPSWEEP_TEXT(LANES)

namespace upsweep::tests {
namespace {

using Channels = std::array<uint32_t, 4>;
using Float4 = float __attribute__((ext_vector_type(4)));
using Int4 = int __attribute__((ext_vector_type(4)));

/// The record that the functions pass to each other (lanes.h there).
struct alignas(64) Frame {
  uint32_t in[4][LANES], colour[4][LANES];
};
constexpr uint32_t kAllLanes = static_cast<uint32_t>((uint64_t{1} << LANES) - 1), kSideBySide = 1U << 31;

extern "C" {
#define UPSWEEP_READ(operation, kind, T, C)                                                                                    \
  void operation##_##kind##_lanes(const UpsweepImage *, uint64_t, Frame *,                                                     \
                                  uint32_t) asm(OF_LANES("__ups_" #operation "_" #kind "_2d_array"));                          \
  T operation##_##kind(const UpsweepImage *, uint64_t, C, C, C) asm("__ups_" #operation "_" #kind "_2d_array");                \
  void operation##_##kind##_3d_lanes(const UpsweepImage *, uint64_t, Frame *,                                                  \
                                     uint32_t) asm(OF_LANES("__ups_" #operation "_" #kind "_3d"));                             \
  T operation##_##kind##_3d(const UpsweepImage *, uint64_t, C, C, C) asm("__ups_" #operation "_" #kind "_3d");
UPSWEEP_READ(read, f, Float4, int)
UPSWEEP_READ(read, i, Int4, int)
UPSWEEP_READ(sample, f, Float4, float)
UPSWEEP_READ(sample, i, Int4, float)
void write_f_lanes(const UpsweepImage *, Frame *, uint32_t) asm(OF_LANES("__ups_write_f_3d"));
void write_f(const UpsweepImage *, int, int, int, uint32_t, Float4) asm("__ups_write_f_3d");
void write_i_lanes(const UpsweepImage *, Frame *, uint32_t) asm(OF_LANES("__ups_write_i_3d"));
void write_i(const UpsweepImage *, int, int, int, uint32_t, Int4) asm("__ups_write_i_3d");
}

struct Format {
  uint8_t component;
  uint8_t bytes;  ///< bytes of a channel, or of a packed texel
  bool is_real;
};
constexpr Format kFormats[] = {{UPSWEEP_UNORM8, 1, true},      {UPSWEEP_SNORM8, 1, true},       {UPSWEEP_UNORM16, 2, true},
                               {UPSWEEP_SNORM16, 2, true},     {UPSWEEP_HALF, 2, true},         {UPSWEEP_FLOAT, 4, true},
                               {UPSWEEP_SINT8, 1, false},      {UPSWEEP_SINT16, 2, false},      {UPSWEEP_SINT32, 4, false},
                               {UPSWEEP_UINT8, 1, false},      {UPSWEEP_UINT16, 2, false},      {UPSWEEP_UINT32, 4, false},
                               {UPSWEEP_SRGB8, 1, true},       {UPSWEEP_UNORM565, 2, true},     {UPSWEEP_UNORM555, 2, true},
                               {UPSWEEP_UNORM101010, 4, true}, {UPSWEEP_UNORM101010_2, 4, true}};
/// Packed texels as the host specification describes them: the first bit and the number of bits of each channel.
struct Packed {
  uint8_t component;
  uint8_t bytes;
  std::array<std::array<unsigned, 2>, 4> channels;
};
constexpr Packed kPacked[] = {{UPSWEEP_UNORM565, 2, {{{11, 5}, {5, 6}, {0, 5}}}},
                              {UPSWEEP_UNORM555, 2, {{{10, 5}, {5, 5}, {0, 5}}}},
                              {UPSWEEP_UNORM101010, 4, {{{20, 10}, {10, 10}, {0, 10}}}},
                              {UPSWEEP_UNORM101010_2, 4, {{{22, 10}, {12, 10}, {2, 10}, {0, 2}}}}};
bool is_packed(uint8_t component) {
  return std::ranges::any_of(kPacked, [=](const Packed &packed) { return packed.component == component; });
}

struct Order {
  uint32_t value;  ///< CL_R and so on
  uint8_t channels;
  std::array<uint8_t, 4> swizzle;
};
constexpr uint8_t kZero = UPSWEEP_CHANNEL_ZERO, kOne = UPSWEEP_CHANNEL_ONE;
constexpr Order kOrders[] = {{0x10b0, 1, {0, kZero, kZero, kOne}},
                             {0x10b1, 1, {kZero, kZero, kZero, 0}},
                             {0x10b2, 2, {0, 1, kZero, kOne}},
                             {0x10b3, 2, {0, kZero, kZero, 1}},
                             {0x10b4, 3, {0, 1, 2, kOne}},
                             {0x10b5, 4, {0, 1, 2, 3}},
                             {0x10b6, 4, {2, 1, 0, 3}},
                             {0x10b7, 4, {1, 2, 3, 0}},
                             {0x10b8, 1, {0, 0, 0, 0}},
                             {0x10b9, 1, {0, 0, 0, kOne}}};

class ImageLanesTest : public testing::TestWithParam<Format> {
protected:
  void SetUp() override {
    if (!__builtin_cpu_supports(UPSWEEP_LEVEL)) GTEST_SKIP() << "this processor is no " UPSWEEP_LEVEL;
  }
  void draw_image();
  /// Coordinates of neighbours, or of random texels; inactive lanes have arbitrary ones.
  void draw_coordinates(bool integers);
  uint64_t draw_sampler();
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  float between(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  [[nodiscard]] Channels colour(const Frame &frame, uint32_t lane) const;
  void check_colour(const Channels &got, const Channels &wanted, bool filtered, const char *function) const;

  std::mt19937_64 random_{1};
  UpsweepImage image_{};
  GuardedMemory memory_;
  Frame frame_{};
  uint32_t set_ = 0, form_ = 0;
};

void ImageLanesTest::draw_image() {
  const Format &format = GetParam();
  const bool packed = is_packed(format.component);
  // Packed types and sRGB have three channels or four.
  const Order &order = format.component == UPSWEEP_UNORM101010_2 ? kOrders[5]
                       : packed                                  ? kOrders[4]
                       : format.component == UPSWEEP_SRGB8       ? kOrders[4 + below(3)]
                                                                 : kOrders[below(10)];
  static_assert(std::size(kOrders) == 10);
  image_ = {};
  image_.width = 1 + below(below(3) ? 70 : 3);
  image_.height = 1 + below(9);
  image_.layers = image_.depth = 1 + below(3);
  image_.component = format.component;
  image_.components = order.channels;
  image_.channel_order = order.value;
  image_.texel_bytes = static_cast<uint8_t>(packed ? format.bytes : format.bytes * order.channels);
  image_.storage = static_cast<uint8_t>(packed ? format.bytes - 1 : (format.bytes / 2) * 4 + order.channels - 1);
  std::ranges::copy(order.swizzle, image_.swizzle);
  image_.border_alpha_one = static_cast<uint8_t>(below(2));
  image_.levels = 1;
  image_.row_pitch = (image_.width + below(2) * below(9)) * image_.texel_bytes;
  image_.slice_pitch = image_.row_pitch * image_.height;
  const size_t gap = image_.row_pitch - size_t{image_.width} * image_.texel_bytes;
  memory_ = GuardedMemory(image_.slice_pitch * image_.depth - gap, 0);
  for (unsigned char &byte : memory_.bytes()) byte = static_cast<unsigned char>(random_());
  for (size_t i = 0; format.component == UPSWEEP_FLOAT && i + 4 <= memory_.bytes().size(); i += 4) {
    const float value = between(-1, 1);
    std::memcpy(&memory_.bytes()[i], &value, 4);
  }
  for (size_t i = 0; format.component == UPSWEEP_HALF && i + 2 <= memory_.bytes().size(); i += 2)
    memory_.bytes()[i + 1] &= 0xbb;  // below 2, and finite
  image_.data = reinterpret_cast<uint64_t>(memory_.bytes().data());
}

void ImageLanesTest::draw_coordinates(bool integers) {
  set_ = below(3) == 0 ? static_cast<uint32_t>(random_()) & kAllLanes : below(3) == 0 ? (1U << below(LANES)) - 1 : kAllLanes;
  form_ = below(2) ? kSideBySide : 0;
  for (auto *part : {frame_.in, frame_.colour})
    for (int k = 0; k < 4; ++k)
      for (uint32_t &word : part[k]) word = static_cast<uint32_t>(random_());
  const auto place = [&](uint32_t size) { return static_cast<int>(below(size + 6)) - 3; };
  const bool in_row = below(2) != 0;
  const std::array<int, 3> first{place(image_.width), place(image_.height), place(image_.depth)};
  const float offset = between(0, 1);
  for (uint32_t lane = 0; lane < LANES; ++lane) {
    if (!(set_ >> lane & 1)) continue;
    std::array<int, 3> at{place(image_.width), place(image_.height), place(image_.depth)};
    if (in_row) at = {first[0] + static_cast<int>(lane), first[1], first[2]};
    for (size_t d = 0; d < 3; ++d) {
      const float exact = static_cast<float>(at[d]) + (in_row ? offset : between(0, 1));
      frame_.in[d][lane] = integers ? static_cast<uint32_t>(at[d]) : std::bit_cast<uint32_t>(exact);
    }
  }
}

uint64_t ImageLanesTest::draw_sampler() {
  static constexpr std::array<uint64_t, 5> kModes{UPSWEEP_SAMPLER_NONE, UPSWEEP_SAMPLER_CLAMP_TO_EDGE, UPSWEEP_SAMPLER_CLAMP,
                                                  UPSWEEP_SAMPLER_REPEAT | UPSWEEP_SAMPLER_NORMALIZED,
                                                  UPSWEEP_SAMPLER_MIRRORED_REPEAT | UPSWEEP_SAMPLER_NORMALIZED};
  return kModes[below(5)] | (below(2) && GetParam().is_real ? UPSWEEP_SAMPLER_LINEAR : UPSWEEP_SAMPLER_NEAREST);
}

Channels ImageLanesTest::colour(const Frame &frame, uint32_t lane) const {
  Channels channels{};
  for (size_t k = 0; k < 4; ++k) channels[k] = form_ ? (&frame.colour[0][0])[size_t{lane} * 4 + k] : frame.colour[k][lane];
  return channels;
}

void ImageLanesTest::check_colour(const Channels &got, const Channels &wanted, bool filtered, const char *function) const {
  for (size_t k = 0; k < 4; ++k) {
    if (!filtered) {
      ASSERT_EQ(got[k], wanted[k]) << function << ", channel " << k << ", order " << image_.channel_order;
    } else {
      ASSERT_NEAR(std::bit_cast<float>(got[k]), std::bit_cast<float>(wanted[k]), 2e-6)
          << function << ", channel " << k << ", order " << image_.channel_order;
    }
  }
}

constexpr int kRounds = 1000;

TEST_P(ImageLanesTest, GivenAnySetOfLanes_WhenRead_ThenEachHasTheColourOfAWorkItem) {
  for (int round = 0; round < kRounds; ++round) {
    draw_image();
    const bool integers = below(3) == 0, volume = below(2) != 0;
    const uint64_t sampler = integers ? (below(2) ? UPSWEEP_SAMPLER_CLAMP_TO_EDGE : UPSWEEP_SAMPLER_CLAMP) : draw_sampler();
    const bool filtered = (sampler & UPSWEEP_SAMPLER_LINEAR) != 0;
    draw_coordinates(integers);
    if (!volume) image_.depth = 1;
    if (sampler & UPSWEEP_SAMPLER_NORMALIZED)
      for (uint32_t &x : frame_.in[0]) x = std::bit_cast<uint32_t>(std::bit_cast<float>(x) / static_cast<float>(image_.width));
    const Frame given = frame_;
    const auto run = [&](auto of_lanes, auto of_item, auto coordinate, const char *function) {
      of_lanes(&image_, sampler, &frame_, set_ | form_);
      for (uint32_t lane = 0; lane < LANES; ++lane) {
        if (!(set_ >> lane & 1)) continue;
        const auto at = [&](int d) { return std::bit_cast<decltype(coordinate)>(given.in[d][lane]); };
        const auto wanted = std::bit_cast<Channels>(of_item(&image_, sampler, at(0), at(1), at(2)));
        check_colour(colour(frame_, lane), wanted, filtered, function);
      }
    };
    const bool real = GetParam().is_real;
    if (integers && real) volume ? run(read_f_3d_lanes, read_f_3d, 0, "read 3d") : run(read_f_lanes, read_f, 0, "read array");
    if (integers && !real) volume ? run(read_i_3d_lanes, read_i_3d, 0, "read 3d") : run(read_i_lanes, read_i, 0, "read array");
    if (!integers && real)
      volume ? run(sample_f_3d_lanes, sample_f_3d, 0.0F, "sample 3d") : run(sample_f_lanes, sample_f, 0.0F, "sample array");
    if (!integers && !real)
      volume ? run(sample_i_3d_lanes, sample_i_3d, 0.0F, "sample 3d") : run(sample_i_lanes, sample_i, 0.0F, "sample array");
    ASSERT_FALSE(HasFatalFailure()) << "round " << round << ", sampler " << sampler << ", set " << set_;
  }
}

TEST_P(ImageLanesTest, GivenAnySetOfLanes_WhenWritten_ThenTexelsAreThoseOfWorkItems) {
  for (int round = 0; round < kRounds; ++round) {
    draw_image();
    draw_coordinates(true);
    const bool real = GetParam().is_real;
    for (auto &channel : frame_.colour)
      for (uint32_t &word : channel)
        word = real ? std::bit_cast<uint32_t>(below(20) ? between(-1.2F, 1.2F) : NAN)
                    : static_cast<uint32_t>(random_()) >> below(32);
    for (uint32_t lane = 0; lane < LANES; ++lane) {
      frame_.in[3][lane] = 0;  // the level; if lanes share a place, their order is undefined
      for (uint32_t other = 0; other < lane; ++other) {
        const auto same = [&](int d) { return frame_.in[d][lane] == frame_.in[d][other]; };
        if (same(0) && same(1) && same(2)) set_ &= ~(1U << lane);
      }
    }
    const std::vector<unsigned char> before(memory_.bytes().begin(), memory_.bytes().end());
    (real ? write_f_lanes : write_i_lanes)(&image_, &frame_, set_ | form_);
    const std::vector<unsigned char> got(memory_.bytes().begin(), memory_.bytes().end());
    std::ranges::copy(before, memory_.bytes().begin());
    for (uint32_t lane = 0; lane < LANES; ++lane) {
      if (!(set_ >> lane & 1)) continue;
      const Channels c = colour(frame_, lane);
      const auto at = [&](int d) { return static_cast<int>(frame_.in[d][lane]); };
      if (real)
        write_f(&image_, at(0), at(1), at(2), 0, std::bit_cast<Float4>(c));
      else
        write_i(&image_, at(0), at(1), at(2), 0, std::bit_cast<Int4>(c));
    }
    // The two implementations compute sRGB's power separately.
    const int most = GetParam().component == UPSWEEP_SRGB8 ? 1 : 0;
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_LE(std::abs(got[i] - memory_.bytes()[i]), most)
          << "byte " << i << ", order " << image_.channel_order << ", set " << set_;
  }
}

class PackedTexelsTest : public ImageLanesTest {};

TEST_P(PackedTexelsTest, GivenTexels_WhenReadAndWritten_ThenChannelsHaveTheBitsOfTheSpecification) {
  const auto *packed = std::ranges::find(kPacked, GetParam().component, &Packed::component);
  for (int round = 0; round < kRounds; ++round) {
    draw_image();
    uint32_t word = 0, kept = 0;
    std::memcpy(&word, memory_.bytes().data(), packed->bytes);
    const Float4 colour = read_f(&image_, UPSWEEP_SAMPLER_CLAMP_TO_EDGE, 0, 0, 0);
    for (int k = 0; k < 4; ++k) {
      const auto [shift, bits] = packed->channels[static_cast<size_t>(k)];
      const uint32_t most = (1U << bits) - 1, number = word >> shift & most;
      kept |= number << shift;
      ASSERT_NEAR(colour[k], bits > 0 ? static_cast<double>(number) / most : 1.0, 1e-6) << "channel " << k << " of " << word;
    }
    std::memset(memory_.bytes().data(), 0, packed->bytes);
    write_f(&image_, 0, 0, 0, 0, colour);
    std::memcpy(&word, memory_.bytes().data(), packed->bytes);
    ASSERT_EQ(word, kept);
  }
}

std::vector<Format> packed_formats() {
  std::vector<Format> packed;
  std::ranges::copy_if(kFormats, std::back_inserter(packed), [](const Format &format) { return is_packed(format.component); });
  return packed;
}

std::string name_of(const testing::TestParamInfo<Format> &format) {
  return "Component" + std::to_string(format.param.component);
}

INSTANTIATE_TEST_SUITE_P(Formats, ImageLanesTest, testing::ValuesIn(kFormats), name_of);
INSTANTIATE_TEST_SUITE_P(Formats, PackedTexelsTest, testing::ValuesIn(packed_formats()), name_of);

}  // namespace
}  // namespace upsweep::tests
