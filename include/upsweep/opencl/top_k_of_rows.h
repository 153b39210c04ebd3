// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first k elements of each row's sort on a command queue, or the element of one rank, without sorting all elements, like
// torch.topk and torch.kthvalue along the last dimension.
//
//   top_k_keys_of_rows       out[row * k] to out[row * k + k - 1] are the first k keys of sort_keys_of_rows, in order
//   top_k_pairs_of_rows      the same with values, as in sort_pairs_of_rows
//   arg_top_k_of_rows        the same with indices in the row, as in arg_sort_of_rows
//   nth_element_of_rows      out[row] is the key at place `rank` of the row's sort, counted from 0
//   arg_nth_element_of_rows  the same, and indices[row] is its index in the row; equal keys are in the order of a stable sort
//
// `in`, `out`       arrays that do not overlap: inputs of rows x length elements, outputs of rows x k or rows. The keys' output
//                   of arg_top_k_of_rows and arg_nth_element_of_rows may be array(), which has no type and memory.
// `Key`, `Value`    as in sort_keys (sort.h); so are indices.
// `rows`, `length`  up to 2^32 - 1 rows of up to 2^32 - 1 elements, 2^40 in all.
// `k`, `rank`       0 to length; 0 to length - 1.
// `options`         wait_for, signal; descending, for the k largest; by_members (sort.h).
//
// A work-group has a row, and reads it once for each 8 bits of the keys and once more. The k wanted elements of each row are
// then sorted (segmented_sort.h). If there are fewer rows than compute units, each row of at least kLongRow elements is a call
// of top_k.h. Every call gives the same results. Workspace: 7 words of 64 bits for each row, and four times the size of the
// outputs. Errors: error.h; CL_INVALID_VALUE for k > length or rank >= length.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/rank_rows_job.h>

namespace upsweep::opencl {

template <class... Given>
cl_int top_k_keys_of_rows(const array &in, const array &out, std::uint64_t rows, std::uint64_t length, std::uint64_t k,
                          queue queue, const Given &...options) {
  return detail::run_rank_of_rows(queue, {in, out, {}, {}, length, k, false, detail::SortValues::kNone, rows},
                                  detail::options_of<descending_t, by_members>(options...));
}

template <class... Given>
cl_int top_k_pairs_of_rows(const array &keys_in, const array &keys_out, const array &values_in, const array &values_out,
                           std::uint64_t rows, std::uint64_t length, std::uint64_t k, queue queue, const Given &...options) {
  return detail::run_rank_of_rows(
      queue, {keys_in, keys_out, values_in, values_out, length, k, false, detail::SortValues::kPairs, rows},
      detail::options_of<descending_t, by_members>(options...));
}

template <class... Given>
cl_int arg_top_k_of_rows(const array &keys_in, const array &keys_out, const array &indices, std::uint64_t rows,
                         std::uint64_t length, std::uint64_t k, queue queue, const Given &...options) {
  return detail::run_rank_of_rows(queue, {keys_in, keys_out, {}, indices, length, k, false, detail::SortValues::kIndices, rows},
                                  detail::options_of<descending_t, by_members>(options...));
}

template <class... Given>
cl_int nth_element_of_rows(const array &in, const array &out, std::uint64_t rows, std::uint64_t length, std::uint64_t rank,
                           queue queue, const Given &...options) {
  return detail::run_rank_of_rows(queue, {in, out, {}, {}, length, rank, true, detail::SortValues::kNone, rows},
                                  detail::options_of<descending_t, by_members>(options...));
}

template <class... Given>
cl_int arg_nth_element_of_rows(const array &in, const array &out, const array &indices, std::uint64_t rows,
                               std::uint64_t length, std::uint64_t rank, queue queue, const Given &...options) {
  return detail::run_rank_of_rows(queue, {in, out, {}, indices, length, rank, true, detail::SortValues::kIndices, rows},
                                  detail::options_of<descending_t, by_members>(options...));
}

}  // namespace upsweep::opencl
#endif
