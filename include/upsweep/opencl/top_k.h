// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first k elements of a sort on a command queue, or the element of one rank, without sorting all elements.
//
//   top_k_keys       out[0] to out[k - 1] are the first k keys of sort_keys (sort.h), in order
//   top_k_pairs      the same with values, as in sort_pairs
//   arg_top_k        the same with indices, as in arg_sort
//   nth_element      out[0] is the key at place `rank` of a sort, counted from 0
//   arg_nth_element  the same, and index[0] is its index; equal keys are in the order of a stable sort
//
// `in`, `out`     arrays that do not overlap: inputs of n elements, outputs of k or 1. The keys' output of arg_top_k and
//                 arg_nth_element may be array(), which has no type and memory.
// `Key`, `Value`  as in sort_keys (sort.h); so are indices.
// `n`             number of elements, up to 2^32 - 1, or count_at (count.h). If it is less than k on the device, only that many
//                 are written; if there is no element `rank`, nothing is written.
// `k`             number of wanted elements, 0 to n.
// `options`       wait_for, signal; descending, for the k largest; by_members (sort.h).
//
// The elements are read three times, and once more for each 8 bits in which more than a sixteenth of the keys agree with the
// last wanted key. The k wanted elements are gathered and sorted. Workspace: a sixteenth of the keys' bytes, and twice the
// outputs' bytes. Every call gives the same results. Errors: error.h; CL_INVALID_VALUE for k > n or rank >= n.
//
// Source: Alabi and others 2012, "Fast k-Selection Algorithms for Graphics Processing Units" (radix select).
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/rank_job.h>

namespace upsweep::opencl {

template <class... Given>
cl_int top_k_keys(const array &in, const array &out, const element_count &n, std::uint64_t k, queue queue,
                  const Given &...options) {
  return detail::run_rank(queue, {in, out, {}, {}, n, k, false, detail::SortValues::kNone},
                          detail::options_of<descending_t, by_members>(options...));
}

template <class... Given>
cl_int top_k_pairs(const array &keys_in, const array &keys_out, const array &values_in, const array &values_out,
                   const element_count &n, std::uint64_t k, queue queue, const Given &...options) {
  return detail::run_rank(queue, {keys_in, keys_out, values_in, values_out, n, k, false, detail::SortValues::kPairs},
                          detail::options_of<descending_t, by_members>(options...));
}

template <class... Given>
cl_int arg_top_k(const array &keys_in, const array &keys_out, const array &indices, const element_count &n, std::uint64_t k,
                 queue queue, const Given &...options) {
  return detail::run_rank(queue, {keys_in, keys_out, {}, indices, n, k, false, detail::SortValues::kIndices},
                          detail::options_of<descending_t, by_members>(options...));
}

template <class... Given>
cl_int nth_element(const array &in, const array &out, const element_count &n, std::uint64_t rank, queue queue,
                   const Given &...options) {
  return detail::run_rank(queue, {in, out, {}, {}, n, rank, true, detail::SortValues::kNone},
                          detail::options_of<descending_t, by_members>(options...));
}

template <class... Given>
cl_int arg_nth_element(const array &in, const array &out, const array &index, const element_count &n, std::uint64_t rank,
                       queue queue, const Given &...options) {
  return detail::run_rank(queue, {in, out, {}, index, n, rank, true, detail::SortValues::kIndices},
                          detail::options_of<descending_t, by_members>(options...));
}

}  // namespace upsweep::opencl
#endif
