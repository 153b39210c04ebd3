// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first k elements of a sort, or the element of one rank, without sorting all elements.
//
//   top_k_keys       out[0] to out[k - 1] are the first k keys of sort_keys (sort.h), in order
//   top_k_pairs      the same with values, as in sort_pairs
//   arg_top_k        the same with indices, as in arg_sort
//   nth_element      *out is the key at place `rank` of a sort, counted from 0
//   arg_nth_element  the same, and *index is its index; equal keys are in the order of a stable sort
//
// `in`, `out`  pointers to arrays that do not overlap. The keys' output of arg_top_k and arg_nth_element may be null.
// `Key`        as in sort_keys; so are values, indices and options.
// `n`, `k`     the number of elements, and of wanted elements, 0 to n.
// `options`    `descending`, for the k largest; by_members (sort.h).
// `executor`   see executor.h.
//
// The elements are read three times, and once more for each 12 bits that the keys at the wanted place share. About k of them
// are copied to allocated memory and sorted. Errors: see scan.h; std::invalid_argument for k > n or rank >= n; std::bad_alloc.
//
// Source: Alabi and others 2012, "Fast k-Selection Algorithms for Graphics Processing Units" (radix select).
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/call_arrays.h>
#include <upsweep/cpu/detail/select_ranks.h>
#include <upsweep/cpu/sort.h>

namespace upsweep::cpu {

template <class Key, class... More>
void top_k_keys(const Key *in, Key *out, std::uint64_t n, std::uint64_t k, More &&...more) {
  detail::require_ranks(in, n, 0, k);
  detail::require_arrays({detail::reads("the input", in, n), detail::writes("the output", out, k)});
  detail::select_ranks<detail::OrderOf<Key, More...>, std::uint64_t>(
      in, n, 0, k, [&](std::uint64_t place, const Key &key, std::uint64_t) { out[place] = key; }, detail::executor_of(more...));
}

template <class Key, class Value, class... More>
void top_k_pairs(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t n, std::uint64_t k,
                 More &&...more) {
  detail::require_ranks(keys_in, n, 0, k);
  detail::require_arrays({detail::reads("the input", keys_in, n), detail::writes("the output", keys_out, k),
                          detail::reads("the values", values_in, n), detail::writes("the output of values", values_out, k)});
  detail::select_ranks<detail::OrderOf<Key, More...>, std::uint64_t>(
      keys_in, n, 0, k,
      [&](std::uint64_t place, const Key &key, std::uint64_t i) {
        keys_out[place] = key;
        values_out[place] = values_in[i];
      },
      detail::executor_of(more...));
}

template <class Key, class Index, class... More>
void arg_top_k(const Key *keys_in, Key *keys_out, Index *indices, std::uint64_t n, std::uint64_t k, More &&...more) {
  static_assert(std::is_unsigned_v<Index>, "indices must be unsigned integers");
  detail::require_ranks(keys_in, n, 0, k);
  detail::require_arrays({detail::reads("the input", keys_in, n),
                          detail::writes("the output", keys_out, keys_out != nullptr ? k : 0),
                          detail::writes("the indices", indices, k)});
  detail::select_ranks<detail::OrderOf<Key, More...>, std::uint64_t>(
      keys_in, n, 0, k,
      [&](std::uint64_t place, const Key &key, std::uint64_t i) {
        if (keys_out != nullptr) {
          keys_out[place] = key;
        }
        indices[place] = static_cast<Index>(i);
      },
      detail::executor_of(more...));
}

template <class Key, class Index, class... More>
void arg_nth_element(const Key *in, Key *out, Index *index, std::uint64_t n, std::uint64_t rank, More &&...more) {
  static_assert(std::is_unsigned_v<Index>, "indices must be unsigned integers");
  detail::require_ranks(in, n, rank, 1);
  detail::require_arrays({detail::reads("the input", in, n), detail::writes("the output", out, out != nullptr ? 1 : 0),
                          detail::writes("the index", index, 1)});
  detail::select_ranks<detail::OrderOf<Key, More...>, std::uint64_t>(
      in, n, rank, 1,
      [&](std::uint64_t, const Key &key, std::uint64_t i) {
        if (out != nullptr) {
          *out = key;
        }
        *index = static_cast<Index>(i);
      },
      detail::executor_of(more...));
}

template <class Key, class... More>
void nth_element(const Key *in, Key *out, std::uint64_t n, std::uint64_t rank, More &&...more) {
  detail::require_array(out, 1, "the output");
  std::uint64_t index = 0;
  cpu::arg_nth_element(in, out, &index, n, rank, more...);
}

}  // namespace upsweep::cpu
#endif
