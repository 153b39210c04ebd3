// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images in host memory, read in double precision by the rules of section "Image Addressing and Filtering" of the OpenCL C
// specification: the references of bench_images.
#ifndef UPSWEEP_BENCH_TEXELS_H
#define UPSWEEP_BENCH_TEXELS_H

#include "bench/harness.h"

#include <array>
#include <cstdint>

namespace upsweep::bench {

using Colour = std::array<double, 4>;

struct TexelFormat {
  const char *name;
  cl_channel_order order;
  cl_channel_type type;
  size_t channels;
  size_t bytes;        // of a texel
  const char *option;  // the option for it in opencl/image_reads.cl and image_writes.cl

  [[nodiscard]] cl::ImageFormat image_format() const { return {order, type}; }
};

inline constexpr TexelFormat kRgba8 = {"RGBA8", CL_RGBA, CL_UNORM_INT8, 4, 4, "-DRGBA8"};
inline constexpr TexelFormat kRgbaFloat = {"RGBA float", CL_RGBA, CL_FLOAT, 4, 16, "-DRGBA_FLOAT"};
inline constexpr TexelFormat kRFloat = {"R float", CL_R, CL_FLOAT, 1, 4, "-DR_FLOAT"};
inline constexpr TexelFormat kRgbaHalf = {"RGBA half", CL_RGBA, CL_HALF_FLOAT, 4, 8, "-DRGBA_HALF"};
inline constexpr TexelFormat kR8 = {"R8", CL_R, CL_UNORM_INT8, 1, 1, ""};
inline constexpr const TexelFormat *kTexelFormats[] = {&kRgba8, &kRgbaFloat, &kRFloat, &kRgbaHalf};

struct Extent {
  size_t width, height, depth = 1;  // depth 1 means two dimensions

  [[nodiscard]] size_t texels() const { return width * height * depth; }
  [[nodiscard]] bool is_volume() const { return depth > 1; }
  [[nodiscard]] std::array<size_t, 3> region() const { return {width, height, depth}; }
  [[nodiscard]] std::string text() const;  // "2048 x 2048"
};

enum class Edge { Clamp, Repeat, Black };  // what coordinates outside name

class Texels {
public:
  Texels(const TexelFormat &format, const Extent &extent) : format_(&format), extent_(extent), bytes_(bytes()) {}
  static Texels random(const TexelFormat &format, const Extent &extent);  // values in 0 … 1

  [[nodiscard]] const TexelFormat &format() const { return *format_; }
  [[nodiscard]] const Extent &extent() const { return extent_; }
  [[nodiscard]] size_t bytes() const { return extent_.texels() * format_->bytes; }
  [[nodiscard]] std::vector<uint8_t> &data() { return bytes_; }
  [[nodiscard]] const std::vector<uint8_t> &data() const { return bytes_; }

  // Channels that the format lacks are 0, and 1 for alpha.
  [[nodiscard]] Colour texel(size_t index) const;
  [[nodiscard]] Colour nearest(double x, double y, double z, Edge edge) const;
  [[nodiscard]] Colour linear(double x, double y, double z, Edge edge) const;

private:
  [[nodiscard]] Colour at(int64_t x, int64_t y, int64_t z, Edge edge) const;

  const TexelFormat *format_;
  Extent extent_;
  std::vector<uint8_t> bytes_;
};

// A random image for each format and extent, kept for later cases.
std::shared_ptr<const Texels> random_texels(const TexelFormat &format, const Extent &extent);

// An image with these texels, or with none.
Result<cl::Memory> make_image(const Device &device, const TexelFormat &format, const Extent &extent, const Texels *texels);
Result<Texels> read_image(const Device &device, const cl::Memory &image, const TexelFormat &format, const Extent &extent);

// Fails with the first sampled texel that has a channel further than `tolerance` from the expected colour.
Result<void> compare_texels(const Texels &got, const std::function<Colour(size_t x, size_t y)> &expected, double tolerance,
                            size_t step);

}  // namespace upsweep::bench
#endif
