// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of arrays on a command queue. Each element is read once and written once if the device permits a single launch.
//
//   inclusive_scan   result[i] = x[0] op ... op x[i]
//   exclusive_scan   result[i] = initial op x[0] op ... op x[i - 1]
//   ..._sum          the same with plus, from 0
//
// `in`, `out`  arrays (array.h) of n elements. They may be the same; otherwise they must not overlap.
// `n`          number of elements, up to 2^40, or count_at (count.h).
// `initial`    a value, or initial_at (count.h).
// `op`         associative; it need not commute. T, the type of totals, is the initial value's, or else the elements' type.
//              plus and multiplies of integers use the type of `out` if it is a wider integer, and 64 bits if it is
//              floating-point.
// `queue`      its device runs the call; in order or out of order.
// `options`    options.h: wait_for, signal; backward, total_to, accumulator, transform_input, transform_output.
//
// The call enqueues and returns. The first call of its kind in a context builds a program, which takes the time of the
// driver's compiler. Workspace: each call has a buffer of some bytes for each tile of 4 KiB to 32 KiB, which OpenCL frees when
// the call's commands are complete. Several threads may call in parallel.
//
// Determinism: every call on a device gives the same bits. Errors: error.h; a call with an invalid argument enqueues nothing.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/scan_job.h>

namespace upsweep::opencl {

template <class... Given>
cl_int inclusive_scan(const array &in, const array &out, const element_count &n, const operation &op, queue queue,
                      const Given &...options) {
  const auto all = detail::options_of<backward_t, total_to, accumulator_type, transform_input, transform_output>(options...);
  return detail::run_scan(queue, {in, out, n, op, detail::total_type(in, out, op, all), nullptr, false}, all);
}

template <class... Given>
cl_int exclusive_scan(const array &in, const array &out, const element_count &n, const operation &op,
                      const initial_value &initial, queue queue, const Given &...options) {
  const auto all = detail::options_of<backward_t, total_to, transform_input, transform_output>(options...);
  return detail::run_scan(queue, {in, out, n, op, detail::total_of(initial.type, out, op, all), &initial, true}, all);
}

template <class... Given>
cl_int inclusive_sum(const array &in, const array &out, const element_count &n, queue queue, const Given &...options) {
  return inclusive_scan(in, out, n, plus{}, queue, options...);
}

template <class... Given>
cl_int exclusive_sum(const array &in, const array &out, const element_count &n, queue queue, const Given &...options) {
  const auto all = detail::options_of<backward_t, total_to, accumulator_type, transform_input, transform_output>(options...);
  const element_type total = detail::total_type(in, out, plus{}, all);
  const unsigned char zeros[value::kMaxBytes] = {};
  const initial_value zero(value(total, zeros));
  return detail::run_scan(queue, {in, out, n, operation(plus{}), total, &zero, true}, all);
}

}  // namespace upsweep::opencl
#endif
