// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means over boxes (kernels/box_filter.cl): an exclusive summed-area table, then four of its sums for each pixel.
#pragma once

#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/image_job.h>

namespace upsweep::opencl {

// The radius of a pixel's box by its depth: `strength` * |1 - focus / depth| pixels, at most `most`. It is 0 in the plane of
// focus and approaches `strength` behind it, like the circle of confusion of a thin lens. NaNs are in focus.
struct circle_of_confusion {
  array depth;  // numbers, one for each pixel: images x height x width
  float focus, strength;
  std::uint64_t most;

  circle_of_confusion(array depths, float in_focus, float pixels, std::uint64_t at_most)
      : depth(std::move(depths)), focus(in_focus), strength(pixels), most(at_most) {}
};

// A filter's radius: for all pixels, for each pixel, by a function of the pixel's number, or by depth.
struct box_radius {
  enum class Kind { kOfAll, kOfEach, kByText, kByDepth };
  Kind kind;
  std::uint64_t most = 0;
  array of_each;
  function text;
  float focus = 0, strength = 0;

  template <class N>
    requires std::is_integral_v<N>
  box_radius(N pixels) : kind(Kind::kOfAll), most(pixels > N(0) ? static_cast<std::uint64_t>(pixels) : 0) {}
  template <class A>
    requires std::convertible_to<const A &, array>
  box_radius(const A &radii) : kind(Kind::kOfEach), of_each(radii) {}
  box_radius(function of_pixel) : kind(Kind::kByText), text(std::move(of_pixel)) {}
  box_radius(const circle_of_confusion &circle)
      : kind(Kind::kByDepth), most(circle.most), of_each(circle.depth), focus(circle.focus), strength(circle.strength) {}
  bool has_array() const { return kind == Kind::kOfEach || kind == Kind::kByDepth; }
};

namespace detail {

// The types of a table's sums and of a box's sum. Integers of 64 bits have two tables, for the halves of their bits.
struct BoxSums {
  element_type sum, total;
  bool has_halves;

