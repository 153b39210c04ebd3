// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges of two sorted ranges, and sorts of keys with their values by a comparison: stable.
//
//   merge             merges two ranges that are sorted; of elements that are alike those of `a` come first
//   merge_pairs       merges keys, and moves the value of each with it
//   merge_sort        sorts elements (sort.h)
//   merge_sort_pairs  sorts keys, and moves the value of each with it
//
// a, b      pointers to a_count and b_count elements, each in order
// in, out   pointers. A sort may be in place; arrays must not overlap otherwise
// Key       can be copied and default-constructed; so can Value
// n         number of elements, or count_at(pointer, at_most)
// less      less(x, y), whether x comes before y, a strict weak ordering; if it is left out, x < y
// executor  see executor.h
//
// A merge reads each element once and writes it once. A sort with values allocates two arrays of keys and values side by side.
// Errors: see scan.h; std::bad_alloc. If a comparison throws, the output is unspecified.
//
// Source: Odeh and others 2012, "Merge Path".
#pragma once

#include <upsweep/cpu/sort.h>

namespace upsweep::cpu {

namespace detail {

// Merges in parts of the result, each of which one thread makes: take(place, from_a, index) for each element in turn.
template <class Key, class Less, class Executor, class Take>
void merge_in_parts(const Key *a, const Key *b, std::uint64_t a_count, std::uint64_t b_count, const Less &less,
                    Executor &executor, const Take &take) {
  const std::uint64_t n = a_count + b_count;
  const Chunks chunks(n, sizeof(Key));
  for_each_piece(executor, chunks.count(), [&](std::uint64_t chunk) {
    const std::uint64_t begin = chunks.begin(chunk), end = chunks.end(chunk);
    std::uint64_t i = merge_split(a, a_count, b, b_count, begin, less), k = begin - i;
    const std::uint64_t a_end = merge_split(a, a_count, b, b_count, end, less), b_end = end - a_end;
    for (std::uint64_t place = begin; place < end; ++place) {
      const bool is_of_b = i == a_end || (k < b_end && less(b[k], a[i]));
      take(place, !is_of_b, is_of_b ? k++ : i++);
    }
  });
}

template <class T>
void require_ranges(const T *a, const T *b, const T *out, std::uint64_t a_count, std::uint64_t b_count) {
  require_array(a, a_count, "the first range");
  require_array(b, b_count, "the second range");
  require_array(out, a_count + b_count, "the output");
  require_apart(a, a_count, out, a_count + b_count);
  require_apart(b, b_count, out, a_count + b_count);
}

template <class Key, class Value>
struct KeyAndValue {
  Key key;
  Value value;
};

}  // namespace detail

template <class Key, class... More>
void merge(const Key *a, const Key *b, Key *out, std::uint64_t a_count, std::uint64_t b_count, More &&...more) {
  detail::require_ranges(a, b, out, a_count, b_count);
  detail::merge_in_parts(a, b, a_count, b_count, detail::functor_of(std::less<>(), more...), detail::executor_of<1>(more...),
                         [&](std::uint64_t place, bool is_of_a, std::uint64_t i) { out[place] = is_of_a ? a[i] : b[i]; });
}

template <class Key, class Value, class... More>
void merge_pairs(const Key *a_keys, const Value *a_values, const Key *b_keys, const Value *b_values, Key *keys_out,
                 Value *values_out, std::uint64_t a_count, std::uint64_t b_count, More &&...more) {
  detail::require_ranges(a_keys, b_keys, keys_out, a_count, b_count);
  detail::require_ranges(a_values, b_values, values_out, a_count, b_count);
  detail::merge_in_parts(a_keys, b_keys, a_count, b_count, detail::functor_of(std::less<>(), more...),
                         detail::executor_of<1>(more...), [&](std::uint64_t place, bool is_of_a, std::uint64_t i) {
                           keys_out[place] = is_of_a ? a_keys[i] : b_keys[i];
                           values_out[place] = is_of_a ? a_values[i] : b_values[i];
                         });
}

template <class Key, class Value, class N, class... More>
void merge_sort_pairs(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, N n, More &&...more) {
  using Pair = detail::KeyAndValue<Key, Value>;
  const std::uint64_t count = detail::count_of(n);
  detail::require_array(keys_in, count, "the input");
  detail::require_array(keys_out, count, "the output");
  detail::require_array(values_in, count, "the values");
  detail::require_array(values_out, count, "the output of values");
  detail::require_same_or_apart(keys_in, keys_out, count);
  detail::require_same_or_apart(values_in, values_out, count);
  detail::require_apart(keys_out, count, values_out, count);
  const auto less = detail::functor_of(std::less<>(), more...);
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
