// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of many parts of an array on a command queue, each by itself: stable.
//
//   sort_keys_of_segments, sort_keys_of_rows    sort keys
//   sort_pairs_of_segments, sort_pairs_of_rows  sort keys, and move the value of each with it
//   arg_sort_of_segments, arg_sort_of_rows      sort keys, and write the index that each had, from its segment's begin on
//
// keys, values   arrays of n elements. An output may be its input, but arrays must not overlap otherwise
// Key, Value, options   as of sort_keys (sort.h)
// n         number of elements of the arrays
// offsets   array of segments + 1 integers, which do not fall. What is before the first one and from the last one on is not
//           written; offsets beyond n count as n
// segments  their number, or count_at (count.h)
// rows      of `length` elements
//
// Segments may be of any lengths, mixed in any order: the whole array is sorted by keys, and then by segments, in a pass for
// each 8 bits of a key and of the number of segments on CPUs and 4 elsewhere (sort.h). Workspace: three to four times as much
// as the outputs have. The same bits from call to call. Errors: error.h.
#pragma once

#include <upsweep/opencl/detail/segment_sort_job.h>

namespace upsweep::opencl {

namespace detail {

template <class... Given>
cl_int sort_rows(queue queue, SortCall sort, std::uint64_t rows, std::uint64_t length, const Given &...given) {
  const auto options = options_of<descending_t, key_bits, by_members>(given...);
  if (static_cast<unsigned __int128>(rows) * length > kMaxElements || rows > kMaxElements) {
    return fail(CL_INVALID_VALUE, "upsweep: more than 2^40 elements");
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
