// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts a picture's pixels to texels of any image format, and back. Channels match by name; an order with a single
// brightness (LUMINANCE, INTENSITY, DEPTH) takes the pixel's brightness. Full intensity is 1 for normalised and floating-point
// types, and 255 for integers.
#ifndef UPSWEEP_CLI_TEXELS_H
#define UPSWEEP_CLI_TEXELS_H

#include "cli/picture.h"
#include "cli/value_type.h"
#include "formats/image_format.h"

#include <span>
#include <string>
#include <string_view>

namespace upsweep::cli {

// "RGBA" and "UNORM_INT8" → the format; otherwise the error lists the valid values.
Result<ImageFormat> parse_image_format(std::string_view order, std::string_view type);

// "RGBA, UNORM_INT8"
std::string format_name(const ImageFormat &format);

// The type of a stored channel; for packed types, of the texel.
Scalar stored_scalar(const ImageFormat &format);

std::vector<std::byte> texels_of(const Picture &picture, const ImageFormat &format);

// 8 bits per channel; values outside 0 to 1, or 0 to 255 for integers, are clamped.
Picture picture_of(std::span<const std::byte> texels, const ImageFormat &format, size_t width, size_t height);

}  // namespace upsweep::cli
#endif
