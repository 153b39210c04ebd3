// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common fixture of tests of images: creation in one line, and a plain model of an image's texels.
#ifndef UPSWEEP_TESTS_API_IMAGE_FIXTURE_H
#define UPSWEEP_TESTS_API_IMAGE_FIXTURE_H

#include "../image_desc.h"
#include "object_fixture.h"
#include <array>
#include <ostream>
#include <random>

namespace upsweep::tests {

using Coordinates = std::array<size_t, 3>;

/// Bytes of a texel, independent of the driver's table.
inline size_t texel_bytes_of(const cl_image_format &format) {
  size_t channels = 0;
  switch (format.image_channel_order) {
  case CL_R:
  case CL_A:
  case CL_Rx:
  case CL_INTENSITY:
  case CL_LUMINANCE:
  case CL_DEPTH: channels = 1; break;
  case CL_RG:
  case CL_RGx:
  case CL_RA: channels = 2; break;
  case CL_RGB:
  case CL_sRGB: channels = 3; break;
  default: channels = 4; break;
  }
  switch (format.image_channel_data_type) {
  case CL_UNORM_SHORT_565:
  case CL_UNORM_SHORT_555: return 2;
  case CL_UNORM_INT_101010:
  case CL_UNORM_INT_101010_2: return 4;
  case CL_SNORM_INT8:
  case CL_UNORM_INT8:
  case CL_SIGNED_INT8:
  case CL_UNSIGNED_INT8: return channels;
  case CL_SNORM_INT16:
  case CL_UNORM_INT16:
  case CL_SIGNED_INT16:
  case CL_UNSIGNED_INT16:
  case CL_HALF_FLOAT: return 2 * channels;
  default: return 4 * channels;
  }
}

/// Pitches of linear memory, in bytes.
struct Pitches {
  size_t row = 0;
  size_t slice = 0;  ///< from slice to slice or layer to layer
};

/// An image as a dense array of texels. Coordinates are those of origin and region: in a 1D array y is the layer.
struct Model {
  cl_mem_object_type type;
  cl_image_format format;
  Coordinates extent;
  std::vector<unsigned char> texels;

  Model(cl_mem_object_type type_, cl_image_format format_, Coordinates extent_)
      : type(type_), format(format_), extent(extent_), texels(texel_bytes_of(format_) * extent_[0] * extent_[1] * extent_[2]) {}

  size_t texel_bytes() const { return texel_bytes_of(format); }
  unsigned char *at(size_t x, size_t y, size_t z) {
    return texels.data() + ((z * extent[1] + y) * extent[0] + x) * texel_bytes();
  }
  bool is_array() const { return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY; }
  unsigned dims() const {
    return type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER  ? 1
           : type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 2
                                                                                  : 3;
  }
  bool has_slices() const { return is_array() || type == CL_MEM_OBJECT_IMAGE3D; }
  void randomise(std::mt19937 &random) {
    for (unsigned char &byte : texels) byte = static_cast<unsigned char>(random());
  }

  cl_image_desc desc() const {
    cl_image_desc d{};
    d.image_type = type;
    d.image_width = extent[0];
    if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY) d.image_array_size = extent[1];
    if (type == CL_MEM_OBJECT_IMAGE2D || dims() == 3) d.image_height = extent[1];
    if (type == CL_MEM_OBJECT_IMAGE2D_ARRAY) d.image_array_size = extent[2];
    if (type == CL_MEM_OBJECT_IMAGE3D) d.image_depth = extent[2];
    return d;
  }

