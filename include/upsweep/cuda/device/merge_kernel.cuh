// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of merges: a block merges a tile of the result, or sorts a tile by merges of ever longer runs.
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/merge_path.cuh>
#include <upsweep/cuda/device/move_values.cuh>
#include <upsweep/cuda/device/sort_tile.cuh>
#include <upsweep/cuda/device/values.cuh>

namespace upsweep::cuda::detail {

inline constexpr int kMergeThreads = 256;
// The elements of a thread, in less than 32 KiB of shared memory. The number is odd, so that threads collide in few banks.
constexpr int merge_items(std::size_t bytes) {
  return bytes <= 4 ? 15 : bytes <= 8 ? 11 : bytes <= 16 ? 7 : bytes <= 32 ? 3 : 1;
}

// The elements of ranges `a` and `b`, in the order of less(x, y). A sort has only `a`.
template <class Key_, class Value_, class Less_>
struct MergeProblem {
  using Key = Key_;
  using Value = Value_;
  using Less = Less_;
  static constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;
  static constexpr int kItems = merge_items(sizeof(Key)), kTileItems = kMergeThreads * kItems;

  const Key *a_keys, *b_keys;
  Key *keys_out;
  const Value *a_values, *b_values;
  Value *values_out;
  Less less;
};

template <class Problem>
struct MergeShared {
  Room<typename Problem::Key> keys[Problem::kTileItems + 1];
  std::uint16_t places[Problem::kHasValues ? Problem::kTileItems : 1];
  std::uint64_t ends[2];
};

// A kernel before the merge stores the begin and end of each tile in the first range at the place of the tile's first keys, if
// they have room for two words of 8 bytes. So a merge needs no workspace.
template <class Key>
__device__ __forceinline__ bool has_split(std::uint64_t keys_of_tile) {
  return keys_of_tile * sizeof(Key) >= 2 * sizeof(std::uint64_t);
}
template <class Key>
using SplitWord = UnsignedOf<alignof(Key) < 8 ? alignof(Key) : 8>;
template <class Key>
__device__ __forceinline__ void put_split(Key *tile, int which, std::uint64_t split) {
  using Word = SplitWord<Key>;
  constexpr int kWords = 8 / sizeof(Word);
  auto *const to = reinterpret_cast<Word *>(tile) + which * kWords;
#pragma unroll
  for (int i = 0; i < kWords; ++i) {
    to[i] = static_cast<Word>(split >> (8 * sizeof(Word) * i));
  }
}
template <class Key>
__device__ __forceinline__ std::uint64_t split_at(const Key *tile, int which) {
  using Word = SplitWord<Key>;
  constexpr int kWords = 8 / sizeof(Word);
  const auto *const from = reinterpret_cast<const Word *>(tile) + which * kWords;
  std::uint64_t split = 0;
#pragma unroll
  for (int i = 0; i < kWords; ++i) {
    split |= std::uint64_t(from[i]) << (8 * sizeof(Word) * i);
  }
  return split;
}

template <class Problem>
class MergeTile {
  using Key = typename Problem::Key;
  static constexpr int kItems = Problem::kItems, kTileItems = Problem::kTileItems;

public:
  __device__ __forceinline__ MergeTile(const Problem &problem, MergeShared<Problem> &shared)
      : problem_(problem), shared_(shared) {}

  // Merges the tile that begins with merged element `first` of a[0, a_count) and b[0, b_count).
  __device__ __forceinline__ void merge(const Problem &of_runs, std::uint64_t a_count, std::uint64_t b_count,
                                        std::uint64_t first) {
    const std::uint64_t end = min(first + kTileItems, a_count + b_count);
    const int warp = static_cast<int>(threadIdx.x) / 32;
    if (has_split<Key>(end - first)) {
      if (threadIdx.x < 2) {
        shared_.ends[threadIdx.x] = split_at(of_runs.keys_out + first, static_cast<int>(threadIdx.x));
      }
    } else if (warp < 2) {
      const std::uint64_t of_a =
          merge_path_of_warp(of_runs.a_keys, a_count, of_runs.b_keys, b_count, warp == 0 ? first : end, problem_.less);
      if (lane_id() == 0) {
        shared_.ends[warp] = of_a;
      }
    }
    __syncthreads();
    // If less(x, y) is no order, as for NaNs, the tile's end may be out of order: only elements of the ranges are read.
    const std::uint64_t a_first = shared_.ends[0], b_first = first - a_first, a_end = max(shared_.ends[1], a_first);
    const auto all = static_cast<unsigned>(end - first);
    const auto of_a = static_cast<unsigned>(min(a_end - a_first, std::uint64_t(all)));
    load(all, [&](unsigned i) { return (i < of_a ? of_runs.a_keys + a_first : of_runs.b_keys + b_first - of_a) + i; });
    __syncthreads();
    Room<Key> merged[kItems];
    std::uint16_t places[kItems];
    const unsigned diagonal = min(static_cast<unsigned>(threadIdx.x) * kItems, all);
    const unsigned i = merge_path(shared_.keys, of_a, shared_.keys + of_a, all - of_a, diagonal, problem_.less);
    merge_in_thread<kItems>(shared_.keys, i, of_a, of_a + diagonal - i, all, merged, places, problem_.less);
    exchange(merged, places);
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      const unsigned from = k * kMergeThreads + threadIdx.x;
      if (from < all) {
        of_runs.keys_out[first + from] = shared_.keys[from].value;
        if constexpr (Problem::kHasValues) {
          const unsigned place = shared_.places[from];
          of_runs.values_out[first + from] =
              place < of_a ? of_runs.a_values[a_first + place] : of_runs.b_values[b_first + place - of_a];
        }
      }
    }
  }

