// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of image formats.
#include "formats/image_format.h"
#include "formats/image_component.h"
#include <algorithm>
#include <bit>
#include <utility>

namespace upsweep {
namespace {

constexpr ChannelType kTypes[] = {
#define UPSWEEP_CHANNEL_TYPE(name, component, bytes, kind) {name, #name, UPSWEEP_##component, bytes, ChannelClass::kind, 0, {}},
#define UPSWEEP_PACKED_TYPE(name, component, bytes, channels, r, r_bits, g, g_bits, b, b_bits, a, a_bits)                      \
  {name,                                                                                                                       \
   #name,                                                                                                                      \
   UPSWEEP_##component,                                                                                                        \
   bytes,                                                                                                                      \
   ChannelClass::kUnorm,                                                                                                       \
   channels,                                                                                                                   \
   {{{r, r_bits}, {g, g_bits}, {b, b_bits}, {a, a_bits}}}},
#include "formats/image_formats.def"
};

/// A bit for each type that `is_wanted`.
template <typename Predicate>
constexpr uint32_t types_where(Predicate is_wanted) {
  uint32_t bits = 0;
  for (size_t i = 0; i < std::size(kTypes); ++i)
    if (is_wanted(kTypes[i])) bits |= 1u << i;
  return bits;
}

constexpr uint32_t type_bit(cl_channel_type value) {
  return types_where([=](const ChannelType &type) { return type.value == value; });
}

constexpr uint32_t kPlainTypes = types_where([](const ChannelType &type) { return type.packed == 0; });
constexpr uint32_t kNormalizedTypes = types_where([](const ChannelType &type) {
  return type.packed == 0 && type.kind != ChannelClass::kSint && type.kind != ChannelClass::kUint;
});
constexpr uint32_t kByteTypes = types_where([](const ChannelType &type) { return type.bytes == 1; });
constexpr uint32_t kPackedRgbTypes = types_where([](const ChannelType &type) { return type.packed == 3; });
constexpr uint32_t kPackedRgbaTypes = types_where([](const ChannelType &type) { return type.packed == 4; });
constexpr uint32_t kSrgbTypes = type_bit(CL_UNORM_INT8);
constexpr uint32_t kDepthTypes = type_bit(CL_UNORM_INT16) | type_bit(CL_FLOAT);

constexpr uint8_t Zero = kChannelZero, One = kChannelOne;
constexpr ChannelOrder kOrders[] = {
#define UPSWEEP_CHANNEL_ORDER(name, stored, r, g, b, a, border_alpha, types)                                                   \
  {name, #name, stored, {r, g, b, a}, (border_alpha) == 1, types},
#include "formats/image_formats.def"
};

}  // namespace

std::optional<ImageFormat> ImageFormat::find(const cl_image_format &format) {
  const auto *order = std::ranges::find(kOrders, format.image_channel_order, &ChannelOrder::value);
  const auto *type = std::ranges::find(kTypes, format.image_channel_data_type, &ChannelType::value);
  if (order == std::end(kOrders) || type == std::end(kTypes)) return std::nullopt;
  if (!(order->types >> (type - kTypes) & 1)) return std::nullopt;
  return ImageFormat(*order, *type);
}

bool ImageFormat::is_srgb() const {
  const cl_channel_order value = order_->value;
  return value == CL_sRGB || value == CL_sRGBx || value == CL_sRGBA || value == CL_sBGRA;
}

/// The pairs that are formats, computed at compile time.
struct ImageFormatList {
  static constexpr size_t count() {
    size_t number = 0;
    for (const ChannelOrder &order : kOrders) number += static_cast<size_t>(std::popcount(order.types));
    return number;
  }
  static constexpr ImageFormat nth(size_t index) {
    for (const ChannelOrder &order : kOrders)
      for (size_t i = 0; i < std::size(kTypes); ++i)
        if ((order.types >> i & 1) && index-- == 0) return {order, kTypes[i]};
    return {kOrders[0], kTypes[0]};  // not reached: index is below count()
  }
  template <size_t... kIndices>
  static constexpr auto all(std::index_sequence<kIndices...>) {
    return std::array<ImageFormat, sizeof...(kIndices)>{nth(kIndices)...};
  }
};

std::span<const ImageFormat> image_formats() {
  static constexpr auto kFormats = ImageFormatList::all(std::make_index_sequence<ImageFormatList::count()>());
  return kFormats;
}

bool is_view_order(cl_channel_order order, cl_channel_order of) {
  constexpr cl_channel_order kPairs[][2] = {{CL_sBGRA, CL_BGRA}, {CL_sRGBA, CL_RGBA}, {CL_sRGB, CL_RGB}, {CL_sRGBx, CL_RGBx}};
  if (order == CL_DEPTH && of == CL_R) return true;
  return std::ranges::any_of(
      kPairs, [&](const auto &pair) { return (pair[0] == order && pair[1] == of) || (pair[1] == order && pair[0] == of); });
}

}  // namespace upsweep
