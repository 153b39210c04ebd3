// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates the format tables to the terms of image_abi.h.
#include "runtime/objects/image_description.h"
#include "runtime/objects/image.h"
#include <algorithm>
#include <bit>

namespace upsweep {
namespace {

static_assert(UPSWEEP_CHANNEL_ZERO == kChannelZero && UPSWEEP_CHANNEL_ONE == kChannelOne);

uint8_t component_of(const ImageFormat &format) { return format.is_srgb() ? uint8_t{UPSWEEP_SRGB8} : format.type().component; }

uint8_t storage_of(const ImageFormat &format) {
  if (format.type().packed) return static_cast<uint8_t>(format.texel_bytes() - 1);
  return static_cast<uint8_t>(4 * std::countr_zero(format.type().bytes) + format.channels() - 1);
}

uint8_t usual_of(const ImageFormat &format) {
  const cl_channel_order order = format.order().value;
  if (order == CL_R) return format.type().bytes == 4 && !format.type().packed ? UPSWEEP_USUAL_WORD : UPSWEEP_UNUSUAL;
  if (order != CL_RGBA) return UPSWEEP_UNUSUAL;
  switch (component_of(format)) {
  case UPSWEEP_UNORM8: return UPSWEEP_USUAL_4_UNORM8;
  case UPSWEEP_HALF: return UPSWEEP_USUAL_4_HALF;
  case UPSWEEP_FLOAT:
  case UPSWEEP_SINT32:
  case UPSWEEP_UINT32: return UPSWEEP_USUAL_4_WORDS;
  default: return UPSWEEP_UNUSUAL;
  }
}

uint32_t size_or_one(size_t size) { return static_cast<uint32_t>(std::max<size_t>(1, size)); }

}  // namespace

UpsweepImage describe(const Image &image, uint64_t data) {
  const ImageFormat &format = image.format();
  const ImageShape &shape = image.shape();
  const size_t texel_bytes = format.texel_bytes();
  UpsweepImage d{};
  d.data = data;
  d.row_pitch = shape.row_pitch;
  d.slice_pitch = shape.slice_pitch ? shape.slice_pitch : shape.row_pitch * std::max<size_t>(1, shape.height);
  d.width = size_or_one(shape.width);
  d.height = size_or_one(shape.height);
  d.depth = size_or_one(shape.depth);
  d.layers = size_or_one(shape.layers);
  d.channel_order = format.order().value;
  d.channel_type = format.type().value;
  d.component = component_of(format);
  d.components = format.channels();
  d.storage = storage_of(format);
  d.usual = usual_of(format);
  d.texel_bytes = static_cast<uint8_t>(texel_bytes);
  std::ranges::copy(format.order().from, d.swizzle);
  d.border_alpha_one = format.order().border_alpha_one;
  d.levels = static_cast<uint8_t>(image.levels().size());
  for (size_t i = 0; i < image.levels().size(); ++i) d.level_offset[i] = image.levels()[i].offset;
  return d;
}

}  // namespace upsweep
