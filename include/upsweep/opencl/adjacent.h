// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Differences of neighbours on a command queue, at the speed of a copy.
//
//   adjacent_difference   out[0] = x[0], out[i] = op(x[i], x[i - 1])
//
// `in`, `out`  arrays of n elements that must not overlap.
// `n`          number of elements, up to 2^40, or count_at (count.h).
// `op`         up::function("ratio", "float ratio(float x, float before) { return x / before; }"); the default is x[i] - x[i -
//              1]; integers wrap.
// `options`    wait_for, signal.
//
// One launch; no workspace. Errors: error.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/simple_call.h>

namespace upsweep::opencl {

namespace detail {

inline void define_difference(Source &source, const array &in, const array &out, const function &op) {
  const std::string type = in.type.is_integer() ? in.type.unsigned_name : in.type.name;
  if (op.exists()) {
    source.define("UPS_DIFFERENCE(x, before)", op.name + "(x, before)");
    source.add_function(op.text);
  } else {
    source.define("UPS_DIFFERENCE(x, before)",
                  "((" + out.type.name + ")(" + in.type.name + ")((" + type + ")(x) - (" + type + ")(before)))");
  }
}

inline cl_int run_adjacent(Call &call, const array &in, const array &out, const element_count &n, const function &op) {
  const Shape shape = simple_shape(call, 256, 8, false);
  Source source;
  source.define_type("UPS_IN", in.type);
  source.define_type("UPS_OUT", out.type);
  source.define_conversion("UPS_TO_OUT", in.type, out.type);
  define_difference(source, in, out, op);
  define_count(source, n);
  define_shape(source, shape, call.how());
  source.add_kernels(kernels::adjacent);
  std::shared_ptr<Program> program;
  return first_error(
      [&] { return require_number(n); },
      [&] {
        return op.exists() || in.type.is_number() ? CL_SUCCESS
                                                  : fail(CL_INVALID_VALUE, "upsweep: differences need arrays of numbers");
      },
      [&] {
        return require_arrays(call, {reads("the input", in, n.most), writes("the output", out, n.most), reads_number(n)});
      },
      [&] { return n.most == 0 ? CL_SUCCESS : call.program(source, &program); },
      [&] {
        if (n.most == 0) return CL_SUCCESS;
        Arguments arguments;
        arguments.add(in).add(out).add(n);
        const std::uint64_t groups = (n.most + shape.tile() - 1) / shape.tile();
        return call.launch(*program, "ups_adjacent", arguments, groups, shape.group);
      });
}

}  // namespace detail

template <class... Given>
cl_int adjacent_difference(const array &in, const array &out, const element_count &n, const function &op, queue queue,
                           const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_call(queue, all, [&](detail::Call &call) { return detail::run_adjacent(call, in, out, n, op); });
}
template <class... Given>
cl_int adjacent_difference(const array &in, const array &out, const element_count &n, queue queue, const Given &...options) {
  return opencl::adjacent_difference(in, out, n, function(), queue, options...);
}

}  // namespace upsweep::opencl
#endif
