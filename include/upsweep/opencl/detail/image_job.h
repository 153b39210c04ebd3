// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout of images' pixels, and their summed-area tables.
#pragma once

#include <upsweep/opencl/detail/axis_job.h>
#include <upsweep/opencl/detail/simple_call.h>

namespace upsweep::opencl {

using common::image_shape;

namespace detail {

// A shape with complete distances, and the numbers of elements of its arrays; the output has `more` additional rows and
// columns.
struct ImagePlaces {
  image_shape of;
  std::uint64_t more = 0;
  std::uint64_t in = 0, out = 0;

  bool is_empty() const { return of.height == 0 || of.width == 0 || of.images == 0; }
  bool has_same_places() const { return more == 0 && of.in_pitch == of.out_pitch && of.in_stride == of.out_stride; }

  cl_int find(const image_shape &given, std::uint64_t more_rows) {
    of = given;
    more = more_rows;
    for (const std::uint64_t size :
         {of.height, of.width, of.channels, of.in_pitch, of.out_pitch, of.images, of.in_stride, of.out_stride}) {
      if (size > kMaxElements) return fail(CL_INVALID_VALUE, "upsweep: a size, pitch or stride of the images exceeds 2^40");
    }
    if (of.channels == 0) return fail(CL_INVALID_VALUE, "upsweep: the number of channels must not be 0");
    return first_error([&] { return find_extent(of.height, of.width, &of.in_pitch, &of.in_stride, &in); },
                       [&] { return find_extent(of.height + more, of.width + more, &of.out_pitch, &of.out_stride, &out); });
  }

private:
  // The number of elements from the first place to the last.
  cl_int find_extent(std::uint64_t height, std::uint64_t width, std::uint64_t *pitch, std::uint64_t *stride,
                     std::uint64_t *elements) const {
    const common::image_extent found =
        common::extent_of_images(of.images, height, width, of.channels, *pitch, *stride, kMaxElements);
    *pitch = found.pitch;
    *stride = found.stride;
    *elements = found.all;
    return found.is == common::fault::none ? CL_SUCCESS
           : found.is == common::fault::overlap
               ? fail(CL_INVALID_VALUE, "upsweep: rows or images overlap; check pitches and strides")
               : fail(CL_INVALID_VALUE, "upsweep: the images have more than 2^40 elements");
  }
};

inline cl_int check_images(const Call &call, const array &in, const array &out, const ImagePlaces &places) {
  return first_error([&] { return require_array(call, in, places.in, "the input"); },
                     [&] { return require_array(call, out, places.out, "the output"); },
                     [&] {
                       return in.type.is_number() && out.type.is_number()
                                  ? CL_SUCCESS
                                  : fail(CL_INVALID_VALUE, "upsweep: pixels and sums must be numbers");
                     });
}

// The first row and column of exclusive tables.
inline cl_int clear_borders(Call &call, const array &out, const image_shape &of) {
  const std::uint64_t across = (of.width + 1) * of.channels, each = across + of.height * of.channels;
  const Shape shape = simple_shape(call, 256, 1, true, 1024);
  Source source;
  source.define_type("UPS_OUT", out.type);
  define_shape(source, shape, call.how());
  source.add_kernels(kernels::table_borders);
  std::shared_ptr<Program> program;
  const cl_int code = call.program(source, &program);
  if (code != CL_SUCCESS || of.images == 0) return code;
  Arguments arguments;
  arguments.add(out);
  for (const std::uint64_t number : {across, each, of.images * each, of.channels, of.out_pitch, of.out_stride}) {
    arguments.number(cl_ulong(number));
  }
  return call.launch(*program, "ups_clear_borders", arguments, shape.tiles(of.images * each), shape.group);
}

// Sums along rows, and then along columns. In an exclusive table the first sum is behind the first row and column.
inline cl_int sum_areas(Call &call, const array &in, const array &out, const ImagePlaces &places, const Options &transform) {
  const image_shape &of = places.of;
  cl_int code = places.more > 0 ? clear_borders(call, out, of) : CL_SUCCESS;
  if (code != CL_SUCCESS || places.is_empty()) return code;
  const array sums = places.more > 0 ? moved(out, of.out_pitch + of.channels) : out;
  const bool is_even = of.in_stride == of.height * of.in_pitch && of.out_stride == of.height * of.out_pitch;
  const std::uint64_t steps = is_even ? 1 : of.images, row = of.width * of.channels;
  const element_count width = of.width, height = of.height;
  const operation add = plus{};
  AxisPlaces rows, columns;
  code = first_error(
      [&] {
        return rows.find(
            {of.height * (of.images / steps), of.width, of.channels, {of.in_pitch, of.channels}, {of.out_pitch, of.channels}});
      },
      [&] { return columns.find({of.images, of.height, row, {of.out_stride, of.out_pitch}, {of.out_stride, of.out_pitch}}); });
  for (std::uint64_t step = 0; step < steps && code == CL_SUCCESS; ++step) {
    const array from = moved(in, step * of.in_stride), to = moved(sums, step * of.out_stride);
    code = run_scan_of_axis(call, {from, to, width, add, out.type, nullptr, false}, rows, transform);
  }
  if (code != CL_SUCCESS || of.height == 1) return code;
  return run_scan_of_axis(call, {sums, sums, height, add, out.type, nullptr, false}, columns, Options());
}

}  // namespace detail

}  // namespace upsweep::opencl
