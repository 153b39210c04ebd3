// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texels: the channels that a format stores, and the conversions of section 3.3.
#include "reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace upsweep::tests {
namespace {

/// The stored channels from the lowest address on, as letters: i and l stand for intensity and luminance, d for depth, x is
/// ignored. Rx and RGx have no ignored channel, as in the conformance tests.
struct Order {
  cl_channel_order order;
  const char *name;
  const char *channels;
  double border_alpha;  ///< 1.13.14, "Determining the border color or value"
};

// sRGB is in no list of border colours; it resembles RGB, whose alpha is 1.
constexpr std::array kOrders{
    Order{CL_R, "R", "r", 1},
    Order{CL_A, "A", "a", 0},
    Order{CL_RG, "RG", "rg", 1},
    Order{CL_RA, "RA", "ra", 0},
    Order{CL_RGB, "RGB", "rgb", 1},
    Order{CL_RGBA, "RGBA", "rgba", 0},
    Order{CL_BGRA, "BGRA", "bgra", 0},
    Order{CL_ARGB, "ARGB", "argb", 0},
    Order{CL_ABGR, "ABGR", "abgr", 0},
    Order{CL_INTENSITY, "INTENSITY", "i", 0},
    Order{CL_DEPTH, "DEPTH", "d", 0},
    Order{CL_LUMINANCE, "LUMINANCE", "l", 1},
    Order{CL_Rx, "Rx", "r", 0},
    Order{CL_RGx, "RGx", "rg", 0},
    Order{CL_RGBx, "RGBx", "rgbx", 0},
    Order{CL_sRGB, "sRGB", "rgb", 1},
    Order{CL_sRGBx, "sRGBx", "rgbx", 0},
    Order{CL_sRGBA, "sRGBA", "rgba", 0},
    Order{CL_sBGRA, "sBGRA", "bgra", 0},
};

enum class Coding { kUnorm, kSnorm, kSigned, kUnsigned, kHalf, kFloat };

struct Type {
  cl_channel_type type;
  const char *name;
  Coding coding;
  /// Bits of each channel; for a packed type from the highest bits of the texel on.
  std::array<unsigned, 4> bits;
  unsigned packed_bytes;  ///< 0: each channel has its own bytes
  unsigned unused_bits;   ///< for a packed texel, at the top
  bool rounds_exactly;    ///< 3.3.1 names the conversion; other types have none
};

constexpr std::array kTypes{
    Type{CL_SNORM_INT8, "SNORM_INT8", Coding::kSnorm, {8, 8, 8, 8}, 0, 0, true},
    Type{CL_SNORM_INT16, "SNORM_INT16", Coding::kSnorm, {16, 16, 16, 16}, 0, 0, true},
    Type{CL_UNORM_INT8, "UNORM_INT8", Coding::kUnorm, {8, 8, 8, 8}, 0, 0, true},
    Type{CL_UNORM_INT16, "UNORM_INT16", Coding::kUnorm, {16, 16, 16, 16}, 0, 0, true},
    Type{CL_UNORM_SHORT_565, "UNORM_SHORT_565", Coding::kUnorm, {5, 6, 5}, 2, 0, false},
    Type{CL_UNORM_SHORT_555, "UNORM_SHORT_555", Coding::kUnorm, {5, 5, 5}, 2, 1, false},
    Type{CL_UNORM_INT_101010, "UNORM_INT_101010", Coding::kUnorm, {10, 10, 10}, 4, 2, true},
    Type{CL_UNORM_INT_101010_2, "UNORM_INT_101010_2", Coding::kUnorm, {10, 10, 10, 2}, 4, 0, false},
    Type{CL_SIGNED_INT8, "SIGNED_INT8", Coding::kSigned, {8, 8, 8, 8}, 0, 0, true},
    Type{CL_SIGNED_INT16, "SIGNED_INT16", Coding::kSigned, {16, 16, 16, 16}, 0, 0, true},
    Type{CL_SIGNED_INT32, "SIGNED_INT32", Coding::kSigned, {32, 32, 32, 32}, 0, 0, true},
    Type{CL_UNSIGNED_INT8, "UNSIGNED_INT8", Coding::kUnsigned, {8, 8, 8, 8}, 0, 0, true},
    Type{CL_UNSIGNED_INT16, "UNSIGNED_INT16", Coding::kUnsigned, {16, 16, 16, 16}, 0, 0, true},
    Type{CL_UNSIGNED_INT32, "UNSIGNED_INT32", Coding::kUnsigned, {32, 32, 32, 32}, 0, 0, true},
    Type{CL_HALF_FLOAT, "HALF_FLOAT", Coding::kHalf, {16, 16, 16, 16}, 0, 0, true},
    Type{CL_FLOAT, "FLOAT", Coding::kFloat, {32, 32, 32, 32}, 0, 0, true},
};

const Order *find_order(const cl_image_format &format) {
  const auto *order = std::ranges::find(kOrders, format.image_channel_order, &Order::order);
  return order == kOrders.end() ? nullptr : order;
}

const Type *find_type(const cl_image_format &format) {
  const auto *type = std::ranges::find(kTypes, format.image_channel_data_type, &Type::type);
  return type == kTypes.end() ? nullptr : type;
}

/// The channels that a format stores: a packed type with three channels ignores none.
std::string stored_channels(const cl_image_format &format) {
  std::string channels = find_order(format)->channels;
  if (const auto count = std::ranges::count_if(find_type(format)->bits, [](unsigned bits) { return bits != 0; });
      channels.size() > static_cast<size_t>(count))
    channels.resize(static_cast<size_t>(count));
  return channels;
}

/// The bits of stored channel `c`.
uint32_t stored(const Type &type, const unsigned char *texel, size_t c) {
  uint32_t all = 0;
  if (type.packed_bytes == 0) {
    std::memcpy(&all, texel + c * type.bits[0] / 8, type.bits[0] / 8);
    return all;
  }
  std::memcpy(&all, texel, type.packed_bytes);
  unsigned shift = type.packed_bytes * 8 - type.unused_bits;
  for (size_t before = 0; before <= c; ++before) shift -= type.bits[before];
  return all >> shift & ((1U << type.bits[c]) - 1);
}

int32_t sign_extended(uint32_t code, unsigned bits) { return static_cast<int32_t>(code << (32 - bits)) >> (32 - bits); }

/// A channel as a number: 3.3.1 to 3.3.4. Packed types that the specification does not mention scale like the others.
double number(const Type &type, uint32_t code, size_t c) {
  const unsigned bits = type.bits[c];
  switch (type.coding) {
  case Coding::kUnorm: return code / (std::ldexp(1, static_cast<int>(bits)) - 1);
  case Coding::kSnorm: return std::max(-1.0, sign_extended(code, bits) / (std::ldexp(1, static_cast<int>(bits) - 1) - 1));
  case Coding::kSigned: return sign_extended(code, bits);
  case Coding::kUnsigned: return code;
  case Coding::kHalf: return half_value(static_cast<uint16_t>(code));
  case Coding::kFloat: return std::bit_cast<float>(code);
  }
  return 0;
}

double linear_of_srgb(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

/// 3.3.5; times 255.
double scaled_srgb_of_linear(double c) {
  if (std::isnan(c) || c < 0) c = 0;
  if (c > 1) return 255;
  return 255 * (c < 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055);
}

/// The distance of floats, or halves, at x.
double ulp(double x, Precision precision) {
  const bool half = precision == Precision::kHalf;
  const int exponent = x == 0 ? -126 : std::ilogb(x);
  return std::ldexp(1, std::max(exponent, half ? -14 : -126) - (half ? 10 : 23));
}

}  // namespace

bool is_known(const cl_image_format &format) { return find_order(format) && find_type(format); }

Kind kind_of(const cl_image_format &format) {
  const Coding coding = find_type(format)->coding;
  return coding == Coding::kSigned ? Kind::kSigned : coding == Coding::kUnsigned ? Kind::kUnsigned : Kind::kFloat;
}

bool is_srgb(const cl_image_format &format) {
  const cl_channel_order order = format.image_channel_order;
  return order == CL_sRGB || order == CL_sRGBx || order == CL_sRGBA || order == CL_sBGRA;
}

bool reads_as_half(const cl_image_format &format) {
  return kind_of(format) == Kind::kFloat && find_type(format)->coding != Coding::kFloat;
}

size_t bytes_of_channel(const cl_image_format &format) {
  const Type &type = *find_type(format);
  return type.packed_bytes ? type.packed_bytes : type.bits[0] / 8;
}

size_t bytes_of_texel(const cl_image_format &format) {
  const Type &type = *find_type(format);
  return type.packed_bytes ? type.packed_bytes : stored_channels(format).size() * bytes_of_channel(format);
}

std::string name_of(const cl_image_format &format) {
  const Order *order = find_order(format);
  const Type *type = find_type(format);
  return std::string(order ? order->name : "unknown") + " " + (type ? type->name : "unknown");
}

Colour border_of(const cl_image_format &format) { return {0, 0, 0, find_order(format)->border_alpha}; }

Colour decoded(const cl_image_format &format, const unsigned char *texel) {
  const Type &type = *find_type(format);
  const std::string channels = stored_channels(format);
  Colour colour{0, 0, 0, 1};  // "Mapping image channels to color values": the values of components without a channel
  for (size_t c = 0; c < channels.size(); ++c) {
    const double value = number(type, stored(type, texel, c), c);
    const double linear = is_srgb(format) ? linear_of_srgb(value) : value;
    switch (channels[c]) {
    case 'r':
    case 'd': colour[0] = linear; break;
    case 'g': colour[1] = linear; break;
    case 'b': colour[2] = linear; break;
    case 'a': colour[3] = value; break;
    case 'i': colour = {value, value, value, value}; break;
    case 'l': colour = {value, value, value, 1}; break;
    default: break;
    }
  }
  // The read returns a scalar; the tests' kernels store 0 for other components.
  if (format.image_channel_order == CL_DEPTH) colour[3] = 0;
  return colour;
}

bool may_be_read(const cl_image_format &format, const Colour &exact, const Components &got, Precision precision) {
  const Type &type = *find_type(format);
  for (size_t c = 0; c < 4; ++c) {
    const double x = exact[c];
    if (type.coding == Coding::kSigned || type.coding == Coding::kUnsigned) {
      if (got[c] != static_cast<uint32_t>(static_cast<int64_t>(x))) return false;
      continue;
    }
    const double value = std::bit_cast<float>(got[c]);
    if (value == x || (std::isnan(value) && std::isnan(x))) continue;
    // 3.3.3: "Denorms can be flushed to zero." 3.3.2: halves become floats without loss.
    if (type.coding == Coding::kFloat && value == 0 && std::fabs(x) < std::numeric_limits<float>::min()) continue;
    if (type.coding == Coding::kFloat || (type.coding == Coding::kHalf)) return false;
    // 3.3.1: the ends are exact, other values within 1.5 ulp.
    if (x == 0 || std::fabs(x) == 1) return false;
    double most = 1.5 * ulp(x, precision);
    // 3.3.5 only requires that a round trip is within half a code. It defines the conversion by powr in float, which has 16
    // ulp (1.7.4).
    if (is_srgb(format) && c < 3) most = std::max(most, 16 * ulp(x, Precision::kFloat));
    if (is_srgb(format) && c < 3 && texture_units.decode_srgb &&
        std::fabs(scaled_srgb_of_linear(value) - scaled_srgb_of_linear(x)) <= 0.5)
      continue;
    if (!(std::fabs(value - x) <= most)) return false;
  }
  return true;
}

namespace {

/// The result of `convert_<integer>_sat_rte(f * scale)`, in float as 3.3.1 writes it. NaN becomes 0 (1.5.3.2, "Out-of-Range
/// Behavior").
int64_t saturated(float f, float scale, bool is_signed) {
  const float scaled = f * scale;
  if (std::isnan(scaled)) return 0;
  const double lowest = is_signed ? -static_cast<double>(scale) - 1 : 0;
  return std::llrint(std::clamp<double>(scaled, lowest, scale));
}

bool may_be_stored(const Type &type, uint32_t written, uint32_t code, size_t c, bool srgb) {
  const unsigned bits = type.bits[c];
  const auto f = std::bit_cast<float>(written);
  const double scale = std::ldexp(1, static_cast<int>(type.coding == Coding::kSnorm ? bits - 1 : bits)) - 1;
  switch (type.coding) {
  case Coding::kUnorm:
    if (srgb) return std::fabs(code - scaled_srgb_of_linear(f)) <= 0.6;  // 3.3.5
    if (type.rounds_exactly) return code == saturated(f, static_cast<float>(scale), false);
    // The specification names no conversion here; the error must not exceed that of 3.3.1.
    return std::fabs(code - (std::isnan(f) ? 0 : std::clamp<double>(f, 0, 1) * scale)) <= 0.6;
  case Coding::kSnorm: return sign_extended(code, bits) == saturated(f, static_cast<float>(scale), true);
  case Coding::kSigned: {
    const double limit = std::ldexp(1, static_cast<int>(bits) - 1);
    return sign_extended(code, bits) == std::clamp<double>(static_cast<int32_t>(written), -limit, limit - 1);
  }
  case Coding::kUnsigned: return code == std::min<double>(written, std::ldexp(1, static_cast<int>(bits)) - 1);
  case Coding::kHalf: {  // 3.3.2: to nearest or towards zero; a half that is not normal may become 0
    if (std::isnan(f)) return std::isnan(half_value(static_cast<uint16_t>(code)));
    if ((code & 0x7fff) == 0 && std::fabs(f) < 0x1p-14F) return true;
    return code == half_bits(f) || code == half_bits(f, true);
  }
  case Coding::kFloat:
    if (std::isnan(f)) return std::isnan(std::bit_cast<float>(code));
    return code == written || (std::fpclassify(f) == FP_SUBNORMAL && std::bit_cast<float>(code) == 0);
  }
  return false;
}

}  // namespace

bool may_be_stored(const cl_image_format &format, const Components &written, const unsigned char *texel) {
  const Type &type = *find_type(format);
  const std::string channels = stored_channels(format);
  for (size_t c = 0; c < channels.size(); ++c) {
    if (channels[c] == 'x') continue;
    const size_t source = channels[c] == 'g' ? 1 : channels[c] == 'b' ? 2 : channels[c] == 'a' ? 3 : 0;
    if (!may_be_stored(type, written[source], stored(type, texel, c), c, is_srgb(format) && source < 3)) return false;
  }
  return true;
}

uint16_t half_bits(double x, bool truncate) {
  const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  const double magnitude = std::fabs(x);
  if (std::isnan(x)) return 0x7e00;
  if (std::isinf(x)) return sign | 0x7c00;
  if (magnitude >= 65520) return sign | (truncate ? 0x7bff : 0x7c00);
  if (magnitude == 0) return sign;
  const int unit = std::max(std::ilogb(magnitude) - 10, -24);  // subnormal halves are multiples of 2^-24
  const double units = std::ldexp(magnitude, -unit);
  const auto whole = static_cast<int>(truncate ? std::floor(units) : std::nearbyint(units));
  return static_cast<uint16_t>(sign | (whole + (unit + 24) * 1024));
}

double half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  if (exponent == 31) return mantissa ? std::nan("") : bits & 0x8000 ? -HUGE_VAL : HUGE_VAL;
  const double magnitude = std::ldexp(exponent ? 1024 + mantissa : mantissa, std::max(exponent, 1) - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

}  // namespace upsweep::tests
