// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep blur`: box filters of a picture, with one radius or a radius for each pixel, from a summed-area table (F. Crow,
// "Summed-area tables for texture mapping", 1984): the mean over a box of any size takes four sums.
#include <upsweep/cpu/summed_area.h>

#include "cli/files/output.h"
#include "cli/files/parallel.h"
#include "cli/files/reader.h"
#include "cli/files/summary.h"
#include "cli/files/verbs.h"
#include "cli/picture.h"

#include <algorithm>
#include <cmath>

namespace upsweep::cli {
namespace {

constexpr size_t kRows = 8;  // rows per piece of a thread

template <class Value, class Sum>
struct Table {
  cpu::image_shape shape;
  std::vector<Sum> sums;

  Table(const Value *pixels, const cpu::image_shape &of) : shape(of), sums(of.height * of.width * of.channels) {
    cpu::summed_area_table(pixels, sums.data(), of);
  }
  // The sum above and left of a corner between pixels.
  [[nodiscard]] Sum at(size_t y, size_t x, size_t channel) const {
    return y == 0 || x == 0 ? Sum(0) : sums[((y - 1) * shape.width + x - 1) * shape.channels + channel];
  }
  // The mean of all pixels up to `radius` away that are inside the picture.
  [[nodiscard]] double mean(size_t y, size_t x, size_t channel, size_t radius) const {
    const size_t top = y - std::min(y, radius), bottom = std::min(shape.height, y + radius + 1);
    const size_t left = x - std::min(x, radius), right = std::min(shape.width, x + radius + 1);
    // Sums wrap around, but their differences are exact.
    const Sum sum = at(bottom, right, channel) - at(top, right, channel) - at(bottom, left, channel) + at(top, left, channel);
    return static_cast<double>(sum) / static_cast<double>((bottom - top) * (right - left));
  }
  // mean() for fractional radii: interpolates between two boxes, so that the blur changes smoothly.
  [[nodiscard]] double mean_of_radius(size_t y, size_t x, size_t channel, double wanted) const {
    const auto radius = static_cast<size_t>(wanted);
    const double rest = wanted - static_cast<double>(radius), inner = mean(y, x, channel, radius);
    return rest > 0 ? inner + rest * (mean(y, x, channel, radius + 1) - inner) : inner;
  }
};

template <class Value, class Sum>
void blur_by_radii(const Value *pixels, Value *out, const cpu::image_shape &shape, const std::vector<float> &radii) {
  const Table<Value, Sum> table(pixels, shape);
  share_out(shape.height, kRows, [&](size_t first, size_t last) {
    for (size_t y = first; y < last; ++y) {
      for (size_t x = 0; x < shape.width; ++x) {
        const size_t pixel = y * shape.width + x;
        for (size_t c = 0; c < shape.channels; ++c)
          out[pixel * shape.channels + c] = static_cast<Value>(std::lround(table.mean_of_radius(y, x, c, radii[pixel])));
      }
    }
  });
}

// Alpha, the last channel, weights the colours, so that colours of transparent pixels do not count. Sums are of premultiplied
// colours, and are divided by the box's mean alpha. A fully transparent box has no colour.
template <class Value>
void blur_with_alpha(const Value *pixels, Value *out, const cpu::image_shape &shape, const std::vector<float> &radii,
                     size_t radius) {
  const size_t alpha = shape.channels - 1;
  std::vector<uint64_t> weighted(shape.height * shape.width * shape.channels);
  for (size_t i = 0; i < weighted.size(); ++i)
    weighted[i] = i % shape.channels == alpha ? pixels[i] : uint64_t{pixels[i]} * pixels[i - i % shape.channels + alpha];
  const Table<uint64_t, uint64_t> table(weighted.data(), shape);
  share_out(shape.height, kRows, [&](size_t first, size_t last) {
    for (size_t y = first; y < last; ++y) {
      for (size_t x = 0; x < shape.width; ++x) {
        const size_t pixel = y * shape.width + x;
        const double wanted = radii.empty() ? static_cast<double>(radius) : radii[pixel];
        const double opacity = table.mean_of_radius(y, x, alpha, wanted);
        Value *to = &out[pixel * shape.channels];
        for (size_t c = 0; c < alpha; ++c)
          to[c] = opacity > 0 ? static_cast<Value>(std::lround(table.mean_of_radius(y, x, c, wanted) / opacity)) : Value{0};
        to[alpha] = static_cast<Value>(std::lround(opacity));
      }
    }
  });
}

// The depth of each pixel, 0 to 1: full intensity of a picture's first channel is 1.
Result<std::vector<float>> read_depth(const std::filesystem::path &path, const cpu::image_shape &shape) {
  const auto array = open_array(path, {});
  if (!array) return Failure(array.error());
  const size_t channels = array->shape.size() == 3 ? array->shape[2] : 1;
  if (array->shape.size() < 2 || array->shape[0] != shape.height || array->shape[1] != shape.width || channels == 0 ||
      array->shape.size() > 3)
    return fail("'{}' has the shape {}, but the picture has {} x {} pixels", array->name, shape_text(array->shape), shape.width,
                shape.height);
  std::vector<float> all(array->count), depth(shape.height * shape.width);
  Reader(*array).load(0, array->count, Compute::F32, all.data());
  const float full = array->type.scalar == Scalar::UChar ? 255.0f : array->type.scalar == Scalar::UShort ? 65535.0f : 1.0f;
  for (size_t i = 0; i < depth.size(); ++i) {
    depth[i] = all[i * channels] / full;
    if (!(depth[i] >= 0 && depth[i] <= 1)) return fail("'{}' has the depth {}; depths must be 0 to 1", array->name, depth[i]);
  }
  return depth;
}

// The radius of a pixel's circle of confusion grows with its distance from the focus.
std::vector<float> radii_of(std::vector<float> depth, const BlurOptions &options) {
  for (float &at : depth)
    at = static_cast<float>(options.radius * std::max(0.0, std::abs(double{at} - options.focus) - options.range / 2));
  return depth;
}

template <class Value, class Sum>
std::vector<uint16_t> blur_pixels(const Array &array, const cpu::image_shape &shape, const std::vector<float> &radii,
                                  const BlurOptions &options) {
  std::vector<std::byte> room;
  const auto *pixels = reinterpret_cast<const Value *>(Reader(array).bytes(0, array.count, room));
  std::vector<Value> out(array.count);
  if (shape.channels % 2 == 0)
    blur_with_alpha(pixels, out.data(), shape, radii, static_cast<size_t>(options.radius));
  else if (radii.empty())
    cpu::box_filter(pixels, out.data(), shape, static_cast<uint64_t>(options.radius));
  else
    blur_by_radii<Value, Sum>(pixels, out.data(), shape, radii);
  std::vector<uint16_t> values(out.size());
  constexpr unsigned kFull = sizeof(Value) == 1 ? 255 : 65535;
  std::ranges::transform(out, values.begin(),
                         [](Value value) { return static_cast<uint16_t>((value * 255u + kFull / 2) / kFull); });
  return values;
}

Result<void> check_options(const BlurOptions &options) {
  if (options.depth.empty() && options.radius != std::floor(options.radius))
    return misuse("--radius {}: without --depth a radius must be a whole number of pixels", options.radius);
  if (options.out.extension() != ".png" && !options.writes_to_stdout() && !is_null_device(options.out))
    return misuse("--out {}: a picture's name must end in .png; - is standard output", options.out.string());
  return {};
}

}  // namespace

Result<void> blur(const BlurOptions &options) {
  Summary summary(options.is_quiet || options.writes_to_stdout());
  if (auto right = check_options(options); !right) return right;
  const auto array = open_array(options.in, options.input);
  if (!array) return Failure(array.error());
  if (!array->is_picture) return fail("'{}' is not a picture: blur takes a PNG or a JPEG", array->name);
  const auto &extents = array->shape;
  const cpu::image_shape shape{extents[0], extents[1], extents.size() == 3 ? extents[2] : 1};
  const auto depth = options.depth.empty() ? Result<std::vector<float>>() : read_depth(options.depth, shape);
  if (!depth) return Failure(depth.error());
  auto file = OutputFile::create(options.out);
  if (!file) return Failure(file.error());
  const auto radii = radii_of(*depth, options);
  Picture picture{shape.width, shape.height, shape.channels, 255, {}};
  picture.values = array->type.bytes() == 1 ? blur_pixels<uint8_t, uint32_t>(*array, shape, radii, options)
                                            : blur_pixels<uint16_t, uint64_t>(*array, shape, radii, options);
  const auto encoded = encode_png(picture);
  if (!encoded) return fail("cannot write '{}': {}", options.out.string(), encoded.error());
  if (auto written = (*file)->write(0, encoded->data(), encoded->size()); !written) return written;
  if (auto finished = (*file)->finish(); !finished) return finished;
  summary.input(*array);
  summary.row("result", radii.empty() ? fmt::format("mean over {0} x {0} pixels", 2 * options.radius + 1)
                                      : fmt::format("sharp at a depth of {}, radii of {:.1f} to {:.1f} pixels", options.focus,
                                                    *std::ranges::min_element(radii), *std::ranges::max_element(radii)));
  summary.output("file", options.out);
  summary.time(2 * array->bytes());
  return {};
}

}  // namespace upsweep::cli
