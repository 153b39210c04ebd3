// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of numbers of 4 and 8 bytes without values, in place in the output: a quicksort in vectors. All threads split the keys
// until there are enough parts, and then each sorts parts alone. Equal keys are the same, so no order is lost.
#pragma once

#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/few_sort.h>
#include <upsweep/cpu/detail/key_order.h>
#include <upsweep/cpu/detail/stream.h>
#include <upsweep/cpu/simd/targets.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <vector>

namespace upsweep::cpu::detail {

template <class Order, class Key>
inline constexpr bool has_vector_sort = false;
template <class Key, bool kDescending>
inline constexpr bool has_vector_sort<KeyOrder<Key, kDescending>, Key> = sizeof(Key) == 4 || sizeof(Key) == 8;

inline unsigned splits_of(std::uint64_t n) { return 2 * static_cast<unsigned>(std::bit_width(n)) + 8; }

// A part of the keys that are still to be sorted, or equal keys.
struct KeyPart {
  std::uint64_t begin, n;
  bool is_equal;
};

// The keys on the wrong sides of a split whose stripes were split apart.
class Misplaced {
public:
  void add(std::uint64_t begin, std::uint64_t end) {
    if (begin < end) {
      runs_.push_back({begin, end - begin});
      count_ += end - begin;
    }
  }
  std::uint64_t count() const { return count_; }
  // The place of a key, and the number of keys in places behind it.
  std::pair<std::uint64_t, std::uint64_t> at(std::uint64_t index) const {
    auto run = runs_.begin();
    for (; index >= run->second; ++run) {
      index -= run->second;
    }
    return {run->first + index, run->second - index};
  }

private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> runs_;
  std::uint64_t count_ = 0;
};

template <class Order, class Key, class Executor>
class KeySort {
public:
  using T = std::make_signed_t<typename Order::Bits>;

  KeySort(const Key *in, Key *out, std::uint64_t n, Executor &executor)
      : in_(in), out_(out), keys_(reinterpret_cast<T *>(out)), n_(n), executor_(executor) {}

  void run() {
    if (n_ * sizeof(Key) <= kFewKeyBytes) {
      for_each_piece(executor_, n_ > 0 ? 1 : 0, [&](std::uint64_t) {
        const auto count = static_cast<std::size_t>(n_);
        UPSWEEP_CPU_DISPATCH(sort_few_keys<Order>, in_, out_, count);
      });
    } else if (!is_in_order()) {
      sort();
    }
    asm volatile("" : : : "memory");  // the caller reads numbers that were written as integers
  }

private:
  void sort() {
    const unsigned threads = std::max(1U, unsigned(executor_.concurrency()));
    if (threads == 1 || n_ * sizeof(Key) <= kAloneBytes) {
      for_each_piece(executor_, 1, [&](std::uint64_t) {
        encode(0, n_);
        sort_part({0, n_, false});
      });
      return;
    }
    const Chunks chunks(n_, sizeof(Key));
    for_each_piece(executor_, chunks.count(), [&](std::uint64_t chunk) { encode(chunks.begin(chunk), chunks.length(chunk)); });
    split_until(std::max<std::uint64_t>(n_ / (4 * threads), kAloneBytes / sizeof(Key)));
    std::sort(parts_.begin(), parts_.end(), [](const KeyPart &a, const KeyPart &b) { return a.n > b.n; });
    for_each_piece(executor_, parts_.size(), [&](std::uint64_t part) { sort_part(parts_[part]); });
  }

  // Keys that are in order, or in reverse order, are only copied.
  bool is_in_order() {
    constexpr std::uint64_t kFirst = 4096;  // most other arrays end the reading here
    const auto trend_of_keys = [&](std::uint64_t begin, std::uint64_t count) {
      const auto trend = UPSWEEP_CPU_DISPATCH(trend_of<Order>, in_ + begin, count);
      return (trend.ascends ? 1U : 0U) | (trend.descends ? 2U : 0U);
    };
    std::atomic<unsigned> trends{trend_of_keys(0, std::min(n_, kFirst))};
    if (trends != 0 && n_ > kFirst) {
      const Chunks chunks(n_, sizeof(Key));
      for_each_piece(executor_, chunks.count(), [&](std::uint64_t chunk) {
        if (trends.load(std::memory_order_relaxed) != 0) {
          trends &= trend_of_keys(chunks.begin(chunk), std::min(chunks.length(chunk) + 1, n_ - chunks.begin(chunk)));
        }
      });
    }
    if ((trends & 1) != 0) {
      copy_keys();
    } else if (trends != 0) {
      copy_keys();
      reverse_keys();
    }
    return trends != 0;
  }

  void copy_keys() {
    const Chunks chunks(n_, sizeof(Key));
    for_each_piece(executor_, in_ == out_ ? 0 : chunks.count(), [&](std::uint64_t chunk) {
      std::memcpy(static_cast<void *>(out_ + chunks.begin(chunk)), in_ + chunks.begin(chunk),
                  chunks.length(chunk) * sizeof(Key));
    });
  }

