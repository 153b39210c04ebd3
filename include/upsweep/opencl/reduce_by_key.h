// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runs of equal neighbours on a command queue.
//
//   reduce_by_key       out_keys[r] = the key of run r, totals[r] = values[i] op values[i + 1] op ... over its elements
//   run_length_encode   values[r] = the first element of run r, lengths[r] = its number of elements
//
// `keys`, `values`      arrays of n elements.
// `out_keys`, `totals`  arrays with room for n elements. out_keys may be keys, which are then copied first; no other arrays
//                       overlap.
// `runs`                array of one integer, which becomes the number of runs.
// `op`                  associative; it need not commute. T is the type of the values, or for sums of integers that of wider
//                       totals.
// `equal`               up::function("same", "bool same(KEY a, KEY b) { ... }"); the default is ==.
// `options`             wait_for, signal; for reductions accumulator, transform_input, transform_output.
//
// Nothing is written behind the runs. Workspace, determinism and errors: scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/key_job.h>

namespace upsweep::opencl {

template <class... Given>
cl_int reduce_by_key(const array &keys, const array &values, const array &out_keys, const array &totals, const array &runs,
                     const element_count &n, const operation &op, const function &equal, queue queue, const Given &...options) {
  const auto all = detail::options_of<accumulator_type, transform_input, transform_output>(options...);
  return detail::run_keys(queue,
                          {detail::Heads::kByKey, keys, values, totals, n, op, detail::total_type(values, totals, op, all),
                           std::nullopt, equal, 1, out_keys, runs, false},
                          all);
}
template <class... Given>
cl_int reduce_by_key(const array &keys, const array &values, const array &out_keys, const array &totals, const array &runs,
                     const element_count &n, const operation &op, queue queue, const Given &...options) {
  return opencl::reduce_by_key(keys, values, out_keys, totals, runs, n, op, function(), queue, options...);
}

template <class... Given>
cl_int run_length_encode(const array &in, const array &values, const array &lengths, const array &runs, const element_count &n,
                         const function &equal, queue queue, const Given &...options) {
  if (!lengths.type.is_integer()) return detail::fail(CL_INVALID_VALUE, "upsweep: lengths must be integers");
  return detail::run_keys(queue,
                          {detail::Heads::kByKey,
                           in,
                           {},
                           lengths,
                           n,
                           plus{},
                           detail::count_type(n.most),
                           std::nullopt,
                           equal,
                           1,
                           values,
                           runs,
                           true},
                          detail::options_of<>(options...));
}
template <class... Given>
cl_int run_length_encode(const array &in, const array &values, const array &lengths, const array &runs, const element_count &n,
                         queue queue, const Given &...options) {
  return opencl::run_length_encode(in, values, lengths, runs, n, function(), queue, options...);
}

}  // namespace upsweep::opencl
#endif
