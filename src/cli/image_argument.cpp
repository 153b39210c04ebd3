// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses images and samplers from the values of --arg.
#include "cli/image_argument.h"

#include "cli/npy.h"
#include "cli/texels.h"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <limits>

namespace upsweep::cli {
namespace {

// Depth images have types of their own in OpenCL C, but use the same objects.
constexpr ImageTypeName kImageTypes[] = {
    {"image1d_t", CL_MEM_OBJECT_IMAGE1D, 1},
    {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, 1},
    {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, 2},
    {"image2d_t", CL_MEM_OBJECT_IMAGE2D, 2},
    {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, 2},
    {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, 3},
    {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, 3},
    {"image3d_t", CL_MEM_OBJECT_IMAGE3D, 3},
};

// The scalars of texel arrays, and the matching channel types.
constexpr std::pair<Scalar, std::string_view> kChannelTypes[] = {
    {Scalar::Char, "SNORM_INT8"},    {Scalar::UChar, "UNORM_INT8"}, {Scalar::Short, "SNORM_INT16"},
    {Scalar::UShort, "UNORM_INT16"}, {Scalar::Int, "SIGNED_INT32"}, {Scalar::UInt, "UNSIGNED_INT32"},
    {Scalar::Half, "HALF_FLOAT"},    {Scalar::Float, "FLOAT"},
};

struct ImageText {
  std::string_view source;
  std::optional<std::string_view> order;
  std::optional<std::string_view> type;
};

// An option follows a comma and contains an equals sign, since file names may contain commas.
Result<ImageText> split_options(std::string_view text) {
  ImageText result;
  result.source = text;
  for (size_t comma = text.rfind(','); comma != std::string_view::npos; comma = result.source.rfind(',')) {
    const std::string_view option = result.source.substr(comma + 1);
    const size_t equals = option.find('=');
    if (equals == std::string_view::npos) break;
    const std::string_view key = option.substr(0, equals);
    auto *value = key == "order" ? &result.order : key == "type" ? &result.type : nullptr;
    if (!value) return misuse("'{}' is not an option of an image; options are order=ORDER and type=TYPE", key);
    if (*value) return misuse("'{}' is given twice", key);
    *value = option.substr(equals + 1);
    result.source = result.source.substr(0, comma);
  }
  return result;
}

// "512x512" → {512, 512}; empty if it is not a size.
std::optional<std::vector<size_t>> parse_extent(std::string_view text) {
  std::vector<size_t> extent;
  for (const std::string_view part : split(text, 'x')) {
    const auto size = parse_count(part);
    if (!size) return std::nullopt;
    extent.push_back(*size);
  }
  return extent;
}

// An image without texels.
HostArgument make_image(const ImageFormat &format, std::vector<size_t> extent) {
  HostArgument argument;
  argument.kind = HostArgument::Kind::Image;
  argument.format = format.value();
  argument.shape.assign(extent.rbegin(), extent.rend());
  argument.extent = std::move(extent);
  argument.type.scalar = stored_scalar(format);
  const size_t channels = format.type().packed ? 1 : format.channels();
  if (channels == 3)  // a vector of three would take the space of four
    argument.shape.push_back(channels);
  else
    argument.type.width = channels;
  return argument;
}

Result<HostArgument> from_picture(const ImageText &text) {
  const auto format = parse_image_format(text.order.value_or("RGBA"), text.type.value_or("UNORM_INT8"));
  if (!format) return Failure(format.error());
  return read_picture(text.source).map([&](const Picture &picture) {
    HostArgument argument = make_image(*format, {picture.width, picture.height});
    argument.bytes = texels_of(picture, *format);
    return argument;
  });
}

Result<HostArgument> from_array(const ImageText &text) {
  auto array = read_npy(text.source);
  if (!array) return Failure(array.error());
  const auto *implied = std::ranges::find(kChannelTypes, array->scalar, &std::pair<Scalar, std::string_view>::first);
  if (implied == std::end(kChannelTypes))
    return fail("'{}' has numbers of type {}, which images do not support", text.source, info_of(array->scalar).name);
  const auto format = parse_image_format(text.order.value_or("R"), text.type.value_or(implied->second));
  if (!format) return Failure(format.error());
  if (stored_scalar(*format) != array->scalar)
    return fail("'{}' has numbers of type {}, but {} is stored as {}", text.source, info_of(array->scalar).name,
                format_name(*format), info_of(stored_scalar(*format)).name);
  const size_t channels = format->type().packed ? 1 : format->channels();
  std::vector<size_t> extent(array->shape.rbegin(), array->shape.rend());
  if (channels > 1) {
    if (extent.empty() || extent.front() != channels)
      return fail("'{}' has the shape ({}), whose last axis is not the {} channels of {}", text.source,
                  fmt::join(array->shape, ", "), channels, format_name(*format));
    extent.erase(extent.begin());
  }
  HostArgument argument = make_image(*format, std::move(extent));
  argument.bytes = std::move(array->bytes);
  return argument;
}

Result<HostArgument> from_extent(const ImageText &text, std::vector<size_t> extent) {
  const auto format = parse_image_format(text.order.value_or("RGBA"), text.type.value_or("UNORM_INT8"));
  if (!format) return Failure(format.error());
  size_t bytes = format->texel_bytes();
  for (const size_t size : extent) {
    if (size == 0 || bytes > static_cast<size_t>(std::numeric_limits<int64_t>::max()) / size)
      return misuse("an image cannot have {} texels", extent_text(extent));
    bytes *= size;
  }
  return make_image(*format, std::move(extent));
}

struct SamplerWord {
  std::string_view word;
  size_t part;  // only one word may be chosen per part
  cl_uint value;
};
enum Part : size_t { kFilter, kAddressing, kCoordinates, kParts };
constexpr SamplerWord kSamplerWords[] = {
    {"nearest", kFilter, CL_FILTER_NEAREST},
    {"linear", kFilter, CL_FILTER_LINEAR},
    {"none", kAddressing, CL_ADDRESS_NONE},
    {"clamp_to_edge", kAddressing, CL_ADDRESS_CLAMP_TO_EDGE},
    {"clamp", kAddressing, CL_ADDRESS_CLAMP},
    {"repeat", kAddressing, CL_ADDRESS_REPEAT},
    {"mirrored_repeat", kAddressing, CL_ADDRESS_MIRRORED_REPEAT},
    {"unnormalized", kCoordinates, CL_FALSE},
    {"normalized", kCoordinates, CL_TRUE},
};

}  // namespace

Result<HostArgument> parse_image(std::string_view text) {
  const auto parts = split_options(text);
  if (!parts) return Failure(parts.error());
  if (parts->source.empty()) return misuse("write an image as image:FILE or image:WxH");
  if (auto extent = parse_extent(parts->source)) return from_extent(*parts, *std::move(extent));
  return parts->source.ends_with(".npy") ? from_array(*parts) : from_picture(*parts);
}

Result<HostArgument> parse_sampler(std::string_view text) {
  std::array<const SamplerWord *, kParts> chosen{};
  for (const std::string_view word : split(text, ',')) {
    const auto *found = std::ranges::find(kSamplerWords, word, &SamplerWord::word);
    if (found == std::end(kSamplerWords)) {
      std::vector<std::string_view> words;
      for (const SamplerWord &known : kSamplerWords) words.push_back(known.word);
      return misuse("'{}' is not a sampler option; options are {}", word, fmt::join(words, ", "));
    }
    if (const SamplerWord *other = chosen[found->part]) return misuse("a sampler cannot be both {} and {}", other->word, word);
    chosen[found->part] = found;
  }
  HostArgument argument;
  argument.kind = HostArgument::Kind::Sampler;
  const auto value = [&](Part part, cl_uint otherwise) { return chosen[part] ? chosen[part]->value : otherwise; };
  argument.sampler.filter = value(kFilter, argument.sampler.filter);
  argument.sampler.addressing = value(kAddressing, argument.sampler.addressing);
  argument.sampler.normalized = value(kCoordinates, argument.sampler.normalized);
  // OpenCL C, section "Addressing Modes": otherwise coordinates are undefined.
  const bool repeats =
      argument.sampler.addressing == CL_ADDRESS_REPEAT || argument.sampler.addressing == CL_ADDRESS_MIRRORED_REPEAT;
  if (repeats && !argument.sampler.normalized) return misuse("{} needs normalized coordinates", chosen[kAddressing]->word);
  return argument;
}

const ImageTypeName *find_image_type(std::string_view name) {
  const auto *found = std::ranges::find(kImageTypes, name, &ImageTypeName::name);
  return found == std::end(kImageTypes) ? nullptr : found;
}

cl_image_desc describe_image(const ImageTypeName &type, const std::vector<size_t> &extent) {
  cl_image_desc desc{};
  desc.image_type = type.type;
  desc.image_width = extent[0];
  if (type.type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
    desc.image_array_size = extent[1];
  else if (type.sizes > 1)
    desc.image_height = extent[1];
  if (type.type == CL_MEM_OBJECT_IMAGE2D_ARRAY) desc.image_array_size = extent[2];
  if (type.type == CL_MEM_OBJECT_IMAGE3D) desc.image_depth = extent[2];
  return desc;
}

std::string extent_text(const std::vector<size_t> &extent) { return fmt::format("{}", fmt::join(extent, " x ")); }

}  // namespace upsweep::cli
