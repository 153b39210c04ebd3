// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the pixels of a picture to the texels of an image of any format, and back. Channels go by their names; an order with one
// brightness (LUMINANCE, INTENSITY, DEPTH) takes that of the pixel. Full intensity is 1 of normalised and floating-point types,
// and 255 of integers.
#ifndef UPSWEEP_CLI_TEXELS_H
#define UPSWEEP_CLI_TEXELS_H

#include "base/image_format.h"
#include "cli/picture.h"
#include "cli/value_type.h"

#include <span>
#include <string>
#include <string_view>

namespace upsweep::cli {

// "RGBA" and "UNORM_INT8" → the format; of what is none the failure says what there is.
Result<ImageFormat> parse_image_format(std::string_view order, std::string_view type);

// "RGBA, UNORM_INT8"
std::string format_name(const ImageFormat &format);

// The type of a stored channel; of packed types that of the texel.
Scalar stored_scalar(const ImageFormat &format);

std::vector<std::byte> texels_of(const Picture &picture, const ImageFormat &format);

// 8 bits a channel; values outside 0 to 1, or 0 to 255 of integers, are clamped.
Picture picture_of(std::span<const std::byte> texels, const ImageFormat &format, size_t width, size_t height);

}  // namespace upsweep::cli
#endif
