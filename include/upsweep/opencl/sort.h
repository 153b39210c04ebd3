// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stable radix sorts on a command queue.
//
//   sort_keys   sorts keys by their bits
//   sort_pairs  sorts keys together with their values
//   arg_sort    sorts keys, and writes the former index of each
//
// `keys`, `values`  arrays of n elements. An output may be its input; otherwise arrays must not overlap.
// `Key`             integer of 8 to 128 bits, half, float or double. Numbers are in order, with -0 before 0 and NaNs last: NaNs
//                   without a sign by ascending bits, then NaNs with a sign by descending bits. Or a struct of up to 64 bytes,
//                   with the option by_members.
// `Value`           any element type; indices are integers of 32 or 64 bits.
// `n`               number of elements, up to 2^40, or count_at (count.h).
// `options`         wait_for, signal. descending: the reverse order, but equal keys keep their order. key_bits{begin, end}:
//                   only these bits of integer keys count, from the lowest on. by_members{member<float>("energy"),
//                   member<int>("cell")}: only these members of structs count, numbers of 8 to 64 bits, the first member most.
//
// GPUs with single launches read the keys once, and then each pass, for 8 bits, reads and writes all elements once. On other
// devices each pass reads the keys twice. On GPUs some thousand elements are sorted in one launch. Workspace: the size of the
// outputs, and some bytes for each tile and digit. Errors: error.h; CL_INVALID_VALUE for bits beyond the keys' size.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/sort_job.h>

namespace upsweep::opencl {

template <class... Given>
cl_int sort_keys(const array &in, const array &out, const element_count &n, queue queue, const Given &...options) {
  return detail::run_sort(queue, {in, out, {}, {}, n, detail::SortValues::kNone},
                          detail::options_of<descending_t, key_bits, by_members>(options...));
}

template <class... Given>
cl_int sort_pairs(const array &keys_in, const array &keys_out, const array &values_in, const array &values_out,
                  const element_count &n, queue queue, const Given &...options) {
  return detail::run_sort(queue, {keys_in, keys_out, values_in, values_out, n, detail::SortValues::kPairs},
                          detail::options_of<descending_t, key_bits, by_members>(options...));
}

template <class... Given>
cl_int arg_sort(const array &keys_in, const array &keys_out, const array &indices, const element_count &n, queue queue,
                const Given &...options) {
  return detail::run_sort(queue, {keys_in, keys_out, indices, indices, n, detail::SortValues::kIndices},
                          detail::options_of<descending_t, key_bits, by_members>(options...));
}

}  // namespace upsweep::opencl
#endif
