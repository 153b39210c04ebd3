// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of arrays larger than the caches: a pass over memory by the highest digit, and then each bucket in a thread's caches.
// With the lowest digit first, each digit would need a pass over memory.
#pragma once

#include <upsweep/cpu/detail/sort_segments.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace upsweep::cpu::detail {

// Below this size of the keys, all passes stay in the caches.
constexpr std::uint64_t kBucketSortBytes = std::uint64_t(8) << 20;

// Whether the sort begins with the highest digit in which keys differ. There must be enough lower digits. If one bucket has
// most of the keys, the sort must still save passes over memory; it sorts that bucket in the same way.
template <class Sort>
bool has_buckets(const Sort &sort, std::uint64_t n, std::size_t key_bytes) {
  const std::size_t passes = sort.passes().size();
  if (n * key_bytes < kBucketSortBytes || passes < 3) {
    return false;
  }
  const Counts &counts = sort.counts(sort.passes().back());
  return *std::max_element(counts.begin(), counts.end()) <= n / 16 || (passes >= 6 && n * key_bytes >= kStreamedBytes);
}

// Sorts keys_in to other_keys by the highest digit, and from there to keys_out by the others. keys_in may be keys_out.
template <class Order, class Key, class Value, class Executor>
void sort_by_buckets(RadixSort<Order, Key, Executor> &sort, const Key *keys_in, Key *other_keys, Key *keys_out,
                     const Value *values_in, Value *other_values, Value *values_out, unsigned begin_bit, Executor &executor) {
  const unsigned highest = sort.passes().back();
  sort.run(highest, keys_in, other_keys, values_in, other_values);
  std::array<std::uint64_t, kDigits + 1> ends{};
  std::partial_sum(sort.counts(highest).begin(), sort.counts(highest).end(), ends.begin() + 1);
  const SegmentSort<Order, Key, Value, const std::uint64_t *> buckets{
      other_keys, keys_out, other_values, values_out, ends.data(), begin_bit, sort.first_bit(highest)};
  sort_segments(buckets, kDigits, executor);
}

// in and out may be the same. A large bucket is sorted in the same way.
template <class Order, class Key, class Value, class Executor>
void sort_all(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t n, unsigned begin_bit,
              unsigned end_bit, Executor &executor) {
  if (sort_in_vectors<Order, Value>(keys_in, keys_out, n, key_bits(begin_bit, end_bit), executor)) {
    return;
  }
  if (n * sizeof(Key) < kBucketSortBytes) {
    radix_sort<Order>(keys_in, keys_out, values_in, values_out, n, begin_bit, end_bit, executor);
    return;
  }
  RadixSort<Order, Key, Executor> sort(keys_in, n, begin_bit, end_bit, executor);
  if (!has_buckets(sort, n, sizeof(Key))) {
    run_passes(sort, keys_in, keys_out, values_in, values_out, n);
    return;
  }
  const auto other_keys = uninitialised<Key>(n);
  const auto other_values = uninitialised<Value>(std::is_same_v<Value, NoValue> ? 0 : n);
  sort_by_buckets(sort, keys_in, other_keys.get(), keys_out, values_in, other_values.get(), values_out, begin_bit, executor);
}

}  // namespace upsweep::cpu::detail
