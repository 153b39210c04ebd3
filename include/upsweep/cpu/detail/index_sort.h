// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stable sort of keys with their indices, by a sort of numbers of 8 bytes: a key's highest bits, above its index. Keys whose
// highest bits are alike are sorted afterwards by all their bits.
#pragma once

#include <upsweep/cpu/detail/key_sort.h>
#include <upsweep/cpu/detail/radix_sort.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <mutex>

namespace upsweep::cpu::detail {

template <class Order, class Key, class Index, class Executor>
class IndexSort {
public:
  using Bits = typename Order::Bits;
  using Packed = std::uint64_t;

  // The array of indices of 8 bytes also stores the packed numbers.
  IndexSort(const Key *keys_in, Key *keys_out, Index *indices, std::uint64_t n, Executor &executor)
      : in_(keys_in), out_(keys_out), indices_(indices), n_(n), executor_(executor), chunks_(n, sizeof(Packed)),
        index_bits_(static_cast<unsigned>(std::bit_width(n - 1))) {}

  // Returns false, and has written only indices, if the other sort is faster: many keys have the same highest bits, or the
  // output would overwrite keys that are still read.
  bool run() {
    find_range();
    if (!is_exact_ && in_ == out_) {
      return false;
    }
    if constexpr (sizeof(Index) != sizeof(Packed)) {
      room_ = uninitialised<Packed>(n_);
      packed_ = room_.get();
    } else {
      packed_ = reinterpret_cast<Packed *>(indices_);
    }
    for_each_piece(executor_, chunks_.count(), [&](std::uint64_t chunk) {
      for (std::uint64_t i = chunks_.begin(chunk); i < chunks_.end(chunk); ++i) {
        packed_[i] = Packed(static_cast<Bits>(Order::bits(in_[i]) - least_) >> low_bits_) << index_bits_ | i;
      }
    });
    KeySort<KeyOrder<Packed, false>, Packed, Executor>(packed_, packed_, n_, executor_).run();
    if (!is_exact_ && !sort_alike()) {
      return false;
    }
    unpack();
    return true;
  }

private:
  // The bits in which keys differ. If these do not fit above an index, the lowest of them are dropped.
  void find_range() {
    const Bits first = Order::bits(in_[0]);
    Bits least = first, greatest = first, all_differences = 0;
    std::mutex mutex;
    for_each_piece(executor_, chunks_.count(), [&](std::uint64_t chunk) {
      Bits low = first, high = first, differences = 0;
      for (std::uint64_t i = chunks_.begin(chunk); i < chunks_.end(chunk); ++i) {
        const Bits bits = Order::bits(in_[i]);
        low = std::min(low, bits);
        high = std::max(high, bits);
        differences |= bits ^ first;
      }
      const std::lock_guard lock(mutex);
      least = std::min(least, low);
      greatest = std::max(greatest, high);
      all_differences |= differences;
    });
    least_ = least;
    low_bits_ = all_differences == 0 ? 0 : static_cast<unsigned>(std::countr_zero(all_differences));
    const auto bits =
        static_cast<unsigned>(std::bit_width(static_cast<Bits>(static_cast<Bits>(greatest - least) >> low_bits_)));
    const unsigned kept = 64 - index_bits_;
    is_exact_ = bits <= kept;
    low_bits_ += is_exact_ ? 0 : bits - kept;
  }

  std::uint64_t index_of(Packed packed) const { return packed & ((Packed(1) << index_bits_) - 1); }

  // Another thread may just move numbers with the same highest bits.
  Packed packed_at(std::uint64_t i) const { return std::atomic_ref<Packed>(packed_[i]).load(std::memory_order_relaxed); }
  void put_packed(std::uint64_t i, Packed packed) {
    std::atomic_ref<Packed>(packed_[i]).store(packed, std::memory_order_relaxed);
  }

  // Sorts runs of the same highest bits by all bits. Each run belongs to the chunk in which it begins.
  bool sort_alike() {
    constexpr std::uint64_t kMost = 64;  // the other sort takes less time for longer runs
    std::atomic<bool> is_sorted{true};
    const auto highest = [&](std::uint64_t i) { return packed_at(i) >> index_bits_; };
    for_each_piece(executor_, chunks_.count(), [&](std::uint64_t chunk) {
      std::uint64_t begin = chunks_.begin(chunk);
      while (begin > 0 && begin < chunks_.end(chunk) && highest(begin - 1) == highest(begin)) {
        ++begin;
      }
      while (begin < chunks_.end(chunk) && is_sorted.load(std::memory_order_relaxed)) {
        std::uint64_t end = begin + 1;
        while (end < n_ && highest(end) == highest(begin)) {
          ++end;
        }
        if (end - begin <= kMost) {
          sort_run(begin, end);
        } else if (!is_equal_run(begin, end)) {
          is_sorted.store(false, std::memory_order_relaxed);
        }
        begin = end;
      }
    });
    return is_sorted;
  }

  Bits bits_at(std::uint64_t i) const { return Order::bits(in_[index_of(packed_at(i))]); }

  bool is_equal_run(std::uint64_t begin, std::uint64_t end) const {
    const Bits bits = bits_at(begin);
    for (std::uint64_t i = begin + 1; i < end; ++i) {
      if (bits_at(i) != bits) {
        return false;
      }
    }
    return true;
  }

  // Indices ascend within a run, so an insertion sort is stable.
  void sort_run(std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin + 1; i < end; ++i) {
      const Packed own = packed_at(i);
      const Bits bits = Order::bits(in_[index_of(own)]);
      std::uint64_t place = i;
      for (; place > begin && bits < bits_at(place - 1); --place) {
        put_packed(place, packed_at(place - 1));
      }
      put_packed(place, own);
    }
  }

  void unpack() {
    for_each_piece(executor_, chunks_.count(), [&](std::uint64_t chunk) {
      for (std::uint64_t i = chunks_.begin(chunk); i < chunks_.end(chunk); ++i) {
        const Packed packed = packed_[i];
        const std::uint64_t index = index_of(packed);
        if (is_exact_) {
          const auto above = static_cast<Bits>(static_cast<Bits>(packed >> index_bits_) << low_bits_);
          const Bits bits = Order::decode(static_cast<Bits>(above + least_));
          std::memcpy(static_cast<void *>(out_ + i), &bits, sizeof(bits));
        } else {
          out_[i] = in_[index];
        }
        indices_[i] = static_cast<Index>(index);
      }
    });
  }

  const Key *in_;
  Key *out_;
  Index *indices_;
  std::uint64_t n_;
  Executor &executor_;
  Chunks chunks_;
  unsigned index_bits_;
  Bits least_ = 0;
  unsigned low_bits_ = 0;  // not packed
  bool is_exact_ = true;   // the packed bits tell the whole key
  std::unique_ptr<Packed[]> room_;
  Packed *packed_ = nullptr;
};

}  // namespace upsweep::cpu::detail
