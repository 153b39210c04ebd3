// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means over boxes: a single radius uses sums of columns and then of rows; a radius for each pixel uses the four corners of
// each box in a summed-area table.
#pragma once

#include <upsweep/cpu/detail/area_job.h>
#include <upsweep/cpu/detail/arguments.h>
#include <upsweep/cpu/detail/image.h>
#include <upsweep/cpu/detail/window_sums.h>

#include <cmath>

namespace upsweep::cpu::detail {

// Integers of 64 bits are summed in 128 bits.
template <class In>
using BoxSum =
    std::conditional_t<is_float<In>, double,
                       std::conditional_t<(sizeof(In) < 8), std::conditional_t<is_signed<In>, std::int64_t, std::uint64_t>,
                                          std::conditional_t<is_signed<In>, Int128, Uint128>>>;

// a - b; integers wrap.
template <class T>
T minus_wrapped(const T &a, const T &b) {
  if constexpr (is_integer<T>) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
  } else {
    return a - b;
  }
}

// The mean of `count` elements; `share` is the reciprocal of `count`. Doubles do not hold all means of 64 bits.
template <class Out, class Sum>
Out rounded_mean(const Sum &sum, std::uint64_t count, double share) {
  if constexpr (is_integer<Out> && is_int128<Sum>) {
    const auto divisor = static_cast<Sum>(count) * 2, dividend = static_cast<Sum>(sum * 2 + static_cast<Sum>(count));
    return static_cast<Out>(dividend / divisor - (dividend % divisor < 0 ? 1 : 0));
  } else {
    const double mean = static_cast<double>(sum) * share;
    if constexpr (is_integer<Out>) {
      return static_cast<Out>(std::floor(mean + 0.5));
    } else if constexpr (is_half<Out>) {
      return static_cast<Out>(static_cast<float>(mean));
    } else {
      return static_cast<Out>(mean);
    }
  }
}

// The means of a row. sum(x, first, last, k) is the sum of channel k over the box around pixel x. The box has pixels first to
// last - 1 of `rows` rows of the image.
template <class Out, class SumAt>
void put_means(Out *out, const image_shape of, std::uint64_t rows, std::uint64_t radius, const SumAt sum) {
  for (std::uint64_t x = 0; x < of.width; ++x) {
    const std::uint64_t first = x > radius ? x - radius : 0, last = std::min(of.width, x + radius + 1);
    const std::uint64_t count = rows * (last - first);
    const double share = 1.0 / static_cast<double>(count);
    for (std::uint64_t k = 0; k < of.channels; ++k) {
      out[x * of.channels + k] = rounded_mean<Out>(sum(x, first, last, k), count, share);
    }
  }
}

// The number of rows of the image around row y.
inline std::uint64_t first_row(std::uint64_t y, std::uint64_t radius) { return y > radius ? y - radius : 0; }
inline std::uint64_t end_row(const image_shape &of, std::uint64_t y, std::uint64_t radius) {
  return std::min(of.height, y + radius + 1);
}

// A band of integers: sums of columns move from row to row, and differences of running sums along the row are exact.
template <class In, class Out>
void filter_band(const In *in, Out *out, const image_shape &of, std::uint64_t begin, std::uint64_t end, std::uint64_t radius) {
  using Sum = BoxSum<In>;
  const std::uint64_t row = of.width * of.channels, c = of.channels;
  std::vector<Sum> columns(row, Sum(0)), sums(row + c, Sum(0));
  Sum *to = columns.data();
  for (std::uint64_t v = first_row(begin, radius); v < end_row(of, begin, radius); ++v) {
    const In *from = in + v * of.in_pitch;
    UPSWEEP_CPU_DISPATCH(add_row, from, to, row);
  }
  for (std::uint64_t y = begin; y < end; ++y) {
    const std::uint64_t first = first_row(y, radius), next = end_row(of, y, radius);
    if (y > begin && next > end_row(of, y - 1, radius)) {
      const In *from = in + (next - 1) * of.in_pitch;
      UPSWEEP_CPU_DISPATCH(add_row, from, to, row);
    }
    if (y > begin && first > first_row(y - 1, radius)) {
      const In *from = in + (first - 1) * of.in_pitch;
      UPSWEEP_CPU_DISPATCH(subtract_row, from, to, row);
    }
    for (std::uint64_t x = 0; x < row; ++x) {
      sums[x + c] = plus()(sums[x], columns[x]);
    }
    const Sum *const before = sums.data();
    put_means(out + y * of.out_pitch, of, next - first, radius,
              [=](std::uint64_t, std::uint64_t left, std::uint64_t right, std::uint64_t k) {
                return minus_wrapped(before[right * c + k], before[left * c + k]);
              });
  }
}

