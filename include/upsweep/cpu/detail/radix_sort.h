// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A radix sort with a pass for each 8 bits of the keys, from the lowest on. Each chunk is counted, gets its places from the
// counts of earlier chunks, and is distributed from its cache (Adinets and Merrill 2022, "Onesweep", on threads).
#pragma once

#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/few_sort.h>
#include <upsweep/cpu/detail/key_order.h>
#include <upsweep/cpu/detail/stream.h>

#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <vector>

namespace upsweep::cpu::detail {

constexpr std::size_t kDigits = 256;
using Counts = std::array<std::uint64_t, kDigits>;

// Writes elements to 256 growing places, through a line for each place, which is streamed when it is full.
template <class T>
class LinesOfDigits {
public:
  static constexpr std::size_t kItems = kLine / sizeof(T);

  LinesOfDigits(T *out, const Counts &places)
      : out_(out), shift_(reinterpret_cast<std::uintptr_t>(out) % kLine / sizeof(T)), first_(places) {}

  void put(std::size_t digit, std::uint64_t place, const T &value) {
    const std::size_t slot = (place + shift_) % kItems;
    items_[digit][slot] = value;
    if (slot == kItems - 1) {
      flush_full(digit, place);
    }
  }

  // Writes the buffered rest; `places` are behind the last elements.
  void finish(const Counts &places) {
    for (std::size_t digit = 0; digit < kDigits; ++digit) {
      const std::size_t filled = (places[digit] + shift_) % kItems;
      const std::size_t count = std::min<std::uint64_t>(filled, places[digit] - first_[digit]);
      std::memcpy(static_cast<void *>(out_ + (places[digit] - count)), &items_[digit][filled - count], count * sizeof(T));
    }
    _mm_sfence();
  }

private:
  void flush_full(std::size_t digit, std::uint64_t place) {
    const std::uint64_t held = place + 1 - first_[digit];
    if (held >= kItems) {
      __m128i part[4];
      std::memcpy(part, items_[digit], sizeof(part));
      auto *line = reinterpret_cast<__m128i *>(out_ + (place + 1 - kItems));
      for (int i = 0; i < 4; ++i) {
        _mm_stream_si128(line + i, part[i]);
      }
    } else {
      std::memcpy(static_cast<void *>(out_ + first_[digit]), &items_[digit][kItems - held], held * sizeof(T));
    }
  }

  T *out_;
  std::size_t shift_;
  Counts first_;
  alignas(kLine) T items_[kDigits][kItems];
};

// Elements that are stored directly at their places.
template <class T>
class PlacesOfDigits {
public:
  PlacesOfDigits(T *out, const Counts &) : out_(out) {}
  void put(std::size_t, std::uint64_t place, const T &value) { out_[place] = value; }
  void finish(const Counts &) {}

private:
  T *out_;
};

template <class Order, class Key, class Value>
struct RadixPass {
  using Total = Counts;
  static constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;

  const Key *keys;
  Key *out_keys;
  const Value *values;
  Value *out_values;
  Chunks chunks;
  unsigned shift, mask;
  bool is_streamed;

  // A free function, since members of the pass might alias the written elements.
  auto digit() const {
    return [shift = shift, mask = std::size_t(mask)](const Key &key) {
      return static_cast<std::size_t>(Order::bits(key) >> shift) & mask;
    };
  }

  Total combine(const Total &left, const Total &right) const {
    Total sum;
    for (std::size_t i = 0; i < kDigits; ++i) {
      sum[i] = left[i] + right[i];
    }
    return sum;
  }

  Total reduce(std::uint64_t chunk) const {
    // Four tables, since successive counts of the same digit would stall.
    std::uint32_t counts[4][kDigits] = {};
    const auto digit_of = digit();
    const Key *const from = keys;
    const std::uint64_t end = chunks.end(chunk);
    std::uint64_t i = chunks.begin(chunk);
    for (; i + 4 <= end; i += 4) {
      for (std::size_t k = 0; k < 4; ++k) {
        ++counts[k][digit_of(from[i + k])];
      }
    }
    for (; i < end; ++i) {
      ++counts[0][digit_of(from[i])];
    }
    Total total;
    for (std::size_t d = 0; d < kDigits; ++d) {
      total[d] = std::uint64_t(counts[0][d]) + counts[1][d] + counts[2][d] + counts[3][d];
    }
    return total;
  }