  // Sorts the tile of `all` elements at `first`.
  __device__ __forceinline__ void sort(std::uint64_t first, unsigned all) {
    load(all, [&](unsigned i) { return problem_.a_keys + first + i; });
    __syncthreads();
    Room<Key> keys[kItems];
    std::uint16_t places[kItems];
    sort_in_thread(keys, places, all);
    exchange(keys, places);
#pragma unroll 1
    for (unsigned run = kItems; run < all; run *= 2) {
      merge_runs(keys, places, run, all);
      exchange(keys, places);
    }
    std::uint32_t to[kItems], from[kItems];
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      to[k] = k * kMergeThreads + threadIdx.x;
      from[k] = 0;
      if (to[k] < all) {
        problem_.keys_out[first + to[k]] = shared_.keys[to[k]].value;
        from[k] = Problem::kHasValues ? shared_.places[to[k]] : 0;
      }
    }
    if constexpr (Problem::kHasValues) {
      move_values<kItems>(problem_.a_values + first, problem_.values_out + first, from, to, all, [] { __syncthreads(); });
    }
  }

private:
  // All loads of a thread's keys are in flight together.
  template <class Address>
  __device__ __forceinline__ void load(unsigned all, const Address &address) {
    Room<Key> keys[kItems];
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      const unsigned i = k * kMergeThreads + threadIdx.x;
      if (i < all) {
        keys[k].value = *address(i);
      }
    }
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      const unsigned i = k * kMergeThreads + threadIdx.x;
      if (i < all) {
        shared_.keys[i] = keys[k];
      }
    }
  }

  // Stores the threads' own elements side by side in shared memory.
  __device__ __forceinline__ void exchange(const Room<Key> (&keys)[kItems], const std::uint16_t (&places)[kItems]) {
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      shared_.keys[threadIdx.x * kItems + k] = keys[k];
      if constexpr (Problem::kHasValues) {
        shared_.places[threadIdx.x * kItems + k] = places[k];
      }
    }
    __syncthreads();
  }

  // Sorts by transpositions of neighbours, which keep the order of equal keys. Places behind the last key stay behind.
  __device__ __forceinline__ void sort_in_thread(Room<Key> (&keys)[kItems], std::uint16_t (&places)[kItems], unsigned all) {
    const unsigned first = threadIdx.x * kItems;
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      keys[k] = shared_.keys[first + k];
      places[k] = static_cast<std::uint16_t>(first + k);
    }
#pragma unroll
    for (int round = 0; round < kItems; ++round) {
#pragma unroll
      for (int k = round % 2; k + 1 < kItems; k += 2) {
        if (first + k + 1 < all && problem_.less(keys[k + 1].value, keys[k].value)) {
          const Room<Key> key = keys[k];
          keys[k] = keys[k + 1];
          keys[k + 1] = key;
          const std::uint16_t place = places[k];
          places[k] = places[k + 1];
          places[k + 1] = place;
        }
      }
    }
  }

  // Merges two adjacent runs.
  __device__ __forceinline__ void merge_runs(Room<Key> (&keys)[kItems], std::uint16_t (&places)[kItems], unsigned run,
                                             unsigned all) {
    const unsigned own = threadIdx.x * kItems;
    const unsigned a = min(own / (2 * run) * (2 * run), all);
    const unsigned b = min(a + run, all), end = min(b + run, all);
    const unsigned diagonal = min(own - min(a, own), end - a);
    const unsigned i = merge_path(shared_.keys + a, b - a, shared_.keys + b, end - b, diagonal, problem_.less);
    merge_in_thread<kItems>(shared_.keys, a + i, b, b + diagonal - i, end, keys, places, problem_.less);
    if constexpr (Problem::kHasValues) {
#pragma unroll
      for (int k = 0; k < kItems; ++k) {
        places[k] = shared_.places[min(static_cast<unsigned>(places[k]), unsigned(kTileItems - 1))];
      }
    }
  }

  const Problem &problem_;
  MergeShared<Problem> &shared_;
};

