// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of some ranks of an array, in one reading. A sorted sample gives bounds that very likely enclose these ranks,
// and the elements between the bounds are collected. If they are too few or too many, the bounds are found digit by digit, with
// a reading for each digit, and the elements are collected again.
//
// Source: Floyd and Rivest 1975, "Expected Time Bounds for Selection" (bounds from a sample).
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/sort_order.cuh>
#include <upsweep/cuda/device/sort_tile.cuh>
#include <upsweep/cuda/device/values.cuh>

#include <cmath>

namespace upsweep::cuda::detail {

inline constexpr int kRankDigitBits = 11;
inline constexpr int kRankDigits = 1 << kRankDigitBits;

// A key and its index, in the order of a stable sort: all differ.
template <class Bits>
struct Ranked {
  using Word = std::conditional_t<sizeof(Bits) <= 4, std::uint64_t, unsigned __int128>;
  static constexpr int kBits = 8 * static_cast<int>(sizeof(Bits)) + 32;

  __device__ __forceinline__ static Word of(Bits key, std::uint32_t index) { return static_cast<Word>(key) << 32 | index; }
  __device__ __forceinline__ static Bits key(Word word) { return static_cast<Bits>(word >> 32); }
  __device__ __forceinline__ static std::uint32_t index(Word word) { return static_cast<std::uint32_t>(word); }
  // Functions of the bits from `shift` on: the digit, whether two words agree above it, and a word with the digit set.
  __device__ __forceinline__ static unsigned digit(Word word, int shift) {
    return static_cast<unsigned>(word >> shift) & (kRankDigits - 1);
  }
  __device__ __forceinline__ static bool are_alike_above(Word a, Word b, int shift) {
    return shift + kRankDigitBits >= kBits || (a ^ b) >> (shift + kRankDigitBits) == 0;
  }
  __device__ __forceinline__ static Word with_digit(Word word, unsigned digit, int shift) {
    return word | static_cast<Word>(digit) << shift;
  }
};

// A word with more bits than any integer type.
struct LongWord {
  unsigned __int128 key;
  std::uint32_t index;

  friend __device__ __forceinline__ bool operator<(const LongWord &a, const LongWord &b) {
    return a.key < b.key || (a.key == b.key && a.index < b.index);
  }
};
template <>
struct Ranked<unsigned __int128> {
  using Word = LongWord;
  static constexpr int kBits = 128 + 32;

  __device__ __forceinline__ static Word of(unsigned __int128 key, std::uint32_t index) { return {key, index}; }
  __device__ __forceinline__ static unsigned __int128 key(const Word &word) { return word.key; }
  __device__ __forceinline__ static std::uint32_t index(const Word &word) { return word.index; }
  __device__ __forceinline__ static unsigned digit(const Word &word, int shift) {
    const auto bits = shift >= 32 ? static_cast<unsigned>(word.key >> (shift - 32))
                                  : static_cast<unsigned>((static_cast<std::uint64_t>(word.key) << 32 | word.index) >> shift);
    return bits & (kRankDigits - 1);
  }
  __device__ __forceinline__ static bool are_alike_above(const Word &a, const Word &b, int shift) {
    const int from = shift + kRankDigitBits;
    return from >= kBits ||
           (from >= 32 ? (a.key ^ b.key) >> (from - 32) == 0 : a.key == b.key && (a.index ^ b.index) >> from == 0);
  }
  __device__ __forceinline__ static Word with_digit(const Word &word, unsigned digit, int shift) {
    const auto key = static_cast<unsigned __int128>(digit);
    return shift >= 32 ? Word{word.key | key << (shift - 32), word.index}
                       : Word{word.key | key >> (32 - shift), word.index | digit << shift};
  }
};

// An encoded key, without ignored bits (by_members): equal keys differ only in their indices.
template <class Order>
__device__ __forceinline__ typename Order::Bits ranked_key(typename Order::Bits bits) {
  using Bits = typename Order::Bits;
  return static_cast<Bits>(static_cast<Bits>(Order::encode(bits) >> Order::kOtherBits) << Order::kOtherBits);
}

inline constexpr std::uint64_t kMostSamples = 1 << 16;

// The samples that bound the ranks of an array. The number of samples below a rank has a standard deviation of at most
// sqrt(expected); bounds are four of them away, and further, since small numbers are skewed.
struct RankBounds {
  std::uint64_t samples = 0;              // their number
  std::uint64_t least = 0, greatest = 0;  // places of the bounds; a missing bound is behind the last sample

