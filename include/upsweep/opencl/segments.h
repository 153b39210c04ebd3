// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of the runs, segments and rows of an array on a command queue.
//
//   ..._scan_by_key       starts again at each i with keys[i] not equal to keys[i - 1]
//   ..._scan_by_flag      starts again at each i with flags[i] not 0
//   ..._scan_of_segments  starts again at each of offsets[0] to offsets[segments - 1]
//   ..._scan_of_rows      starts again after every `length` elements: a scan of each row of a matrix
//
// `in`, `out`, `n`, `op`, `queue`  as in scan.h. keys, flags and offsets must not overlap the output.
// `equal`                          up::function("same", "bool same(KEY a, KEY b) { ... }"); the default is ==.
// `options`                        wait_for, signal, transform_input, transform_output; for inclusive scans accumulator.
//
// Workspace: as in scan.h, and n bytes more for segments. Determinism and errors: scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/key_job.h>

namespace upsweep::opencl {

namespace detail {

inline KeyCall inclusive_call(Heads heads, const array &keys, const array &in, const array &out, const element_count &n,
                              const operation &op, const Options &options) {
  return {heads, keys, in,           out,          n,    op, total_type(in, out, op, options), std::nullopt,
          {},    1,    std::nullopt, std::nullopt, false};
}
inline KeyCall exclusive_call(Heads heads, const array &keys, const array &in, const array &out, const element_count &n,
                              const operation &op, const initial_value &initial, const Options &options) {
  return {heads, keys, in,           out,          n,    op, total_of(initial.type, out, op, options), initial,
          {},    1,    std::nullopt, std::nullopt, false};
}
template <class... Given>
Options inclusive_options(const Given &...options) {
  return options_of<accumulator_type, transform_input, transform_output>(options...);
}
template <class... Given>
Options exclusive_options(const Given &...options) {
  return options_of<transform_input, transform_output>(options...);
}

}  // namespace detail

template <class... Given>
cl_int inclusive_scan_by_key(const array &keys, const array &in, const array &out, const element_count &n, const operation &op,
                             const function &equal, queue queue, const Given &...options) {
  const auto all = detail::inclusive_options(options...);
  detail::KeyCall call = detail::inclusive_call(detail::Heads::kByKey, keys, in, out, n, op, all);
  call.equal = equal;
  return detail::run_keys(queue, call, all);
}
template <class... Given>
cl_int inclusive_scan_by_key(const array &keys, const array &in, const array &out, const element_count &n, const operation &op,
                             queue queue, const Given &...options) {
  return opencl::inclusive_scan_by_key(keys, in, out, n, op, function(), queue, options...);
}

template <class... Given>
cl_int exclusive_scan_by_key(const array &keys, const array &in, const array &out, const element_count &n, const operation &op,
                             const initial_value &initial, const function &equal, queue queue, const Given &...options) {
  const auto all = detail::exclusive_options(options...);
  detail::KeyCall call = detail::exclusive_call(detail::Heads::kByKey, keys, in, out, n, op, initial, all);
  call.equal = equal;
  return detail::run_keys(queue, call, all);
}
template <class... Given>
cl_int exclusive_scan_by_key(const array &keys, const array &in, const array &out, const element_count &n, const operation &op,
                             const initial_value &initial, queue queue, const Given &...options) {
  return opencl::exclusive_scan_by_key(keys, in, out, n, op, initial, function(), queue, options...);
}

template <class... Given>
cl_int inclusive_scan_by_flag(const array &flags, const array &in, const array &out, const element_count &n,
                              const operation &op, queue queue, const Given &...options) {
  const auto all = detail::inclusive_options(options...);
  return detail::run_keys(queue, detail::inclusive_call(detail::Heads::kByFlag, flags, in, out, n, op, all), all);
}

template <class... Given>
cl_int exclusive_scan_by_flag(const array &flags, const array &in, const array &out, const element_count &n,
                              const operation &op, const initial_value &initial, queue queue, const Given &...options) {
  const auto all = detail::exclusive_options(options...);
  return detail::run_keys(queue, detail::exclusive_call(detail::Heads::kByFlag, flags, in, out, n, op, initial, all), all);
}

template <class... Given>
cl_int inclusive_scan_of_segments(const array &in, const array &out, const element_count &n, const array &offsets,
                                  std::uint64_t segments, const operation &op, queue queue, const Given &...options) {
  const auto all = detail::inclusive_options(options...);
  return detail::run_segments(queue, detail::inclusive_call(detail::Heads::kByFlag, {}, in, out, n, op, all), offsets, segments,
                              all);
}

template <class... Given>
cl_int exclusive_scan_of_segments(const array &in, const array &out, const element_count &n, const array &offsets,
                                  std::uint64_t segments, const operation &op, const initial_value &initial, queue queue,
                                  const Given &...options) {
  const auto all = detail::exclusive_options(options...);
  return detail::run_segments(queue, detail::exclusive_call(detail::Heads::kByFlag, {}, in, out, n, op, initial, all), offsets,
                              segments, all);
}

template <class... Given>
cl_int inclusive_scan_of_rows(const array &in, const array &out, const element_count &n, std::uint64_t length,
                              const operation &op, queue queue, const Given &...options) {
  const auto all = detail::inclusive_options(options...);
  detail::KeyCall call = detail::inclusive_call(detail::Heads::kByLength, {}, in, out, n, op, all);
  call.length = length;
  return detail::run_keys(queue, call, all);
}

template <class... Given>
cl_int exclusive_scan_of_rows(const array &in, const array &out, const element_count &n, std::uint64_t length,
                              const operation &op, const initial_value &initial, queue queue, const Given &...options) {
  const auto all = detail::exclusive_options(options...);
  detail::KeyCall call = detail::exclusive_call(detail::Heads::kByLength, {}, in, out, n, op, initial, all);
  call.length = length;
  return detail::run_keys(queue, call, all);
}

}  // namespace upsweep::opencl
#endif
