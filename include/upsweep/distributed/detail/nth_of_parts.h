// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element at one place of a sort: digits of the keys are counted on all ranks, from the highest on.
#pragma once

#include <upsweep/cpu/detail/select_ranks.h>
#include <upsweep/distributed/histogram.h>

namespace upsweep::distributed::detail {

template <class Key>
struct Nth {
  Key key{};
  std::uint64_t index = 0;
};

// Counts the next digit of the keys that begin with the known prefix.
template <class Order, class Key, class Executor>
void count_digits(const cpu::detail::RankPrefix<Order> &known, const Key *keys, std::uint64_t n, unsigned shift,
                  std::vector<std::uint64_t> &all, Executor &executor) {
  const cpu::detail::Chunks chunks(n, sizeof(Key));
  std::mutex mutex;
  cpu::detail::for_each_piece(executor, chunks.count(), [&](std::uint64_t chunk) {
    std::vector<std::uint32_t> counts(all.size());
    for (std::uint64_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i) {
      const auto own = Order::bits(keys[i]);
      if (known.above(own) == known.prefix) {
        ++counts[static_cast<std::size_t>(own >> shift) & (all.size() - 1)];
      }
    }
    const std::lock_guard lock(mutex);
    for (std::size_t d = 0; d < all.size(); ++d) {
      all[d] += counts[d];
    }
  });
}

template <class Order, class C, class Key, class Check, class Executor>
Nth<Key> nth_of_parts(Call<C> &call, const Key *keys, std::uint64_t n, std::uint64_t place, const Check &check,
                      Executor &executor) {
  static_assert(std::is_trivially_copyable_v<Key>, "keys must be trivially copyable");
  using Bits = typename Order::Bits;
  const auto counts = call.gather([&] {
    check();
    return n;
  });
  cpu::detail::RankPrefix<Order> known;
  std::vector<std::uint64_t> digits;
  Adding<std::uint64_t> adding;
  call.agree([&] {
    if (place >= std::accumulate(counts.begin(), counts.end(), std::uint64_t(0))) {
      throw std::invalid_argument("upsweep::distributed: the place exceeds the number of elements of all ranks");
    }
  });
  while (known.shift > 0) {
    const unsigned bits = std::min(cpu::detail::kRankBits, known.shift), shift = known.shift - bits;
    call.agree([&] {
      digits.assign(std::size_t(1) << bits, 0);
      count_digits(known, keys, n, shift, digits, executor);
      adding.allocate(call.size(), call.rank(), digits.size());
    });
    adding.add(call, digits.data());
    std::size_t digit = 0;
    while (known.below + digits[digit] <= place) {
      known.below += digits[digit++];
    }
    known.prefix = static_cast<Bits>((bits >= 8 * sizeof(Bits) ? Bits(0) : static_cast<Bits>(known.prefix << bits)) | digit);
    known.shift = shift;
  }
  // The wanted one among the keys that are equal to it, in the order of ranks.
  const auto equal = call.gather([&] {
    return static_cast<std::uint64_t>(
        std::count_if(keys, keys + n, [&](const Key &key) { return Order::bits(key) == known.prefix; }));
  });
  std::uint64_t wanted = place - known.below, begin = 0;
  unsigned owner = 0;
  for (; wanted >= equal[owner]; ++owner) {
    wanted -= equal[owner];
    begin += counts[owner];
  }
  return call.gather([&] {
    Nth<Key> own;
    if (call.rank() == owner) {
      const Key *at = keys;
      for (std::uint64_t left = wanted;; ++at) {
        if (Order::bits(*at) == known.prefix && left-- == 0) {
          break;
        }
      }
      own = {*at, begin + static_cast<std::uint64_t>(at - keys)};
    }
    return own;
  })[owner];
}

}  // namespace upsweep::distributed::detail