// The ranges that a merge's tiles share: two ranges, or each two runs of `run` elements (whole tiles) of problem.a_keys.
struct TwoRanges {
  std::uint64_t a_count, b_count;

  __device__ __forceinline__ std::uint64_t count() const { return a_count + b_count; }
  __device__ __forceinline__ std::uint64_t begin(std::uint64_t) const { return 0; }
  __device__ __forceinline__ std::uint64_t middle(std::uint64_t, std::uint64_t) const { return a_count; }
  __device__ __forceinline__ std::uint64_t end(std::uint64_t, std::uint64_t all) const { return all; }
  template <class Problem>
  __device__ __forceinline__ Problem of(const Problem &problem, std::uint64_t, std::uint64_t) const {
    return problem;
  }
};
struct PairsOfRuns {
  Later<std::uint64_t> number;
  std::uint64_t run;

  __device__ __forceinline__ std::uint64_t count() const { return number.get(); }
  __device__ __forceinline__ std::uint64_t begin(std::uint64_t first) const { return first / (2 * run) * (2 * run); }
  __device__ __forceinline__ std::uint64_t middle(std::uint64_t begin, std::uint64_t all) const {
    return min(begin + run, all);
  }
  __device__ __forceinline__ std::uint64_t end(std::uint64_t begin, std::uint64_t all) const {
    return min(begin + 2 * run, all);
  }
  template <class Problem>
  __device__ __forceinline__ Problem of(const Problem &problem, std::uint64_t begin, std::uint64_t middle) const {
    Problem own = problem;
    own.a_keys = problem.a_keys + begin;
    own.b_keys = problem.a_keys + middle;
    own.keys_out = problem.keys_out + begin;
    if constexpr (Problem::kHasValues) {
      own.a_values = problem.a_values + begin;
      own.b_values = problem.a_values + middle;
      own.values_out = problem.values_out + begin;
    }
    return own;
  }
};

inline constexpr int kSplitThreads = 128;

// Stores how many elements of the first range are before each tile's begin and end at the place of the tile's keys.
template <class Problem, class Ranges>
__global__ void __launch_bounds__(kSplitThreads)
    split_tiles_kernel(const __grid_constant__ Problem problem, const Ranges ranges) {
  constexpr std::uint64_t kTile = Problem::kTileItems;
  const std::uint64_t all = ranges.count(), first = (std::uint64_t(blockIdx.x) * kSplitThreads + threadIdx.x) * kTile;
  if (first >= all) {
    return;
  }
  const std::uint64_t begin = ranges.begin(first), middle = ranges.middle(begin, all), end = ranges.end(begin, all);
  const Problem own = ranges.of(problem, begin, middle);
  const std::uint64_t before = merge_path(own.a_keys, middle - begin, own.b_keys, end - middle, first - begin, problem.less);
  if (has_split<typename Problem::Key>(min(kTile, end - first))) {
    put_split(problem.keys_out + first, 0, before);
    if (end - first <= kTile) {
      put_split(problem.keys_out + first, 1, middle - begin);
    }
  }
  if (first > begin) {
    put_split(problem.keys_out + first - kTile, 1, before);
  }
}

template <class Problem, class Ranges>
__global__ void __launch_bounds__(kMergeThreads)
    merge_tiles_kernel(const __grid_constant__ Problem problem, const Ranges ranges) {
  __shared__ __align__(16) unsigned char bytes[sizeof(MergeShared<Problem>)];
  const std::uint64_t all = ranges.count(), first = std::uint64_t(blockIdx.x) * Problem::kTileItems;
  if (first < all) {
    const std::uint64_t begin = ranges.begin(first), middle = ranges.middle(begin, all), end = ranges.end(begin, all);
    MergeTile<Problem>(problem, *reinterpret_cast<MergeShared<Problem> *>(bytes))
        .merge(ranges.of(problem, begin, middle), middle - begin, end - middle, first - begin);
  }
}

template <class Problem>
__global__ void __launch_bounds__(kMergeThreads)
    sort_tiles_kernel(const __grid_constant__ Problem problem, const Later<std::uint64_t> number, ScanState *of_workspace) {
  spoil_workspace(of_workspace);
  __shared__ __align__(16) unsigned char bytes[sizeof(MergeShared<Problem>)];
  const std::uint64_t count = number.get(), first = std::uint64_t(blockIdx.x) * Problem::kTileItems;
  if (first < count) {
    MergeTile<Problem>(problem, *reinterpret_cast<MergeShared<Problem> *>(bytes))
        .sort(first, static_cast<unsigned>(min(count - first, std::uint64_t(Problem::kTileItems))));
  }
}

}  // namespace upsweep::cuda::detail
