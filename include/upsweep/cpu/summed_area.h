// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summed-area tables, and filters of any width. The time of a box filter of floats hardly depends on its radius: one thread
// takes 10 to 16 ms for 2048 x 2048 floats at radii of 1 to 200 (docs/decisions/box-filters.md).
//
//   summed_area_table            out(y, x) = the sum of in(v, u) for v <= y and u <= x, for each channel
//   exclusive_summed_area_table  out(y, x) = the same for v < y and u < x; the table has height + 1 rows of width + 1 pixels,
//                                and its first row and column are 0
//   box_filter                   out(y, x) = the mean of in over the image's pixels up to `radius` away in both directions
//
// `in`, `out`  pointers. Input and output of a table may be the same if they have the same layout and size of elements, and the
//              table is not exclusive; otherwise they must not overlap. In a filter an image may overlap its own result, and no
//              result of another image.
// `of`         image_shape: height, width, and the interleaved channels of a pixel; the distances in elements of rows and of
//              images, 0 for images without gaps; and the number of images. Elements between rows are neither read nor written.
// `radius`     a number of pixels; a pointer to an integer for each pixel, images x height x width without gaps, where negative
//              ones mean 0; or a functor: radius(i) of pixel i = (image * height + y) * width + x. circle_of_confusion(depth,
//              focus, strength, most) computes radii from depths.
// `executor`   see executor.h.
// `options`    for tables: transform_input(f): out has the sums of f(element), for example of squares; f is called twice for
//              each element. For filters: repeated(times): the filter is applied to its own output. Three times approximate a
//              Gaussian of variance radius * (radius + 1).
//
// The table's sums have the type of `out`. Integers wrap, so that a box's sum, computed from four places, is right if it fits
// the type. A filter sums integers exactly and floating-point numbers in doubles, and rounds means to the nearest integer. A
// filter with a single radius only adds numbers of the same box, and copies the image if it is in place. A filter with a
// radius for each pixel allocates a table of eight bytes for each element of an image, and two tables for integers of 64 bits.
// Its floating-point means are differences of the table's sums, with their rounding: all means behind an infinity or a NaN are
// NaNs. Results have the same bits for every number of threads. Errors: see scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/common/box_filter.h>
#include <upsweep/cpu/detail/box_filter.h>
#include <upsweep/cpu/detail/call_arrays.h>
#include <upsweep/cpu/detail/image.h>
#include <upsweep/cpu/thread_pool.h>

namespace upsweep::cpu {

using common::circle_of_confusion;

namespace detail {

template <class... More>
unsigned times_of(const More &...more) {
  const unsigned times = option_of<repeated>(repeated(1), more...).times;
  if (times == 0) {
    throw std::invalid_argument("upsweep::cpu: repeated(0): a filter is applied at least once");
  }
  return times;
}

template <class In, class Out, class... More>
void call_sum_areas(const In *in, Out *out, const image_shape &of, std::uint64_t more_rows, More &...more) {
  static_assert(is_number<In> && sizeof(In) <= 8, "elements must be numbers of up to 64 bits");
  static_assert(std::is_arithmetic_v<Out> && sizeof(Out) <= 8,
                "sums must be integers or floating-point numbers of up to 64 bits");
  const auto transform = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), more...).function;
  const std::uint64_t extent = extent_of(of, of.in_pitch);
  const std::uint64_t out_extent = (of.height + more_rows - 1) * of.out_pitch + (of.width + more_rows) * of.channels;
  const bool are_alike = more_rows == 0 && of.in_pitch == of.out_pitch && of.in_stride == of.out_stride;
  require_arrays({reads("the input", in, (of.images - 1) * of.in_stride + extent, are_alike ? kTogether : kApart),
                  writes("the output", out, (of.images - 1) * of.out_stride + out_extent, are_alike ? kTogether : kApart)});
  for_each_image(of.images, executor_of(more...), [&](std::uint64_t image, auto &executor) {
    Out *to = out + image * of.out_stride;
    if (more_rows > 0) {
      std::fill_n(to, (of.width + 1) * of.channels, Out(0));
      for (std::uint64_t y = 1; y <= of.height; ++y) {
        std::fill_n(to + y * of.out_pitch, of.channels, Out(0));
      }
      to += of.out_pitch + of.channels;
    }
    sum_areas(in + image * of.in_stride, to, of, transform, executor);
  });
}

