// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of many parts of an array: segments and rows (kernels/reduce_segments.cl), and axes (kernels/reduce_columns.cl).
#pragma once

#include <upsweep/opencl/detail/arg_job.h>
#include <upsweep/opencl/detail/axis_job.h>
#include <upsweep/opencl/detail/call_arrays.h>

namespace upsweep::opencl::detail {

struct Reduction {
  array in, out;
  operation op;
  element_type total;
  std::optional<initial_value> initial;
  function transform;
  bool is_arg = false;  // totals are elements with their index
};

// Whether x is less (more) than y; a number precedes a NaN.
inline std::string is_better(const element_type &type, bool is_least, const std::string &x, const std::string &y) {
  const std::string before = is_least ? x + " < " + y : y + " < " + x;
  return type.is_integer() ? before : "(" + before + " || (" + y + " != " + y + " && " + x + " == " + x + "))";
}

// The search for the least or the largest element, as an operator on elements with their index.
inline Reduction arg_reduction(const array &in, const array &out, bool is_least) {
  const element_type type = indexed_type(in.type);
  const std::string better = is_least ? "upsweep_lesser" : "upsweep_larger", name = type.name,
                    test = is_better(in.type, is_least, "b.value", "a.value"),
                    other = is_better(in.type, is_least, "a.value", "b.value");
  const operation op(better,
                     name + " " + better + "(" + name + " a, " + name + " b) {\n  if (b.index == ULONG_MAX) return a;\n" +
                         "  if (a.index == ULONG_MAX || " + test + ") return b;\n  return !(" + other +
                         ") && b.index < a.index ? b : a;\n}",
                     "(" + name + "){0, ULONG_MAX}");
  const function transform("upsweep_with_index", name + " upsweep_with_index(" + in.type.name + " x, ulong i) {\n  " + name +
                                                     " a;\n  a.value = x;\n  a.index = i;\n  return a;\n}");
  return {in, out, op, type, std::nullopt, with_index(transform), true};
}

inline cl_int check_reduction(const Call &, const Reduction &r) {
  return first_error(
      [&] { return require_type(r.total, "the totals"); }, [&] { return require_type(r.in.type, "the input"); },
      [&] { return require_type(r.out.type, "the output"); },
      [&] {
        return r.op.takes(r.total) ? CL_SUCCESS
                                   : fail(CL_INVALID_VALUE, "upsweep: the operator does not support the type of totals");
      },
      [&] {
        return !r.is_arg || (r.in.type.is_number() && r.out.type == r.total)
                   ? CL_SUCCESS
                   : fail(CL_INVALID_VALUE,
                          "upsweep: the output must have the type indexed<T>, with the input's type T of numbers");
      });
}

inline Source reduction_source(const Reduction &r) {
  Source source;
  source.define_type("UPS_IN", r.in.type);
  source.define_type("UPS_OUT", r.out.type);
  source.define_type("UPS_T", r.total);
  source.define_conversion_at("UPS_TO_T", r.in.type, r.total, r.transform);
  source.define_conversion("UPS_TO_OUT", r.total, r.out.type);
  source.define_operator(r.op);
  source.define("UPS_COMMUTES", commutes(r.op) || r.is_arg ? 1 : 0);
  source.define("UPS_HAS_INITIAL", r.initial ? 1 : 0);
  source.define("UPS_FROM_BEGIN", r.is_arg ? 1 : 0);
  define_initial(source, r.initial ? &*r.initial : nullptr, r.total);
  source.add_kernels(kernels::operators);
  source.add_kernels(kernels::reduction);
  return source;
}

inline initial_value initial_argument(const Reduction &r) {
  const unsigned char zeros[value::kMaxBytes] = {};
  return r.initial ? *r.initial : initial_value(value(r.total, zeros));
}

// The segments: by offsets, or rows of `length` elements.
struct Segments {
  const array *offsets;
  element_count number;
  std::uint64_t length;
};

inline cl_int check_segments(const Call &call, const Reduction &r, const Segments &s) {
  const std::uint64_t most = s.number.most;
  // Only the offsets contain the number of elements, which the host does not know: kernels must stay within the input's
  // memory.
  const std::uint64_t elements = s.offsets == nullptr
                                     ? s.length * most
                                     : (r.in.is_pointer || most == 0 ? std::min<std::uint64_t>(most, 1) : room_of(r.in));
  return first_error([&] { return require_number(s.number); },
                     [&] {
                       return s.offsets != nullptr || static_cast<common::Uint128>(s.length) * most <= kMaxElements
                                  ? CL_SUCCESS
                                  : fail(CL_INVALID_VALUE, "upsweep: calls take at most 2^40 elements");
                     },
                     [&] { return s.offsets != nullptr ? require_integer(s.offsets->type, "the offsets") : CL_SUCCESS; },
                     [&] { return s.offsets != nullptr ? require_array(call, r.in, elements, "the input") : CL_SUCCESS; },
                     [&] {
                       return require_arrays(call, {reads("the offsets", s.offsets, most + 1),
                                                    reads("the input", if_given(s.offsets == nullptr, r.in), elements),
                                                    writes("the output", r.out, most), reads_number(s.number),
                                                    reads_initial(r.initial)});
                     });
}

// Local memory holds a tile's elements and the ends of its segments.
inline Shape segment_shape(const Call &call, std::size_t state_bytes) {
  if (call.device().is_cpu && call.how().group == 0) return simple_shape(call, 1, 1, true, 1024);
  return shape_for(call.device(), call.how(), false, state_bytes + 8, state_bytes);
}

inline cl_int run_segments(Call &call, const Reduction &r, const Segments &s) {
  if (const cl_int code = check_segments(call, r, s); code != CL_SUCCESS || s.number.most == 0) return code;
  const std::size_t bytes = maybe_bytes(r.op, r.total);
  const Shape shape = segment_shape(call, bytes);
  Source source = reduction_source(r);
  if (s.offsets != nullptr) source.define_type("UPS_OFFSET", s.offsets->type);
  define_count(source, s.number);
  define_shape(source, shape, call.how());
  for (const char *file : {kernels::reduce_segments, kernels::work_group, kernels::segment_shares}) source.add_kernels(file);
  // With offsets the number of elements is unknown, so there are as many work-groups as the device runs together.
  const std::uint64_t tiles = s.offsets != nullptr ? UINT32_MAX : s.number.most * (s.length + 1) / shape.tile() + 1;
  const std::uint64_t groups = groups_at_work(call.device(), tiles);
  std::shared_ptr<Program> program;
  cl_mem firsts = nullptr, heads = nullptr, tails = nullptr;
  const auto segments = [&](Arguments &arguments) {
    s.offsets != nullptr ? arguments.add(*s.offsets) : arguments.none();
    arguments.number(cl_ulong(s.length)).number(cl_ulong(s.offsets != nullptr ? room_of(r.in) : UINT64_MAX));
    arguments.add(r.out).add(initial_argument(r));
  };
  return first_error([&] { return call.program(source, &program); }, [&] { return call.scratch(8 * (groups + 1), &firsts); },
                     [&] { return call.scratch(bytes * groups, &heads); }, [&] { return call.scratch(bytes * groups, &tails); },
                     [&] {
                       Arguments arguments;
                       arguments.add(r.in);
                       segments(arguments);
                       arguments.add(s.number).memory(firsts).memory(heads).memory(tails);
                       return call.launch(*program, "ups_reduce_segments", arguments, groups, shape.group);
                     },
                     [&] {
                       Arguments arguments;
                       segments(arguments);
                       arguments.number(cl_ulong(groups)).memory(firsts).memory(heads).memory(tails);
                       return call.launch(*program, "ups_join_segments", arguments, 1, shape.group);
                     });
}

// The division of an axis's columns and rows among work-groups.
struct ReducedColumns {
  Shape shape;
  unsigned width = 1;
  std::uint64_t groups = 1, parts = 1, per = 1;

