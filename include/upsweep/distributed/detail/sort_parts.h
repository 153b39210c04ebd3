// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sort over ranks: each rank sorts its part, the exact places that divide the sorted parts are found, all elements are
// exchanged once, and each rank merges what it receives.
#pragma once

#include <upsweep/distributed/detail/merge_runs.h>
#include <upsweep/distributed/detail/splitters.h>
#include <upsweep/distributed/options.h>

namespace upsweep::distributed::detail {

// Whether a key comes before another one, by some of its bits.
template <class Order>
struct LessByBits {
  unsigned begin, end;
  template <class Key>
  bool operator()(const Key &x, const Key &y) const {
    return part(Order::bits(x)) < part(Order::bits(y));
  }

private:
  template <class Bits>
  Bits part(Bits bits) const {
    if (begin == end) {
      return Bits(0);
    }
    constexpr unsigned kBits = 8 * sizeof(Bits);
    return static_cast<Bits>(static_cast<Bits>(bits << (kBits - end)) >> (kBits - end + begin));
  }
};

// The number of results that this rank wants.
template <class... More>
std::uint64_t wanted_part(std::uint64_t otherwise, const More &...more) {
  return cpu::detail::option_of<part_of>(part_of(otherwise), more...).elements;
}

struct Sides {
  std::uint64_t given, wanted;
};

// Where the parts of the results begin: the wanted numbers of earlier ranks.
template <class C>
std::vector<std::uint64_t> begins_of_parts(Call<C> &call, const std::vector<Sides> &sides, std::uint64_t &all) {
  std::vector<std::uint64_t> begins;
  call.agree([&] {
    std::vector<std::uint64_t> given, wanted;
    std::uint64_t begin = 0;
    for (const Sides &side : sides) {
      given.push_back(side.given);
      wanted.push_back(side.wanted);
      begins.push_back(begin);
      begin += side.wanted;
    }
    require_sum(wanted, given);
    begins.erase(begins.begin());
    all = begin;
  });
  return begins;
}

// The lengths of what run `k` sends to each rank.
inline void lengths_of_run(Lengths &lengths, const std::vector<std::vector<std::uint64_t>> &cuts, std::size_t k,
                           std::uint64_t n) {
  for (std::size_t r = 0; r <= cuts.size(); ++r) {
    lengths.send[r] = (r < cuts.size() ? cuts[r][k] : n) - (r > 0 ? cuts[r - 1][k] : 0);
  }
}

// sort(keys_in, keys_out, values_in, values_out) sorts n elements on one rank, by `less`. With kIota the values are the
// elements' indices in the whole array.
template <bool kIota, class C, class Key, class Value, class Less, class Check, class Sort, class Executor>
void sort_parts(Call<C> &call, const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t n,
                std::uint64_t wanted, const Less &less, const Check &check, const Sort &sort, Executor &executor) {
  constexpr bool kHasValues = Pairs<Key, Value>::kHasValues;
  const auto sides = call.gather([&] {
    check();
    return Sides{n, wanted};
  });
  std::uint64_t all = 0;
  const auto begins = begins_of_parts(call, sides, all);
  Pairs<Key, Value> sorted, received, room;
  Lengths lengths;
  std::vector<typename Splitters<C, Key, Less>::Run> runs;
  call.agree([&] {
    sorted.allocate(n);
    if constexpr (kIota) {
      std::uint64_t index = 0;
      for (unsigned r = 0; r < call.rank(); ++r) {
        index += sides[r].given;
      }
      for (std::uint64_t i = 0; i < n; ++i) {
        sorted.values[i] = static_cast<Value>(index + i);
      }
      sort(keys_in, sorted.keys.get(), static_cast<const Value *>(sorted.values.get()), sorted.values.get());
    } else {
      sort(keys_in, sorted.keys.get(), values_in, sorted.values.get());
    }
    runs = {{sorted.keys.get(), n, call.rank()}};
  });
  const auto cuts = Splitters<C, Key, Less>(call, runs, less).find(begins, all);
  call.agree([&] {
    lengths.resize(call.size());
    lengths_of_run(lengths, cuts, 0, n);
    received.allocate(wanted);
  });
  call.exchange_lengths(lengths);
  call.exchange(sorted.keys.get(), received.keys.get(), lengths);
  if constexpr (kHasValues) {
    call.exchange(sorted.values.get(), received.values.get(), lengths);
  }
  sorted = {};
  call.agree([&] {
    if (std::count_if(lengths.receive.begin(), lengths.receive.end(), [](std::uint64_t length) { return length > 0; }) > 2) {
      room.allocate(wanted);
    }
    merge_runs(received, room, lengths.receive, keys_out, values_out, less, executor);
  });
}

}  // namespace upsweep::distributed::detail
