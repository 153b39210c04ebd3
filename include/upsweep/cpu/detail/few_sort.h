// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of a few elements, for which counting all digits takes longer. Up to 8 elements are sorted by insertion, others by
// comparing each with all.
#pragma once

#include <upsweep/cpu/simd/targets.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace upsweep::cpu::detail {

struct NoValue {};

// Up to this many elements are sorted by insertion.
constexpr std::size_t kInsertedItems = 8;

// Whether keys are compared as vectors of their bits.
template <class Order, class Key, class Value>
inline constexpr bool can_be_ranked = sizeof(typename Order::Bits) <= 8 && sizeof(Key) <= 16 && sizeof(Value) <= 16;

// Up to this number, elements count as few: with AVX-512, 64 doubles take a fifth of the time of counting.
template <class Order, class Key, class Value>
inline constexpr std::size_t kFewItems = !can_be_ranked<Order, Key, Value>   ? 32
                                         : sizeof(typename Order::Bits) == 8 ? 64
                                                                             : 128;

// The key's bits from begin_bit to end_bit - 1; others are cleared.
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

// `out` may be the input.
template <std::size_t kRoom, class T, class Rank>
void move_to_ranks(const T *in, T *out, const Rank *ranks, std::size_t n) {
  alignas(T) std::byte bytes[kRoom * sizeof(T)];
  std::memcpy(bytes, in, n * sizeof(T));
  for (std::size_t i = 0; i < n; ++i) {
    std::memcpy(static_cast<void *>(out + ranks[i]), bytes + i * sizeof(T), sizeof(T));
  }
}

// in and out may be the same.
template <class Order, class Key, class Value>
void sort_by_ranks(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::size_t n,
                   unsigned begin_bit, unsigned end_bit) {
  using Bits = typename Order::Bits;
  constexpr std::size_t kRoom = kFewItems<Order, Key, Value>;
  alignas(64) Bits bits[kRoom] = {}, ranks[kRoom];
  for (std::size_t i = 0; i < n; ++i) {
    bits[i] = sorted_bits<Order>(keys_in[i], begin_bit, end_bit);
  }
  UPSWEEP_CPU_DISPATCH(rank_few, bits, n, ranks);
  move_to_ranks<kRoom>(keys_in, keys_out, ranks, n);
  if constexpr (!std::is_same_v<Value, NoValue>) {
    move_to_ranks<kRoom>(values_in, values_out, ranks, n);
  }
}

// Sorts at most kFewItems elements; in and out may be the same.
template <class Order, class Key, class Value>
void sort_few(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::size_t n, unsigned begin_bit,
              unsigned end_bit) {
  if constexpr (can_be_ranked<Order, Key, Value>) {
    if (n > kInsertedItems) {
      sort_by_ranks<Order>(keys_in, keys_out, values_in, values_out, n, begin_bit, end_bit);
      return;
    }
  }
  sort_by_insertion<Order>(keys_in, keys_out, values_in, values_out, n, begin_bit, end_bit);
}

}  // namespace upsweep::cpu::detail
