// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summed-area tables on a command queue, and filters whose time does not grow with their width.
//
//   summed_area_table            out(y, x) = the sum of in(v, u) for v <= y and u <= x, for each channel
//   exclusive_summed_area_table  out(y, x) = the same for v < y and u < x; the table has height + 1 rows of width + 1 pixels,
//                                and its first row and column are 0
//   box_filter                   out(y, x) = the mean of in over the image's pixels up to `radius` away in both directions
//
// `in`, `out`  arrays of numbers. Input and output of a table may be the same if they have the same layout and size of
//              elements, and the table is not exclusive; otherwise they must not overlap.
// `of`         image_shape: height, width, and the interleaved channels of a pixel; the distances in elements of rows and of
//              images (0: no gaps); and the number of images. Planes are images of one channel. Elements between rows are
//              neither read nor written.
// `options`    wait_for, signal; for tables transform_input(f): out has the sums of f(element), for example of squares.
//
// Sums have the type of `out`, and elements are converted to it first. Integers wrap, so that a box's sum, computed from four
// places, is right if it fits the type. There are two launches, along rows and then along columns: the table is written twice
// and read once. The rows of several images take a launch for each image, unless images are contiguous in the input and in the
// table. The first row and column of exclusive tables take another launch. Every call gives the same bits.
//
// Filters compute an exclusive table of all images and take one more launch. The table has eight bytes for each element, or
// four for elements of up to 16 bits in small boxes; integers of 64 bits need two tables. Integers are summed exactly, and
// their means are rounded to the nearest integer, as in the CPU library. Floating-point numbers are summed in doubles; means
// are differences of the table's sums, with their rounding, and are NaNs behind an infinity or a NaN.
//
// `in`, `out`  may also be the same or overlap.
// `radius`     a number of pixels; an array with an integer for each pixel, images x height x width without gaps, where
//              negative ones mean 0; up::function("name", "ulong name(ulong i) { ... }") of pixel i = (image * height + y) *
//              width + x; or circle_of_confusion(depth, focus, strength, most), which computes radii from an array of depths.
//              Arrays must not overlap `out`.
// `options`    wait_for, signal; repeated(times): the filter is applied to its own output. Three times approximate a Gaussian
//              of variance radius * (radius + 1).
//
// Errors: error.h; CL_INVALID_VALUE for 0 channels, overlapping rows or images, types outside of these rules, and 0
// repetitions; CL_INVALID_OPERATION for filters on devices without doubles.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/box_filter_job.h>

namespace upsweep::opencl {

namespace detail {

// A table with `more` additional rows and columns.
inline cl_int run_summed_area(const queue &queue, const array &in, const array &out, const image_shape &of, std::uint64_t more,
                              const Options &options) {
  return run_call(queue, options, [&](Call &call) {
    ImagePlaces places;
    Options transform;
    transform.input = options.input;
    return first_error([&] { return places.find(of, more); }, [&] { return check_images(call, in, out, places); },
                       [&] {
                         const unsigned group = places.has_same_places() ? kTogether : kApart;
                         return require_arrays(
                             call, {reads("the input", in, places.in, group), writes("the output", out, places.out, group)});
                       },
                       [&] { return sum_areas(call, in, out, places, transform); });
  });
}

}  // namespace detail

template <class... Given>
cl_int summed_area_table(const array &in, const array &out, const image_shape &of, queue queue, const Given &...options) {
  return detail::run_summed_area(queue, in, out, of, 0, detail::options_of<transform_input>(options...));
}

template <class... Given>
cl_int exclusive_summed_area_table(const array &in, const array &out, const image_shape &of, queue queue,
                                   const Given &...options) {
  return detail::run_summed_area(queue, in, out, of, 1, detail::options_of<transform_input>(options...));
}

template <class... Given>
cl_int box_filter(const array &in, const array &out, const image_shape &of, const box_radius &radius, queue queue,
                  const Given &...options) {
  const auto all = detail::options_of<repeated>(options...);
  return detail::run_call(queue, all, [&](detail::Call &call) { return detail::run_box_filter(call, in, out, of, radius); });
}

}  // namespace upsweep::opencl
#endif
