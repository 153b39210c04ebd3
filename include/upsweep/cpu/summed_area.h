// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summed-area tables, and filters of any width. The time of a box filter of floats grows up to about two times with its radius.
// One thread takes 25 ms for 2000 x 2000 floats at radius 1, 33 at 10, 49 at 100 and 54 at 300.
//
//   summed_area_table            out(y, x) = the sum of in(v, u) for v <= y and u <= x, for each channel
//   exclusive_summed_area_table  out(y, x) = the same for v < y and u < x; the table has height + 1 rows of width + 1 pixels,
//                                the first of which are 0
//   box_filter                   out(y, x) = the mean of in over the pixels up to `radius` away in both directions that the
//                                image has
//
// in, out   pointers. Those of a table may be the same if elements are of the same size and lie alike, and the table is not
//           exclusive; they must not overlap otherwise. Those of a filter may be the same or overlap in an image
// of        image_shape: height, width, channels side by side in a pixel; elements from row to row and from image to image, 0
//           for images without gaps; and how many images there are. What lies between rows is neither read nor written
// radius    a number of pixels; a pointer to integers, one for each pixel, images x height x width without gaps, of which
//           negative ones stand for 0; or a functor: radius(i) of pixel i = (image * height + y) * width + x.
//           circle_of_confusion(depth, focus, strength, most) makes radii of depths
// executor  see executor.h
// options   of tables: transform_input(f), of which out has the sums of f(element), say of squares; f is called twice for each
//           element. Of filters: repeated(times): the filter of the filter's output, and so on. Three times come close to a
//           Gaussian whose variance is radius * (radius + 1)
//
// The table's sums have the type of `out`; integers wrap, so that differences of four places are right as long as they fit. A
// filter sums integers exactly and floating-point numbers in doubles, and rounds means to the nearest integer. A filter of one
// radius adds the numbers of each box alone, and copies the image if it is in place. A filter with a radius for each pixel
// allocates a table of eight bytes for each element of an image, and two tables for integers of 64 bits. It rounds
// floating-point numbers as differences of the table's sums: all means behind an infinity or a NaN are NaNs. The same bits for
// every number of threads. Errors: see scan.h.
#pragma once

#include <upsweep/cpu/detail/box_filter.h>
#include <upsweep/cpu/detail/call_arrays.h>
#include <upsweep/cpu/detail/image.h>
#include <upsweep/cpu/thread_pool.h>

namespace upsweep::cpu {

// The filter as often as that: each time, the image is rounded to elements of the output.
struct repeated {
  unsigned times;
  explicit repeated(unsigned number) : times(number) {}
};

// How far the box of a pixel reaches, by its depth: `strength` * |1 - focus / depth| pixels, at most `most`. 0 in the plane of
// focus, up to `strength` behind it, as the circle of confusion of a thin lens. NaNs are in focus.
template <class Depth>
struct circle_of_confusion {
  const Depth *depth;
  float focus, strength;
  std::uint64_t most;

  circle_of_confusion(const Depth *depths, float in_focus, float pixels, std::uint64_t at_most)
      : depth(depths), focus(in_focus), strength(pixels), most(at_most) {}
  std::uint64_t operator()(std::uint64_t pixel) const {
    const float radius = strength * std::fabs(1.0F - focus / static_cast<float>(depth[pixel]));
    if (!(radius > 0)) {
      return 0;
    }
    return radius < static_cast<float>(most) ? static_cast<std::uint64_t>(std::round(radius)) : most;
  }
};

namespace detail {

template <>
inline constexpr bool is_option<repeated> = true;

template <class... More>
unsigned times_of(const More &...more) {
  unsigned times = 1;
  [[maybe_unused]] const auto take = [&](const auto &option) {
    if constexpr (std::is_same_v<std::decay_t<decltype(option)>, repeated>) {
      times = option.times;
    }
  };
  (take(more), ...);
  if (times == 0) {
    throw std::invalid_argument("upsweep::cpu: a filter that is not to be applied once");
  }
  return times;
}

template <class In, class Out, class... More>
void call_sum_areas(const In *in, Out *out, const image_shape &of, std::uint64_t more_rows, More &...more) {
  static_assert(is_number<In> && sizeof(In) <= 8, "elements are numbers of up to 64 bits");
  static_assert(std::is_arithmetic_v<Out> && sizeof(Out) <= 8, "sums are integers or floating-point numbers of up to 64 bits");
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

// The first row and column are 0 whatever the image has, so that a table of no pixels is written as well.
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
  static_assert(detail::is_number<In> && detail::is_number<Out>, "elements are numbers");
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