// A band of floating-point numbers: each sum has only the elements of its box.
template <class In, class Out>
void filter_band_of_floats(const In *in, Out *out, const image_shape &of, std::uint64_t begin, std::uint64_t end,
                           std::uint64_t radius) {
  const std::uint64_t row = of.width * of.channels;
  ColumnWindows<In> columns(in, of.height, of.in_pitch, radius);
  RowWindows along(of.width, of.channels, radius);
  const std::uint64_t rows_at_once = std::clamp<std::uint64_t>(kChunkBytes / (row * sizeof(double)), 1, end - begin);
  // Rows of whole blocks, so that each row is added to two sums.
  const std::uint64_t block = 2 * radius + 1;
  const std::uint64_t rows = std::min(end - begin, std::max<std::uint64_t>(rows_at_once / block, 1) * block);
  std::vector<double> sums(rows * row);
  for (std::uint64_t top = begin; top < end; top += rows) {
    const std::uint64_t bottom = std::min(end, top + rows);
    columns.put(top, bottom, row, sums.data());
    for (std::uint64_t y = top; y < bottom; ++y) {
      const std::uint64_t height = end_row(of, y, radius) - first_row(y, radius);
      along.put(sums.data() + (y - top) * row,
                [=, to = out + y * of.out_pitch](std::uint64_t x, std::uint64_t width, std::uint64_t n, const auto &sum) {
                  const std::uint64_t count = height * width;
                  const double share = 1.0 / static_cast<double>(count);
                  for (std::uint64_t i = 0; i < n; ++i) {
                    to[x + i] = rounded_mean<Out>(sum(i), count, share);
                  }
                });
    }
  }
}

template <class In, class Out, class Executor>
void filter_by_columns(const In *in, Out *out, const image_shape &of, std::uint64_t radius, Executor &executor) {
  radius = std::min(radius, std::max(of.height, of.width));
  Chunks bands = bands_of(of, sizeof(Out));
  bands.size = std::max(bands.size, 4 * radius);  // the first row of a band costs as much as 2 * radius others
  for_each_piece(executor, bands.count(), [&](std::uint64_t band) {
    if constexpr (is_float<In>) {
      filter_band_of_floats(in, out, of, bands.begin(band), bands.end(band), radius);
    } else {
      filter_band(in, out, of, bands.begin(band), bands.end(band), radius);
    }
  });
}

struct LowHalf {
  template <class T>
  std::uint64_t operator()(const T &x) const {
    return static_cast<std::uint64_t>(x) & 0xffffffffU;
  }
};
struct HighHalf {
  template <class T>
  std::int64_t operator()(const T &x) const {
    return static_cast<std::int64_t>(x >> 32);
  }
};

// The sums of an image's boxes by tables: for integers of 64 bits a table for each half of their bits.
template <class In>
class BoxTable {
  static constexpr bool kHasHalves = is_int128<BoxSum<In>>;
  using Entry = std::conditional_t<kHasHalves, std::uint64_t, BoxSum<In>>;

public:
  template <class Executor>
  BoxTable(const In *in, const image_shape &of, Executor &executor)
      : row_(of.width * of.channels), c_(of.channels), sums_(new Entry[row_ * of.height]),
        high_(kHasHalves ? new std::int64_t[row_ * of.height] : nullptr) {
    const image_shape shape{of.height, of.width, c_, of.in_pitch, row_};
    if constexpr (kHasHalves) {
      sum_areas(in, sums_.get(), shape, LowHalf(), executor);
      sum_areas(in, high_.get(), shape, HighHalf(), executor);
    } else {
      sum_areas(in, sums_.get(), shape, Unchanged(), executor);
    }
  }

