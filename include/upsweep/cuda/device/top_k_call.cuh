// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks, the workspace and the launches of a selection by rank.
#pragma once

#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/merge_call.cuh>
#include <upsweep/cuda/device/sort_call.cuh>
#include <upsweep/cuda/device/top_k_kernel.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::cuda::detail {

inline constexpr std::uint64_t kMostRanked = std::uint64_t(1) << 32;
inline constexpr std::uint64_t kFewRanked = 1 << 16;  // so few are all sorted

// The number of samples, and the number of elements between the bounds that fit.
struct RankPlan {
  std::uint64_t samples = 0, room;

  RankPlan(std::uint64_t n, std::uint64_t first_rank, std::uint64_t last_rank) : room(n) {
    if (n <= kFewRanked) {
      return;
    }
    const RankBounds bounds(n, first_rank, last_rank);
    samples = bounds.samples;
    const double between = static_cast<double>(bounds.greatest - (bounds.least == samples ? 0 : bounds.least));
    const double most = (between + 4 * std::sqrt(between) + 8) / (static_cast<double>(samples) / static_cast<double>(n));
    room = std::max(last_rank - first_rank + 1, std::min(n, static_cast<std::uint64_t>(most)));
  }
};

// The bytes of a sort that alternates between two buffers.
template <class Word>
std::size_t sort_space_bytes(std::uint64_t n) {
  if constexpr (std::is_same_v<Word, LongWord>) {
    return kOwnDataAt;
  } else {
    return sort_bytes<Word, NoValue>(n);
  }
}

// The contents of a workspace, from the state of the ranks at kOwnDataAt on.
template <class Bits>
struct RankSpace {
  using Word = typename Ranked<Bits>::Word;
  std::size_t samples, collected, sorted, sort, bytes;

  explicit RankSpace(const RankPlan &plan)
      : samples(kOwnDataAt + rounded_up(sizeof(RankState<Word>))),
        collected(samples + 2 * rounded_up(plan.samples * sizeof(Bits))),
        sorted(collected + rounded_up(plan.room * sizeof(Word))), sort(sorted + rounded_up(plan.room * sizeof(Word))),
        bytes(sort + std::max(sort_space_bytes<Word>(plan.room), sort_space_bytes<Bits>(plan.samples))) {}
};

// Sorts `count` elements of `current`, into `current` or `other`.
template <class Word>
cudaError_t sort_to_and_fro(void *space, std::size_t bytes, Word *&current, Word *other, const Count &count, int bits,
                            cudaStream_t stream) {
  if constexpr (std::is_same_v<Word, LongWord>) {
    const NoValue *const none = nullptr;
    return launch_merge_sort<Word, NoValue>(static_cast<ScanState *>(space), current, current, other, none, nullptr, nullptr,
                                            count, IsLess{}, stream);
  } else {
    double_buffer<Word> buffers{current, other};
    double_buffer<NoValue> none{nullptr, nullptr};
    const cudaError_t error = sort_buffers(workspace{space, bytes}, buffers, none, count, stream, key_bits(0, bits));
    current = buffers.current;
    return error;
  }
}

