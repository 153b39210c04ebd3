// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Image formats: the channels of a texel (image_formats.def), and encoding of a colour as a texel.
#ifndef UPSWEEP_FORMATS_IMAGE_FORMAT_H
#define UPSWEEP_FORMATS_IMAGE_FORMAT_H

#include <CL/cl.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace upsweep {

enum class ChannelClass : uint8_t { kUnorm, kSnorm, kSint, kUint, kHalf, kFloat };

/// Sources of a colour's component other than the stored channels 0 to 3.
inline constexpr uint8_t kChannelZero = 4, kChannelOne = 5;

struct ChannelOrder {
  cl_channel_order value;
  const char *name;
  uint8_t stored;               ///< channels in memory
  std::array<uint8_t, 4> from;  ///< source of r, g, b and a
  bool border_alpha_one;        ///< the border colour is (0, 0, 0, 1), not (0, 0, 0, 0)
  uint32_t types;               ///< a bit for each channel data type, in the table's order
};

struct ChannelType {
  struct Field {
    uint8_t shift;
    uint8_t bits;
  };
  cl_channel_type value;
  const char *name;
  uint8_t component;  ///< UpsweepComponent, for formats other than sRGB's
  uint8_t bytes;      ///< of a channel; for packed types, of a texel
  ChannelClass kind;
  uint8_t packed;               ///< number of channels of a packed type; 0 for other types
  std::array<Field, 4> fields;  ///< of a packed type
};

/// A pair of channel order and data type that is a format.
class ImageFormat {
public:
  /// Empty for unknown values and for pairs that are not a format.
  static std::optional<ImageFormat> find(const cl_image_format &format);

  const ChannelOrder &order() const { return *order_; }
  const ChannelType &type() const { return *type_; }
  cl_image_format value() const { return {order_->value, type_->value}; }
  uint8_t channels() const { return type_->packed ? type_->packed : order_->stored; }
  size_t texel_bytes() const { return type_->packed ? type_->bytes : size_t{type_->bytes} * order_->stored; }
  bool is_depth() const { return order_->value == CL_DEPTH; }
  bool is_srgb() const;

private:
  friend struct ImageFormatList;
  constexpr ImageFormat(const ChannelOrder &order, const ChannelType &type) : order_(&order), type_(&type) {}

  const ChannelOrder *order_;
  const ChannelType *type_;
};

/// All formats, in the table's order.
std::span<const ImageFormat> image_formats();

/// Whether an image of order `of` may have a view of order `order` (the host specification's table "Compatible Image Channel
/// Orders").
bool is_view_order(cl_channel_order order, cl_channel_order of);

inline constexpr size_t kMaxTexelBytes = 16;

/// Encodes a colour as clEnqueueFillImage takes it: four floats, ints or uints depending on the data type's class, or one float
/// for CL_DEPTH. Rounds and saturates as write_image does (OpenCL C, section "Conversion Rules"). An ignored channel is alpha.
std::array<char, kMaxTexelBytes> encode_texel(const ImageFormat &format, const void *color);

}  // namespace upsweep
#endif
