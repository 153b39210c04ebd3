// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges sorted neighbouring runs by pairs. Elements of earlier runs come first among equal
// ones.
#pragma once

#include <upsweep/cpu/merge.h>

#include <memory>
#include <vector>

namespace upsweep::distributed::detail {

using cpu::detail::NoValue;

// Keys, and values unless they are NoValues.
template <class Key, class Value>
struct Pairs {
  static constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;
  std::unique_ptr<Key[]> keys;
  std::unique_ptr<Value[]> values;

  void allocate(std::uint64_t n) {
    keys.reset(new Key[n]);
    if constexpr (kHasValues) {
      values.reset(new Value[n]);
    }
  }
};

// Merges `from`, which it overwrites, to keys_out and values_out. `room` is needed for more than two runs that have an element.
template <class Key, class Value, class Less, class Executor>
void merge_runs(Pairs<Key, Value> &from, Pairs<Key, Value> &room, const std::vector<std::uint64_t> &lengths, Key *keys_out,
                Value *values_out, const Less &less, Executor &executor) {
  constexpr bool kHasValues = Pairs<Key, Value>::kHasValues;
  std::vector<std::uint64_t> left;
  for (const std::uint64_t length : lengths) {
    if (length > 0) {
      left.push_back(length);
    }
  }
  const Key *keys = from.keys.get();
  const Value *values = from.values.get();
  if (left.size() == 1) {
    std::copy_n(keys, left[0], keys_out);
    if constexpr (kHasValues) {
      std::copy_n(values, left[0], values_out);
    }
  }
  bool is_in_room = false;
  while (left.size() > 1) {
    const bool is_last = left.size() == 2;
    Key *to_keys = is_last ? keys_out : (is_in_room ? from : room).keys.get();
    Value *to_values = is_last ? values_out : (is_in_room ? from : room).values.get();
    std::vector<std::uint64_t> merged;
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < left.size(); i += 2) {
      const std::uint64_t a = left[i], b = i + 1 < left.size() ? left[i + 1] : 0;
      if constexpr (kHasValues) {
        cpu::merge_pairs(keys + at, values + at, keys + at + a, values + at + a, to_keys + at, to_values + at, a, b, less,
                         executor);
      } else {
        cpu::merge(keys + at, keys + at + a, to_keys + at, a, b, less, executor);
      }
      merged.push_back(a + b);
      at += a + b;
    }
    left = std::move(merged);
    keys = to_keys;
    values = to_values;
    is_in_room = !is_in_room;
  }
}

}  // namespace upsweep::distributed::detail
