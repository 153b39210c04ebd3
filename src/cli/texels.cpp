// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts texels and pixels.
#include "cli/texels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/ranges.h>

namespace upsweep::cli {
namespace {

constexpr std::string_view kPrefix = "CL_";
constexpr double kFullInteger = 255;

std::string_view short_name(const char *name) { return std::string_view(name).substr(kPrefix.size()); }

// The distinct names that `name_of` gives for `list`.
template <typename NameOf>
std::string names(NameOf name_of) {
  std::vector<std::string_view> found;
  for (const ImageFormat &format : image_formats())
    if (const std::string_view name = name_of(format); !name.empty() && std::ranges::find(found, name) == found.end())
      found.push_back(name);
  return fmt::format("{}", fmt::join(found, ", "));
}

// A picture's values are already sRGB, so sRGB orders are treated as the plain orders.
ImageFormat without_srgb(const ImageFormat &format) {
  if (!format.is_srgb()) return format;
  for (const ImageFormat &plain : image_formats())
    if (!plain.is_srgb() && plain.type().value == format.type().value &&
        is_view_order(plain.order().value, format.order().value))
      return plain;
  return format;
}

// Rec. 601, as for JPEG's luminance.
double brightness(const std::array<double, 4> &pixel) { return 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]; }

bool is_integer(const ImageFormat &format) {
  return format.type().kind == ChannelClass::kSint || format.type().kind == ChannelClass::kUint;
}

template <typename T>
double load(const std::byte *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<double>(value);
}

double load_scalar(Scalar scalar, const std::byte *from) {
  switch (scalar) {
  case Scalar::Char: return load<int8_t>(from);
  case Scalar::UChar: return load<uint8_t>(from);
  case Scalar::Short: return load<int16_t>(from);
  case Scalar::UShort: return load<uint16_t>(from);
  case Scalar::Int: return load<int32_t>(from);
  case Scalar::UInt: return load<uint32_t>(from);
  case Scalar::Half: return load<_Float16>(from);
  default: return load<float>(from);
  }
}

// A stored channel, scaled to 0 to 1.
double channel_of(const ImageFormat &format, const std::byte *texel, size_t channel) {
  const ChannelType &type = format.type();
  const Scalar scalar = stored_scalar(format);
  if (type.packed) {
    const auto bits = static_cast<uint64_t>(load_scalar(scalar, texel));
    const double most = static_cast<double>((uint64_t{1} << type.fields[channel].bits) - 1);
    return static_cast<double>(bits >> type.fields[channel].shift & static_cast<uint64_t>(most)) / most;
  }
  const double value = load_scalar(scalar, texel + channel * type.bytes);
  switch (type.kind) {
  case ChannelClass::kUnorm: return value / static_cast<double>((uint64_t{1} << 8 * type.bytes) - 1);
  case ChannelClass::kSnorm: return value / static_cast<double>((uint64_t{1} << (8 * type.bytes - 1)) - 1);
  case ChannelClass::kSint:
  case ChannelClass::kUint: return value / kFullInteger;
  default: return value;
  }
}

// The number of PNG channels that show all channels of an order: grey if one is stored.
size_t shown_channels(const ChannelOrder &order) {
  if (order.stored == 1) return 1;
  if (order.value == CL_RA) return 2;
  return order.from[3] == kChannelOne ? 3 : 4;
}

uint16_t to_byte(double value) {
  return static_cast<uint16_t>(std::isnan(value) ? 0 : std::lround(std::clamp(value, 0.0, 1.0) * 255));
}

}  // namespace

Result<ImageFormat> parse_image_format(std::string_view order, std::string_view type) {
  bool has_order = false;
  for (const ImageFormat &format : image_formats()) {
    const bool same = short_name(format.order().name) == order;
    if (same && short_name(format.type().name) == type) return format;
    has_order = has_order || same;
  }
  if (!has_order)
    return misuse("'{}' is not a channel order; orders are {}", order,
                  names([](const ImageFormat &format) { return short_name(format.order().name); }));
  return misuse("'{}' is not a channel type of order {}, which has {}", type, order, names([&](const ImageFormat &format) {
                  return short_name(format.order().name) == order ? short_name(format.type().name) : std::string_view();
                }));
}

std::string format_name(const ImageFormat &format) {
  return fmt::format("{}, {}", short_name(format.order().name), short_name(format.type().name));
}

Scalar stored_scalar(const ImageFormat &format) {
  const bool is_signed = format.type().kind == ChannelClass::kSnorm || format.type().kind == ChannelClass::kSint;
  if (format.type().kind == ChannelClass::kHalf) return Scalar::Half;
  if (format.type().kind == ChannelClass::kFloat) return Scalar::Float;
  switch (format.type().bytes) {
  case 1: return is_signed ? Scalar::Char : Scalar::UChar;
  case 2: return is_signed ? Scalar::Short : Scalar::UShort;
  default: return is_signed ? Scalar::Int : Scalar::UInt;
  }
}

std::vector<std::byte> texels_of(const Picture &picture, const ImageFormat &of) {
  const ImageFormat format = without_srgb(of);
  const cl_channel_order order = format.order().value;
  const bool is_grey = order == CL_LUMINANCE || order == CL_INTENSITY || order == CL_DEPTH;
  const double unit = (is_integer(format) ? kFullInteger : 1.0) / picture.most;
  const size_t size = format.texel_bytes();
  std::vector<std::byte> texels(picture.width * picture.height * size);
  for (size_t i = 0; i < picture.width * picture.height; ++i) {
    std::array<double, 4> pixel{};
    for (size_t c = 0; c < 4; ++c) pixel[c] = picture.values[4 * i + c] * unit;
    if (is_grey) pixel[0] = brightness(pixel);
    std::array<float, 4> real{};
    std::array<int32_t, 4> integer{};
    std::ranges::transform(pixel, real.begin(), [](double value) { return static_cast<float>(value); });
    std::ranges::transform(pixel, integer.begin(), [](double value) { return static_cast<int32_t>(std::lround(value)); });
    const auto texel = encode_texel(format, is_integer(format) ? static_cast<const void *>(integer.data()) : real.data());
    std::memcpy(&texels[i * size], texel.data(), size);
  }
  return texels;
}

Picture picture_of(std::span<const std::byte> texels, const ImageFormat &format, size_t width, size_t height) {
  const ChannelOrder &order = format.order();
  Picture picture{width, height, shown_channels(order), 255, {}};
  picture.values.reserve(width * height * picture.channels);
  for (size_t i = 0; i < width * height; ++i) {
    const std::byte *texel = texels.data() + i * format.texel_bytes();
    if (picture.channels == 1) {
      picture.values.push_back(to_byte(channel_of(format, texel, 0)));
      continue;
    }
    for (size_t c = 0; c < 4; ++c) {
      if (c >= picture.channels && !(picture.channels == 2 && c == 3)) continue;  // alpha of two channels is the last of four
      if (picture.channels == 2 && c == 1) continue;
      const uint8_t from = order.from[c];
      picture.values.push_back(from == kChannelZero ? 0 : to_byte(channel_of(format, texel, from)));
    }
  }
  return picture;
}

}  // namespace upsweep::cli
