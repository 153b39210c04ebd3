// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges of two sorted ranges, and sorts of keys with their values by a comparison: stable.
//
//   merge             merges two sorted ranges; equal elements of `a` come first
//   merge_pairs       merges keys together with their values
//   merge_sort        sorts elements (sort.h)
//   merge_sort_pairs  sorts keys together with their values
//
// `a`, `b`     pointers to a_count and b_count sorted elements. If ranges are not sorted, the result is a permutation of their
//              elements.
// `in`, `out`  pointers. A sort may be in place; otherwise arrays must not overlap.
// `Key`        can be copied and default-constructed; so can Value.
// `n`          number of elements, or count_at(pointer, at_most).
// `less`       less(x, y), whether x comes before y, a strict weak ordering. The default for numbers is the order of sort_keys
//              (sort.h), -0 before 0 and NaNs last; for other types it is x < y.
// `options`    calls without `less`: `descending` and by_members, as for sort_keys.
// `executor`   see executor.h.
//
// A merge reads and writes each element once. A sort with values allocates two arrays of pairs of a key and a value. Errors:
// see scan.h; std::bad_alloc. If a comparison throws, the output is unspecified.
//
// Source: Odeh and others 2012, "Merge Path".
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/sort.h>

namespace upsweep::cpu {

namespace detail {

// Element i of range 0 or 1; where keys are compared as integers, without a branch.
template <class Less, class T>
const T &of_range(const T *a, const T *b, std::uint64_t range, std::uint64_t i) {
  if constexpr (is_order_of_bits<Less>) {
    const auto first = reinterpret_cast<std::uintptr_t>(a), second = reinterpret_cast<std::uintptr_t>(b);
    return reinterpret_cast<const T *>(first + ((second - first) & (0 - range)))[i];
  } else {
    return range == 0 ? a[i] : b[i];
  }
}

// A part takes elements a_begin to a_end - 1 of the first range.
template <class Key, class Less, class Take>
void merge_part(const MergePart<Key> part, std::uint64_t a_begin, std::uint64_t a_end, const Less less, const Take take) {
  const Key *const a = part.a, *const b = part.b;
  const std::uint64_t end = part.end, b_end = end - a_end;
  std::uint64_t i = a_begin, k = part.begin - a_begin, place = part.begin;
  if constexpr (is_order_of_bits<Less>) {
    // Keys are compared as integers, without branches, of which random keys would mispredict every second one.
    for (; i < a_end && k < b_end; ++place) {
      const std::uint64_t of_b = Less::OfKeys::bits(b[k]) < Less::OfKeys::bits(a[i]) ? 1 : 0;
      take(place, of_b, i + ((k - i) & (0 - of_b)));
      k += of_b;
      i += 1 - of_b;
    }
  }
  for (; place < end; ++place) {
    const bool is_of_b = i == a_end || (k < b_end && less(b[k], a[i]));
    take(place, is_of_b ? 1 : 0, is_of_b ? k++ : i++);
  }
}

// Merges in parts of the result, one for each thread: take(place, from_a, index) is called for each element in order.
template <class Key, class Less, class Executor, class Take>
void merge_in_parts(const Key *a, const Key *b, std::uint64_t a_count, std::uint64_t b_count, const Less &less,
                    Executor &executor, const Take &take) {
  const Chunks chunks(a_count + b_count, sizeof(Key));
  const auto part_at = [&](std::uint64_t chunk) {
    return MergePart<Key>{a, b, a_count, b_count, chunks.begin(chunk), chunks.end(chunk)};
  };
  merge_parts(executor, chunks.count(), part_at, less,
              [&](std::uint64_t, const MergePart<Key> part, std::uint64_t a_begin, std::uint64_t a_end) {
                merge_part(part, a_begin, a_end, less, take);
              });
}

// The elements of both ranges; a sum that wraps exceeds any memory.
inline std::uint64_t count_of_both(std::uint64_t a_count, std::uint64_t b_count) {
  return a_count > ~b_count ? ~std::uint64_t(0) : a_count + b_count;
}

template <class Key, class Value>
struct KeyAndValue {
  Key key;
  Value value;
};

}  // namespace detail

template <class Key, class... More>
void merge(const Key *a, const Key *b, Key *out, std::uint64_t a_count, std::uint64_t b_count, More &&...more) {
  detail::require_arrays({detail::reads("the first range", a, a_count), detail::reads("the second range", b, b_count),
                          detail::writes("the output", out, detail::count_of_both(a_count, b_count))});
  const auto less = detail::less_of<Key>(more...);
  using Less = std::remove_const_t<decltype(less)>;
  detail::merge_in_parts(
      a, b, a_count, b_count, less, detail::executor_of<1>(more...),
      [=](std::uint64_t place, std::uint64_t range, std::uint64_t i) { out[place] = detail::of_range<Less>(a, b, range, i); });
}

template <class Key, class Value, class... More>
void merge_pairs(const Key *a_keys, const Value *a_values, const Key *b_keys, const Value *b_values, Key *keys_out,
                 Value *values_out, std::uint64_t a_count, std::uint64_t b_count, More &&...more) {
  const std::uint64_t all = detail::count_of_both(a_count, b_count);
  detail::require_arrays({detail::reads("the keys of the first range", a_keys, a_count),
                          detail::reads("the keys of the second range", b_keys, b_count),
                          detail::reads("the values of the first range", a_values, a_count),
                          detail::reads("the values of the second range", b_values, b_count),
                          detail::writes("the output of keys", keys_out, all),
                          detail::writes("the output of values", values_out, all)});
  const auto less = detail::less_of<Key>(more...);
  using Less = std::remove_const_t<decltype(less)>;
  detail::merge_in_parts(a_keys, b_keys, a_count, b_count, less, detail::executor_of<1>(more...),
                         [=](std::uint64_t place, std::uint64_t range, std::uint64_t i) {
                           keys_out[place] = detail::of_range<Less>(a_keys, b_keys, range, i);
                           values_out[place] = detail::of_range<Less>(a_values, b_values, range, i);
                         });
}

template <class Key, class Value, class N, class... More>
void merge_sort_pairs(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, N n, More &&...more) {
  using Pair = detail::KeyAndValue<Key, Value>;
  const std::uint64_t count = detail::count_of(n);
  detail::require_pairs(keys_in, keys_out, values_in, values_out, count);
  const auto less = detail::less_of<Key>(more...);
  auto &executor = detail::executor_of<1>(more...);
  const std::unique_ptr<Pair[]> pairs(new Pair[count]);
  const detail::Chunks chunks(count, sizeof(Pair));
  const auto for_each_element = [&](const auto &visit) {
    detail::for_each_piece(executor, chunks.count(), [&](std::uint64_t chunk) {
      for (std::uint64_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i) {
        visit(i);
      }
    });
  };
  for_each_element([&](std::uint64_t i) { pairs[i] = {keys_in[i], values_in[i]}; });
  detail::merge_sort(
      static_cast<const Pair *>(pairs.get()), pairs.get(), count,
      [&](const Pair &x, const Pair &y) { return less(x.key, y.key); }, executor);
  for_each_element([&](std::uint64_t i) {
    keys_out[i] = std::move(pairs[i].key);
    values_out[i] = std::move(pairs[i].value);
  });
}

}  // namespace upsweep::cpu
#endif