  BoxSum<In> sum(std::uint64_t y0, std::uint64_t y1, std::uint64_t x0, std::uint64_t x1, std::uint64_t channel) const {
    const Entry low = difference(sums_.get(), y0, y1, x0, x1, channel);
    if constexpr (kHasHalves) {
      const auto high = static_cast<BoxSum<In>>(difference(high_.get(), y0, y1, x0, x1, channel));
      return static_cast<BoxSum<In>>(high * (static_cast<BoxSum<In>>(1) << 32) + static_cast<BoxSum<In>>(low));
    } else {
      return low;
    }
  }

private:
  template <class T>
  T difference(const T *sums, std::uint64_t y0, std::uint64_t y1, std::uint64_t x0, std::uint64_t x1,
               std::uint64_t channel) const {
    // The sum of the rows before y and the columns before x.
    const auto before = [&](std::uint64_t y, std::uint64_t x) {
      return y == 0 || x == 0 ? T(0) : sums[(y - 1) * row_ + (x - 1) * c_ + channel];
    };
    return minus_wrapped(minus_wrapped(before(y1, x1), before(y1, x0)), minus_wrapped(before(y0, x1), before(y0, x0)));
  }

  std::uint64_t row_, c_;
  std::unique_ptr<Entry[]> sums_;
  std::unique_ptr<std::int64_t[]> high_;
};

// radius_of(pixel), where pixel is y * width + x. out may overlap `in`, which is not read again once there is a table.
template <class In, class Out, class RadiusOf, class Executor>
void filter_by_table(const In *in, Out *out, const image_shape &of, const RadiusOf &radius_of, Executor &executor) {
  const BoxTable<In> table(in, of, executor);
  const Chunks bands = bands_of(of, sizeof(BoxSum<In>));
  for_each_piece(executor, bands.count(), [&](std::uint64_t band) {
    for (std::uint64_t y = bands.begin(band); y < bands.end(band); ++y) {
      for (std::uint64_t x = 0; x < of.width; ++x) {
        const std::uint64_t radius = std::min<std::uint64_t>(radius_of(y * of.width + x), std::max(of.height, of.width));
        const std::uint64_t y0 = first_row(y, radius), y1 = end_row(of, y, radius);
        const std::uint64_t x0 = x > radius ? x - radius : 0, x1 = std::min(of.width, x + radius + 1);
        const std::uint64_t count = (y1 - y0) * (x1 - x0);
        const double share = 1.0 / static_cast<double>(count);
        for (std::uint64_t k = 0; k < of.channels; ++k) {
          out[y * of.out_pitch + x * of.channels + k] = rounded_mean<Out>(table.sum(y0, y1, x0, x1, k), count, share);
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

// The rows of an image, copied so that a filter can overwrite them.
template <class T, class Executor>
void copy_rows(const T *from, T *to, const image_shape &of, std::uint64_t pitch, Executor &executor) {
  const Chunks bands = bands_of(of, sizeof(T));
  const std::uint64_t row = of.width * of.channels;
  for_each_piece(executor, bands.count(), [&](std::uint64_t band) {
    for (std::uint64_t y = bands.begin(band); y < bands.end(band); ++y) {
      std::copy_n(from + y * pitch, row, to + y * row);
    }
  });
}

// Filters an image; the radius is a number for all pixels, or a function of the pixel. An in-place filter with a single radius
// copies the image first.
template <class In, class Out, class RadiusOf, class Executor>
void filter_boxes(const In *in, Out *out, const image_shape &of, const RadiusOf &radius_of, Executor &executor) {
  if constexpr (std::is_same_v<RadiusOf, RadiusOfAll>) {
    if (!overlap(in, extent_of(of, of.in_pitch), out, extent_of(of, of.out_pitch))) {
      filter_by_columns(in, out, of, radius_of.most, executor);
      return;
    }
    const std::uint64_t row = of.width * of.channels;
    const std::unique_ptr<In[]> copy(new In[row * of.height]);
    copy_rows(in, copy.get(), of, of.in_pitch, executor);
    image_shape of_copy = of;
    of_copy.in_pitch = row;
    filter_by_columns(static_cast<const In *>(copy.get()), out, of_copy, radius_of.most, executor);
  } else {
    filter_by_table(in, out, of, radius_of, executor);
  }
}

}  // namespace upsweep::cpu::detail
