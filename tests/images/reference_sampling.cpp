// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texels that a read uses, and their weights: sections 3.1, 3.2 and 3.4.
#include "reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <sstream>

namespace upsweep::tests {
namespace {

/// The relative error of a coordinate. Section 3.2 promises precision only for nearest reads at unnormalised coordinates. A
/// product, a difference and a reciprocal in float have half an ulp each, at most 2^-24 of the value. The bound is twice their
/// sum.
constexpr double kCoordinateError = 0x1p-22;
/// The filter's own error, relative to the largest texel: eight terms of four float factors, each with at most 2^-24, and the
/// 1.5 ulp of 3.3.1. Results in half have one rounding more.
constexpr double kFilterError = 0x1p-19, kHalfError = 0x1p-10;
/// Errors of texture units. Weights have 8 fractional bits, "1.8 fixed point" in the CUDA C++ Programming Guide; results have
/// at least the precision of halves. Normalised coordinates have an error relative to the image's size, 2^-21.1 on an H100.
constexpr double kTextureWeightError = 0x1p-8, kTextureResultError = 0x1p-11, kTextureCoordinateError = 0x1p-21;
/// Half a code of sRGB (3.3.5) where a code is largest: at 1, with slope 2.4 / 1.055.
constexpr double kSrgbError = 0.5 / 255 * 2.4 / 1.055;

/// One axis: the two places and weights of a filter, or the places that a nearest read may return.
struct Axis {
  std::array<double, 2> place{0, 0};
  std::array<double, 2> weight{1, 0};
  double error = 0;  ///< of the coordinate, in texels
};

/// Table 40 and the formulas behind it: places below 0 or at `size` are outside.
double address_mode(cl_addressing_mode mode, double coordinate, double size) {
  switch (mode) {
  case CL_ADDRESS_CLAMP_TO_EDGE: return std::clamp(coordinate, 0.0, size - 1);
  case CL_ADDRESS_CLAMP: return std::clamp(coordinate, -1.0, size);
  case CL_ADDRESS_REPEAT: return coordinate < 0 ? coordinate + size : coordinate > size - 1 ? coordinate - size : coordinate;
  case CL_ADDRESS_MIRRORED_REPEAT: return std::clamp(coordinate, 0.0, size - 1);
  default: return coordinate;
  }
}

/// The unnormalised coordinate.
double unnormalised(const Sampler &sampler, double s, double size) {
  if (!sampler.normalised) return s;
  if (sampler.addressing == CL_ADDRESS_REPEAT) return (s - std::floor(s)) * size;
  if (sampler.addressing == CL_ADDRESS_MIRRORED_REPEAT) return std::fabs(s - 2 * std::rint(0.5 * s)) * size;
  return s * size;
}

/// The error that a device may have.
double error_of(const Sampler &sampler, double u, double size) {
  if (!sampler.normalised && sampler.filter == CL_FILTER_NEAREST) return 0;  // "without any loss of precision"
  const bool repeats = sampler.addressing == CL_ADDRESS_REPEAT || sampler.addressing == CL_ADDRESS_MIRRORED_REPEAT;
  const double magnitude = repeats ? size : std::fabs(u);  // s - floor(s) rounds like numbers near 1
  if (texture_units.are_used && sampler.normalised)        // and subnormal numbers may become 0
    return std::max(std::fabs(u), size) * kTextureCoordinateError + size * std::numeric_limits<float>::min();
  const double half_texel = sampler.filter == CL_FILTER_LINEAR ? 0.5 : 0;
  return (magnitude + half_texel) * kCoordinateError + std::numeric_limits<float>::min();  // products below that may be flushed
}

Axis axis_of(const Sampler &sampler, double s, double size) {
  const double u = unnormalised(sampler, s, size);
  Axis axis;
  axis.error = error_of(sampler, u, size);
  if (sampler.filter == CL_FILTER_NEAREST) {
    axis.place = {address_mode(sampler.addressing, std::floor(u - axis.error), size),
                  address_mode(sampler.addressing, std::floor(u + axis.error), size)};
    return axis;
  }
  const double first = std::floor(u - 0.5), a = u - 0.5 - first;
  axis.place = {address_mode(sampler.addressing, first, size), address_mode(sampler.addressing, first + 1, size)};
  axis.weight = {1 - a, a};
  return axis;
}

using Axes = std::array<Axis, 3>;

Axes axes_of(const Image &image, const Sampler &sampler, const Coordinate &coordinate) {
  Axes axes;
  const unsigned dimensions = image.dimensions();
  for (unsigned d = 0; d < dimensions; ++d) axes[d] = axis_of(sampler, coordinate[d], static_cast<double>(image.size[d]));
  if (image.is_array()) {  // 3.4
    const double layer =
        std::clamp<double>(std::rint(coordinate[dimensions]), 0, static_cast<double>(image.size[dimensions]) - 1);
    axes[dimensions].place = {layer, layer};
  }
  return axes;
}

Axes axes_of(const Image &image, const Sampler &sampler, const IntCoordinate &coordinate) {
  Axes axes;
  const unsigned dimensions = image.dimensions();
  for (unsigned d = 0; d < dimensions + (image.is_array() ? 1 : 0); ++d) {
    // An array's index is always clamped (1.13.14, "Samplers"), but without a sampler it must be inside (3.4).
    const cl_addressing_mode mode =
        d == dimensions && sampler.addressing != CL_ADDRESS_NONE ? CL_ADDRESS_CLAMP_TO_EDGE : sampler.addressing;
    const double place = address_mode(mode, coordinate[d], static_cast<double>(image.size[d]));
    axes[d].place = {place, place};
  }
  return axes;
}

bool is_inside(const Image &image, const Axes &axes) {
  for (unsigned d = 0; d < 3; ++d)
    for (const double place : axes[d].place)
      if (place < 0 || place >= static_cast<double>(image.size[d])) return false;
  return true;
}

Colour texel(const Image &image, const Axes &axes, unsigned corner) {
  std::array<size_t, 3> at{};
  for (unsigned d = 0; d < 3; ++d) {
    const double place = axes[d].place[corner >> d & 1];
    if (place < 0 || place >= static_cast<double>(image.size[d])) return border_of(image.format);
    at[d] = static_cast<size_t>(place);
  }
  return image.colours[image.index(at[0], at[1], at[2])];
}

void describe(std::ostream &text, const Image &image, const Components &got) {
  for (const uint32_t bits : got) {
    switch (kind_of(image.format)) {
    case Kind::kFloat: text << " " << std::bit_cast<float>(bits); break;
    case Kind::kSigned: text << " " << static_cast<int32_t>(bits); break;
    case Kind::kUnsigned: text << " " << bits; break;
    }
  }
}

template <typename Coordinates>
std::string complaint(const Image &image, const Sampler &sampler, const Coordinates &coordinate, const Components &got,
                      const Colour &wanted) {
  std::ostringstream text;
  text.precision(9);
  text << name_of(image.format) << ", " << image.size[0] << " x " << image.size[1] << " x " << image.size[2] << ", "
       << sampler.expression() << ", at";
  for (const auto c : coordinate) text << " " << c;
  text << ":";
  describe(text, image, got);
  text << " instead of";
  for (const double c : wanted) text << " " << c;
  return text.str();
}

std::optional<std::string> wrong_nearest(const Image &image, const Sampler &sampler, const Coordinate &coordinate,
                                         const Axes &axes, const Components &got, Precision precision) {
  for (unsigned corner = 0; corner < 8; ++corner)
    if (may_be_read(image.format, texel(image, axes, corner), got, precision)) return std::nullopt;
  return complaint(image, sampler, coordinate, got, texel(image, axes, 0));
}

/// A filter's sum and its error.
std::pair<Colour, double> filtered(const Image &image, const Axes &axes) {
  Colour sum{};
  for (unsigned corner = 0; corner < 8; ++corner) {
    double weight = 1;
    for (unsigned d = 0; d < 3; ++d) weight *= axes[d].weight[corner >> d & 1];
    if (weight == 0) continue;
    const Colour colour = texel(image, axes, corner);
    for (size_t c = 0; c < 4; ++c) sum[c] += weight * colour[c];
  }
  // The filter is continuous, and along an axis its slope is at most the range of the texels.
  double most = 0;
  for (unsigned d = 0; d < image.dimensions(); ++d)
    most += (axes[d].error + (texture_units.filter ? kTextureWeightError : 0)) * (image.largest - image.smallest);
  most += (texture_units.filter ? kTextureResultError : kFilterError) *
          std::max(std::fabs(image.largest), std::fabs(image.smallest));
  if (is_srgb(image.format) && texture_units.decode_srgb) most += kSrgbError;
  return {sum, most};
}

std::optional<std::string> wrong_linear(const Image &image, const Sampler &sampler, const Coordinate &coordinate,
                                        const Axes &axes, const Components &got, Precision precision) {
  const auto [sum, most] = filtered(image, axes);
  for (size_t c = 0; c < 4; ++c) {
    if (!std::isfinite(sum[c])) continue;  // 3.2: undefined if a texel is infinite or NaN
    const double rounding = precision == Precision::kHalf ? std::fabs(sum[c]) * kHalfError + 0x1p-24 : 0;
    if (!(std::fabs(std::bit_cast<float>(got[c]) - sum[c]) <= most + rounding))
      return complaint(image, sampler, coordinate, got, sum);
  }
  return std::nullopt;
}

}  // namespace

std::vector<Sampler> all_samplers() {
  std::vector<Sampler> samplers;
  for (const bool normalised : {false, true})
    for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR})
      for (const cl_addressing_mode addressing :
           {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
        if (normalised || (addressing != CL_ADDRESS_REPEAT && addressing != CL_ADDRESS_MIRRORED_REPEAT))
          samplers.push_back({normalised, addressing, filter});
  return samplers;
}

std::string Sampler::expression() const {
  std::string text = normalised ? "CLK_NORMALIZED_COORDS_TRUE" : "CLK_NORMALIZED_COORDS_FALSE";
  text += filter == CL_FILTER_LINEAR ? "|CLK_FILTER_LINEAR" : "|CLK_FILTER_NEAREST";
  switch (addressing) {
  case CL_ADDRESS_CLAMP_TO_EDGE: return text + "|CLK_ADDRESS_CLAMP_TO_EDGE";
  case CL_ADDRESS_CLAMP: return text + "|CLK_ADDRESS_CLAMP";
  case CL_ADDRESS_REPEAT: return text + "|CLK_ADDRESS_REPEAT";
  case CL_ADDRESS_MIRRORED_REPEAT: return text + "|CLK_ADDRESS_MIRRORED_REPEAT";
  default: return text + "|CLK_ADDRESS_NONE";
  }
}

unsigned Image::dimensions() const {
  switch (type) {
  case CL_MEM_OBJECT_IMAGE2D:
  case CL_MEM_OBJECT_IMAGE2D_ARRAY: return 2;
  case CL_MEM_OBJECT_IMAGE3D: return 3;
  default: return 1;
  }
}

bool Image::is_array() const { return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY; }

void Image::decode() {
  const size_t bytes_each = bytes_of_texel(format);
  colours.resize(texels());
  smallest = 0;
  largest = border_of(format)[3];
  for (size_t i = 0; i < texels(); ++i) {
    colours[i] = decoded(format, bytes.data() + i * bytes_each);
    for (const double c : colours[i]) {
      if (!std::isfinite(c)) continue;
      smallest = std::min(smallest, c);
      largest = std::max(largest, c);
    }
  }
}

bool is_defined(const Image &image, const Sampler &sampler, const Coordinate &coordinate) {
  for (unsigned d = 0; d < image.dimensions(); ++d)  // 3.2: (u, v, w) must not be infinite, but floats may overflow
    if (!(std::fabs(unnormalised(sampler, coordinate[d], static_cast<double>(image.size[d]))) < 0x1p127)) return false;
  if (image.is_array() && !std::isfinite(coordinate[image.dimensions()])) return false;
  if (sampler.addressing != CL_ADDRESS_NONE) return true;
  return is_inside(image, axes_of(image, sampler, coordinate));
}

std::optional<std::string> wrong_read(const Image &image, const Sampler &sampler, const Coordinate &coordinate,
                                      const Components &got, Precision precision) {
  if (!is_defined(image, sampler, coordinate)) return std::nullopt;
  const Axes axes = axes_of(image, sampler, coordinate);
  return sampler.filter == CL_FILTER_LINEAR ? wrong_linear(image, sampler, coordinate, axes, got, precision)
                                            : wrong_nearest(image, sampler, coordinate, axes, got, precision);
}

PossibleReads possible_reads(const Image &image, const Sampler &sampler, const Coordinate &coordinate) {
  const Axes axes = axes_of(image, sampler, coordinate);
  if (sampler.filter == CL_FILTER_LINEAR) {
    const auto [sum, error] = filtered(image, axes);
    return {{sum}, error};
  }
  PossibleReads reads;
  for (unsigned corner = 0; corner < 8; ++corner) reads.colours.push_back(texel(image, axes, corner));
  return reads;
}

Colour texel_at(const Image &image, const Sampler &sampler, const IntCoordinate &coordinate) {
  return texel(image, axes_of(image, sampler, coordinate), 0);
}

std::optional<std::string> wrong_read(const Image &image, const Sampler &sampler, const IntCoordinate &coordinate,
                                      const Components &got, Precision precision) {
  if (sampler.addressing == CL_ADDRESS_NONE && !is_inside(image, axes_of(image, sampler, coordinate))) return std::nullopt;
  const Colour wanted = texel_at(image, sampler, coordinate);
  if (may_be_read(image.format, wanted, got, precision)) return std::nullopt;
  return complaint(image, sampler, coordinate, got, wanted);
}

}  // namespace upsweep::tests
