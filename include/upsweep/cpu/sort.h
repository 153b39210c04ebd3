// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stable sorts.
//
//   sort_keys   sorts keys by their bits (radix sort)
//   sort_pairs  sorts keys together with their values
//   arg_sort    sorts keys, and writes the former index of each
//   merge_sort  sorts elements by a comparison
//
// `in`, `out`  pointers. Arrays of the same type may be the same; otherwise they must not overlap.
// `buffers`    double_buffer: the elements are in `current`, and both arrays are overwritten; afterwards `current` is the array
//              with the sorted elements. This call allocates no array.
// `Key`        integer of 8 to 128 bits, half type (numbers.h), float or double. Numbers are in order, with -0 before 0 and
//              NaNs last: NaNs without a sign by ascending bits, then NaNs with a sign by descending bits. Or a trivially
//              copyable struct with the option by_members.
// `Value`      trivially copyable; indices must be unsigned integers. Elements of merge_sort can be copied and
//              default-constructed.
// `n`          number of elements, or count_at(pointer, at_most).
// `executor`   executor.h.
// `options`    `descending`: the reverse order, but equal keys keep their order. key_bits(begin, end): only these bits of
//              integer keys count, from the lowest on. by_members<&Key::a, &Key::b>{}: only these members of structs count,
//              numbers of up to 16 bytes together, the first member most.
//
// Keys of 4 and 8 bytes without values and key_bits are sorted in the output by a quicksort, in O(n log n). Networks sort up to
// 16 vectors of keys, and splits divide longer arrays. A reading finds keys that are in order already or in reverse order.
// arg_sort of such keys sorts numbers of 8 bytes that contain the highest bits of a key and its index. It needs an array of
// them if indices have fewer than 8 bytes.
//
// All other sorts are radix sorts. A radix sort reads the keys once, and then reads and writes all elements once for each 8
// bits in which keys differ. Keys of 8 MiB and more are first divided by their highest 8 bits, and then sorted in caches. Up to
// 128 elements (64 with keys of 8 bytes) are sorted by comparisons. Larger arrays need memory of the output's size, and up to
// twice as much if keys of 32 MiB or more mostly begin with the same bits. Errors: see scan.h; std::invalid_argument for bits
// beyond the keys' size; std::bad_alloc. If a comparison throws, the output is unspecified.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/arguments.h>
#include <upsweep/cpu/detail/bucket_sort.h>
#include <upsweep/cpu/detail/call_arrays.h>
#include <upsweep/cpu/detail/index_sort.h>
#include <upsweep/cpu/detail/merge_sort.h>
#include <upsweep/cpu/thread_pool.h>

#include <functional>

