// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes of images in double precision: section 3 of the OpenCL C specification, "Image Addressing and Filtering",
// and the tables of 1.13.14. Names are the specification's.
#ifndef UPSWEEP_TESTS_IMAGES_REFERENCE_H
#define UPSWEEP_TESTS_IMAGES_REFERENCE_H

#include <CL/cl.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace upsweep::tests {

/// Red, green, blue and alpha. A double holds every channel exactly, integers of 32 bits included.
using Colour = std::array<double, 4>;
/// The 32-bit components as a kernel stores them.
using Components = std::array<uint32_t, 4>;

/// The functions that read and write images of a channel type: read_imagef, read_imagei or read_imageui.
enum class Kind { kFloat, kSigned, kUnsigned };

// Formats (reference_formats.cpp)
bool is_known(const cl_image_format &format);
Kind kind_of(const cl_image_format &format);
bool is_srgb(const cl_image_format &format);
/// Whether read_imageh may read the format (cl_khr_fp16): normalised channels and halves.
bool reads_as_half(const cl_image_format &format);
size_t bytes_of_texel(const cl_image_format &format);
size_t bytes_of_channel(const cl_image_format &format);  ///< bytes of a packed type, for all channels
std::string name_of(const cl_image_format &format);
Colour border_of(const cl_image_format &format);
/// The exact colour of a stored texel.
Colour decoded(const cl_image_format &format, const unsigned char *texel);

/// The comparison of a colour that was read: components are floats, or halves that were converted to floats.
enum class Precision { kFloat, kHalf };

/// Whether a read without a filter may return `got` for a texel of that colour.
bool may_be_read(const cl_image_format &format, const Colour &exact, const Components &got, Precision precision);

/// Whether a write of `written` may store `texel`. Components of `written` are floats or integers, by the format's kind.
bool may_be_stored(const cl_image_format &format, const Components &written, const unsigned char *texel);

/// Errors of devices that read by texture units. Section 3.2 does not limit the precision of normalised coordinates and
/// filters.
struct TextureUnits {
  bool are_used = false;
  bool filter = false;  ///< also reads other than of the nearest texel
  bool decode_srgb = false;
};
inline TextureUnits texture_units;

struct Sampler {
  bool normalised;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
  /// The value of the sampler in OpenCL C, as an expression.
  [[nodiscard]] std::string expression() const;
};

/// All combinations except those that the specification leaves undefined: repetition of unnormalised coordinates.
std::vector<Sampler> all_samplers();

/// An image in memory, texels without gaps.
struct Image {
  cl_mem_object_type type = 0;
  cl_image_format format{};
  std::array<size_t, 3> size{1, 1, 1};  ///< the array's size, behind the dimensions of an image
  std::vector<unsigned char> bytes;
  std::vector<Colour> colours;       ///< bytes of each texel; see decode()
  double smallest = 0, largest = 0;  ///< type of the components of colours and border

  [[nodiscard]] unsigned dimensions() const;  ///< that a sampler addresses
  [[nodiscard]] bool is_array() const;
  [[nodiscard]] bool is_depth() const { return format.image_channel_order == CL_DEPTH; }
  [[nodiscard]] size_t texels() const { return size[0] * size[1] * size[2]; }
  [[nodiscard]] size_t index(size_t i, size_t j, size_t k) const { return (k * size[1] + j) * size[0] + i; }
  void decode();
};

using Coordinate = std::array<float, 4>;
using IntCoordinate = std::array<int32_t, 4>;

/// Whether reads at the coordinate have a defined result: finite, and inside of the image for samplers that accept nothing
/// else.
bool is_defined(const Image &image, const Sampler &sampler, const Coordinate &coordinate);

/// The reason why a read through a sampler must not return `got`, or an empty text if it may (reference_sampling.cpp).
std::optional<std::string> wrong_read(const Image &image, const Sampler &sampler, const Coordinate &coordinate,
                                      const Components &got, Precision precision);
/// The same for integer coordinates, for which the sampler is nearest and unnormalised.
std::optional<std::string> wrong_read(const Image &image, const Sampler &sampler, const IntCoordinate &coordinate,
                                      const Components &got, Precision precision);

/// The colours that a read may return, before rounding, each with an error: a texel next to an inexact coordinate, or a
/// filter's sum.
struct PossibleReads {
  std::vector<Colour> colours;
  double error = 0;
};
PossibleReads possible_reads(const Image &image, const Sampler &sampler, const Coordinate &coordinate);

/// A sampler with a filter between mip levels.
struct LevelSampler {
  Sampler within;
  cl_filter_mode mip_filter;
  double lod_min, lod_max;
};

/// The level of detail of gradients, for an image that is the first level.
double lod_of(const Image &image, const Coordinate &dx, const Coordinate &dy);

/// The reason why a read with that level of detail must not return `got`; `exact` if the level was given, not computed
/// (reference_levels.cpp).
std::optional<std::string> wrong_level_read(std::span<const Image> levels, const LevelSampler &sampler, double lod, bool exact,
                                            const Coordinate &at, const Components &got);

/// The exact colour of a read at an integer coordinate. The sampler is nearest and unnormalised, and defines the result.
Colour texel_at(const Image &image, const Sampler &sampler, const IntCoordinate &coordinate);

/// The bits of the half nearest to x; ties to even. Towards zero with `truncate`.
uint16_t half_bits(double x, bool truncate = false);
double half_value(uint16_t bits);

}  // namespace upsweep::tests
#endif