  ReducedColumns(const Call &call, const axis &of, std::size_t state_bytes) {
    const Device &device = call.device();
    const std::uint64_t columns = of.batches * of.inner, enough = std::uint64_t(device.units) * (device.is_cpu ? 4 : 16);
    shape = simple_shape(call, 256, 1, true, 1);
    while (shape.group > 1 && shape.group * state_bytes > device.local_bytes / 2) shape.group /= 2;
    std::uint64_t pieces, least;  // the fewest rows of a part
    if (shape.group == 1) {
      // 4 KiB of totals stay in the first-level cache.
      width = static_cast<unsigned>(std::min<std::uint64_t>(of.inner, std::max<std::size_t>(16, 4096 / state_bytes)));
      pieces = of.batches * ((of.inner + width - 1) / width);
      least = std::max<std::uint64_t>(4, 4096 / width);
    } else {
      while (width < std::min<std::uint64_t>(columns, std::min(32U, shape.group))) width *= 2;
      while (width < shape.group && shape.group / width > of.length) width *= 2;
      pieces = (columns + width - 1) / width;
      least = std::uint64_t(shape.group / width) * 8;
    }
    const std::uint64_t wanted = std::min((enough + pieces - 1) / pieces, (of.length + least - 1) / least);
    per = (of.length + wanted - 1) / wanted;
    parts = (of.length + per - 1) / per;
    groups = shape.group == 1 ? std::min(pieces * parts, enough) : pieces * parts;
  }
};

inline cl_int run_reduced_columns(Call &call, const Reduction &r, const axis &of) {
  const std::size_t bytes = maybe_bytes(r.op, r.total);
  const ReducedColumns columns(call, of, bytes);
  const std::uint64_t indices = of.inner == 1 && !r.is_arg ? of.length : 0;  // the indices of rows without gaps
  Reduction now = r;
  cl_mem totals = nullptr;
  if (columns.parts > 1) {
    const cl_int code = call.scratch(of.batches * columns.parts * of.inner * r.total.bytes, &totals);
    if (code != CL_SUCCESS) return code;
    now.out = array(r.total, totals);
    now.initial.reset();
  }
  Source source = reduction_source(now);
  define_shape(source, columns.shape, call.how());
  source.define("UPS_COLUMNS", columns.width);
  source.add_kernels(kernels::reduce_columns);
  std::shared_ptr<Program> program;
  return first_error([&] { return call.program(source, &program); },
                     [&] {
                       Arguments arguments;
                       arguments.add(now.in).add(now.out).add(initial_argument(now));
                       for (const std::uint64_t number :
                            {of.batches, of.length, of.inner, of.in.batch, of.in.along, columns.parts, columns.per, indices}) {
                         arguments.number(cl_ulong(number));
                       }
                       return call.launch(*program, "ups_reduce_columns", arguments, columns.groups, columns.shape.group);
                     },
                     [&] {
                       if (columns.parts == 1) return CL_SUCCESS;
                       Reduction rest = r;
                       rest.in = now.out;
                       rest.transform = function();
                       const axis of_parts{of.batches, columns.parts, of.inner, {columns.parts * of.inner, of.inner}, {}};
                       return run_reduced_columns(call, rest, of_parts);
                     });
}

inline cl_int run_reduction_of_axis(Call &call, const Reduction &r, const axis &given) {
  axis plain = given;
  plain.out = {};
  AxisPlaces places;
  const std::uint64_t columns = given.batches * given.inner;
  if (const cl_int code = places.find(plain); code != CL_SUCCESS || given.batches == 0 || given.inner == 0) return code;
  const axis &of = places.of;
  if (of.length == 0 || (of.inner == 1 && of.in.along == 1 && of.in.batch == of.length)) {
    return run_segments(call, r, {nullptr, columns, of.length});
  }
  return first_error(
      [&] {
        return require_arrays(
            call, {reads("the input", r.in, places.in), writes("the output", r.out, columns), reads_initial(r.initial)});
      },
      [&] { return run_reduced_columns(call, r, of); });
}

}  // namespace upsweep::opencl::detail
