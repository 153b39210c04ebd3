// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stable merges of two sorted ranges, and stable sorts of any type by a comparison, on a command queue. Every run gives the
// same results.
//
//   merge             merges two sorted ranges; equal elements of `a` come first
//   merge_pairs       merges keys together with their values
//   merge_sort        sorts elements
//   merge_sort_pairs  sorts keys together with their values
//
// `a`, `b`     arrays of a_count and b_count sorted elements, together up to 2^40. If they are not sorted, results are
//              arbitrary elements of them.
// `in`, `out`  arrays of n elements. A sort may be in place, and a and b may overlap; other arrays must not overlap.
// `Key`        any element type, the same in inputs and outputs; likewise Value.
// `n`          0 to 2^40 elements, or count_at (count.h).
// `less`       up::function("before", "bool before(KEY x, KEY y) { ... }"), whether x comes before y, a strict weak ordering.
//              The default for numbers is the order of sort_keys (sort.h), with -0 before 0 and NaNs last.
// `options`    wait_for, signal.
//
// A merge is one launch, which reads and writes each element once. A sort reads and writes each element once for tiles of
// 2,048 elements (8,192 on CPUs), and once more for each doubling of the runs. It needs memory for as many keys and values as
// it sorts. sort_keys (sort.h) is faster for numbers. Errors: error.h; CL_INVALID_VALUE for keys of different types, and for
// keys of a type defined by text without a comparison.
//
// Source: Green, McColl and Bader 2012, "GPU Merge Path".
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/merge_job.h>

namespace upsweep::opencl {

template <class... Given>
cl_int merge(const array &a, const array &b, const array &out, std::uint64_t a_count, std::uint64_t b_count,
             const function &less, queue queue, const Given &...options) {
  return detail::run_merge(queue, {{a}, {b}, {out}, a_count, b_count, less}, detail::options_of<>(options...));
}
template <class... Given>
cl_int merge(const array &a, const array &b, const array &out, std::uint64_t a_count, std::uint64_t b_count, queue queue,
             const Given &...options) {
  return opencl::merge(a, b, out, a_count, b_count, function(), queue, options...);
}

template <class... Given>
cl_int merge_pairs(const array &a_keys, const array &a_values, const array &b_keys, const array &b_values,
                   const array &keys_out, const array &values_out, std::uint64_t a_count, std::uint64_t b_count,
                   const function &less, queue queue, const Given &...options) {
  return detail::run_merge(queue, {{a_keys, &a_values}, {b_keys, &b_values}, {keys_out, &values_out}, a_count, b_count, less},
                           detail::options_of<>(options...));
}
template <class... Given>
cl_int merge_pairs(const array &a_keys, const array &a_values, const array &b_keys, const array &b_values,
                   const array &keys_out, const array &values_out, std::uint64_t a_count, std::uint64_t b_count, queue queue,
                   const Given &...options) {
  return opencl::merge_pairs(a_keys, a_values, b_keys, b_values, keys_out, values_out, a_count, b_count, function(), queue,
                             options...);
}

template <class... Given>
cl_int merge_sort(const array &in, const array &out, const element_count &n, const function &less, queue queue,
                  const Given &...options) {
  return detail::run_merge_sort(queue, {{in}, {in}, {out}, n, 0, less}, detail::options_of<>(options...));
}
template <class... Given>
cl_int merge_sort(const array &in, const array &out, const element_count &n, queue queue, const Given &...options) {
  return opencl::merge_sort(in, out, n, function(), queue, options...);
}

template <class... Given>
cl_int merge_sort_pairs(const array &keys_in, const array &keys_out, const array &values_in, const array &values_out,
                        const element_count &n, const function &less, queue queue, const Given &...options) {
  return detail::run_merge_sort(queue, {{keys_in, &values_in}, {keys_in, &values_in}, {keys_out, &values_out}, n, 0, less},
                                detail::options_of<>(options...));
}
template <class... Given>
cl_int merge_sort_pairs(const array &keys_in, const array &keys_out, const array &values_in, const array &values_out,
                        const element_count &n, queue queue, const Given &...options) {
  return opencl::merge_sort_pairs(keys_in, keys_out, values_in, values_out, n, function(), queue, options...);
}

}  // namespace upsweep::opencl
#endif