  RankBounds() = default;
  __host__ __device__ RankBounds(std::uint64_t n, std::uint64_t first_rank, std::uint64_t last_rank) : samples(samples_of(n)) {
    const double share = static_cast<double>(samples) / static_cast<double>(n);
    const double low = static_cast<double>(first_rank) * share - away(n, share, first_rank);
    const double high = static_cast<double>(last_rank) * share + away(n, share, last_rank);
    least = first_rank == 0 || low < 0 ? samples : static_cast<std::uint64_t>(low);
    greatest = high < static_cast<double>(samples) ? static_cast<std::uint64_t>(high) : samples;
  }

  __host__ __device__ static std::uint64_t samples_of(std::uint64_t n) {
    return n / 256 < kMostSamples ? n / 256 : kMostSamples;
  }

private:
  __host__ __device__ static double away(std::uint64_t n, double share, std::uint64_t rank) {
    const double expected = static_cast<double>(rank) * share, of_others = static_cast<double>(n - rank) * share;
    return 4 * sqrt(expected < of_others ? expected : of_others) + 4;
  }
};

// 0 before the call's kernels.
template <class Word>
struct RankState {
  RankBounds bounds;        // of the samples, if there are any
  Word least, greatest;     // bounds of the elements to collect
  std::uint64_t below;      // elements less than `least`
  std::uint64_t collected;  // elements from `least` to `greatest`, even those without room
  std::uint64_t rank;       // of the last element wanted, among elements with the digits found so far
  unsigned long long digits[kRankDigits];
  unsigned finished;  // blocks of a kernel
  bool is_found;      // all elements wanted are collected
};

// The elements with the ranks first_rank to first_rank + number - 1, as far as they exist.
template <class Order_>
struct TopKProblem {
  using Order = Order_;
  using Bits = typename Order::Bits;
  using Word = typename Ranked<Bits>::Word;

  const Bits *keys;
  Later<std::uint64_t> count;
  std::uint64_t first_rank, number;
  const Bits *samples;  // encoded and sorted
  Word *collected;
  std::uint64_t room;
  RankState<Word> *state;
  ScanState *of_workspace;

  // The number of wanted elements that exist.
  __device__ __forceinline__ std::uint64_t number_there() const {
    const std::uint64_t all = count.get(), from_first = all > first_rank ? all - first_rank : 0;
    return from_first < number ? from_first : number;
  }
};

inline constexpr int kRankThreads = 512;
inline constexpr int kRankItems = 16;
inline constexpr std::uint64_t kRankTile = kRankThreads * kRankItems;

// Takes a sample of each count / samples neighbours, and chooses the samples that are the bounds.
template <class Problem>
__global__ void __launch_bounds__(kRankThreads)
    sample_kernel(const __grid_constant__ Problem problem, typename Problem::Bits *samples) {
  const std::uint64_t count = problem.count.get(), number = RankBounds::samples_of(count);
  const std::uint64_t i = std::uint64_t(blockIdx.x) * kRankThreads + threadIdx.x;
  const std::uint64_t wanted = problem.number_there();
  if (i == 0 && wanted > 0) {
    problem.state->bounds = RankBounds(count, problem.first_rank, problem.first_rank + wanted - 1);
  }
  if (i < number) {
    std::uint64_t random = (i + 1) * 0x9e3779b97f4a7c15u;
    random = (random ^ random >> 30) * 0xbf58476d1ce4e5b9u;
    random ^= random >> 27;
    samples[i] = ranked_key<typename Problem::Order>(problem.keys[count / number * i + (random >> 16) % (count / number)]);
  }
}

// Calls take(encoded key, index, whether the element exists) for all elements, by whole tiles. begin() and end() are called
// around each tile.
template <class Problem, class Take, class Begin, class End>
__device__ __forceinline__ void for_all_keys(const Problem &problem, const Take &take, const Begin &begin, const End &end) {
  using Bits = typename Problem::Bits;
  const std::uint64_t count = problem.count.get();
  for (std::uint64_t first = blockIdx.x * kRankTile; first < count; first += gridDim.x * kRankTile) {
    Bits keys[kRankItems];
    const std::uint64_t own = first + threadIdx.x;
#pragma unroll
    for (int i = 0; i < kRankItems; ++i) {
      if (own + i * kRankThreads < count) {
        keys[i] = problem.keys[own + i * kRankThreads];
      }
    }
    begin();
#pragma unroll
    for (int i = 0; i < kRankItems; ++i) {
      const std::uint64_t index = own + i * kRankThreads;
      take(i, ranked_key<typename Problem::Order>(keys[i]), static_cast<std::uint32_t>(index), index < count);
    }
    end(keys, own);
  }
}

// Called by all threads: whether this is the last block of the kernel to arrive. All blocks' earlier writes are then visible.
__device__ __forceinline__ bool is_last_to_finish(unsigned &finished) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    if (is_last) {
      finished = 0;
    }
    __threadfence();
  }
  __syncthreads();
  return is_last;
}

