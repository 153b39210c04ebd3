// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of a few elements by insertion: faster than counting their digits, which are more than the elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::cpu::detail {

struct NoValue {};

// Up to this many elements are sorted by insertion.
constexpr std::size_t kInsertedItems = 32;

// The key's bits without those from end_bit on, and those below begin_bit.
template <class Order, class Key>
typename Order::Bits sorted_bits(const Key &key, unsigned begin_bit, unsigned end_bit) {
  using Bits = typename Order::Bits;
  constexpr unsigned kAll = 8 * sizeof(Bits);
  const Bits all = Order::bits(key);
  return end_bit == begin_bit ? Bits(0)
                              : static_cast<Bits>(static_cast<Bits>(all << (kAll - end_bit)) >> (kAll - end_bit + begin_bit));
}

// in and out may be the same.
template <class Order, class Key, class Value>
void sort_by_insertion(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::size_t n,
                       unsigned begin_bit, unsigned end_bit) {
  constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;
  for (std::size_t i = 0; i < n; ++i) {
    const Key key = keys_in[i];
    [[maybe_unused]] Value value;
    if constexpr (kHasValues) {
      value = values_in[i];
    }
    const auto own = sorted_bits<Order>(key, begin_bit, end_bit);
    std::size_t place = i;
    for (; place > 0 && own < sorted_bits<Order>(keys_out[place - 1], begin_bit, end_bit); --place) {
      keys_out[place] = keys_out[place - 1];
      if constexpr (kHasValues) {
        values_out[place] = values_out[place - 1];
      }
    }
    keys_out[place] = key;
    if constexpr (kHasValues) {
      values_out[place] = value;
    }
  }
}

}  // namespace upsweep::cpu::detail