// The array of radii or depths, if there is one.
template <class Depth>
CallArray radii_of(const circle_of_confusion<Depth> &circle, std::uint64_t pixels) {
  return reads("depths", circle.depth, pixels);
}
template <class Radius>
CallArray radii_of(const Radius &radius, std::uint64_t pixels) {
  if constexpr (std::is_pointer_v<Radius>) {
    return reads("radii", radius, pixels);
  } else {
    return {"radii"};
  }
}

template <class Radius>
auto radius_of(const Radius &radius, std::uint64_t first_pixel) {
  if constexpr (std::is_pointer_v<Radius>) {
    return RadiusOfEach<std::remove_cv_t<std::remove_pointer_t<Radius>>>{radius + first_pixel};
  } else if constexpr (std::is_integral_v<Radius>) {
    return RadiusOfAll{radius > Radius(0) ? static_cast<std::uint64_t>(radius) : 0};
  } else {
    return [radius, first_pixel](std::uint64_t pixel) { return static_cast<std::uint64_t>(radius(first_pixel + pixel)); };
  }
}

}  // namespace detail

template <class In, class Out, class... More>
void summed_area_table(const In *in, Out *out, image_shape of, More &&...more) {
  of = detail::whole_shape(of);
  if (of.height > 0 && of.width > 0 && of.images > 0) {
    detail::call_sum_areas(in, out, of, 0, more...);
  }
}

// The first row and column are always 0, so that a table of no pixels is written as well.
template <class In, class Out, class... More>
void exclusive_summed_area_table(const In *in, Out *out, image_shape of, More &&...more) {
  of = detail::whole_shape(of, 1);
  if (of.height > 0 && of.width > 0 && of.images > 0) {
    detail::call_sum_areas(in, out, of, 1, more...);
    return;
  }
  for (std::uint64_t image = 0; image < of.images; ++image) {
    for (std::uint64_t y = 0; y <= of.height; ++y) {
      std::fill_n(out + image * of.out_stride + y * of.out_pitch, (of.width + 1) * of.channels, Out(0));
    }
  }
}

template <class In, class Out, class Radius, class... More>
void box_filter(const In *in, Out *out, image_shape of, Radius radius, More &&...more) {
  static_assert(detail::is_number<In> && detail::is_number<Out>, "elements must be numbers");
  const unsigned times = detail::times_of(more...);
  of = detail::whole_shape(of);
  if (of.height == 0 || of.width == 0 || of.images == 0) {
    return;
  }
  const std::uint64_t before_last = of.images - 1, pixels = of.images * of.height * of.width;
  const std::uint64_t in_extent = before_last * of.in_stride + detail::extent_of(of, of.in_pitch),
                      out_extent = before_last * of.out_stride + detail::extent_of(of, of.out_pitch);
  detail::require_arrays({detail::radii_of(radius, pixels), detail::writes("the output", out, out_extent)});
  const bool are_alike = of.in_pitch == of.out_pitch && of.in_stride == of.out_stride && sizeof(In) == sizeof(Out);
  if (of.images > 1 && !(are_alike && static_cast<const void *>(in) == static_cast<const void *>(out))) {
    detail::require_arrays({detail::reads("the input", in, in_extent), detail::writes("the output", out, out_extent)});
  }
  detail::require_array(in, in_extent, "the input");
  const std::uint64_t row = of.width * of.channels;
  detail::for_each_image(of.images, detail::executor_of(more...), [&](std::uint64_t image, auto &executor) {
    const auto radius_of = detail::radius_of(radius, image * of.height * of.width);
    Out *const to = out + image * of.out_stride;
    detail::filter_boxes(in + image * of.in_stride, to, of, radius_of, executor);
    const std::unique_ptr<Out[]> before(times > 1 ? new Out[row * of.height] : nullptr);
    image_shape of_copy = of;
    of_copy.in_pitch = row;
    for (unsigned time = 1; time < times; ++time) {
      detail::copy_rows(static_cast<const Out *>(to), before.get(), of, of.out_pitch, executor);
      detail::filter_boxes(static_cast<const Out *>(before.get()), to, of_copy, radius_of, executor);
    }
  });
}

}  // namespace upsweep::cpu
#endif