// kIsFirst: collects between samples; otherwise between the bounds in the state, unless the first collection has found all.
template <class Problem, bool kIsFirst>
__global__ void __launch_bounds__(kRankThreads) collect_ranks_kernel(const __grid_constant__ Problem problem) {
  using Word = typename Problem::Word;
  using Bits = typename Problem::Bits;
  using Of = Ranked<Bits>;
  RankState<Word> &state = *problem.state;
  if constexpr (kIsFirst) {
    spoil_workspace(problem.of_workspace);
  } else if (state.is_found) {
    return;
  }
  __shared__ unsigned in_block, below_in_block;
  __shared__ unsigned long long begin_of_block;
  Word least, greatest;
  if constexpr (kIsFirst) {
    const RankBounds bounds = state.bounds;
    least = Of::of(bounds.least < bounds.samples ? problem.samples[bounds.least] : Bits(0), 0);
    greatest = Of::of(bounds.greatest < bounds.samples ? problem.samples[bounds.greatest] : static_cast<Bits>(~Bits(0)), ~0u);
  } else {
    least = state.least;
    greatest = state.greatest;
  }
  if (threadIdx.x == 0) {
    below_in_block = 0;
  }
  unsigned below = 0, within = 0;
  const auto begin = [&] { within = 0; };
  const Bits least_key = Of::key(least), greatest_key = Of::key(greatest);
  const auto take = [&](int i, Bits key, std::uint32_t index, bool is_there) {
    if constexpr (kIsFirst) {  // for any index
      below += is_there && key < least_key ? 1 : 0;
      within |= is_there && key >= least_key && key <= greatest_key ? 1u << i : 0;
    } else {
      const Word word = Of::of(key, index);
      below += is_there && word < least ? 1 : 0;
      within |= is_there && !(word < least) && !(greatest < word) ? 1u << i : 0;
    }
  };
  const auto end = [&](const Bits(&keys)[kRankItems], std::uint64_t own) {
    if (__syncthreads_or(static_cast<int>(within)) == 0) {
      return;
    }
    if (threadIdx.x == 0) {
      in_block = 0;
    }
    __syncthreads();
    unsigned inclusive = __popc(within);
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      const unsigned before = shuffle_up(inclusive, distance);
      inclusive += lane_id() >= distance ? before : 0;
    }
    unsigned to = 0;
    if (lane_id() == 31) {
      to = atomicAdd(&in_block, inclusive);
    }
    to = shuffle_from(to, 31) + inclusive - __popc(within);
    __syncthreads();
    if (threadIdx.x == 0) {
      begin_of_block =
          atomicAdd(reinterpret_cast<unsigned long long *>(&state.collected), static_cast<unsigned long long>(in_block));
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kRankItems; ++i) {
      if ((within >> i & 1) != 0) {
        if (begin_of_block + to < problem.room) {
          problem.collected[begin_of_block + to] =
              Of::of(ranked_key<typename Problem::Order>(keys[i]), static_cast<std::uint32_t>(own + i * kRankThreads));
        }
        ++to;
      }
    }
  };
  for_all_keys(problem, take, begin, end);
  __syncthreads();
  if (below > 0) {
    atomicAdd(&below_in_block, below);
  }
  __syncthreads();
  if (threadIdx.x == 0 && below_in_block > 0) {
    atomicAdd(reinterpret_cast<unsigned long long *>(&state.below), static_cast<unsigned long long>(below_in_block));
  }
  if (is_last_to_finish(state.finished) && threadIdx.x == 0) {
    volatile RankState<Word> &seen = state;
    const std::uint64_t found = seen.collected, less = seen.below, wanted = problem.number_there();
    const bool are_all = less <= problem.first_rank && less + found >= problem.first_rank + wanted && found <= problem.room;
    if (!are_all) {
      state.collected = state.below = 0;
      state.rank = problem.first_rank + wanted - 1;
      state.greatest = Word{};
    }
    state.is_found = are_all || wanted == 0;
  }
}

