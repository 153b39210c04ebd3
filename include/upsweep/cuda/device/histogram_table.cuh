// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place in which a block counts: a table in shared memory with several columns for each bin. For many bins it is a cache of
// the first bins that occur, in front of the counts in memory.
#pragma once

#include <upsweep/cuda/device/slice.cuh>

namespace upsweep::cuda::detail {

struct NoWeight {};

// Sums of one kind: samples, integer weights or floating weights. In shared memory a sum is one word, or two: in words[i] and
// words[i + planes_apart].
template <class Counter, class Weight>
struct BinSum {
  static constexpr bool kCounts = std::is_same_v<Weight, NoWeight>;
  static constexpr bool kFloats = std::is_floating_point_v<Counter>;
  static constexpr int kWords = kCounts ? 1 : sizeof(Counter) / 4;
  using Total = std::conditional_t<kFloats, Counter, unsigned long long>;

  __device__ __forceinline__ static void add(std::uint32_t *words, unsigned planes_apart, unsigned i, const Weight &weight) {
    if constexpr (kCounts) {
      // A constant: the hardware then adds once for all lanes with the same address.
      atomicAdd(&words[i], 1u);
    } else if constexpr (kFloats && sizeof(Counter) == 4) {
      atomicAdd(reinterpret_cast<float *>(&words[i]), static_cast<float>(weight));
    } else if constexpr (kFloats) {
      atomicAdd(&reinterpret_cast<double *>(words)[i], static_cast<double>(weight));
    } else {
      // Shared memory has 64-bit additions only by a loop.
      const auto bits = static_cast<std::uint64_t>(weight);
      const auto low = static_cast<std::uint32_t>(bits);
      if constexpr (sizeof(Counter) == 4) {
        atomicAdd(&words[i], low);
      } else {
        const std::uint32_t before = atomicAdd(&words[i], low);
        const auto high = static_cast<std::uint32_t>(bits >> 32) + (before + low < low ? 1u : 0u);
        if (high != 0) {
          atomicAdd(&words[i + planes_apart], high);
        }
      }
    }
  }
  __device__ __forceinline__ static Total get(const std::uint32_t *words, unsigned planes_apart, unsigned i) {
    if constexpr (kFloats && sizeof(Counter) == 4) {
      return __uint_as_float(words[i]);
    } else if constexpr (kFloats) {
      return reinterpret_cast<const double *>(words)[i];
    } else if constexpr (kWords == 1) {
      return words[i];
    } else {
      return words[i] + (static_cast<Total>(words[i + planes_apart]) << 32);
    }
  }
  __device__ __forceinline__ static void add_to_memory(Counter *count, Total total) {
    if constexpr (kFloats) {
      atomicAdd(count, total);
    } else if constexpr (sizeof(Counter) == 4) {
      atomicAdd(reinterpret_cast<unsigned *>(count), static_cast<unsigned>(total));
    } else {
      atomicAdd(reinterpret_cast<unsigned long long *>(count), total);
    }
  }
  __device__ __forceinline__ static Total of_weight(const Weight &weight) {
    if constexpr (kCounts) {
      return 1;
    } else {
      return static_cast<Total>(weight);
    }
  }
};

// A table of `range` bins from `begin` on, for each channel. Lanes of a warp count in columns of their own, as far as there is
// room, so that they do not meet in a bank of shared memory. With fewer columns than banks (kShuffled), bins are shuffled, so
// that bins a power of two apart are in different banks.
template <class Sum, class Counter, bool kShuffled>
struct ColumnTable {
  std::uint32_t *words;
  unsigned begin, range, log_columns, column, entries;

  template <class Problem>
  __device__ __forceinline__ ColumnTable(const Problem &problem, std::uint32_t *memory)
      : words(memory), range(problem.range), log_columns(problem.log_columns),
        column(threadIdx.x & ((1u << problem.log_columns) - 1)),
        entries((Problem::kCounted * problem.range) << problem.log_columns) {
    begin = blockIdx.x % problem.ranges * range;
    for (unsigned i = threadIdx.x; i < entries * Sum::kWords; i += blockDim.x) {
      words[i] = 0;
    }
  }

  template <class Weight>
  __device__ __forceinline__ void add(unsigned channel, unsigned bin, const Weight &weight) {
    const unsigned place = bin - begin;
    if (place < range) {
      Sum::add(words, entries, row(channel, place) + column, weight);
    }
  }

  __device__ __forceinline__ unsigned row(unsigned channel, unsigned place) const {
    if constexpr (kShuffled) {
      place ^= (place >> 5 ^ place >> 10 ^ place >> 15) & 31;
    }
    return (channel * range + place) << log_columns;
  }

  // Calls use(channel, bin, total) for each sum other than 0.
  template <class Use>
  __device__ __forceinline__ void for_each(int channels, const Use &use) const {
    const unsigned columns = 1u << log_columns;
    for (int channel = 0; channel < channels; ++channel) {
      for (unsigned place = threadIdx.x; place < range; place += blockDim.x) {
        const unsigned first = row(channel, place);
        typename Sum::Total total = 0;
        for (unsigned c = 0; c < columns; ++c) {
          total += Sum::get(words, entries, first + ((c + threadIdx.x) & (columns - 1)));
        }
        if (total != 0) {
          use(channel, begin + place, total);
        }
      }
    }
  }
};

// The sums of bins in two places for each hash value: the first bins that occur get them. Counts of other bins go to memory
// directly. Each block has another hash, so a frequent bin without a place in one block has a place in most others.
template <class Sum, class Counter>
struct BinCache {
  static constexpr unsigned kFree = ~0u;
  std::uint32_t *tags, *words;
  unsigned log_slots, salt;
  std::uint32_t bins, begin, range;
  Counter *counts;

  template <class Problem>
  __device__ __forceinline__ BinCache(const Problem &problem, std::uint32_t *memory)
      : tags(memory + (Sum::kWords << problem.log_columns)), words(memory), log_slots(problem.log_columns),
        salt(blockIdx.x * 0x9e3779b1u), bins(problem.bins_counted), begin(problem.begin), range(problem.range),
        counts(problem.counts) {
    for (unsigned i = threadIdx.x; i < 1u << log_slots; i += blockDim.x) {
      tags[i] = kFree;
      for (int w = 0; w < Sum::kWords; ++w) {
        words[i * Sum::kWords + w] = 0;
      }
    }
  }

  template <class Weight>
  __device__ __forceinline__ void add(unsigned channel, unsigned bin, const Weight &weight) {
    if (bin - begin >= range) {
      return;
    }
    const unsigned key = channel * bins + bin;
    const unsigned first = ((key ^ salt) * 0x9e3779b1u) >> (32 - log_slots);
#pragma unroll
    for (unsigned way = 0; way < 2; ++way) {
      const unsigned slot = first ^ way;
      unsigned tag = *static_cast<volatile std::uint32_t *>(&tags[slot]);
      if (tag == kFree) {
        tag = atomicCAS(&tags[slot], kFree, key);
        tag = tag == kFree ? key : tag;
      }
      if (tag == key) {
        Sum::add(words, 1u << log_slots, slot, weight);
        return;
      }
    }
    Sum::add_to_memory(&counts[key], Sum::of_weight(weight));
  }

  template <class Use>
  __device__ __forceinline__ void for_each(int, const Use &use) const {
    for (unsigned i = threadIdx.x; i < 1u << log_slots; i += blockDim.x) {
      if (tags[i] != kFree) {
        use(0, tags[i], Sum::get(words, 1u << log_slots, i));
      }
    }
  }
};

}  // namespace upsweep::cuda::detail
