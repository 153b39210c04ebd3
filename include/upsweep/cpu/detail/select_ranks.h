// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements at some places of a sort. Digits are counted from the highest on until few keys share the prefix of the last
// wanted key. These keys and all smaller ones are kept and sorted.
#pragma once

#include <upsweep/cpu/detail/arguments.h>
#include <upsweep/cpu/detail/radix_sort.h>

#include <stdexcept>

namespace upsweep::cpu::detail {

// A digit of 12 bits holds a float's sign, exponent and three more bits; its counts fit the first-level cache.
constexpr unsigned kRankBits = 12;
// This many keys are sorted in less time than another count of all takes, at least for large arrays.
constexpr std::uint64_t kFewRanks = std::uint64_t(1) << 16;

template <class Key>
void require_ranks(const Key *in, std::uint64_t n, std::uint64_t first, std::uint64_t count) {
  require_array(in, n, "the input");
  if (count > n || first > n - count) {
    throw std::invalid_argument("upsweep::cpu: k or the rank exceeds the number of elements");
  }
}

// The known highest bits of the wanted key, and the numbers of keys below this prefix and with it.
template <class Order>
struct RankPrefix {
  using Bits = typename Order::Bits;
  unsigned shift = Order::kBits;  // bits below the prefix
  Bits prefix = 0;
  std::uint64_t below = 0, alike = 0;  // keys below it, and keys that begin with it

  Bits above(Bits bits) const { return shift >= 8 * sizeof(Bits) ? Bits(0) : static_cast<Bits>(bits >> shift); }
};

template <class Order, class Key, class Executor>
void extend(RankPrefix<Order> &known, const Key *keys, const Chunks &chunks, std::uint64_t place, Executor &executor) {
  using Bits = typename Order::Bits;
  const unsigned bits = std::min(kRankBits, known.shift), shift = known.shift - bits;
  std::vector<std::uint64_t> all(std::size_t(1) << bits);
  std::mutex mutex;
  for_each_piece(executor, chunks.count(), [&](std::uint64_t chunk) {
    std::vector<std::uint32_t> counts(all.size());
    for (std::uint64_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i) {
      const Bits own = Order::bits(keys[i]);
      if (known.above(own) == known.prefix) {
        ++counts[static_cast<std::size_t>(own >> shift) & (all.size() - 1)];
      }
    }
    const std::lock_guard lock(mutex);
    for (std::size_t d = 0; d < all.size(); ++d) {
      all[d] += counts[d];
    }
  });
  std::size_t digit = 0;
  while (known.below + all[digit] <= place) {
    known.below += all[digit++];
  }
  known.alike = all[digit];
  known.prefix = static_cast<Bits>((bits >= 8 * sizeof(Bits) ? Bits(0) : static_cast<Bits>(known.prefix << bits)) | digit);
  known.shift = shift;
}

// Calls put(place, key, index) for the elements at places first to first + count - 1; `place` counts from `first`.
template <class Order, class Index, class Key, class Put, class Executor>
void select_ranks(const Key *keys, std::uint64_t n, std::uint64_t first, std::uint64_t count, const Put &put,
                  Executor &executor) {
  if (count == 0) {
    return;
  }
  const Chunks chunks(n, sizeof(Key));
  RankPrefix<Order> known;
  known.alike = n;
  const std::uint64_t last = first + count - 1;
  const bool is_from_begin = first == 0;  // all earlier ones are wanted, too
  while (known.shift > 0 && known.alike > std::max({kFewRanks, n / 64, is_from_begin ? count : 0})) {
    extend(known, keys, chunks, last, executor);
  }
  // The first of the keys equal to the wanted one suffice.
  const std::uint64_t alike_kept = known.shift == 0 ? last - known.below + 1 : known.alike;
  const std::uint64_t below_kept = is_from_begin ? known.below : 0;
  struct Found {
    std::uint64_t below = 0, alike = 0;
  };
  std::vector<Found> found(chunks.count());
  const auto for_each_key = [&](std::uint64_t chunk, const auto &visit) {
    for (std::uint64_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i) {
      const auto above = known.above(Order::bits(keys[i]));
      visit(i, above < known.prefix, above == known.prefix);
    }
  };
  for_each_piece(executor, chunks.count(), [&](std::uint64_t chunk) {
    Found own;
    for_each_key(chunk, [&](std::uint64_t, bool is_below, bool is_alike) {
      own.below += is_below ? 1 : 0;
      own.alike += is_alike ? 1 : 0;
    });
    found[chunk] = own;
  });
  Found before;
  for (Found &part : found) {
    const Found own = part;
    part = before;
    before.below += own.below;
    before.alike += own.alike;
  }
  // The kept keys in order: keys below the prefix, then keys with the prefix.
  const std::uint64_t kept = below_kept + alike_kept;
  const auto kept_keys = uninitialised<Key>(kept);
  const auto indices = uninitialised<Index>(kept);
  for_each_piece(executor, chunks.count(), [&](std::uint64_t chunk) {
    Found at = found[chunk];
    for_each_key(chunk, [&](std::uint64_t i, bool is_below, bool is_alike) {
      if (is_below && is_from_begin) {
        kept_keys[at.below] = keys[i];
        indices[at.below++] = static_cast<Index>(i);
      } else if (is_alike && at.alike < alike_kept) {
        kept_keys[below_kept + at.alike] = keys[i];
        indices[below_kept + at.alike++] = static_cast<Index>(i);
      }
    });
  });
  radix_sort<Order>(static_cast<const Key *>(kept_keys.get()), kept_keys.get(), static_cast<const Index *>(indices.get()),
                    indices.get(), kept, 0, Order::kBits, executor);
  const std::uint64_t skipped = is_from_begin ? 0 : first - known.below;
  for (std::uint64_t place = 0; place < count; ++place) {
    put(place, kept_keys[skipped + place], indices[skipped + place]);
  }
}

}  // namespace upsweep::cpu::detail