// Finds the digit of the last element wanted in the counts of all blocks, and clears the counts. The last block calls it;
// `totals` are in shared memory.
template <class Problem, class Word>
__device__ __forceinline__ void find_rank_in_digits(const Problem &problem, RankState<Word> &state,
                                                    unsigned long long (&totals)[kRankThreads / 32], const Word &prefix,
                                                    int shift, bool is_last_digit) {
  // A thread has some neighbouring digits.
  constexpr int kOwn = kRankDigits / kRankThreads;
  volatile unsigned long long *const digits = state.digits + threadIdx.x * kOwn;
  unsigned long long own[kOwn], sum = 0;
#pragma unroll
  for (int i = 0; i < kOwn; ++i) {
    own[i] = digits[i];
    digits[i] = 0;
    sum += own[i];
  }
  unsigned long long inclusive = sum;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const unsigned long long before = shuffle_up(inclusive, distance);
    inclusive += lane_id() >= distance ? before : 0;
  }
  if (lane_id() == 31) {
    totals[threadIdx.x / 32] = inclusive;
  }
  const std::uint64_t rank = state.rank;
  __syncthreads();
  for (unsigned w = 0; w < threadIdx.x / 32; ++w) {
    inclusive += totals[w];
  }
  std::uint64_t before = inclusive - sum;
#pragma unroll
  for (int i = 0; i < kOwn; ++i) {
    if (before <= rank && rank < before + own[i]) {
      const Word word = Ranked<typename Problem::Bits>::with_digit(prefix, threadIdx.x * kOwn + i, shift);
      state.greatest = word;
      state.rank = rank - before;
      if (is_last_digit) {  // now the element itself
        state.least = problem.number == 1 ? word : Word{};
      }
    }
    before += own[i];
  }
}

// The digit at `shift` of the last element wanted, given the higher digits in state.greatest. The last block finds it in the
// counts of all blocks.
template <class Problem>
__global__ void __launch_bounds__(kRankThreads)
    find_rank_digit_kernel(const __grid_constant__ Problem problem, int shift, bool is_last_digit) {
  using Word = typename Problem::Word;
  using Bits = typename Problem::Bits;
  using Of = Ranked<Bits>;
  RankState<Word> &state = *problem.state;
  if (state.is_found) {
    return;
  }
  __shared__ unsigned counters[kRankDigits];
  __shared__ unsigned long long totals[kRankThreads / 32];
  for (int i = static_cast<int>(threadIdx.x); i < kRankDigits; i += kRankThreads) {
    counters[i] = 0;
  }
  __syncthreads();
  const Word prefix = state.greatest;
  const auto take = [&](int, Bits key, std::uint32_t index, bool is_there) {
    const Word word = Of::of(key, index);
    const bool is_alike = is_there && Of::are_alike_above(word, prefix, shift);
    const unsigned digit = Of::digit(word, shift);
    // If all digits are equal, one addition is enough.
    const unsigned alike = __ballot_sync(kAllLanes, is_alike);
    const unsigned digit_of_first = shuffle_from(digit, alike == 0 ? 0 : __ffs(static_cast<int>(alike)) - 1);
    if (__all_sync(kAllLanes, !is_alike || digit == digit_of_first)) {
      if (alike != 0 && lane_id() == 0) {
        atomicAdd(&counters[digit_of_first], static_cast<unsigned>(__popc(alike)));
      }
    } else if (is_alike) {
      atomicAdd(&counters[digit], 1u);
    }
  };
  for_all_keys(problem, take, [] {}, [](const Bits(&)[kRankItems], std::uint64_t) {});
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kRankDigits; i += kRankThreads) {
    if (counters[i] > 0) {
      atomicAdd(&state.digits[i], static_cast<unsigned long long>(counters[i]));
    }
  }
  if (!is_last_to_finish(state.finished)) {
    return;
  }
  find_rank_in_digits(problem, state, totals, prefix, shift, is_last_digit);
}

// Stores to the output the collected elements, sorted, from the first wanted element on.
template <class Problem, class Value>
__global__ void __launch_bounds__(kRankThreads)
    store_ranks_kernel(const __grid_constant__ Problem problem, const typename Problem::Word *sorted,
                       typename Problem::Bits *keys_out, const Value *values_in, Value *values_out) {
  using Of = Ranked<typename Problem::Bits>;
  const std::uint64_t number = problem.number_there();
  const std::uint64_t skipped = problem.first_rank - problem.state->below;
  for (std::uint64_t i = std::uint64_t(blockIdx.x) * kRankThreads + threadIdx.x; i < number;
       i += std::uint64_t(gridDim.x) * kRankThreads) {
    const typename Problem::Word word = sorted[skipped + i];
    if (keys_out != nullptr) {
      if constexpr (Problem::Order::kOtherBits > 0) {
        keys_out[i] = problem.keys[Of::index(word)];
      } else {
        keys_out[i] = Problem::Order::decode(Of::key(word));
      }
    }
    if constexpr (!std::is_same_v<Value, NoValue>) {
      values_out[i] = value_at(values_in, Of::index(word));
    }
  }
}

}  // namespace upsweep::cuda::detail
