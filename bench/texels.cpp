// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// References of image reads.
#include "bench/texels.h"
#include "bench/cases.h"

#include <cstring>
#include <map>
#include <random>

namespace upsweep::bench {
namespace {

template <typename T>
T load(const std::vector<uint8_t> &bytes, size_t index) {
  T value;
  std::memcpy(&value, &bytes[index * sizeof(T)], sizeof(T));
  return value;
}

// Handles zero and normal numbers, since benchmarks use no others.
double half_value(uint16_t bits) {
  if ((bits & 0x7fff) == 0) return 0;
  const double magnitude = std::ldexp(1024 + (bits & 0x3ff), (bits >> 10 & 31) - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

double channel_value(const TexelFormat &format, const std::vector<uint8_t> &bytes, size_t index) {
  switch (format.type) {
  case CL_UNORM_INT8: return bytes[index] / 255.0;
  case CL_HALF_FLOAT: return half_value(load<uint16_t>(bytes, index));
  default: return static_cast<double>(load<float>(bytes, index));
  }
}

// The texel of a coordinate along one dimension; -1: none.
int64_t resolve(int64_t i, size_t size, Edge edge) {
  const auto count = static_cast<int64_t>(size);
  switch (edge) {
  case Edge::Clamp: return std::clamp<int64_t>(i, 0, count - 1);
  case Edge::Repeat: return (i % count + count) % count;
  case Edge::Black: return i < 0 || i >= count ? -1 : i;
  }
  return -1;
}

}  // namespace

std::string Extent::text() const {
  return is_volume() ? fmt::format("{} x {} x {}", width, height, depth) : fmt::format("{} x {}", width, height);
}

Texels Texels::random(const TexelFormat &format, const Extent &extent) {
  Texels texels(format, extent);
  std::minstd_rand generator(1);
  const size_t count = extent.texels() * format.channels;
  for (size_t i = 0; i < count; ++i) {
    const auto number = static_cast<uint32_t>(generator() >> 7);  // the lowest bits are the least random
    if (format.type == CL_UNORM_INT8) {
      texels.bytes_[i] = static_cast<uint8_t>(number);
    } else if (format.type == CL_HALF_FLOAT) {
      const auto half = static_cast<uint16_t>(0x3800 | (number & 0x3ff));  // in 0.5 … 1
      std::memcpy(&texels.bytes_[i * sizeof(half)], &half, sizeof(half));
    } else {
      const float value = static_cast<float>(number & 0xffff) * 0x1p-16f;
      std::memcpy(&texels.bytes_[i * sizeof(value)], &value, sizeof(value));
    }
  }
  return texels;
}

Colour Texels::texel(size_t index) const {
  Colour colour = {0, 0, 0, 1};
  for (size_t i = 0; i < format_->channels; ++i) colour[i] = channel_value(*format_, bytes_, index * format_->channels + i);
  return colour;
}

Colour Texels::at(int64_t x, int64_t y, int64_t z, Edge edge) const {
  const int64_t i = resolve(x, extent_.width, edge), j = resolve(y, extent_.height, edge), k = resolve(z, extent_.depth, edge);
  if (i < 0 || j < 0 || k < 0) return format_->channels == 4 ? Colour{0, 0, 0, 0} : Colour{0, 0, 0, 1};
  const auto row = static_cast<size_t>(k) * extent_.height + static_cast<size_t>(j);
  return texel(row * extent_.width + static_cast<size_t>(i));
}

Colour Texels::nearest(double x, double y, double z, Edge edge) const {
  return at(static_cast<int64_t>(std::floor(x)), static_cast<int64_t>(std::floor(y)), static_cast<int64_t>(std::floor(z)),
            edge);
}

Colour Texels::linear(double x, double y, double z, Edge edge) const {
  const double left = std::floor(x - 0.5), top = std::floor(y - 0.5), front = extent_.is_volume() ? std::floor(z - 0.5) : 0;
  const double a = x - 0.5 - left, b = y - 0.5 - top, c = extent_.is_volume() ? z - 0.5 - front : 0;
  Colour sum = {};
  for (int corner = 0; corner < (extent_.is_volume() ? 8 : 4); ++corner) {
    const int right = corner & 1, bottom = corner >> 1 & 1, back = corner >> 2;
    const double weight = (right ? a : 1 - a) * (bottom ? b : 1 - b) * (back ? c : 1 - c);
    const Colour colour =
        at(static_cast<int64_t>(left) + right, static_cast<int64_t>(top) + bottom, static_cast<int64_t>(front) + back, edge);
    for (size_t i = 0; i < 4; ++i) sum[i] += weight * colour[i];
  }
  return sum;
}

std::shared_ptr<const Texels> random_texels(const TexelFormat &format, const Extent &extent) {
  static std::map<std::pair<const TexelFormat *, std::array<size_t, 3>>, std::shared_ptr<const Texels>> kept;
  auto &texels = kept[{&format, extent.region()}];
  if (!texels) texels = std::make_shared<const Texels>(Texels::random(format, extent));
  return texels;
}

Result<cl::Memory> make_image(const Device &device, const TexelFormat &format, const Extent &extent, const Texels *texels) {
  cl_int error = CL_SUCCESS;
  const cl_mem_flags flags = CL_MEM_READ_WRITE | (texels ? CL_MEM_COPY_HOST_PTR : 0);
  void *data = texels ? const_cast<uint8_t *>(texels->data().data()) : nullptr;
  const cl::ImageFormat image_format = format.image_format();
  cl::Memory image;
  if (extent.is_volume())
    image = cl::Image3D(device.context, flags, image_format, extent.width, extent.height, extent.depth, 0, 0, data, &error);
  else
    image = cl::Image2D(device.context, flags, image_format, extent.width, extent.height, 0, data, &error);
  if (auto done = cli::check(error, fmt::format("make an image of {}", format.name)); !done) return Failure(done.error());
  return image;
}

Result<Texels> read_image(const Device &device, const cl::Memory &image, const TexelFormat &format, const Extent &extent) {
  Texels texels(format, extent);
  const size_t origin[3] = {0, 0, 0};
  const cl_int error = clEnqueueReadImage(device.queue(), image(), CL_TRUE, origin, extent.region().data(), 0, 0,
                                          texels.data().data(), 0, nullptr, nullptr);
  if (auto done = cli::check(error, "read an image"); !done) return Failure(done.error());
  return texels;
}

Result<void> compare_texels(const Texels &got, const std::function<Colour(size_t x, size_t y)> &expected, double tolerance,
                            size_t step) {
  const size_t width = got.extent().width;
  for (size_t i = 0; i < got.extent().texels(); i += step) {
    const Colour want = expected(i % width, i / width), value = got.texel(i);
    for (size_t channel = 0; channel < got.format().channels; ++channel)
      // The negation makes NaN fail as well.
      if (!(std::abs(value[channel] - want[channel]) <= tolerance))
        return cli::fail("channel {} of texel ({}, {}) is {}, and should be {}", channel, i % width, i / width, value[channel],
                         want[channel]);
  }
  return {};
}

}  // namespace upsweep::bench
