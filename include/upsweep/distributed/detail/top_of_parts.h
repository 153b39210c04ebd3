// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first k elements of a sort, on each rank: the first elements of each part are runs, of which an exact share is gathered.
#pragma once

#include <upsweep/distributed/detail/merge_runs.h>
#include <upsweep/distributed/detail/splitters.h>

namespace upsweep::distributed::detail {

// select(keys, values, some, begin) selects the first `some` elements of this part, whose first element has the index `begin`
// in the whole array. keys_out may be null.
template <class Order, class Key, class Value, class C, class Check, class Select, class Executor>
void top_of_parts(Call<C> &call, Key *keys_out, Value *values_out, std::uint64_t n, std::uint64_t k, const Check &check,
                  const Select &select, Executor &executor) {
  constexpr bool kHasValues = Pairs<Key, Value>::kHasValues;
  using Less = cpu::detail::LessByOrder<Order>;
  const Less less;
  const auto counts = call.gather([&] {
    check();
    return n;
  });
  const std::uint64_t some = std::min(k, n);
  Pairs<Key, Value> own, padded, received, room;
  std::vector<typename Splitters<C, Key, Less>::Run> runs;
  std::uint64_t all = 0;
  call.agree([&] {
    std::uint64_t begin = 0, total = 0;
    for (unsigned r = 0; r < call.size(); ++r) {
      begin += r < call.rank() ? counts[r] : 0;
      total += counts[r];
      all += std::min(k, counts[r]);
    }
    if (k > total) {
      throw std::invalid_argument("upsweep::distributed: k exceeds the number of elements of all ranks");
    }
    own.allocate(some);
    select(own.keys.get(), own.values.get(), some, begin);
    runs = {{own.keys.get(), some, call.rank()}};
  });
  const auto cuts = Splitters<C, Key, Less>(call, runs, less).find({k}, all);
  const auto shares = call.gather([&] { return cuts[0][0]; });
  const std::uint64_t most = *std::max_element(shares.begin(), shares.end());
  call.agree([&] {
    padded.allocate(most);
    std::copy_n(own.keys.get(), shares[call.rank()], padded.keys.get());
    if constexpr (kHasValues) {
      std::copy_n(own.values.get(), shares[call.rank()], padded.values.get());
    }
    received.allocate(most * call.size());
    room.allocate(k);
  });
  call.ranks().all_gather(padded.keys.get(), received.keys.get(), most * sizeof(Key));
  if constexpr (kHasValues) {
    call.ranks().all_gather(padded.values.get(), received.values.get(), most * sizeof(Value));
  }
  call.agree([&] {
    std::uint64_t at = 0;  // without the padding
    for (unsigned r = 0; r < call.size(); at += shares[r++]) {
      std::copy_n(received.keys.get() + r * most, shares[r], received.keys.get() + at);
      if constexpr (kHasValues) {
        std::copy_n(received.values.get() + r * most, shares[r], received.values.get() + at);
      }
    }
    std::unique_ptr<Key[]> keys;
    if (keys_out == nullptr) {
      keys.reset(new Key[k]);
    }
    merge_runs(received, room, shares, keys_out != nullptr ? keys_out : keys.get(), values_out, less, executor);
  });
}

}  // namespace upsweep::distributed::detail
