// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stable sorts of many parts of an array on a command queue.
//
//   sort_keys_of_segments, sort_keys_of_rows    sort keys
//   sort_pairs_of_segments, sort_pairs_of_rows  sort keys together with their values
//   arg_sort_of_segments, arg_sort_of_rows      sort keys, and write the former index of each within its segment
//
// `keys`, `values`           arrays of n elements. An output may be its input; otherwise arrays must not overlap.
// `Key`, `Value`, `options`  as in sort_keys (sort.h).
// `n`                        number of elements of the arrays.
// `offsets`                  array of segments + 1 non-decreasing integers. Elements before the first offset and from the last
//                            one on are not written; offsets beyond n count as n.
// `segments`                 their number, or count_at (count.h).
// `rows`                     of `length` elements.
//
// Segments may have any lengths, in any order. The whole array is sorted by keys, and then by segments. Each pass sorts by 8
// bits of a key or of a segment's number on CPUs, and by 4 bits on other devices (sort.h). Workspace: three to four times the
// size of the outputs. Every call gives the same bits. Errors: error.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/segment_sort_job.h>

namespace upsweep::opencl {

namespace detail {

template <class... Given>
cl_int sort_rows(queue queue, SortCall sort, std::uint64_t rows, std::uint64_t length, const Given &...given) {
  const auto options = options_of<descending_t, key_bits, by_members>(given...);
  if (static_cast<common::Uint128>(rows) * length > kMaxElements || rows > kMaxElements) {
    return fail(CL_INVALID_VALUE, "upsweep: calls take at most 2^40 elements");
  }
  sort.n = rows * length;
  return run_segment_sort(queue, {sort, nullptr, rows, length}, options);
}

template <class... Given>
cl_int sort_segments(queue queue, const SortCall &sort, const array &offsets, const element_count &segments,
                     const Given &...given) {
  const auto options = options_of<descending_t, key_bits, by_members>(given...);
  return run_segment_sort(queue, {sort, &offsets, segments, 1}, options);
}

}  // namespace detail

template <class... Given>
cl_int sort_keys_of_segments(const array &in, const array &out, std::uint64_t n, const array &offsets,
                             const element_count &segments, queue queue, const Given &...options) {
  return detail::sort_segments(queue, {in, out, {}, {}, n, detail::SortValues::kNone}, offsets, segments, options...);
}

template <class... Given>
cl_int sort_pairs_of_segments(const array &keys_in, const array &keys_out, const array &values_in, const array &values_out,
                              std::uint64_t n, const array &offsets, const element_count &segments, queue queue,
                              const Given &...options) {
  return detail::sort_segments(queue, {keys_in, keys_out, values_in, values_out, n, detail::SortValues::kPairs}, offsets,
                               segments, options...);
}

template <class... Given>
cl_int arg_sort_of_segments(const array &keys_in, const array &keys_out, const array &indices, std::uint64_t n,
                            const array &offsets, const element_count &segments, queue queue, const Given &...options) {
  return detail::sort_segments(queue, {keys_in, keys_out, indices, indices, n, detail::SortValues::kIndices}, offsets, segments,
                               options...);
}

template <class... Given>
cl_int sort_keys_of_rows(const array &in, const array &out, std::uint64_t rows, std::uint64_t length, queue queue,
                         const Given &...options) {
  return detail::sort_rows(queue, {in, out, {}, {}, 0, detail::SortValues::kNone}, rows, length, options...);
}

template <class... Given>
cl_int sort_pairs_of_rows(const array &keys_in, const array &keys_out, const array &values_in, const array &values_out,
                          std::uint64_t rows, std::uint64_t length, queue queue, const Given &...options) {
  return detail::sort_rows(queue, {keys_in, keys_out, values_in, values_out, 0, detail::SortValues::kPairs}, rows, length,
                           options...);
}

template <class... Given>
cl_int arg_sort_of_rows(const array &keys_in, const array &keys_out, const array &indices, std::uint64_t rows,
                        std::uint64_t length, queue queue, const Given &...options) {
  return detail::sort_rows(queue, {keys_in, keys_out, indices, indices, 0, detail::SortValues::kIndices}, rows, length,
                           options...);
}

}  // namespace upsweep::opencl
#endif
