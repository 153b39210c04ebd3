// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stable radix sorts on a command queue.
//
//   sort_keys   sorts keys by their bits
//   sort_pairs  sorts keys, and moves the value of each with it
//   arg_sort    sorts keys, and writes the index that each had
//
// keys, values   arrays of n elements. An output may be its input, but arrays must not overlap otherwise
// Key            integer of 8 to 128 bits, half, float or double. Numbers are ordered, -0 before 0, NaNs last: those without
//                a sign from the least bits on, and then those with one from the greatest on. Or a struct of up to 64 bytes,
//                with the option by_members
// Value          any element type; indices are integers of 32 or 64 bits
// n              number of elements, up to 2^40, or count_at (count.h)
// options        wait_for, signal; descending, the reverse order, in which equal keys keep theirs; key_bits{begin, end}:
//                only those bits of integer keys count, from the lowest on; by_members{member<float>("energy"),
//                member<int>("cell")}: of structs only those members count, numbers of 8 to 64 bits, the first one most
//
// A pass for each 8 bits reads and writes all once, where the device takes one launch and is no CPU, behind a launch that reads
// the keys; else it reads the keys twice. On GPUs some thousands of elements are sorted in one launch. Workspace: as much as
// the outputs have, and some bytes for each tile and digit. Errors: error.h; CL_INVALID_VALUE for bits that the keys do not
// have.
#pragma once

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