namespace upsweep::cpu {

namespace detail {

// The order of keys that the options of a call name.
template <class Key, class... Options>
using OrderOf = typename OrderByOption<Key, has_option<descending_t, Options...>, common::members_of<Options...>>::type;

// The comparison of a call: a functor among its arguments, or the order of sort_keys.
template <class Key, class... More>
auto less_of(const More &...more) {
  constexpr bool kHasMembers = common::has_members<More...>;
  constexpr bool kIsDescending = has_option<descending_t, More...>;
  if constexpr ((0 + ... + int(is_functor<More>)) > 0) {
    static_assert(!kHasMembers && !kIsDescending, "descending and by_members cannot be combined with a comparison");
    return functor_of(std::less<>(), more...);
  } else if constexpr (kHasMembers || (is_number<Key> && sizeof(Key) <= 8 && (kIsDescending || is_float<Key>))) {
    return LessByOrder<OrderOf<Key, More...>>();
  } else if constexpr (kIsDescending) {
    return std::greater<>();
  } else {
    return std::less<>();
  }
}

template <class Order, class Key, class... Options>
key_bits bits_of_call(const Options &...options) {
  static_assert(!has_option<key_bits, Options...> || is_integer<Key>, "key_bits needs integer keys");
  const key_bits bits = option_of<key_bits>(key_bits(0, Order::kBits), options...);
  if (bits.begin > bits.end || bits.end > Order::kBits) {
    throw std::invalid_argument("upsweep::cpu: key_bits names bits that the keys do not have");
  }
  return bits;
}

// Keys, and values unless they are NoValues.
template <class Key, class Value>
void require_pairs(const Key *keys_in, const Key *keys_out, const Value *values_in, const Value *values_out, std::uint64_t n) {
  const std::uint64_t values = std::is_same_v<Value, NoValue> ? 0 : n;
  require_arrays({reads("the input", keys_in, n, kTogether), writes("the output", keys_out, n, kTogether),
                  reads("the values", values_in, values, kValuesTogether),
                  writes("the output of values", values_out, values, kValuesTogether)});
}

template <class Key, class Value, class Executor, class... Options>
void sort(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t n, Executor &executor,
          const Options &...options) {
  using Order = OrderOf<Key, Options...>;
  static_assert(std::is_trivially_copyable_v<Value>, "values must be trivially copyable");
  require_pairs(keys_in, keys_out, values_in, values_out, n);
  const key_bits bits = bits_of_call<Order, Key>(options...);
  sort_all<Order>(keys_in, keys_out, values_in, values_out, n, bits.begin, bits.end, executor);
}

template <class Key, class Value, class Executor, class... Options>
void sort_buffers(double_buffer<Key> &keys, double_buffer<Value> &values, std::uint64_t n, Executor &executor,
                  const Options &...options) {
  using Order = OrderOf<Key, Options...>;
  constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;
  require_arrays({writes("the keys", keys.current, n), writes("the other array of keys", keys.other, n),
                  writes("the values", values.current, kHasValues ? n : 0),
                  writes("the other array of values", values.other, kHasValues ? n : 0)});
  const key_bits bits = bits_of_call<Order, Key>(options...);
  if (sort_in_vectors<Order, Value>(keys.current, keys.current, n, bits, executor)) {
    return;
  }
  if (radix_sort_buffers<Order>(keys.current, keys.other, values.current, values.other, n, bits.begin, bits.end, executor)) {
    std::swap(keys.current, keys.other);
    std::swap(values.current, values.other);
  }
}

}  // namespace detail

template <class Key, class N, class... More>
void sort_keys(const Key *in, Key *out, N n, More &&...more) {
  detail::sort<Key, detail::NoValue>(in, out, nullptr, nullptr, detail::count_of(n), detail::executor_of(more...), more...);
}

template <class Key, class N, class... More>
void sort_keys(double_buffer<Key> &buffers, N n, More &&...more) {
  double_buffer<detail::NoValue> none{nullptr, nullptr};
  detail::sort_buffers(buffers, none, detail::count_of(n), detail::executor_of(more...), more...);
}

template <class Key, class Value, class N, class... More>
void sort_pairs(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, N n, More &&...more) {
  const std::uint64_t count = detail::count_of(n);
  detail::sort(keys_in, keys_out, values_in, values_out, count, detail::executor_of(more...), more...);
}

template <class Key, class Value, class N, class... More>
void sort_pairs(double_buffer<Key> &keys, double_buffer<Value> &values, N n, More &&...more) {
  const std::uint64_t count = detail::count_of(n);
  detail::sort_buffers(keys, values, count, detail::executor_of(more...), more...);
}

template <class Key, class Index, class N, class... More>
void arg_sort(const Key *keys_in, Key *keys_out, Index *indices, N n, More &&...more) {
  static_assert(std::is_unsigned_v<Index>, "indices must be unsigned integers");
  const std::uint64_t count = detail::count_of(n);
  detail::require_pairs(keys_in, keys_out, static_cast<const Index *>(indices), indices, count);
  using Order = detail::OrderOf<Key, More...>;
  const key_bits bits = detail::bits_of_call<Order, Key>(more...);  // throws before anything is written
  if constexpr (detail::has_vector_sort<Order, Key>) {
    auto &executor = detail::executor_of(more...);
    using Sort = detail::IndexSort<Order, Key, Index, std::decay_t<decltype(executor)>>;
    if (bits.begin == 0 && bits.end == Order::kBits && count > detail::kFewItems<Order, Key, Index> &&
        Sort(keys_in, keys_out, indices, count, executor).run()) {
      return;
    }
  }
  const detail::Chunks chunks(count, sizeof(Index));
  detail::for_each_piece(detail::executor_of(more...), chunks.count(), [&](std::uint64_t chunk) {
    for (std::uint64_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i) {
      indices[i] = static_cast<Index>(i);
    }
  });
  cpu::sort_pairs(keys_in, keys_out, static_cast<const Index *>(indices), indices, count, more...);
}

template <class T, class N, class... More>
void merge_sort(const T *in, T *out, N n, More &&...more) {
  const std::uint64_t count = detail::count_of(n);
  const auto less = detail::less_of<T>(more...);
  if constexpr (detail::is_order_of_bits<std::remove_const_t<decltype(less)>>) {
    cpu::sort_keys(in, out, count, more...);  // the same order, and keys that are alike are the same
  } else {
    detail::require_arrays({detail::reads("the input", in, count, detail::kTogether),
                            detail::writes("the output", out, count, detail::kTogether)});
    detail::merge_sort(in, out, count, less, detail::executor_of<1>(more...));
  }
}

}  // namespace upsweep::cpu
#endif