// The elements with the ranks first_rank to first_rank + number - 1 of a stable sort by Order.
template <class Order, class Value>
cudaError_t launch_ranks(unsigned char *space, const typename Order::Bits *keys, const Count &count, std::uint64_t first_rank,
                         std::uint64_t number, typename Order::Bits *keys_out, const Value *values_in, Value *values_out,
                         cudaStream_t stream) {
  using Bits = typename Order::Bits;
  using Problem = TopKProblem<Order>;
  using Word = typename Problem::Word;
  const RankPlan plan(count.most, first_rank, first_rank + number - 1);
  const RankSpace<Bits> layout(plan);
  auto *const state = reinterpret_cast<RankState<Word> *>(space + kOwnDataAt);
  auto *samples = reinterpret_cast<Bits *>(space + layout.samples);
  auto *sorted = reinterpret_cast<Word *>(space + layout.collected);
  DeviceLimits limits;
  cudaError_t error = DeviceLimits::of_current(limits);
  if (error == cudaSuccess) {
    error = cudaMemsetAsync(state, 0, sizeof *state, stream);
  }
  Problem problem{keys,  {count.most, count.pointer},         first_rank, number, samples, sorted, plan.room,
                  state, reinterpret_cast<ScanState *>(space)};
  if (error == cudaSuccess && plan.samples > 0) {
    error = launch(sample_kernel<Problem>, static_cast<unsigned>((plan.samples + kRankThreads - 1) / kRankThreads),
                   kRankThreads, 0, stream, problem, samples);
    if (error == cudaSuccess) {
      auto *const other = reinterpret_cast<Bits *>(space + layout.samples + rounded_up(plan.samples * sizeof(Bits)));
      const Count of_samples{plan.samples, count.pointer == nullptr ? nullptr : &state->bounds.samples, false};
      error = sort_to_and_fro(space + layout.sort, layout.bytes - layout.sort, samples, other, of_samples,
                              8 * static_cast<int>(sizeof(Bits)), stream);
      problem.samples = samples;
    }
  }
  const auto blocks = static_cast<unsigned>(
      std::clamp<std::uint64_t>((count.most + kRankTile - 1) / kRankTile, 1, std::uint64_t(4) * limits.multiprocessors));
  if (error == cudaSuccess) {
    error = launch(collect_ranks_kernel<Problem, true>, blocks, kRankThreads, 0, stream, problem);
  }
  if (plan.samples > 0) {
    for (int shift = (Ranked<Bits>::kBits - 1) / kRankDigitBits * kRankDigitBits; shift >= 0 && error == cudaSuccess;
         shift -= kRankDigitBits) {
      error = launch(find_rank_digit_kernel<Problem>, blocks, kRankThreads, 0, stream, problem, shift, shift == 0);
    }
    if (error == cudaSuccess) {
      error = launch(collect_ranks_kernel<Problem, false>, blocks, kRankThreads, 0, stream, problem);
    }
  }
  if (error == cudaSuccess) {
    error = sort_to_and_fro(space + layout.sort, layout.bytes - layout.sort, sorted,
                            reinterpret_cast<Word *>(space + layout.sorted), {plan.room, &state->collected, false},
                            Ranked<Bits>::kBits, stream);
  }
  return error != cudaSuccess
             ? error
             : launch(store_ranks_kernel<Problem, Value>,
                      static_cast<unsigned>(std::min<std::uint64_t>((number + kRankThreads - 1) / kRankThreads, 4096)),
                      kRankThreads, 0, stream, problem, static_cast<const Word *>(sorted), keys_out, values_in, values_out);
}

// A request of the ranks first_rank to first_rank + number - 1.
template <class Key, class Value, class... Options>
cudaError_t select_ranks(const workspace &space, const Key *keys, const Count &count, std::uint64_t first_rank,
                         std::uint64_t number, Key *keys_out, const Value *values_in, Value *values_out, bool are_values_right,
                         Options... options) {
  static_assert(!has_option<key_bits, Options...>, "upsweep: the options of a selection by rank are a stream and descending");
  using Call = SortCall<Key, Value, Options...>;
  using Bits = typename Call::Bits;
  using Opaque = typename Call::Opaque;
  const Call call(count, options...);
  const std::uint64_t n = count.most;
  if (n > kMostRanked || count.is_null || number > n || first_rank > n - number) {
    return cudaErrorInvalidValue;
  }
  if (number == 0) {
    return cudaSuccess;
  }
  const bool are_arrays_right =
      are_words<Bits>(keys) && are_values_right &&
      are_pairs_apart(keys, keys_out, values_in, values_out, count.known(), number) &&
      (keys_out == nullptr || (are_words<Bits>(keys_out) && are_apart(keys, count.known(), keys_out, number))) &&
      (values_in == nullptr || are_apart(values_in, count.known(), values_out, number));
  const std::size_t needed = RankSpace<Bits>(RankPlan(n, first_rank, first_rank + number - 1)).bytes;
  return call.check_and_run(space, needed, are_arrays_right, [&](const workspace &memory) {
    return launch_ranks<typename Call::Order, Opaque>(
        static_cast<unsigned char *>(memory.data), reinterpret_cast<const Bits *>(keys), count, first_rank, number,
        reinterpret_cast<Bits *>(keys_out), reinterpret_cast<const Opaque *>(values_in), reinterpret_cast<Opaque *>(values_out),
        call.stream);
  });
}

}  // namespace upsweep::cuda::detail
