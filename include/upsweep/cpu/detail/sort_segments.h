// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of segments: all threads sort a long one together; one thread sorts each other segment, in its caches.
#pragma once

#include <upsweep/cpu/detail/key_sort.h>
#include <upsweep/cpu/detail/radix_sort.h>

#include <algorithm>

namespace upsweep::cpu::detail {

// bucket_sort.h
template <class Order, class Key, class Value, class Executor>
void sort_all(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t n, unsigned begin_bit,
              unsigned end_bit, Executor &executor);

// All threads together sort a segment of at least this many elements. If a single thread sorted it, other threads would wait
// when there are few segments, and a segment larger than a thread's caches is slow.
inline std::uint64_t items_of_all(std::uint64_t n, std::size_t key_bytes, unsigned threads) {
  constexpr std::uint64_t kLeast = std::uint64_t(1) << 18;
  const std::uint64_t most = (std::uint64_t(8) << 20) / key_bytes;
  return std::clamp(n / threads, kLeast, std::max(kLeast, most));
}

// Memory that a thread reuses for its segments.
template <class Key, class Value>
struct SegmentRoom {
  std::unique_ptr<Key[]> keys;
  std::unique_ptr<Value[]> values;
  std::uint64_t items = 0;
  std::vector<std::array<std::uint32_t, kDigits>> counts;

  void reserve(std::uint64_t n) {
    if (n > items) {
      items = std::max(n, 2 * items);
      keys = uninitialised<Key>(items);
      values = uninitialised<Value>(std::is_same_v<Value, NoValue> ? 0 : items);
    }
  }
};

template <class Order, class Key, class Value, class Offsets>
struct SegmentSort {
  static constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;
  using Room = SegmentRoom<Key, Value>;

  const Key *keys_in;
  Key *keys_out;
  const Value *values_in;
  Value *values_out;
  Offsets offsets;
  unsigned begin_bit, end_bit;

  const Value *values_from(std::uint64_t begin) const { return kHasValues ? values_in + begin : nullptr; }
  Value *values_to(std::uint64_t begin) const { return kHasValues ? values_out + begin : nullptr; }

  template <class Executor>
  void sort_by_all(std::uint64_t segment, Executor &executor) const {
    const std::uint64_t begin = offsets[segment];
    sort_all<Order>(keys_in + begin, keys_out + begin, values_from(begin), values_to(begin), offsets[segment + 1] - begin,
                    begin_bit, end_bit, executor);
  }

  void sort_alone(std::uint64_t segment, Room &room) const {
    const std::uint64_t begin = offsets[segment], n = offsets[segment + 1] - begin;
    calling_thread executor;
    if (sort_in_vectors<Order, Value>(keys_in + begin, keys_out + begin, n, key_bits(begin_bit, end_bit), executor)) {
      return;
    }
    if (n <= kFewItems<Order, Key, Value>) {
      sort_few<Order>(keys_in + begin, keys_out + begin, values_from(begin), values_to(begin), static_cast<std::size_t>(n),
                      begin_bit, end_bit);
    } else {
      sort_by_digits(begin, n, room);
    }
  }

private:
  // Moves elements for each digit in which keys differ, alternately between the room and the output.
  void sort_by_digits(std::uint64_t begin, std::uint64_t n, Room &room) const {
    const unsigned passes = (end_bit - begin_bit + 7) / 8;
    room.reserve(n);
    room.counts.assign(sizeof(typename Order::Bits), {});
    count_passes<Order>(keys_in + begin, n, begin_bit, end_bit, passes, room.counts.data());
    const auto is_needed = [&](unsigned pass) {
      return std::find(room.counts[pass].begin(), room.counts[pass].end(), n) == room.counts[pass].end();
    };
    unsigned needed = 0;
    for (unsigned pass = 0; pass < passes; ++pass) {
      needed += is_needed(pass) ? 1U : 0U;
    }
    const Key *keys = keys_in + begin;
    const Value *values = values_from(begin);
    // The first pass must not write to its input, and the last one writes to the output.
    if (needed % 2 == 1 || needed == 0) {
      Key *const copy = needed == 0 ? keys_out + begin : room.keys.get();
      Value *const copied_values = needed == 0 ? values_to(begin) : room.values.get();
      if (needed == 0 || keys_in == keys_out || (kHasValues && values_in == values_out)) {
        copy_all(keys, values, copy, copied_values, n);
        keys = copy;
        values = copied_values;
      }
    }
    bool to_output = needed % 2 == 1;
    for (unsigned pass = 0; pass < passes; ++pass) {
      if (!is_needed(pass)) {
        continue;
      }
      Key *const to = to_output ? keys_out + begin : room.keys.get();
      Value *const to_values = to_output ? values_to(begin) : room.values.get();
      distribute(keys, values, to, to_values, n, room.counts[pass], 8 * pass);
      keys = to;
      values = to_values;
      to_output = !to_output;
    }
  }

  static void copy_all(const Key *keys, const Value *values, Key *keys_to, Value *values_to, std::uint64_t n) {
    std::memmove(static_cast<void *>(keys_to), keys, n * sizeof(Key));
    if constexpr (kHasValues) {
      std::memmove(static_cast<void *>(values_to), values, n * sizeof(Value));
    }
  }

  void distribute(const Key *keys, const Value *values, Key *to, Value *to_values, std::uint64_t n,
                  std::array<std::uint32_t, kDigits> &counts, unsigned shift) const {
    std::uint32_t place = 0;
    for (std::uint32_t &count : counts) {
      const std::uint32_t begin = place;
      place += count;
      count = begin;
    }
    const unsigned first_bit = begin_bit + shift;
    const std::size_t mask = (std::size_t(1) << std::min(8U, end_bit - first_bit)) - 1;
    for (std::uint64_t i = 0; i < n; ++i) {
      const Key key = keys[i];
      const std::uint32_t at = counts[static_cast<std::size_t>(Order::bits(key) >> first_bit) & mask]++;
      to[at] = key;
      if constexpr (kHasValues) {
        to_values[at] = values[i];
      }
    }
  }
};

template <class Sort, class Executor>
void sort_segments(const Sort &sort, std::uint64_t segments, Executor &executor) {
  using Key = std::remove_cv_t<std::remove_pointer_t<decltype(sort.keys_out)>>;
  const std::uint64_t first = sort.offsets[0], n = sort.offsets[segments] - first;
  const std::uint64_t of_all = items_of_all(n, sizeof(Key), executor.concurrency());
  const auto is_of_all = [&](std::uint64_t s) { return sort.offsets[s + 1] - sort.offsets[s] >= of_all; };
  // A piece is the segments that begin in its chunk of the elements.
  const Chunks chunks(n, sizeof(Key));
  const auto first_from = [&](std::uint64_t element) {
    std::uint64_t low = 0, high = segments;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (sort.offsets[middle] < element) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  for_each_piece(executor, chunks.count(), [&](std::uint64_t chunk) {
    typename Sort::Room room;
    const std::uint64_t end = first_from(first + chunks.end(chunk));
    for (std::uint64_t s = first_from(first + chunks.begin(chunk)); s < end; ++s) {
      if (!is_of_all(s)) {
        sort.sort_alone(s, room);
      }
    }
  });
  if (n >= of_all) {
    for (std::uint64_t s = 0; s < segments; ++s) {
      if (is_of_all(s)) {
        sort.sort_by_all(s, executor);
      }
    }
  }
}

}  // namespace upsweep::cpu::detail
