// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of CUDA's constants. Texture units return 0 for missing channels, alpha included.
#include "targets/cuda/texture_formats.h"
#include "base/sampler_bits.h"

namespace upsweep {
namespace {

/// CUarray_format. Normalised and integer channels of one size share a format; a flag distinguishes them.
std::optional<unsigned> channel_format(const ChannelType &type) {
  switch (type.value) {
  case CL_UNORM_INT8:
  case CL_UNSIGNED_INT8: return 0x01;
  case CL_UNORM_INT16:
  case CL_UNSIGNED_INT16: return 0x02;
  case CL_UNSIGNED_INT32: return 0x03;
  case CL_SNORM_INT8:
  case CL_SIGNED_INT8: return 0x08;
  case CL_SNORM_INT16:
  case CL_SIGNED_INT16: return 0x09;
  case CL_SIGNED_INT32: return 0x0a;
  case CL_HALF_FLOAT: return 0x10;
  case CL_FLOAT: return 0x20;
  default: return std::nullopt;
  }
}

bool is_of_integers(const ChannelType &type) { return type.kind == ChannelClass::kSint || type.kind == ChannelClass::kUint; }

/// Whether texture units return the order's colours in the right components.
bool is_native(cl_channel_order order) {
  switch (order) {
  case CL_R:
  case CL_Rx:
  case CL_DEPTH:
  case CL_RG:
  case CL_RGx:
  case CL_RGBA:
  case CL_RGBx:
  case CL_sRGBA:
  case CL_sRGBx: return true;
  default: return false;
  }
}

std::optional<unsigned> address_mode(uint32_t sampler) {
  const bool is_normalized = sampler & UPSWEEP_SAMPLER_NORMALIZED;
  switch (sampler & UPSWEEP_SAMPLER_ADDRESS_MASK) {
  case UPSWEEP_SAMPLER_NONE:
  case UPSWEEP_SAMPLER_CLAMP_TO_EDGE: return CudaSampler::kClamp;
  case UPSWEEP_SAMPLER_CLAMP: return CudaSampler::kBorder;
  // Texture units clamp unnormalised coordinates. The specification leaves this mode undefined; match other devices.
  case UPSWEEP_SAMPLER_REPEAT: return is_normalized ? std::optional(CudaSampler::kWrap) : std::nullopt;
  case UPSWEEP_SAMPLER_MIRRORED_REPEAT: return is_normalized ? std::optional(CudaSampler::kMirror) : std::nullopt;
  default: return std::nullopt;
  }
}

}  // namespace

std::optional<TextureFormat> texture_format(const ImageFormat &format) {
  const ChannelOrder &order = format.order();
  const std::optional<unsigned> channel = channel_format(format.type());
  if (!channel || order.stored == 3) return std::nullopt;
  TextureFormat found{};
  found.format = *channel;
  found.channels = order.stored;
  if (is_of_integers(format.type())) found.flags |= CudaSampler::kReadAsIntegers;
  if (format.is_srgb()) found.flags |= CudaSampler::kSrgb;
  found.order = is_native(order.value) ? 0 : order.value;
  found.is_opaque = order.from[3] == kChannelOne;
  // kernels do not read the alpha of depth images
  found.border_differs = found.is_opaque && !order.border_alpha_one && !format.is_depth();
  return found;
}

std::optional<CudaSampler> texture_sampler(const ImageFormat &format, uint32_t sampler) {
  const std::optional<TextureFormat> texels = texture_format(format);
  const std::optional<unsigned> address = address_mode(sampler);
  if (!texels || !address) return std::nullopt;
  if (*address == CudaSampler::kBorder && texels->border_differs) return std::nullopt;
  CudaSampler found;
  found.address.fill(*address);
  // Filters of integers are undefined, and texture units reject them. For CL_SNORM_INT8 and sRGB, an H100's results are up to
  // 0.01 off, more than filter weights of 8 fractional bits explain.
  found.is_linear = (sampler & UPSWEEP_SAMPLER_LINEAR) && !is_of_integers(format.type());
  if (found.is_linear && (format.type().value == CL_SNORM_INT8 || format.is_srgb())) return std::nullopt;
  found.flags = texels->flags;
  if (sampler & UPSWEEP_SAMPLER_NORMALIZED) found.flags |= CudaSampler::kNormalizedCoordinates;
  return found;
}

}  // namespace upsweep