  /// The byte offset of a texel of a region in memory with these pitches.
  size_t offset(const Pitches &pitches, size_t x, size_t y, size_t z) const {
    const size_t row = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? pitches.slice : pitches.row;
    return z * pitches.slice + y * row + x * texel_bytes();
  }
  /// The bytes of memory that a region of this extent occupies with these pitches.
  size_t span(const Pitches &pitches, const Coordinates &region) const {
    return offset(pitches, region[0] - 1, region[1] - 1, region[2] - 1) + texel_bytes();
  }
  /// The pitches of a region without gaps.
  Pitches tight(const Coordinates &region) const {
    const size_t row = region[0] * texel_bytes();
    return {row, type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? row : row * region[1]};
  }

  template <typename Visit>
  static void each(const Coordinates &region, const Visit &visit) {
    for (size_t z = 0; z < region[2]; ++z)
      for (size_t y = 0; y < region[1]; ++y)
        for (size_t x = 0; x < region[0]; ++x) visit(x, y, z);
  }
  void store(unsigned char *memory, const Pitches &pitches, const Coordinates &origin, const Coordinates &region) {
    each(region, [&](size_t x, size_t y, size_t z) {
      std::memcpy(memory + offset(pitches, x, y, z), at(origin[0] + x, origin[1] + y, origin[2] + z), texel_bytes());
    });
  }
  void load(const unsigned char *memory, const Pitches &pitches, const Coordinates &origin, const Coordinates &region) {
    each(region, [&](size_t x, size_t y, size_t z) {
      std::memcpy(at(origin[0] + x, origin[1] + y, origin[2] + z), memory + offset(pitches, x, y, z), texel_bytes());
    });
  }
};

inline void PrintTo(const Model &model, std::ostream *out) {
  *out << std::hex << "type " << model.type << " order " << model.format.image_channel_order << " data type "
       << model.format.image_channel_data_type << std::dec << " extent " << model.extent[0] << " " << model.extent[1] << " "
       << model.extent[2];
}

constexpr cl_mem_object_type kImageTypes[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                              CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};
constexpr cl_image_format kRgba8{CL_RGBA, CL_UNORM_INT8};

class ImageFixture : public ObjectFixture {
protected:
  void SetUp() override {
    ObjectFixture::SetUp();
    if (!value_of<cl_bool>(clGetDeviceInfo, device_, CL_DEVICE_IMAGE_SUPPORT)) GTEST_SKIP() << "the device has no images";
  }

  /// Creates an image, which TearDown() releases, and expects `expected`.
  cl_mem create(cl_mem_flags flags, const cl_image_format &format, const cl_image_desc &desc, void *host = nullptr,
                cl_int expected = CL_SUCCESS) {
    cl_int error = -1;
    cl_mem image = keep(clCreateImage(context_, flags, &format, &desc, host, &error));
    EXPECT_EQ(error, expected);
    EXPECT_EQ(image != nullptr, expected == CL_SUCCESS);
    return image;
  }

  static cl_image_desc desc_2d(size_t width, size_t height, size_t row_pitch = 0) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = height;
    desc.image_row_pitch = row_pitch;
    return desc;
  }

  std::vector<cl_image_format> supported(cl_mem_object_type type, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    cl_uint count = 0;
    EXPECT_EQ(clGetSupportedImageFormats(context_, flags, type, 0, nullptr, &count), CL_SUCCESS);
    std::vector<cl_image_format> formats(count);
    EXPECT_EQ(clGetSupportedImageFormats(context_, flags, type, count, formats.data(), nullptr), CL_SUCCESS);
    return formats;
  }

  template <typename T>
  T info(cl_mem image, cl_image_info name) {
    return value_of<T>(clGetImageInfo, image, name);
  }

  /// The texels of a region without gaps.
  std::vector<unsigned char> read(cl_mem image, const Coordinates &origin, const Coordinates &region, size_t texel_bytes) {
    std::vector<unsigned char> bytes(region[0] * region[1] * region[2] * texel_bytes);
    EXPECT_EQ(
        clEnqueueReadImage(in_order_, image, CL_TRUE, origin.data(), region.data(), 0, 0, bytes.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    return bytes;
  }
};

}  // namespace upsweep::tests
#endif
