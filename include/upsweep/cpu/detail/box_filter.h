// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means over boxes: of one radius by sums of columns that move from row to row, of a radius for each pixel by the four corners
// of each box in a summed-area table.
#pragma once

#include <upsweep/cpu/detail/area_job.h>
#include <upsweep/cpu/detail/arguments.h>
#include <upsweep/cpu/detail/image.h>

#include <cmath>

namespace upsweep::cpu::detail {

template <class In>
using BoxSum = std::conditional_t<is_float<In>, double, std::conditional_t<is_signed<In>, std::int64_t, std::uint64_t>>;

template <class Out>
Out rounded_mean(double mean) {
  if constexpr (is_integer<Out>) {
    return static_cast<Out>(std::floor(mean + 0.5));
  } else if constexpr (is_half<Out>) {
    return static_cast<Out>(static_cast<float>(mean));
  } else {
    return static_cast<Out>(mean);
  }
}

template <class In, class Out>
void filter_band(const In *in, Out *out, const image_shape &of, std::uint64_t begin, std::uint64_t end, std::uint64_t radius) {
  using Sum = BoxSum<In>;
  const std::uint64_t row = of.width * of.channels, c = of.channels;
  std::vector<Sum> columns(row, Sum(0)), sums(row + c, Sum(0));
  const auto last_row = [&](std::uint64_t y) { return std::min(of.height, y + radius + 1); };
  const auto first_row = [&](std::uint64_t y) { return y > radius ? y - radius : 0; };
  Sum *to = columns.data();
  for (std::uint64_t v = first_row(begin); v < last_row(begin); ++v) {
    const In *from = in + v * of.in_pitch;
    UPSWEEP_CPU_DISPATCH(add_row, from, to, row);
  }
  for (std::uint64_t y = begin; y < end; ++y) {
    if (y > begin) {
      if (last_row(y) > last_row(y - 1)) {
        const In *from = in + (last_row(y) - 1) * of.in_pitch;
        UPSWEEP_CPU_DISPATCH(add_row, from, to, row);
      }
      if (first_row(y) > first_row(y - 1)) {
        const In *from = in + first_row(y - 1) * of.in_pitch;
        UPSWEEP_CPU_DISPATCH(subtract_row, from, to, row);
      }
    }
    for (std::uint64_t x = 0; x < row; ++x) {
      sums[x + c] = sums[x] + columns[x];
    }
    const auto rows = last_row(y) - first_row(y);
    for (std::uint64_t x = 0; x < of.width; ++x) {
      const std::uint64_t first = x > radius ? x - radius : 0, last = std::min(of.width, x + radius + 1);
      const double share = 1.0 / static_cast<double>(rows * (last - first));
      for (std::uint64_t k = 0; k < c; ++k) {
        const double mean = static_cast<double>(sums[last * c + k] - sums[first * c + k]) * share;
        out[y * of.out_pitch + x * c + k] = rounded_mean<Out>(mean);
      }
    }
  }
}

template <class In, class Out, class Executor>
void filter_by_columns(const In *in, Out *out, const image_shape &of, std::uint64_t radius, Executor &executor) {
  radius = std::min(radius, std::max(of.height, of.width));
  Chunks bands = bands_of(of, sizeof(Out));
  bands.size = std::max(bands.size, 4 * radius);  // the first row of a band costs as much as 2 * radius others
  for_each_piece(executor, bands.count(),
                 [&](std::uint64_t band) { filter_band(in, out, of, bands.begin(band), bands.end(band), radius); });
}

// radius_of(pixel): of pixel y * width + x. out may overlap `in`, which is not read again once there is a table.
template <class In, class Out, class RadiusOf, class Executor>
void filter_by_table(const In *in, Out *out, const image_shape &of, const RadiusOf &radius_of, Executor &executor) {
  using Sum = BoxSum<In>;
  const std::uint64_t row = of.width * of.channels, c = of.channels;
  const std::unique_ptr<Sum[]> table(new Sum[row * of.height]);
  sum_areas(in, table.get(), {of.height, of.width, c, of.in_pitch, row}, Unchanged(), executor);
  // The sum of the rows and columns before (y, x).
  const auto before = [&, sums = table.get()](std::uint64_t y, std::uint64_t x, std::uint64_t channel) {
    return y == 0 || x == 0 ? Sum(0) : sums[(y - 1) * row + (x - 1) * c + channel];
  };
  const Chunks bands = bands_of(of, sizeof(Sum));
  for_each_piece(executor, bands.count(), [&](std::uint64_t band) {
    for (std::uint64_t y = bands.begin(band); y < bands.end(band); ++y) {
      for (std::uint64_t x = 0; x < of.width; ++x) {
        const std::uint64_t radius = std::min<std::uint64_t>(radius_of(y * of.width + x), std::max(of.height, of.width));
        const std::uint64_t y0 = y > radius ? y - radius : 0, y1 = std::min(of.height, y + radius + 1);
        const std::uint64_t x0 = x > radius ? x - radius : 0, x1 = std::min(of.width, x + radius + 1);
        const double share = 1.0 / static_cast<double>((y1 - y0) * (x1 - x0));
        for (std::uint64_t k = 0; k < c; ++k) {
          const Sum sum = (before(y1, x1, k) - before(y1, x0, k)) - (before(y0, x1, k) - before(y0, x0, k));
          out[y * of.out_pitch + x * c + k] = rounded_mean<Out>(static_cast<double>(sum) * share);
        }
      }
    }
  });
}

struct RadiusOfAll {
  std::uint64_t most;
  std::uint64_t operator()(std::uint64_t) const { return most; }
};

template <class Radius>
struct RadiusOfEach {
  const Radius *radii;
  std::uint64_t operator()(std::uint64_t pixel) const {
    const Radius radius = radii[pixel];
    return radius > Radius(0) ? static_cast<std::uint64_t>(radius) : 0;
  }
};

// Of one image; a radius for all, or a function of the pixel.
template <class In, class Out, class RadiusOf, class Executor>
void filter_boxes(const In *in, Out *out, const image_shape &of, const RadiusOf &radius_of, Executor &executor) {
  if constexpr (std::is_same_v<RadiusOf, RadiusOfAll>) {
    if (!overlap(in, extent_of(of, of.in_pitch), out, extent_of(of, of.out_pitch))) {
      filter_by_columns(in, out, of, radius_of.most, executor);
      return;
    }
  }
  filter_by_table(in, out, of, radius_of, executor);
}

}  // namespace upsweep::cpu::detail
