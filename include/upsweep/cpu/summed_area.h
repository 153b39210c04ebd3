// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summed-area tables, and filters whose time does not grow with their width.
//
//   summed_area_table   out(y, x) = the sum of in(v, u) for v <= y and u <= x, for each channel
//   box_filter          out(y, x) = the mean of in over the pixels up to `radius` away in both directions that the image has;
//                       or up to radii(y, x) away
//
// in, out   pointers, which must not overlap
// radii     pointer to height x width unsigned integers without gaps, one for all channels of a pixel
// of        the image: height, width, channels side by side in a pixel, and elements from row to row (0: no gaps)
// executor  see executor.h
//
// The table's sums have the type of `out`; integers wrap, so that differences of four places are right as long as they fit. A
// filter sums integers in 64 bits and floating-point numbers in doubles; one with radii allocates a table of eight bytes for
// each element, and rounds floating-point numbers as differences of its sums. The same bits for every number of threads.
// Errors: see scan.h.
#pragma once

#include <upsweep/cpu/detail/area_job.h>
#include <upsweep/cpu/detail/arguments.h>
#include <upsweep/cpu/thread_pool.h>

namespace upsweep::cpu {

struct image_shape {
  std::uint64_t height = 0;
  std::uint64_t width = 0;
  std::uint64_t channels = 1;
  std::uint64_t in_pitch = 0;
  std::uint64_t out_pitch = 0;
};

namespace detail {

// Replaces pitches of 0, and checks both.
inline image_shape whole_shape(image_shape of) {
  const std::uint64_t row = of.width * of.channels;
  of.in_pitch = of.in_pitch == 0 ? row : of.in_pitch;
  of.out_pitch = of.out_pitch == 0 ? row : of.out_pitch;
  if (of.channels == 0 || of.in_pitch < row || of.out_pitch < row) {
    throw std::invalid_argument("upsweep::cpu: rows that overlap, or no channels");
  }
  return of;
}

template <class In, class Out>
void require_images(const In *in, Out *out, const image_shape &of) {
  const std::uint64_t row = of.width * of.channels;
  require_array(in, row, "the input");
  require_array(out, row, "the output");
  require_apart(in, (of.height - 1) * of.in_pitch + row, out, (of.height - 1) * of.out_pitch + row);
}

// Rows of one piece of work: enough that what is done once a band does not count.
inline Chunks bands_of(const image_shape &of, std::size_t element_bytes) {
  Chunks bands(of.height, 1);
  const std::uint64_t row_bytes = of.width * of.channels * element_bytes;
  bands.size = row_bytes * of.height <= kAloneBytes ? of.height : std::max<std::uint64_t>(16, 2 * kChunkBytes / row_bytes);
  return bands;
}

template <class In, class Out>
void filter_band(const In *in, Out *out, const image_shape &of, std::uint64_t begin, std::uint64_t end, std::uint64_t radius) {
  using Sum = std::conditional_t<std::is_floating_point_v<In>, double, std::int64_t>;
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
        out[y * of.out_pitch + x * c + k] = static_cast<Out>(std::is_integral_v<Out> ? mean + 0.5 : mean);
      }
    }
  }
}

}  // namespace detail

template <class In, class Out, class... More>
void summed_area_table(const In *in, Out *out, image_shape of, More &&...more) {
  static_assert(detail::is_number<In> && detail::is_number<Out> && sizeof(Out) <= 8, "elements are numbers of up to 64 bits");
  of = detail::whole_shape(of);
  if (of.height == 0 || of.width == 0) {
    return;
  }
  detail::require_images(in, out, of);
  const std::uint64_t row = of.width * of.channels;
  const detail::AreaJob<Out, In> job{in,
                                     out,
                                     row,
                                     of.channels,
                                     of.in_pitch,
                                     of.out_pitch,
                                     detail::bands_of(of, sizeof(Out)),
                                     row * of.height * sizeof(Out) >= detail::kStreamedBytes};
  detail::go_over_chunks(detail::executor_of(more...), job, job.bands.count(), std::vector<Out>());
}

template <class In, class Out, class... More>
void box_filter(const In *in, Out *out, image_shape of, std::uint64_t radius, More &&...more) {
  static_assert(detail::is_number<In> && detail::is_number<Out>, "elements are numbers");
  of = detail::whole_shape(of);
  if (of.height == 0 || of.width == 0) {
    return;
  }
  detail::require_images(in, out, of);
  radius = std::min(radius, std::max(of.height, of.width));
  detail::Chunks bands = detail::bands_of(of, sizeof(Out));
  bands.size = std::max(bands.size, 4 * radius);  // the first row of a band costs as much as 2 * radius others
  detail::for_each_piece(detail::executor_of(more...), bands.count(), [&](std::uint64_t band) {
    detail::filter_band(in, out, of, bands.begin(band), bands.end(band), radius);
  });
}

template <class In, class Out, class Radius, class... More>
void box_filter(const In *in, Out *out, image_shape of, const Radius *radii, More &&...more) {
  static_assert(detail::is_number<In> && detail::is_number<Out>, "elements are numbers");
  static_assert(std::is_unsigned_v<Radius>, "a radius is an unsigned integer");
  using Sum = std::conditional_t<std::is_floating_point_v<In>, double, std::int64_t>;
  of = detail::whole_shape(of);
  if (of.height == 0 || of.width == 0) {
    return;
  }
  detail::require_images(in, out, of);
  detail::require_array(radii, 1, "radii");
  auto &executor = detail::executor_of(more...);
  const std::uint64_t row = of.width * of.channels, c = of.channels;
  const std::unique_ptr<Sum[]> table(new Sum[row * of.height]);
  cpu::summed_area_table(in, table.get(), {of.height, of.width, c, of.in_pitch, 0}, executor);
  // The sum of the rows and columns before (y, x).
  const auto before = [&, sums = table.get()](std::uint64_t y, std::uint64_t x, std::uint64_t channel) {
    return y == 0 || x == 0 ? Sum(0) : sums[(y - 1) * row + (x - 1) * c + channel];
  };
  const detail::Chunks bands = detail::bands_of(of, sizeof(Sum));
  detail::for_each_piece(executor, bands.count(), [&](std::uint64_t band) {
    for (std::uint64_t y = bands.begin(band); y < bands.end(band); ++y) {
      for (std::uint64_t x = 0; x < of.width; ++x) {
        const auto radius = std::min<std::uint64_t>(radii[y * of.width + x], std::max(of.height, of.width));
        const std::uint64_t y0 = y > radius ? y - radius : 0, y1 = std::min(of.height, y + radius + 1);
        const std::uint64_t x0 = x > radius ? x - radius : 0, x1 = std::min(of.width, x + radius + 1);
        const double share = 1.0 / static_cast<double>((y1 - y0) * (x1 - x0));
        for (std::uint64_t k = 0; k < c; ++k) {
          const Sum sum = before(y1, x1, k) - before(y0, x1, k) - before(y1, x0, k) + before(y0, x0, k);
          const double mean = static_cast<double>(sum) * share;
          out[y * of.out_pitch + x * c + k] = static_cast<Out>(std::is_integral_v<Out> ? mean + 0.5 : mean);
        }
      }
    }
  });
}

}  // namespace upsweep::cpu
