// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bitonic sort in the array itself. Every comparison puts the lesser element first: a merge of two neighbouring runs begins
// with comparisons of places that mirror each other, so that the second run need not be reversed. Places behind the last
// element would hold the largest keys and never move, so arrays of any length are sorted without them.
//
// Source: Batcher 1968, "Sorting Networks and Their Applications".
#pragma once

#include <upsweep/cuda/device/sort_call.cuh>

namespace upsweep::cuda::detail {

// kIsPartial: some bits of the keys alone count.
template <class Order_, class Value_, bool kIsPartial_>
struct SortInPlace {
  using Order = Order_;
  using Bits = typename Order::Bits;
  using Value = Value_;
  static constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;
  static constexpr bool kIsPartial = kIsPartial_;
  static constexpr std::size_t kElementBytes = sizeof(Bits) + (kHasValues ? sizeof(Value) : 0);
  // Steps that a thread makes with elements in registers: 16 elements of up to 8 bytes, and fewer larger ones.
  static constexpr int kSteps = kElementBytes <= 8 ? 4 : kElementBytes <= 16 ? 3 : kElementBytes <= 32 ? 2 : 1;
  // A tile with its gaps fits the 48 KiB of shared memory that need no attribute.
  static constexpr int kTileLog = kElementBytes <= 4    ? 13
                                  : kElementBytes <= 8  ? 12
                                  : kElementBytes <= 16 ? 11
                                  : kElementBytes <= 32 ? 10
                                                        : 9;
  static constexpr int kTile = 1 << kTileLog, kThreads = kTile >> kSteps;

  Bits *keys;
  Value *values;
  Later<std::uint64_t> count;
  int begin;  // the first bit that counts
  Bits mask;

  __device__ __forceinline__ bool is_less(Bits a, Bits b) const {
    if constexpr (kIsPartial) {
      return static_cast<Bits>(a >> begin & mask) < static_cast<Bits>(b >> begin & mask);
    }
    return a < b;
  }
};

// Elements in the array, and those in a tile, of which one place in 33 is left out, so that banks differ.
template <class Problem>
struct PlacesInArray {
  typename Problem::Bits *keys;
  typename Problem::Value *values;
  __device__ __forceinline__ static std::uint64_t slot(std::uint64_t place) { return place; }
};
template <class Problem>
struct PlacesInTile {
  typename Problem::Bits *keys;
  typename Problem::Value *values;
  __device__ __forceinline__ static std::uint32_t slot(std::uint32_t place) { return place + place / 32; }
};

// 2^kSteps elements that steps of a merge compare with each other: `within` the first stride of their span, and as far from the
// end of a stride in the mirrored half.
template <int kSteps, class Index>
struct StepsGroup {
  static constexpr int kItems = 1 << kSteps;
  Index base, within, mirrored;
  int log_stride;

