// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Encodes colours as texels by OpenCL C's section "Conversion Rules".
#include "formats/image_format.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace upsweep {
namespace {

/// Rounds `value` to the nearest integer in [least, most]; NaN becomes 0. Expects rounding to nearest even.
int64_t round_into(float value, int64_t least, int64_t most) {
  if (std::isnan(value)) return 0;
  // double represents every bound exactly.
  return static_cast<int64_t>(
      std::nearbyint(std::clamp(static_cast<double>(value), static_cast<double>(least), static_cast<double>(most))));
}

int64_t most_of(unsigned bits) { return (int64_t{1} << bits) - 1; }

uint64_t encode_unorm(float value, unsigned bits) {
  const int64_t most = most_of(bits);
  return static_cast<uint64_t>(round_into(value * static_cast<float>(most), 0, most));
}

uint64_t encode_snorm(float value, unsigned bits) {
  const int64_t most = most_of(bits - 1);
  return static_cast<uint64_t>(round_into(value * static_cast<float>(most), -most - 1, most));
}

uint64_t encode_srgb8(float value) {
  double c = std::isnan(value) ? 0.0 : std::clamp(static_cast<double>(value), 0.0, 1.0);
  c = c < 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
  return static_cast<uint64_t>(std::floor(c * 255.0 + 0.5));
}

template <typename T>
T component(const void *color, size_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(color) + index * sizeof value, sizeof value);
  return value;
}

/// Component `index` of the colour as a channel of the type, in little-endian bits.
uint64_t encode_channel(const ChannelType &type, const void *color, size_t index) {
  const unsigned bits = 8 * type.bytes;
  switch (type.kind) {
  case ChannelClass::kUnorm: return encode_unorm(component<float>(color, index), bits);
  case ChannelClass::kSnorm: return encode_snorm(component<float>(color, index), bits);
  case ChannelClass::kSint:
    return static_cast<uint64_t>(
        std::clamp<int64_t>(component<int32_t>(color, index), -most_of(bits - 1) - 1, most_of(bits - 1)));
  case ChannelClass::kUint: return std::min<uint64_t>(component<uint32_t>(color, index), static_cast<uint64_t>(most_of(bits)));
  case ChannelClass::kHalf: {
    const auto half = static_cast<_Float16>(component<float>(color, index));
    uint16_t word = 0;
    std::memcpy(&word, &half, sizeof word);
    return word;
  }
  case ChannelClass::kFloat: return component<uint32_t>(color, index);
  }
  return 0;
}

}  // namespace

std::array<char, kMaxTexelBytes> encode_texel(const ImageFormat &format, const void *color) {
  std::array<char, kMaxTexelBytes> texel{};
  const ChannelType &type = format.type();
  if (type.packed) {
    uint64_t word = 0;
    for (size_t i = 0; i < type.packed; ++i)
      word |= encode_unorm(component<float>(color, i), type.fields[i].bits) << type.fields[i].shift;
    std::memcpy(texel.data(), &word, type.bytes);
    return texel;
  }
  const ChannelOrder &order = format.order();
  for (size_t channel = 0; channel < order.stored; ++channel) {
    // The first component that the channel stores. The ignored channel of RGBx gets alpha, as Khronos's tests expect.
    const size_t i = static_cast<size_t>(std::ranges::find(order.from, channel) - order.from.begin());
    const bool is_encoded = format.is_srgb() && i < 3;
    const size_t used = std::min<size_t>(i, 3);
    const uint64_t bits = is_encoded ? encode_srgb8(component<float>(color, used)) : encode_channel(type, color, used);
    std::memcpy(texel.data() + channel * type.bytes, &bits, type.bytes);
  }
  return texel;
}

}  // namespace upsweep
