// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of many parts of an array on a command queue, at the speed of a read.
//
//   reduce_of_segments            out[k] = initial op x[offsets[k]] op ... op x[offsets[k + 1] - 1]
//   reduce_of_rows                the same for rows of `length` elements
//   reduce_of_axis                the same along any axis (axis.h); out has batches x inner elements
//   sum_of_...                    the same with plus, from 0
//   transform_reduce_of_...       the same with transform(x[i]), or with up::with_index(f) and transform(x[i], i). i is the
//                                 index in the array without gaps, or along the axis if inner is not 1
//   arg_min_of_..., arg_max_of_.. the least (largest) element, the first of equal ones, and its index in the segment or along
//   the axis, as an indexed<T>; the index is 2^64 - 1 for an empty segment
//
// `in`        array.
// `out`       array of an element for each segment, row or column; it must not overlap the input.
// `offsets`   array of segments + 1 non-decreasing integers. Elements before the first offset and behind the last one are not
//             read.
// `segments`  their number, or count_at (count.h).
// `op`        associative; it need not commute. T, the type of totals, is that of the initial value; for sums that of the
//             elements, or of `out` if both are integers and it is wider.
// `initial`   a value, or initial_at (count.h). It is the result of empty segments.
// `options`   wait_for, signal; for sums accumulator.
//
// Segments may have any lengths, in any order: work-groups have equal shares of elements and segments' ends. Two launches. The
// workspace has some bytes for each work-group; along an axis with few columns it has a total for each part of a column.
// Determinism: every call on a device gives the same bits. Errors: error.h and axis.h. The host does not know the offsets:
// offsets beyond a buffer's end count as its end, and offsets beyond the end of SVM memory are the caller's error.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/reduction_job.h>

namespace upsweep::opencl {

namespace detail {

template <class Run>
cl_int run_reduction(const queue &queue, const Options &options, const Reduction &r, const Run &run) {
  return run_call(queue, options, [&](Call &call) {
    const cl_int code = check_reduction(call, r);
    return code == CL_SUCCESS ? run(call, r) : code;
  });
}

inline auto of_segments(const array &offsets, const element_count &segments) {
  return [&](Call &call, const Reduction &r) { return run_segments(call, r, {&offsets, segments, 0}); };
}
inline auto of_rows(std::uint64_t rows, std::uint64_t length) {
  return [=](Call &call, const Reduction &r) { return run_segments(call, r, {nullptr, rows, length}); };
}
inline auto of_axis(const axis &of) {
  return [&](Call &call, const Reduction &r) { return run_reduction_of_axis(call, r, of); };
}

inline Reduction sum_reduction(const array &in, const array &out, const Options &options) {
  const unsigned char zeros[value::kMaxBytes] = {};
  const element_type total = total_type(in, out, plus{}, options);
  return {in, out, plus{}, total, initial_value(value(total, zeros)), {}};
}

}  // namespace detail

template <class... Given>
cl_int transform_reduce_of_segments(const array &in, const array &out, const array &offsets, const element_count &segments,
                                    const operation &op, const function &transform, const initial_value &initial, queue queue,
                                    const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_reduction(queue, all, {in, out, op, detail::total_of(initial.type, out, op, all), initial, transform},
                               detail::of_segments(offsets, segments));
}

template <class... Given>
cl_int reduce_of_segments(const array &in, const array &out, const array &offsets, const element_count &segments,
                          const operation &op, const initial_value &initial, queue queue, const Given &...options) {
  return opencl::transform_reduce_of_segments(in, out, offsets, segments, op, function(), initial, queue, options...);
}

template <class... Given>
cl_int sum_of_segments(const array &in, const array &out, const array &offsets, const element_count &segments, queue queue,
                       const Given &...options) {
  const auto all = detail::options_of<accumulator_type>(options...);
  return detail::run_reduction(queue, all, detail::sum_reduction(in, out, all), detail::of_segments(offsets, segments));
}

template <class... Given>
cl_int transform_reduce_of_rows(const array &in, const array &out, std::uint64_t rows, std::uint64_t length,
                                const operation &op, const function &transform, const initial_value &initial, queue queue,
                                const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_reduction(queue, all, {in, out, op, detail::total_of(initial.type, out, op, all), initial, transform},
                               detail::of_rows(rows, length));
}

template <class... Given>
cl_int reduce_of_rows(const array &in, const array &out, std::uint64_t rows, std::uint64_t length, const operation &op,
                      const initial_value &initial, queue queue, const Given &...options) {
  return opencl::transform_reduce_of_rows(in, out, rows, length, op, function(), initial, queue, options...);
}

template <class... Given>
cl_int sum_of_rows(const array &in, const array &out, std::uint64_t rows, std::uint64_t length, queue queue,
                   const Given &...options) {
  const auto all = detail::options_of<accumulator_type>(options...);
  return detail::run_reduction(queue, all, detail::sum_reduction(in, out, all), detail::of_rows(rows, length));
}

template <class... Given>
cl_int transform_reduce_of_axis(const array &in, const array &out, const axis &of, const operation &op,
                                const function &transform, const initial_value &initial, queue queue, const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_reduction(queue, all, {in, out, op, detail::total_of(initial.type, out, op, all), initial, transform},
                               detail::of_axis(of));
}

template <class... Given>
cl_int reduce_of_axis(const array &in, const array &out, const axis &of, const operation &op, const initial_value &initial,
                      queue queue, const Given &...options) {
  return opencl::transform_reduce_of_axis(in, out, of, op, function(), initial, queue, options...);
}

template <class... Given>
cl_int sum_of_axis(const array &in, const array &out, const axis &of, queue queue, const Given &...options) {
  const auto all = detail::options_of<accumulator_type>(options...);
  return detail::run_reduction(queue, all, detail::sum_reduction(in, out, all), detail::of_axis(of));
}

template <class... Given>
cl_int arg_min_of_segments(const array &in, const array &out, const array &offsets, const element_count &segments, queue queue,
                           const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_reduction(queue, all, detail::arg_reduction(in, out, true), detail::of_segments(offsets, segments));
}

template <class... Given>
cl_int arg_max_of_segments(const array &in, const array &out, const array &offsets, const element_count &segments, queue queue,
                           const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_reduction(queue, all, detail::arg_reduction(in, out, false), detail::of_segments(offsets, segments));
}

template <class... Given>
cl_int arg_min_of_rows(const array &in, const array &out, std::uint64_t rows, std::uint64_t length, queue queue,
                       const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_reduction(queue, all, detail::arg_reduction(in, out, true), detail::of_rows(rows, length));
}

template <class... Given>
cl_int arg_max_of_rows(const array &in, const array &out, std::uint64_t rows, std::uint64_t length, queue queue,
                       const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_reduction(queue, all, detail::arg_reduction(in, out, false), detail::of_rows(rows, length));
}

template <class... Given>
cl_int arg_min_of_axis(const array &in, const array &out, const axis &of, queue queue, const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_reduction(queue, all, detail::arg_reduction(in, out, true), detail::of_axis(of));
}

template <class... Given>
cl_int arg_max_of_axis(const array &in, const array &out, const axis &of, queue queue, const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_reduction(queue, all, detail::arg_reduction(in, out, false), detail::of_axis(of));
}

}  // namespace upsweep::opencl
#endif