  __device__ __forceinline__ StepsGroup(Index group, int span, bool is_mirrored) : log_stride(span - kSteps) {
    const Index last = (Index(1) << log_stride) - 1;
    base = group >> log_stride << span;
    within = group & last;
    mirrored = is_mirrored ? last - within : within;
  }
  __device__ __forceinline__ Index operator()(int i) const {
    return base + (static_cast<Index>(i) << log_stride) + (i < kItems / 2 ? within : mirrored);
  }
};

// Their comparisons. kIsFull: no place is behind the last element.
template <int kSteps, bool kIsFull, class Problem, class Places, class Index>
__device__ __forceinline__ void merge_group(const Problem &problem, const Places &places, const StepsGroup<kSteps, Index> &at,
                                            bool is_mirrored, Index count) {
  constexpr int kItems = 1 << kSteps;
  typename Problem::Bits keys[kItems];
  typename Problem::Value values[Problem::kHasValues ? kItems : 1];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (kIsFull || at(i) < count) {
      keys[i] = places.keys[places.slot(at(i))];
      if constexpr (Problem::kHasValues) {
        values[i] = places.values[places.slot(at(i))];
      }
    }
  }
  const auto compare = [&](int a, int b) {
    if ((kIsFull || at(b) < count) && problem.is_less(keys[b], keys[a])) {
      const typename Problem::Bits key = keys[a];
      keys[a] = keys[b];
      keys[b] = key;
      if constexpr (Problem::kHasValues) {
        const typename Problem::Value value = values[a];
        values[a] = values[b];
        values[b] = value;
      }
    }
  };
#pragma unroll
  for (int distance = kItems / 2; distance > 0; distance /= 2) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if ((i & distance) == 0) {
        if (distance == kItems / 2 && is_mirrored) {
          compare(i, kItems - 1 - i);
        } else {
          compare(i, i + distance);
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (kIsFull || at(i) < count) {
      places.keys[places.slot(at(i))] = keys[i];
      if constexpr (Problem::kHasValues) {
        places.values[places.slot(at(i))] = values[i];
      }
    }
  }
}

// kSteps steps of a merge, from those of elements 2^(span - 1) places apart on. With is_mirrored, the first step compares
// places that mirror each other.
template <int kSteps, class Problem, class Places, class Index>
__device__ __forceinline__ void merge_steps(const Problem &problem, const Places &places, Index group, int span,
                                            bool is_mirrored, Index count) {
  const StepsGroup<kSteps, Index> at(group, span, is_mirrored);
  if (at((1 << kSteps) - 1) < count) {
    merge_group<kSteps, true>(problem, places, at, is_mirrored, count);
  } else if (at(0) < count) {
    merge_group<kSteps, false>(problem, places, at, is_mirrored, count);
  }
}

// Steps over the whole array.
template <class Problem, int kSteps>
__global__ void __launch_bounds__(Problem::kThreads)
    merge_in_place_kernel(const __grid_constant__ Problem problem, int span, bool is_mirrored) {
  const std::uint64_t count = problem.count.get();
  const std::uint64_t groups = ((count + (std::uint64_t(1) << span) - 1) >> span) << (span - kSteps);
  const PlacesInArray<Problem> places{problem.keys, problem.values};
  for (std::uint64_t i = std::uint64_t(blockIdx.x) * Problem::kThreads + threadIdx.x; i < groups;
       i += std::uint64_t(gridDim.x) * Problem::kThreads) {
    merge_steps<kSteps>(problem, places, i, span, is_mirrored, count);
  }
}

// The steps of a merge in a tile, from those of elements 2^(span - 1) places apart on.
template <int kSteps, class Problem>
__device__ __forceinline__ void merge_in_tile(const Problem &problem, const PlacesInTile<Problem> &places, int span,
                                              bool is_mirrored, std::uint32_t count) {
  while (span >= kSteps) {
    for (std::uint32_t group = threadIdx.x; group < Problem::kTile >> kSteps; group += Problem::kThreads) {
      merge_steps<kSteps>(problem, places, group, span, is_mirrored, count);
    }
    __syncthreads();
    span -= kSteps;
    is_mirrored = false;
  }
  if constexpr (kSteps > 1) {
    merge_in_tile<kSteps - 1>(problem, places, span, is_mirrored, count);
  }
}

// Sorts each tile (is_first), or ends a merge in it. Keys are encoded from the first kernel on, and decoded by the last one.
template <class Problem>
__global__ void __launch_bounds__(Problem::kThreads)
    sort_tiles_in_place_kernel(const __grid_constant__ Problem problem, bool is_first, bool is_last) {
  using Order = typename Problem::Order;
  constexpr int kSlots = Problem::kTile + Problem::kTile / 32;
  __shared__ typename Problem::Bits keys[kSlots];
  __shared__ typename Problem::Value values[Problem::kHasValues ? kSlots : 1];
  const PlacesInTile<Problem> places{keys, values};
  const std::uint64_t all = problem.count.get();
  for (std::uint64_t first = std::uint64_t(blockIdx.x) * Problem::kTile; first < all;
       first += std::uint64_t(gridDim.x) * Problem::kTile) {
    const std::uint64_t left = all - first;
    const auto count = static_cast<std::uint32_t>(left < Problem::kTile ? left : Problem::kTile);
    for (std::uint32_t i = threadIdx.x; i < count; i += Problem::kThreads) {
      const typename Problem::Bits key = problem.keys[first + i];
      keys[places.slot(i)] = is_first ? Order::encode(key) : key;
      if constexpr (Problem::kHasValues) {
        values[places.slot(i)] = problem.values[first + i];
      }
    }
    __syncthreads();
    for (int span = is_first ? 1 : Problem::kTileLog; span <= Problem::kTileLog; ++span) {
      merge_in_tile<Problem::kSteps>(problem, places, span, is_first, count);
    }
    for (std::uint32_t i = threadIdx.x; i < count; i += Problem::kThreads) {
      const typename Problem::Bits key = keys[places.slot(i)];
      problem.keys[first + i] = is_last ? Order::decode(key) : key;
      if constexpr (Problem::kHasValues) {
        problem.values[first + i] = values[places.slot(i)];
      }
    }
    __syncthreads();
  }
}

// Up to kSteps steps over the array.
template <int kSteps, class Problem>
cudaError_t launch_merge_in_place(const Problem &problem, int steps, int span, bool is_mirrored, std::uint64_t most,
                                  cudaStream_t stream) {
  if constexpr (kSteps > 1) {
    if (steps < kSteps) {
      return launch_merge_in_place<kSteps - 1>(problem, steps, span, is_mirrored, most, stream);
    }
  }
  const std::uint64_t groups = ((most + (std::uint64_t(1) << span) - 1) >> span) << (span - kSteps);
  const std::uint64_t blocks = (groups + Problem::kThreads - 1) / Problem::kThreads;
  return launch(merge_in_place_kernel<Problem, kSteps>, static_cast<unsigned>(std::min<std::uint64_t>(blocks, 1u << 30)),
                Problem::kThreads, 0, stream, problem, span, is_mirrored);
}

template <class Problem>
cudaError_t launch_sort_in_place(const Problem &problem, std::uint64_t most, cudaStream_t stream) {
  const auto tiles = static_cast<unsigned>(std::min<std::uint64_t>((most + Problem::kTile - 1) / Problem::kTile, 1u << 30));
  int spans = Problem::kTileLog;
  while (most > std::uint64_t(1) << spans) {
    ++spans;
  }
  cudaError_t error = launch(sort_tiles_in_place_kernel<Problem>, tiles, Problem::kThreads, 0, stream, problem, true,
                             spans == Problem::kTileLog);
  for (int merged = Problem::kTileLog + 1; merged <= spans && error == cudaSuccess; ++merged) {
    for (int span = merged; span > Problem::kTileLog && error == cudaSuccess;) {
      const int steps = std::min(Problem::kSteps, span - Problem::kTileLog);
      error = launch_merge_in_place<Problem::kSteps>(problem, steps, span, span == merged, most, stream);
      span -= steps;
    }
    if (error == cudaSuccess) {
      error = launch(sort_tiles_in_place_kernel<Problem>, tiles, Problem::kThreads, 0, stream, problem, false, merged == spans);
    }
  }
  return error;
}

template <class Key, class Value, class... Options>
cudaError_t sort_in_place(Key *keys, Value *values, const Count &count, Options... options) {
  using Call = SortCall<Key, Value, Options...>;
  using Bits = typename Call::Bits;
  using Opaque = typename Call::Opaque;
  using Problem = SortInPlace<typename Call::Order, Opaque, Call::kIsPartial>;
  const Call call(count, options...);
  if (!call.is_valid()) {
    return cudaErrorInvalidValue;
  }
  const int bits = call.range.end - call.range.begin;
  if (count.most == 0 || bits == 0) {
    return cudaSuccess;
  }
  if (!are_words<Bits>(keys) || (Call::kHasValues && (values == nullptr || !are_apart(keys, count.most, values, count.most)))) {
    return cudaErrorInvalidValue;
  }
  const Bits mask =
      bits == static_cast<int>(8 * sizeof(Bits)) ? static_cast<Bits>(~Bits(0)) : static_cast<Bits>((Bits(1) << bits) - 1);
  return launch_sort_in_place(Problem{reinterpret_cast<Bits *>(keys),
                                      reinterpret_cast<Opaque *>(values),
                                      {count.most, count.pointer},
                                      call.range.begin,
                                      mask},
                              count.most, call.stream);
}

}  // namespace upsweep::cuda::detail
