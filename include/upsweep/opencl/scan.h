// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of arrays on a command queue: each element is read once and written once where the device can have one launch.
//
//   inclusive_scan   result[i] = x[0] op ... op x[i]
//   exclusive_scan   result[i] = initial op x[0] op ... op x[i - 1]
//   ..._sum          the same with plus, from 0
//
// in, out   arrays (array.h) of n elements. They may be the same, but must not overlap otherwise
// n         number of elements, up to 2^40, or count_at (count.h)
// initial   a value, or initial_at (count.h)
// op        associative; it need not commute. T, the type of totals, is that of the initial value, or of the elements; plus and
//           multiplies of integers take a wider integer type of `out`, and 64 bits if it has floating-point numbers
// queue     its device runs the call; in order or out of order
// options   options.h: wait_for, signal; backward, total_to, accumulator, transform_input, transform_output
//
// The call enqueues and returns; the first one of its kind in a context builds a program, which takes as long as the driver's
// compiler. Workspace: a buffer of the call's own of some bytes for each tile of 4 KiB to 32 KiB, which OpenCL frees when its
// commands are complete. Several threads may call at once.
//
// Determinism: the same bits from call to call on one device. Errors: error.h; nothing is enqueued after one of an argument.
#pragma once

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
