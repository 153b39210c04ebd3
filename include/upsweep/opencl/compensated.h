// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of floating-point numbers on a command queue, whose error does not grow with the number of elements. Each sum carries
// the rounding error of its additions, and is rounded once at the end.
//
//   inclusive_compensated_sum, exclusive_compensated_sum   scans; options: backward (scan.h)
//   compensated_sum                                        *out = sum of all elements (reduce.h)
//
// in, out, n, queue and errors as in scan.h and reduce.h; elements are floats or doubles, and out has the input's type.
// Infinities, NaNs and overflow give the results of plain sums.
//
// Source: Dekker 1971, Knuth (TAOCP volume 2, 4.2.2): the error of a floating-point addition is a floating-point number.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/scan.h>

namespace upsweep::opencl {

namespace detail {

// The texts of sums high + low for a type, where low is the rounding error of high. An infinity or NaN has no low part, which
// would be a difference of infinities.
struct Compensated {
  std::string number, name = "upsweep_sum_of_" + number;
  element_type sum = {name, "typedef struct { " + number + " high, low; } " + name + ";", 0, 0};
  operation add = {name + "_add", name + " " + name + "_add(" + name + " a, " + name + " b) {\n  const " + number +
                                      " sum = a.high + b.high, part = sum - a.high;\n  const " + number +
                                      " error = (a.high - (sum - part)) + (b.high - part);\n  const " + number +
                                      " low = error + (a.low + b.low), high = sum + low;\n"
                                      "  const bool is_finite = high - high == 0;\n"
                                      "  a.high = is_finite ? high : sum;\n"
                                      "  a.low = is_finite ? low - (high - sum) : 0;\n  return a;\n}"};
  function from = {name + "_from", name + " " + name + "_from(" + number + " x) {\n  " + name +
                                       " a;\n  a.high = x;\n  a.low = 0;\n  return a;\n}"};
  function to = {name + "_to", number + " " + name + "_to(" + name + " a) { return a.high + a.low; }"};

  explicit Compensated(const element_type &of) : number(of.name) {
    sum.bytes = 2 * of.bytes;
    sum.alignment = of.bytes;
  }
  initial_value zero() const {
    const unsigned char zeros[value::kMaxBytes] = {};
    return initial_value(value(sum, zeros));
  }
};

inline cl_int require_compensated(const array &in, const array &out) {
  const bool is_right = (in.type.name == "float" || in.type.name == "double") && in.type == out.type;
  return is_right ? CL_SUCCESS
                  : fail(CL_INVALID_VALUE, "upsweep: compensated sums need floats or doubles, and an output of the same type");
}

inline cl_int run_compensated(const queue &queue, const array &in, const array &out, const element_count &n, bool is_exclusive,
                              Options options) {
  if (const cl_int code = require_compensated(in, out); code != CL_SUCCESS) return code;
  return guarded([&] {
    const Compensated text(in.type);
    const initial_value zero = text.zero();
    options.input = text.from;
    options.output = text.to;
    return run_scan(queue, {in, out, n, text.add, text.sum, is_exclusive ? &zero : nullptr, is_exclusive}, options);
  });
}

}  // namespace detail

template <class... Given>
cl_int inclusive_compensated_sum(const array &in, const array &out, const element_count &n, queue queue,
                                 const Given &...options) {
  return detail::run_compensated(queue, in, out, n, false, detail::options_of<backward_t>(options...));
}

template <class... Given>
cl_int exclusive_compensated_sum(const array &in, const array &out, const element_count &n, queue queue,
                                 const Given &...options) {
  return detail::run_compensated(queue, in, out, n, true, detail::options_of<backward_t>(options...));
}

template <class... Given>
cl_int compensated_sum(const array &in, const array &out, const element_count &n, queue queue, const Given &...options) {
  if (const cl_int code = detail::require_compensated(in, out); code != CL_SUCCESS) return code;
  auto all = detail::options_of<>(options...);
  const detail::Compensated text(in.type);
  all.input = text.from;
  all.output = text.to;
  return detail::run_reduce(queue, in, out, n, text.add, text.zero(), all);
}

}  // namespace upsweep::opencl
#endif
