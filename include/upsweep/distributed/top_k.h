// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first k elements of a sort of the whole array, or the element of one place, without sorting all elements. Each rank gets
// the result.
//
//   top_k_keys       out[0] to out[k - 1] are the first k keys of sort_keys (sort.h), in order
//   top_k_pairs      the same with values, as in sort_pairs
//   arg_top_k        the same with indices in the whole array, as in arg_sort
//   nth_element      *out is the key at place `place` of a sort, counted from 0
//   arg_nth_element  the same, and *index is its index in the whole array; equal keys are in the order of a stable sort
//
// `ranks`      communicator (communicator.h). Keys, values, indices and options: see cpu/top_k.h.
// `in`         pointer to this rank's n elements; they must not overlap the output. The keys' output of arg_top_k and
//              arg_nth_element may be null.
// `k`          0 to the number of all elements; the same on all ranks, as is `place`.
//
// top_k selects min(k, n) elements of each part, finds the exact number that each rank contributes in small messages, and
// gathers these. It allocates size() times k elements at most. nth_element reads each part once for each 12 bits of a key and
// once more, and exchanges tables of 4096 counts. Errors: on all ranks (communicator.h); std::invalid_argument for k or a place
// beyond all elements.
//
// Source: Alabi and others 2012, "Fast k-Selection Algorithms for Graphics Processing Units" (radix select).
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/top_k.h>
#include <upsweep/distributed/detail/nth_of_parts.h>
#include <upsweep/distributed/detail/top_of_parts.h>

namespace upsweep::distributed {

template <class C, class Key, class... More>
void top_k_keys(C &ranks, const Key *in, Key *out, std::uint64_t n, std::uint64_t k, More &&...more) {
  using Order = cpu::detail::OrderOf<Key, More...>;
  auto &executor = detail::executor_of(more...);
  detail::Call<C> call(ranks, "top_k_keys", detail::mix(detail::types_hash<Key, Order>(), k));
  detail::top_of_parts<Order, Key, detail::NoValue>(
      call, out, nullptr, n, k,
      [&] {
        using namespace cpu::detail;
        require_arrays({reads("the input", in, n), writes("the output", out, k)});
      },
      [&](Key *keys, detail::NoValue *, std::uint64_t some, std::uint64_t) { cpu::top_k_keys(in, keys, n, some, more...); },
      executor);
}

template <class C, class Key, class Value, class... More>
void top_k_pairs(C &ranks, const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t n,
                 std::uint64_t k, More &&...more) {
  using Order = cpu::detail::OrderOf<Key, More...>;
  auto &executor = detail::executor_of(more...);
  detail::Call<C> call(ranks, "top_k_pairs", detail::mix(detail::types_hash<Key, Value, Order>(), k));
  detail::top_of_parts<Order>(
      call, keys_out, values_out, n, k,
      [&] {
        using namespace cpu::detail;
        require_arrays({reads("the input", keys_in, n), writes("the output", keys_out, k), reads("the values", values_in, n),
                        writes("the output of values", values_out, k)});
      },
      [&](Key *keys, Value *values, std::uint64_t some, std::uint64_t) {
        cpu::top_k_pairs(keys_in, keys, values_in, values, n, some, more...);
      },
      executor);
}

template <class C, class Key, class Index, class... More>
void arg_top_k(C &ranks, const Key *keys_in, Key *keys_out, Index *indices, std::uint64_t n, std::uint64_t k, More &&...more) {
  static_assert(std::is_unsigned_v<Index>, "indices must be unsigned integers");
  using Order = cpu::detail::OrderOf<Key, More...>;
  auto &executor = detail::executor_of(more...);
  detail::Call<C> call(ranks, "arg_top_k", detail::mix(detail::types_hash<Key, Index, Order>(), k));
  detail::top_of_parts<Order>(
      call, keys_out, indices, n, k,
      [&] {
        using namespace cpu::detail;
        require_arrays({reads("the input", keys_in, n), writes("the output", keys_out, keys_out != nullptr ? k : 0),
                        writes("the indices", indices, k)});
      },
      [&](Key *keys, Index *to, std::uint64_t some, std::uint64_t begin) {
        cpu::arg_top_k(keys_in, keys, to, n, some, more...);
        for (std::uint64_t i = 0; i < some; ++i) {
          to[i] = static_cast<Index>(begin + to[i]);
        }
      },
      executor);
}

template <class C, class Key, class Index, class... More>
void arg_nth_element(C &ranks, const Key *in, Key *out, Index *index, std::uint64_t n, std::uint64_t place, More &&...more) {
  static_assert(std::is_unsigned_v<Index>, "indices must be unsigned integers");
  using Order = cpu::detail::OrderOf<Key, More...>;
  auto &executor = detail::executor_of(more...);
  detail::Call<C> call(ranks, "arg_nth_element", detail::mix(detail::types_hash<Key, Order>(), place));
  const auto found = detail::nth_of_parts<Order>(
      call, in, n, place,
      [&] {
        using namespace cpu::detail;
        require_arrays(
            {reads("the input", in, n), writes("the output", out, out != nullptr ? 1 : 0), writes("the index", index, 1)});
      },
      executor);
  if (out != nullptr) {
    *out = found.key;
  }
  *index = static_cast<Index>(found.index);
}

template <class C, class Key, class... More>
void nth_element(C &ranks, const Key *in, Key *out, std::uint64_t n, std::uint64_t place, More &&...more) {
  using Order = cpu::detail::OrderOf<Key, More...>;
  auto &executor = detail::executor_of(more...);
  detail::Call<C> call(ranks, "nth_element", detail::mix(detail::types_hash<Key, Order>(), place));
  *out = detail::nth_of_parts<Order>(
             call, in, n, place,
             [&] {
               using namespace cpu::detail;
               require_arrays({reads("the input", in, n), writes("the output", out, 1)});
             },
             executor)
             .key;
}

}  // namespace upsweep::distributed
#endif