  Total scan(std::uint64_t chunk, const Total &before, std::optional<std::uint64_t> next) const {
    if (is_streamed) {
      distribute<LinesOfDigits<Key>, std::conditional_t<kCanStreamValues, LinesOfDigits<Value>, PlacesOfDigits<Value>>>(chunk,
                                                                                                                        before);
    } else {
      distribute<PlacesOfDigits<Key>, PlacesOfDigits<Value>>(chunk, before);
    }
    return next ? reduce(*next) : Total();
  }

private:
  static constexpr bool kCanStreamValues = kHasValues && sizeof(Value) <= kLine && kLine % sizeof(Value) == 0;

  template <class KeyWriter, class ValueWriter>
  void distribute(std::uint64_t chunk, const Total &before) const {
    Total places = before;
    KeyWriter key_writer(out_keys, places);
    [[maybe_unused]] ValueWriter value_writer(out_values, places);
    const auto digit_of = digit();
    const Key *const from = keys;
    const Value *const values_from = values;
    for (std::uint64_t i = chunks.begin(chunk), end = chunks.end(chunk); i < end; ++i) {
      const Key key = from[i];
      const std::size_t d = digit_of(key);
      const std::uint64_t place = places[d]++;
      key_writer.put(d, place, key);
      if constexpr (kHasValues) {
        value_writer.put(d, place, values_from[i]);
      }
    }
    key_writer.finish(places);
    if constexpr (kHasValues) {
      value_writer.finish(places);
    }
  }
};

// Adds how often each digit of each 8 bits occurs, from begin_bit on; bits from end_bit on count as 0.
template <unsigned kCounted, class Order, class Key>
void count_digits_of(const Key *keys, std::uint64_t n, unsigned begin_bit, unsigned end_bit,
                     std::array<std::uint32_t, kDigits> *counts) {
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto bits = sorted_bits<Order>(keys[i], begin_bit, end_bit);
    for (unsigned digit = 0; digit < kCounted; ++digit) {
      ++counts[digit][static_cast<std::size_t>(bits >> (8 * digit)) & 255];
    }
  }
}

// The same for at least the lowest `passes` digits. `counts` has room for all digits, so that loops can be unrolled.
template <class Order, class Key>
void count_passes(const Key *keys, std::uint64_t n, unsigned begin_bit, unsigned end_bit, unsigned passes,
                  std::array<std::uint32_t, kDigits> *counts) {
  constexpr unsigned kAll = sizeof(typename Order::Bits);
  if (passes <= kAll / 2) {
    count_digits_of<kAll / 2, Order>(keys, n, begin_bit, end_bit, counts);
  } else {
    count_digits_of<kAll, Order>(keys, n, begin_bit, end_bit, counts);
  }
}

// How often each digit of each 8 bits occurs.
template <class Order, class Key, class Executor>
std::vector<Counts> count_digits(const Key *keys, const Chunks &chunks, unsigned begin_bit, unsigned passes,
                                 Executor &executor) {
  std::vector<Counts> all(passes, Counts{});
  std::mutex mutex;
  for_each_piece(executor, chunks.count(), [&](std::uint64_t chunk) {
    std::vector<std::array<std::uint32_t, kDigits>> counts(sizeof(typename Order::Bits));
    count_passes<Order>(keys + chunks.begin(chunk), chunks.end(chunk) - chunks.begin(chunk), begin_bit, Order::kBits, passes,
                        counts.data());
    const std::lock_guard lock(mutex);
    for (unsigned pass = 0; pass < passes; ++pass) {
      for (std::size_t d = 0; d < kDigits; ++d) {
        all[pass][d] += counts[pass][d];
      }
    }
  });
  return all;
}

template <class T>
std::unique_ptr<T[]> uninitialised(std::uint64_t n) {
  return std::unique_ptr<T[]>(new T[n]);
}

// Whole lines can be streamed to an array if no element lies across two lines.
template <class T>
bool has_lines(const T *array) {
  return reinterpret_cast<std::uintptr_t>(array) % std::min<std::size_t>(sizeof(T), 16) == 0;
}

// The passes of a sort by bits begin_bit to end_bit - 1: only digits in which keys differ.
template <class Order, class Key, class Executor>
class RadixSort {
public:
  RadixSort(const Key *keys, std::uint64_t n, unsigned begin_bit, unsigned end_bit, Executor &executor)
      : n_(n), chunks_(n, sizeof(Key)), begin_bit_(begin_bit), end_bit_(end_bit), executor_(executor) {
    if (n * sizeof(Key) >= kStreamedBytes) {
      chunks_.size = 2 * kChunkBytes / sizeof(Key);  // longer runs of a digit, of which fewer lines are partial
    }
    const unsigned passes = (end_bit - begin_bit + 7) / 8;
    counts_ = count_digits<Order>(keys, chunks_, begin_bit, passes, executor);
    for (unsigned pass = 0; pass < passes; ++pass) {
      Counts kept{};
      for (std::size_t d = 0; d < kDigits; ++d) {
        kept[d & mask(pass)] += counts_[pass][d];
      }
      counts_[pass] = kept;
      if (std::find(kept.begin(), kept.end(), n) == kept.end()) {  // else all keys have the same digit
        needed_.push_back(pass);
      }
    }
  }
  const std::vector<unsigned> &passes() const { return needed_; }
  const Counts &counts(unsigned pass) const { return counts_[pass]; }
  unsigned first_bit(unsigned pass) const { return begin_bit_ + 8 * pass; }

