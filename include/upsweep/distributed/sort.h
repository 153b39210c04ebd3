// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stable sorts of an array of which each rank has a part. Rank 0 gets the first elements of the result, rank 1 the next
// elements, and so on.
//
//   sort_keys         sorts keys by their bits (radix sort)
//   sort_pairs        sorts keys together with their values
//   arg_sort          sorts keys, and writes the former index of each in the whole array
//   merge_sort        sorts elements by a comparison
//   merge_sort_pairs  sorts keys together with their values by a comparison
//
// `ranks`      communicator (communicator.h). `Key`, `Value` and the comparison: see cpu/sort.h and cpu/merge.h. Elements are
//              trivially copyable.
// `in`, `out`  pointers to this rank's part, before and after. Arrays of the same type may be the same; otherwise they must not
//              overlap.
// `n`          the number of elements of this part before the sort, or count_at(pointer, at_most).
// `options`    an executor; part_of(m): this rank gets m elements, by default n (equal_part() in place.h divides all equally);
//              descending, key_bits and by_members, as in cpu/sort.h.
//
// Each rank sorts its part, and the exact places that divide the sorted parts are found in about log4(all elements) rounds
// of four small messages. All elements are exchanged once, and each rank merges what comes from p ranks in log2(p) passes.
// Equal keys need no special case. A rank allocates three arrays of the size of its part at most.
//
// Errors: on all ranks (communicator.h); std::invalid_argument if the ranks' m do not add up, if a comparison is no strict weak
// ordering in a way that shows, and as in cpu/sort.h; std::bad_alloc. After an error the output is unspecified.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/merge.h>
#include <upsweep/distributed/detail/sort_parts.h>

namespace upsweep::distributed {

namespace detail {

// The number of elements of both sides may differ.
template <class Key, class Value>
void require_sides(const Key *keys_in, const Key *keys_out, const Value *values_in, const Value *values_out, std::uint64_t n,
                   std::uint64_t wanted, bool has_values_in) {
  using namespace cpu::detail;
  constexpr bool kHasValues = Pairs<Key, Value>::kHasValues;
  require_arrays({reads("the input", keys_in, n, kTogether), writes("the output", keys_out, wanted, kTogether),
                  reads("the values", values_in, kHasValues && has_values_in ? n : 0, kValuesTogether),
                  writes("the output of values", values_out, kHasValues ? wanted : 0, kValuesTogether)});
}

// The comparison that a radix sort of these options makes.
template <class Order, class... More>
auto less_by_order(const key_bits &bits, const More &...) {
  if constexpr (has_option<key_bits, More...>) {
    return LessByBits<Order>{bits.begin, bits.end};
  } else {
    return cpu::detail::LessByOrder<Order>();
  }
}

template <bool kIota, class C, class Key, class Value, class... More>
void sort_by_bits(C &ranks, const char *name, const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out,
                  std::uint64_t n, More &...more) {
  using Order = cpu::detail::OrderOf<Key, More...>;
  static_assert(std::is_trivially_copyable_v<Value>, "values must be trivially copyable");
  auto &executor = executor_of(more...);
  // Bits that keys do not have are an error of the call, which the check makes on all ranks.
  const key_bits bits = cpu::detail::option_of<key_bits>(key_bits(0, Order::kBits), more...);
  const std::uint64_t wanted = wanted_part(n, more...);
  Call<C> call(ranks, name, mix(types_hash<Key, Value, Order>(), mix(bits.begin, bits.end)));
  sort_parts<kIota>(
      call, keys_in, keys_out, values_in, values_out, n, wanted, less_by_order<Order>(bits, more...),
      [&] {
        cpu::detail::bits_of_call<Order, Key>(more...);
        require_sides(keys_in, keys_out, values_in, values_out, n, wanted, !kIota);
      },
      [&](const Key *from, Key *to, const Value *values_from, Value *values_to) {
        cpu::detail::sort_all<Order>(from, to, values_from, values_to, n, bits.begin, bits.end, executor);
      },
      executor);
}

template <class C, class Key, class Value, class Sort, class... More>
void sort_by_comparison(C &ranks, const char *name, const Key *keys_in, Key *keys_out, const Value *values_in,
                        Value *values_out, std::uint64_t n, const Sort &sort, More &...more) {
  const auto less = cpu::detail::less_of<Key>(more...);
  auto &executor = executor_of<1>(more...);
  const std::uint64_t wanted = wanted_part(n, more...);
  Call<C> call(ranks, name, types_hash<Key, Value>());
  sort_parts<false>(
      call, keys_in, keys_out, values_in, values_out, n, wanted, less,
      [&] { require_sides(keys_in, keys_out, values_in, values_out, n, wanted, true); }, sort, executor);
}

}  // namespace detail

template <class C, class Key, class N, class... More>
void sort_keys(C &ranks, const Key *in, Key *out, N n, More &&...more) {
  detail::sort_by_bits<false, C, Key, detail::NoValue>(ranks, "sort_keys", in, out, nullptr, nullptr, detail::count_of(n),
                                                       more...);
}

template <class C, class Key, class Value, class N, class... More>
void sort_pairs(C &ranks, const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, N n, More &&...more) {
  detail::sort_by_bits<false>(ranks, "sort_pairs", keys_in, keys_out, values_in, values_out, detail::count_of(n), more...);
}

template <class C, class Key, class Index, class N, class... More>
void arg_sort(C &ranks, const Key *keys_in, Key *keys_out, Index *indices, N n, More &&...more) {
  static_assert(std::is_unsigned_v<Index>, "indices must be unsigned integers");
  detail::sort_by_bits<true>(ranks, "arg_sort", keys_in, keys_out, static_cast<const Index *>(nullptr), indices,
                             detail::count_of(n), more...);
}

template <class C, class T, class N, class... More>
void merge_sort(C &ranks, const T *in, T *out, N n, More &&...more) {
  const std::uint64_t count = detail::count_of(n);
  detail::sort_by_comparison<C, T, detail::NoValue>(
      ranks, "merge_sort", in, out, nullptr, nullptr, count,
      [&](const T *from, T *to, const detail::NoValue *, detail::NoValue *) { cpu::merge_sort(from, to, count, more...); },
      more...);
}

template <class C, class Key, class Value, class N, class... More>
void merge_sort_pairs(C &ranks, const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, N n,
                      More &&...more) {
  const std::uint64_t count = detail::count_of(n);
  detail::sort_by_comparison(
      ranks, "merge_sort_pairs", keys_in, keys_out, values_in, values_out, count,
      [&](const Key *from, Key *to, const Value *values_from, Value *values_to) {
        cpu::merge_sort_pairs(from, to, values_from, values_to, count, more...);
      },
      more...);
}

}  // namespace upsweep::distributed
#endif
