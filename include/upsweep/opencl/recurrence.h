// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear recurrences over arrays of coefficients on a command queue, as in state-space models and recursive filters:
//
//   x[t] = a[t] * x[t - 1] + b[t]
//
//   linear_recurrence           of a whole array, of n elements or count_at (count.h)
//   linear_recurrence_of_axis   along any axis (axis.h); inner 1 means each row of a matrix
//
// `a`, `b`, `x`  arrays of numbers. x may be a or b if its elements have the same size (and strides); otherwise it must not
//                overlap them.
// `T`            the type of states: that of b; accumulator<T> selects another.
// `options`      wait_for, signal; backward: x[t] = a[t] * x[t + 1] + b[t]; accumulator; states(initial, last): arrays of T for
//                the states before the first elements and after the last ones: one state for a whole array, batches x inner
//                along an axis. An `initial` of array() means 0; a `last` of array() is not written.
//
// The maps of neighbouring elements are composed, so that results for an infinite a differ from the sequential recurrence.
// Sums of integers wrap. Determinism, traffic, workspace and errors: scan.h and axis.h.
//
// Source: Blelloch 1990, "Prefix Sums and Their Applications", section 1.4.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/recurrence_job.h>

namespace upsweep::opencl {

template <class... Given>
cl_int linear_recurrence(const array &a, const array &b, const array &x, const element_count &n, queue queue,
                         const Given &...options) {
  const auto all = detail::options_of<backward_t, accumulator_type, states>(options...);
  return detail::run_call(queue, all, [&](detail::Call &call) {
    detail::AxisPlaces places;
    return detail::first_error([&] { return places.find({1, n.most, 1, {}, {}}); }, [&] { return detail::require_number(n); },
                               [&] { return detail::check_recurrence(call, a, b, x, places, detail::reads_number(n)); },
                               [&] {
                                 detail::Job job = detail::recurrence_job(a, b, x, n.most, all);
                                 return detail::run_pass(call, job, n);
                               });
  });
}

template <class... Given>
cl_int linear_recurrence_of_axis(const array &a, const array &b, const array &x, const axis &of, queue queue,
                                 const Given &...options) {
  const auto all = detail::options_of<backward_t, accumulator_type, states>(options...);
  return detail::run_call(queue, all, [&](detail::Call &call) {
    detail::AxisPlaces places;
    return detail::first_error([&] { return places.find(of); }, [&] { return detail::check_recurrence(call, a, b, x, places); },
                               [&] { return detail::run_recurrence_of_axis(call, a, b, x, places, all); });
  });
}

}  // namespace upsweep::opencl
#endif
