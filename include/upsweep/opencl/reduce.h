// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions on a command queue: the total of all elements of an array, read once.
//
//   reduce   *out = initial op x[0] op ... op x[n - 1]
//   sum      the same with plus, from 0
//   transform_reduce   the same with transform(x[i]), T name(IN x); or with up::with_index(f) and transform(x[i], i), T
//                      name(IN x, ulong i)
//   arg_min, arg_max   *out = the least (largest) element and its index, as an indexed<T>, the first of equal ones. NaNs are
//                      ignored, as in minimum and maximum; if all elements are NaNs, the result is the first
//
// `in`       array of n elements.
// `out`      array of one element outside of the input.
// `op`       associative; it need not commute. T, the type of totals, is that of the initial value, for sums that of the
//            elements. Sums and products of integers use the type of `out` if it is a wider integer, and 64 bits if it is
//            floating-point.
// `n`        number of elements, up to 2^40, or count_at (count.h). With none, arg_min and arg_max write nothing.
// `initial`  a value, or initial_at (count.h).
// `options`  wait_for, signal; for sums accumulator.
//
// Two launches; the workspace holds a total for each of some hundred parts. Determinism: every call on a device gives the same
// bits. Errors: error.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/arg_job.h>
#include <upsweep/opencl/detail/scan_job.h>

namespace upsweep::opencl {

namespace detail {

inline cl_int run_reduce(const queue &queue, const array &in, const array &out, const element_count &n, const operation &op,
                         const initial_value &initial, Options options) {
  return guarded([&] {
    Call call;
    options.total = out;
    array unwritten = in;
    unwritten.is_scattered = true;  // its places do not matter
    const element_type total = total_of(initial.type, out, op, options);
    const ScanCall scan{in, unwritten, n, op, total, &initial, true};
    return first_error([&] { return call.begin(queue, options); }, [&] { return check_scan(call, scan); },
                       [&] {
                         // The type of totals need not convert to the elements' type.
                         unwritten.indices.reset();
                         unwritten.type = options.output.exists() ? out.type : total;
                         Job job = scan_job({in, unwritten, n, op, total, &initial, true}, options);
                         job.takes_lanes = commutes(op);
                         const Shape shape =
                             shape_for(call.device(), call.how(), job.takes_lanes, job.state_bytes, job.element_bytes);
                         const std::uint64_t tiles = std::max<std::uint64_t>(1, (n.most + shape.tile() - 1) / shape.tile());
                         define_count(job.source, n);
                         define_shape(job.source, shape, call.how());
                         if (commutes(op)) {
                           job.source.add_kernels(kernels::reduce);
                         } else {
                           job.source.add_kernels(kernels::tiles);
                           job.source.add_kernels(kernels::total_parts);
                         }
                         job.source.add_kernels(kernels::scan_totals);
                         return launch_parts(call, job, shape, n, Parts(call.device(), tiles), false);
                       },
                       [&] { return call.end(); });
  });
}

}  // namespace detail

template <class... Given>
cl_int reduce(const array &in, const array &out, const element_count &n, const operation &op, const initial_value &initial,
              queue queue, const Given &...options) {
  return detail::run_reduce(queue, in, out, n, op, initial, detail::options_of<>(options...));
}

template <class... Given>
cl_int transform_reduce(const array &in, const array &out, const element_count &n, const operation &op,
                        const function &transform, const initial_value &initial, queue queue, const Given &...options) {
  auto all = detail::options_of<>(options...);
  all.input = transform;
  return detail::run_reduce(queue, in, out, n, op, initial, all);
}

template <class... Given>
cl_int sum(const array &in, const array &out, const element_count &n, queue queue, const Given &...options) {
  const auto all = detail::options_of<accumulator_type>(options...);
  const unsigned char zeros[value::kMaxBytes] = {};
  const initial_value zero(value(detail::total_type(in, out, plus{}, all), zeros));
  return detail::run_reduce(queue, in, out, n, plus{}, zero, all);
}

template <class... Given>
cl_int arg_min(const array &in, const array &out, const element_count &n, queue queue, const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_call(queue, all, [&](detail::Call &call) { return detail::run_arg(call, in, out, n, true); });
}

template <class... Given>
cl_int arg_max(const array &in, const array &out, const element_count &n, queue queue, const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_call(queue, all, [&](detail::Call &call) { return detail::run_arg(call, in, out, n, false); });
}

}  // namespace upsweep::opencl
#endif
