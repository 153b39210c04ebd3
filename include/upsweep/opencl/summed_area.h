// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summed-area tables on a command queue.
//
//   summed_area_table   out(y, x) = the sum of in(v, u) for v <= y and u <= x, for each channel
//
// in, out   arrays of numbers; they may be the same if elements are of the same size and lie alike, and must not overlap
//           otherwise
// of        image_shape: height, width, channels side by side in a pixel, and elements from row to row (0: no gaps). Planes
//           are images of one channel
// options   wait_for, signal
//
// Sums have the type of `out`, and elements are converted to it first; integers wrap, so that differences of four places are
// right as long as they fit. Two launches, along rows and then along columns: the table is written twice and read once. The
// same bits from call to call. Errors: error.h; CL_INVALID_VALUE for no channels and rows that overlap.
#pragma once

#include <upsweep/opencl/detail/axis_job.h>

namespace upsweep::opencl {

struct image_shape {
  std::uint64_t height = 0;
  std::uint64_t width = 0;
  std::uint64_t channels = 1;
  std::uint64_t in_pitch = 0;
  std::uint64_t out_pitch = 0;
};

namespace detail {

inline cl_int run_summed_area(Call &call, const array &in, const array &out, const image_shape &of) {
  const std::uint64_t row = of.width * of.channels, from = of.in_pitch == 0 ? row : of.in_pitch,
                      to = of.out_pitch == 0 ? row : of.out_pitch;
  const bool is_image = of.channels > 0 && of.channels <= kMaxElements && of.width <= kMaxElements && from >= row && to >= row;
  if (!is_image) return fail(CL_INVALID_VALUE, "upsweep: rows that overlap, or no channels");
  AxisPlaces rows, columns;
  const operation add = plus{};
  const element_count width = of.width, height = of.height;
  const ScanCall along_rows{in, out, width, add, out.type, nullptr, false};
  const ScanCall along_columns{out, out, height, add, out.type, nullptr, false};
  return first_error([&] { return rows.find({of.height, of.width, of.channels, {from, of.channels}, {to, of.channels}}); },
                     [&] { return columns.find({1, of.height, row, {0, to}, {0, to}}); },
                     [&] {
                       return in.type.is_number() && out.type.is_number()
                                  ? CL_SUCCESS
                                  : fail(CL_INVALID_VALUE, "upsweep: tables are of numbers");
                     },
                     [&] { return check_axis(call, along_rows, rows); },
                     [&] { return run_scan_of_axis(call, along_rows, rows, Options()); },
                     [&] { return of.height > 1 ? run_scan_of_axis(call, along_columns, columns, Options()) : CL_SUCCESS; });
}

}  // namespace detail

template <class... Given>
cl_int summed_area_table(const array &in, const array &out, const image_shape &of, queue queue, const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_call(queue, all, [&](detail::Call &call) { return detail::run_summed_area(call, in, out, of); });
}

}  // namespace upsweep::opencl