  void reverse_keys() {
    const Chunks chunks(n_ / 2, sizeof(Key));
    for_each_piece(executor_, chunks.count(), [&](std::uint64_t chunk) {
      std::swap_ranges(out_ + chunks.begin(chunk), out_ + chunks.end(chunk),
                       std::reverse_iterator(out_ + (n_ - chunks.begin(chunk))));
    });
  }

  void encode(std::uint64_t begin, std::uint64_t n) {
    const auto count = static_cast<std::size_t>(n);
    UPSWEEP_CPU_DISPATCH(encode_keys<Order>, in_ + begin, keys_ + begin, count);
  }

  void sort_part(const KeyPart &part) {
    T *const keys = keys_ + part.begin;
    const auto count = static_cast<std::size_t>(part.n);
    const unsigned depth = splits_of(part.n);
    if (part.is_equal) {
      UPSWEEP_CPU_DISPATCH(decode_keys<Order>, keys, count);
    } else {
      UPSWEEP_CPU_DISPATCH(quick_sort<Order>, keys, count, depth);
    }
  }

  // Splits parts until none has more than `most` keys; a part of equal keys becomes smaller parts of them.
  void split_until(std::uint64_t most) {
    parts_.push_back({0, n_, false});
    unsigned splits = splits_of(n_) * (1 + static_cast<unsigned>(n_ / most));
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      while (parts_[i].n > most && splits > 0) {
        --splits;
        split_part(i);
      }
    }
  }

  void split_part(std::size_t i) {
    const KeyPart part = parts_[i];
    if (part.is_equal) {
      parts_[i].n = part.n / 2;
      parts_.push_back({part.begin + part.n / 2, part.n - part.n / 2, true});
      return;
    }
    T *const keys = keys_ + part.begin;
    const auto pivot = UPSWEEP_CPU_DISPATCH(pivot_of, keys, part.n);
    const std::uint64_t below = split_by_all(part.begin, part.n, pivot.key);
    std::uint64_t less = below;
    if (below == part.n || pivot.is_frequent) {
      less = pivot.key == std::numeric_limits<T>::min() ? 0 : split_by_all(part.begin, below, static_cast<T>(pivot.key - 1));
      parts_.push_back({part.begin + less, below - less, true});
    }
    parts_[i].n = less;
    parts_.push_back({part.begin + below, part.n - below, false});
  }

  // Each thread splits a stripe. Then keys on the wrong sides trade places. Returns the number of keys up to the pivot.
  std::uint64_t split_by_all(std::uint64_t begin, std::uint64_t n, T pivot) {
    const std::uint64_t stripes = std::max(1U, unsigned(executor_.concurrency()));
    const auto stripe_begin = [&](std::uint64_t stripe) {
      return begin + n / stripes * stripe + std::min(n % stripes, stripe);
    };
    std::vector<std::uint64_t> below(stripes);
    for_each_piece(unwatched_, stripes, [&](std::uint64_t stripe) {
      T *const keys = keys_ + stripe_begin(stripe);
      const auto count = static_cast<std::size_t>(stripe_begin(stripe + 1) - stripe_begin(stripe));
      below[stripe] = UPSWEEP_CPU_DISPATCH(split, keys, count, pivot);
    });
    std::uint64_t middle = begin;
    for (const std::uint64_t count : below) {
      middle += count;
    }
    Misplaced above_before, below_behind;
    for (std::uint64_t stripe = 0; stripe < stripes; ++stripe) {
      const std::uint64_t border = stripe_begin(stripe) + below[stripe];
      above_before.add(border, std::min(middle, stripe_begin(stripe + 1)));
      below_behind.add(std::max(middle, stripe_begin(stripe)), border);
    }
    swap_all(above_before, below_behind);
    return middle - begin;
  }

  void swap_all(const Misplaced &a, const Misplaced &b) {
    const Chunks chunks(a.count(), sizeof(T));
    for_each_piece(unwatched_, chunks.count(), [&](std::uint64_t chunk) {
      for (std::uint64_t i = chunks.begin(chunk), end = chunks.end(chunk); i < end;) {
        const auto [from, from_count] = a.at(i);
        const auto [to, to_count] = b.at(i);
        const std::uint64_t count = std::min({from_count, to_count, end - i});
        std::swap_ranges(keys_ + from, keys_ + from + count, keys_ + to);
        i += count;
      }
    });
  }

  const Key *in_;
  Key *out_;
  T *keys_;
  std::uint64_t n_;
  Executor &executor_;
  Unwatched<Executor> unwatched_{executor_};  // for splits: they are many and short
  std::vector<KeyPart> parts_;
};

// Sorts keys if a vector sort can: all bits of numbers of 4 and 8 bytes without values. Returns whether it has. `in` may be
// `out`.
template <class Order, class Value, class Key, class Executor>
bool sort_in_vectors(const Key *in, Key *out, std::uint64_t n, const key_bits &bits, Executor &executor) {
  if constexpr (has_vector_sort<Order, Key> && std::is_same_v<Value, NoValue>) {
    if (bits.begin == 0 && bits.end == Order::kBits) {
      KeySort<Order, Key, Executor>(in, out, n, executor).run();
      return true;
    }
  }
  return false;
}

}  // namespace upsweep::cpu::detail