  template <class Value>
  void run(unsigned pass, const Key *keys, Key *keys_to, const Value *values, Value *values_to) {
    Counts places;
    std::uint64_t place = 0;
    for (std::size_t d = 0; d < kDigits; ++d) {
      places[d] = place;
      place += counts_[pass][d];
    }
    const bool is_streamed = n_ * sizeof(Key) >= kStreamedBytes && has_lines(keys_to) && has_lines(values_to);
    const RadixPass<Order, Key, Value> job{keys, keys_to, values, values_to, chunks_, first_bit(pass), mask(pass), is_streamed};
    go_over_chunks(executor_, job, chunks_.count(), places);
  }

private:
  unsigned mask(unsigned pass) const { return (1U << std::min(8U, end_bit_ - begin_bit_ - 8 * pass)) - 1; }

  std::uint64_t n_;
  Chunks chunks_;
  unsigned begin_bit_, end_bit_;
  Executor &executor_;
  std::vector<Counts> counts_;
  std::vector<unsigned> needed_;
};

// The passes from the lowest digit on. in and out may be the same.
template <class Key, class Value, class Sort>
void run_passes(Sort &sort, const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t n) {
  constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;
  const std::vector<unsigned> &needed = sort.passes();
  const auto other_keys = uninitialised<Key>(needed.empty() ? 0 : n);
  const auto other_values = uninitialised<Value>(kHasValues && !needed.empty() ? n : 0);
  const Key *keys = keys_in;
  const Value *values = values_in;
  // The last pass writes to the output; the first must not write to its input.
  bool to_output = needed.size() % 2 == 1;
  if (to_output && keys_in == keys_out) {
    std::memcpy(static_cast<void *>(other_keys.get()), keys_in, n * sizeof(Key));
    keys = other_keys.get();
  }
  if constexpr (kHasValues) {
    if (to_output && values_in == values_out) {
      std::memcpy(static_cast<void *>(other_values.get()), values_in, n * sizeof(Value));
      values = other_values.get();
    }
  }
  for (const unsigned pass : needed) {
    Key *to = to_output ? keys_out : other_keys.get();
    Value *values_to = to_output ? values_out : other_values.get();
    sort.run(pass, keys, to, values, values_to);
    keys = to;
    values = values_to;
    to_output = !to_output;
  }
  if (needed.empty() && n > 0) {
    std::memmove(static_cast<void *>(keys_out), keys_in, n * sizeof(Key));
    if constexpr (kHasValues) {
      std::memmove(static_cast<void *>(values_out), values_in, n * sizeof(Value));
    }
  }
}

// in and out may be the same.
template <class Order, class Key, class Value, class Executor>
void radix_sort(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t n,
                unsigned begin_bit, unsigned end_bit, Executor &executor) {
  if (n <= kFewItems<Order, Key, Value>) {
    sort_few<Order>(keys_in, keys_out, values_in, values_out, static_cast<std::size_t>(n), begin_bit, end_bit);
    return;
  }
  RadixSort<Order, Key, Executor> sort(keys_in, n, begin_bit, end_bit, executor);
  run_passes(sort, keys_in, keys_out, values_in, values_out, n);
}

// Each pass moves elements from the first array to the second or back, without more memory. Returns whether the result is in
// the second arrays.
template <class Order, class Key, class Value, class Executor>
bool radix_sort_buffers(Key *keys, Key *other_keys, Value *values, Value *other_values, std::uint64_t n, unsigned begin_bit,
                        unsigned end_bit, Executor &executor) {
  RadixSort<Order, Key, Executor> sort(keys, n, begin_bit, end_bit, executor);
  for (const unsigned pass : sort.passes()) {
    sort.run(pass, static_cast<const Key *>(keys), other_keys, static_cast<const Value *>(values), other_values);
    std::swap(keys, other_keys);
    std::swap(values, other_values);
  }
  return sort.passes().size() % 2 == 1;
}

}  // namespace upsweep::cpu::detail
