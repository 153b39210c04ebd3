// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans along any axis of an array on a command queue.
//
// An array of any number of axes is described by three numbers: `batches`, the product of the axes before the scanned axis;
// `length`, the scanned axis; and `inner`, the product of the axes behind it. Element (b, l, i) is at b * strides.batch + l *
// strides.along + i; strides of 0 mean an array without gaps.
//
//   inclusive_scan_of_axis   result(b, l, i) = x(b, 0, i) op ... op x(b, l, i)
//   exclusive_scan_of_axis   result(b, l, i) = initial op x(b, 0, i) op ... op x(b, l - 1, i)
//   ..._sum_of_axis          the same with plus, from 0
//
// `in`, `out`               arrays; they may be the same, with the same strides, but must not overlap otherwise.
// `of`                      up::axis{batches, length, inner, in_strides, out_strides}, of up to 2^40 elements.
// `op`, `initial`, `queue`  as in scan.h.
// `options`                 wait_for, signal; backward, transform_input, transform_output; for inclusive scans and sums
//                           accumulator.
//
// Each element is read and written once. With few batches of rows, and on CPUs with look-back, elements are read twice, the
// second time from a cache. Workspace: some bytes for each tile of a column if there are few columns. Errors: error.h;
// CL_INVALID_VALUE for strides with which elements overlap.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/axis_job.h>

namespace upsweep::opencl {

namespace detail {

inline cl_int run_axis(const queue &queue, const array &in, const array &out, const axis &of, const operation &op,
                       const element_type &total, const initial_value *initial, const Options &options) {
  return run_call(queue, options, [&](Call &call) {
    AxisPlaces places;
    const element_count length = of.length;
    const ScanCall scan{in, out, length, op, total, initial, initial != nullptr};
    return first_error([&] { return places.find(of); }, [&] { return check_axis(call, scan, places); },
                       [&] { return run_scan_of_axis(call, scan, places, options); });
  });
}

}  // namespace detail

template <class... Given>
cl_int inclusive_scan_of_axis(const array &in, const array &out, const axis &of, const operation &op, queue queue,
                              const Given &...options) {
  const auto all = detail::options_of<backward_t, accumulator_type, transform_input, transform_output>(options...);
  return detail::run_axis(queue, in, out, of, op, detail::total_type(in, out, op, all), nullptr, all);
}

template <class... Given>
cl_int exclusive_scan_of_axis(const array &in, const array &out, const axis &of, const operation &op,
                              const initial_value &initial, queue queue, const Given &...options) {
  const auto all = detail::options_of<backward_t, transform_input, transform_output>(options...);
  return detail::run_axis(queue, in, out, of, op, detail::total_of(initial.type, out, op, all), &initial, all);
}

template <class... Given>
cl_int inclusive_sum_of_axis(const array &in, const array &out, const axis &of, queue queue, const Given &...options) {
  return opencl::inclusive_scan_of_axis(in, out, of, plus{}, queue, options...);
}

template <class... Given>
cl_int exclusive_sum_of_axis(const array &in, const array &out, const axis &of, queue queue, const Given &...options) {
  const auto all = detail::options_of<backward_t, accumulator_type, transform_input, transform_output>(options...);
  const unsigned char zeros[value::kMaxBytes] = {};
  const initial_value zero(value(detail::total_type(in, out, plus{}, all), zeros));
  return detail::run_axis(queue, in, out, of, plus{}, zero.type, &zero, all);
}

}  // namespace upsweep::opencl
#endif
