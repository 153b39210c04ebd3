// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common reference of tests of box filters: the host sums each box pixel by pixel.
#pragma once

#include "summed_area_check.h"

#include <cmath>

namespace upsweep::test {

using Radii = std::vector<std::uint64_t>;  // for each pixel of all images

template <class Out, class In>
std::vector<Out> filtered_on_host(const Shape &shape, const std::vector<In> &in, const Radii &radii) {
  using Total = std::conditional_t<std::is_integral_v<In>, std::int64_t, double>;
  std::vector<Out> out(shape.out_places());
  std::memset(out.data(), kPoison, out.size() * sizeof(Out));
  const std::int64_t height = shape.of.height, width = shape.of.width, channels = shape.of.channels;
  for (std::uint64_t i = 0; i < shape.of.images * height * width; ++i) {
    const std::int64_t image = i / (height * width), y = i / width % height, x = i % width;
    const auto radius = static_cast<std::int64_t>(std::min<std::uint64_t>(radii[i], height + width));
    const std::int64_t top = std::max<std::int64_t>(0, y - radius), bottom = std::min(height, y + radius + 1);
    const std::int64_t left = std::max<std::int64_t>(0, x - radius), right = std::min(width, x + radius + 1);
    for (std::int64_t k = 0; k < channels; ++k) {
      Total total = 0;
      for (std::int64_t v = top; v < bottom; ++v) {
        for (std::int64_t u = left; u < right; ++u) {
          total += in[shape.in_offset + image * shape.in_stride() + v * shape.in_pitch() + u * channels + k];
        }
      }
      const double share = 1.0 / static_cast<double>((bottom - top) * (right - left));
      const double mean = static_cast<double>(total) * share;
      out[shape.out_offset + image * shape.out_stride() + y * shape.out_pitch() + x * channels + k] =
          static_cast<Out>(std::is_integral_v<Out> ? std::floor(mean + 0.5) : mean);
    }
  }
  return out;
}

// The argument is make(device memory of the radii).
template <class In, class Out, class Make>
void check_filter(const Shape &shape, const Radii &radii, const Make &argument) {
  std::vector<In> pixels(shape.in_places());
  for (In &pixel : pixels) {
    pixel = random_pixel<In>();
  }
  DeviceArray<In> in(pixels);
  DeviceArray<Out> out(shape.out_places());
  DeviceArray<unsigned char> memory(cuda::box_filter_workspace_bytes<In, Out>(shape.of));
  const cuda::workspace space{memory.data(), memory.bytes()};
  UPSWEEP_CUDA(cuda::box_filter(space, in.data() + shape.in_offset, out.data() + shape.out_offset, shape.of, argument));
  check_same(out.download(), filtered_on_host<Out>(shape, pixels, radii), shape.name());
  UPSWEEP_CHECK(out.end_is_intact());
  UPSWEEP_CHECK(memory.end_is_intact());
}

template <class In, class Out>
void check_radius(const Shape &shape, std::uint64_t radius) {
  check_filter<In, Out>(shape, Radii(shape.of.images * shape.of.height * shape.of.width, radius), radius);
}

inline const std::vector<Shape> kShapes = {{{1, 1}},      {{1, 40, 2}},  {{40, 1, 3}},
                                           {{33, 65, 3}}, {{70, 45, 4}}, {{20, 31, 3, 100, 99, 3, 2100, 2000}, false, 3, 5},
                                           {{90, 140}}};

}  // namespace upsweep::test
