// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summed-area tables on a command queue, and filters whose time does not grow with their width.
//
//   summed_area_table            out(y, x) = the sum of in(v, u) for v <= y and u <= x, for each channel
//   exclusive_summed_area_table  out(y, x) = the same for v < y and u < x; the table has height + 1 rows of width + 1 pixels,
//                                the first of which are 0
//   box_filter                   out(y, x) = the mean of in over the pixels up to `radius` away in both directions that the
//                                image has
//
// in, out   arrays of numbers. Those of a table may be the same if elements are of the same size and lie alike, and the
//           table is not exclusive; they must not overlap otherwise
// of        image_shape: height, width, channels side by side in a pixel; elements from row to row and from image to image (0:
//           no gaps); and how many images there are. Planes are images of one channel. What lies between rows is neither read
//           nor written
// options   wait_for, signal; of tables transform_input(f), of which out has the sums of f(element), say of squares
//
// Sums have the type of `out`, and elements are converted to it first; integers wrap, so that differences of four places are
// right as long as they fit. Two launches, along rows and then along columns: the table is written twice and read once. Rows of
// several images take a launch for each image, unless each begins where the one before ends, in the input and in the table; and
// the first row and column of exclusive tables take another. The same bits from call to call.
//
// Filters make an exclusive table of eight bytes for each element, of four for elements of up to 16 bits in boxes that are
// small enough, and two tables of integers of 64 bits, of all images, and have one more launch. Integers are summed exactly,
// and floating-point numbers in doubles, rounded as differences of the table's sums: behind an infinity or a NaN all are NaNs.
// Means are rounded to the nearest integer. The means of integers are those of the CPU library.
//
// in, out   may also be the same or overlap
// radius    a number of pixels; an array of integers, one for each pixel, images x height x width without gaps, of which
//           negative ones stand for 0; up::function("name", "ulong name(ulong i) { ... }") of pixel
//           i = (image * height + y) * width + x; or circle_of_confusion(depth, focus, strength, most), which makes radii of an
//           array of depths. Arrays must not overlap `out`
// options   wait_for, signal; repeated(times): the filter of the filter's output, and so on. Three times come close to a
//           Gaussian whose variance is radius * (radius + 1)
//
// Errors: error.h; CL_INVALID_VALUE for no channels, rows or images that overlap, other types than said above, and no
// repetition; CL_INVALID_OPERATION for filters on devices without doubles.
#pragma once

#include <upsweep/opencl/detail/box_filter_job.h>

namespace upsweep::opencl {

namespace detail {

// A table with so many more rows and columns than the image.
inline cl_int run_summed_area(const queue &queue, const array &in, const array &out, const image_shape &of, std::uint64_t more,
                              const Options &options) {
  return run_call(queue, options, [&](Call &call) {
    ImagePlaces places;
    Options transform;
    transform.input = options.input;
    return first_error([&] { return places.find(of, more); }, [&] { return check_images(call, in, out, places); },
                       [&] {
                         return places.in == 0 || (is_same_place(in, out) && places.has_same_places())
                                    ? CL_SUCCESS
                                    : require_apart(in, places.in, out, places.out, "input and output");
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