  BoxSums(const element_type &in, const image_shape &of, const box_radius &radius)
      : sum(in), total(in), has_halves(has_halves_of(in)) {
    if (!in.is_integer()) {
      sum = total = type_of<double>::value();
      return;
    }
    // Differences that wrap are right if a box's sum fits in the type.
    const std::uint64_t reach =
        radius.kind == box_radius::Kind::kOfAll ? 2 * std::min(radius.most, of.height + of.width) + 1 : of.height + of.width;
    const bool is_short =
        in.bytes <= 2 && static_cast<common::Uint128>(std::min(reach, of.height)) * std::min(reach, of.width) <=
                             std::uint64_t(1) << (32 - 8 * in.bytes);
    const std::size_t bytes = is_short ? 4 : 8;
    sum = integer_type(bytes, false);
    total = integer_type(bytes, in.lowest != "0");
  }
  static bool has_halves_of(const element_type &in) { return in.is_integer() && in.bytes == 8; }
};

// The lower or upper 32 bits of an integer of 64 bits; the upper half keeps the sign.
inline Options half_of(const element_type &in, bool is_upper) {
  const std::string name = is_upper ? "upsweep_upper_half" : "upsweep_lower_half";
  Options options;
  options.input = function(name, "ulong " + name + "(" + in.name + " x) { return (ulong)" +
                                     (is_upper ? "(x >> 32)" : "x & 0xffffffff") + "; }");
  return options;
}

inline Source box_source(const Call &call, const BoxSums &sums, const array &out, const image_shape &of,
                         const box_radius &radius, const Shape &shape) {
  Source source;
  source.define_type("UPS_SUM", sums.sum);
  source.define_type("UPS_TOTAL", sums.total);
  source.define_type("UPS_MEAN", type_of<double>::value());
  source.define_type("UPS_OUT", out.type);
  source.define("UPS_TO_OUT(m)", out.type.is_integer()     ? "((UPS_OUT)floor((m) + 0.5))"
                                 : out.type.name == "half" ? "((UPS_OUT)(float)(m))"
                                                           : "((UPS_OUT)(m))");
  source.define("UPS_HALVES", std::uint64_t(!sums.has_halves ? 0 : out.type.is_integer() ? 2 : 1));
  source.define("UPS_CHANNELS", of.channels);
  source.define("UPS_RADIUS_IS", static_cast<std::uint64_t>(radius.kind));
  source.define_type("UPS_RADII", radius.has_array() ? radius.of_each.type : type_of<std::uint32_t>::value());
  source.define("UPS_RADIUS(pixel)", radius.text.name + "(pixel)");
  source.add_function(radius.text.text);
  define_shape(source, shape, call.how());
  source.add_kernels(kernels::box_filter);
  return source;
}

// `in` has the input's distances from `of`, `out` the output's. The table has room for sums of 8 bytes.
inline cl_int filter_boxes_once(Call &call, const array &in, const array &out, const image_shape &of, const box_radius &radius,
                                cl_mem memory) {
  const BoxSums sums(in.type, of, radius);
  const array table(sums.sum, memory);
  const Shape shape = simple_shape(call, 256, 4, true);
  const std::uint64_t strips = shape.tiles(of.width);
  image_shape of_table = of;
  of_table.out_pitch = of_table.out_stride = 0;
  ImagePlaces places;
  std::shared_ptr<Program> program;
  return first_error([&] { return places.find(of_table, 1); },
                     [&] { return call.program(box_source(call, sums, out, of, radius, shape), &program); },
                     [&] { return sum_areas(call, in, table, places, sums.has_halves ? half_of(in.type, false) : Options()); },
                     [&] {
                       if (!sums.has_halves) return CL_SUCCESS;
                       return sum_areas(call, in, moved(table, places.out), places, half_of(in.type, true));
                     },
                     [&] {
                       Arguments arguments;
                       arguments.memory(memory);
                       radius.has_array() ? arguments.add(radius.of_each) : arguments.none();
                       arguments.number(cl_ulong(radius.most)).number(cl_float(radius.focus)).number(cl_float(radius.strength));
                       arguments.add(out);
                       for (const std::uint64_t number : {of.height, of.width, strips, places.of.out_pitch,
                                                          places.of.out_stride, of.out_pitch, of.out_stride, places.out}) {
                         arguments.number(cl_ulong(number));
                       }
                       return call.launch(*program, "ups_box_filter", arguments, of.images * of.height * strips, shape.group);
                     });
}

inline cl_int check_radius(const Call &call, const box_radius &radius, const array &out, const ImagePlaces &places) {
  using Kind = box_radius::Kind;
  const std::uint64_t pixels = places.is_empty() ? 0 : places.of.images * places.of.height * places.of.width;
  const element_type &type = radius.of_each.type;
  const auto error = [](bool is_wrong, const char *message) { return is_wrong ? fail(CL_INVALID_VALUE, message) : CL_SUCCESS; };
  if (radius.kind == Kind::kByText) return error(!radius.text.exists(), "upsweep: the function of the radius has no name");
  if (!radius.has_array()) return CL_SUCCESS;
  return first_error(
      [&] { return error(!type.is_number(), "upsweep: depths must be numbers"); },
      [&] { return error(radius.kind == Kind::kOfEach && !type.is_integer(), "upsweep: radii must be integers"); },
      [&] {
        return require_arrays(call,
                              {reads("the radii or depths", radius.of_each, pixels), writes("the output", out, places.out)});
      });
}

inline cl_int run_box_filter(Call &call, const array &in, const array &out, const image_shape &of, const box_radius &radius) {
  const unsigned times = call.options().times;
  ImagePlaces places, tables;
  image_shape of_table = of, again;
  of_table.out_pitch = of_table.out_stride = 0;
  cl_mem memory = nullptr;
  const bool has_halves = BoxSums::has_halves_of(in.type) || (times > 1 && BoxSums::has_halves_of(out.type));
  const std::uint64_t table_count = has_halves ? 2 : 1;
  cl_int code = first_error(
      [&] {
        return times == 0 ? fail(CL_INVALID_VALUE, "upsweep: repeated(0): a filter is applied at least once") : CL_SUCCESS;
      },
      [&] { return places.find(of, 0); }, [&] { return tables.find(of_table, 1); },
      [&] { return check_images(call, in, out, places); }, [&] { return check_radius(call, radius, out, places); },
      [&] {
        return call.device().has_double
                   ? CL_SUCCESS
                   : fail(CL_INVALID_OPERATION, "upsweep: filters compute means in doubles, which the device does not support");
      },
      [&] { return places.is_empty() ? CL_SUCCESS : call.scratch(tables.out * 8 * table_count, &memory); });
  if (code != CL_SUCCESS || places.is_empty()) return code;
  again = places.of;
  again.in_pitch = again.out_pitch;
  again.in_stride = again.out_stride;
  code = filter_boxes_once(call, in, out, places.of, radius, memory);
  for (unsigned time = 1; time < times && code == CL_SUCCESS; ++time) {
    code = filter_boxes_once(call, out, out, again, radius, memory);
  }
  return code;
}

}  // namespace detail

}  // namespace upsweep::opencl
