// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks and launches of merges and merge sorts.
#pragma once

#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/merge_kernel.cuh>
#include <upsweep/cuda/device/sort_call.cuh>

namespace upsweep::cuda::detail {

// Floating-point numbers are in the order of sort_keys, with -0 before 0 and NaNs last, and other types by x < y.
struct IsLess {
  template <class T>
  __host__ __device__ __forceinline__ bool operator()(const T &a, const T &b) const {
    if constexpr (common::is_float<T> && sizeof(T) <= 8) {
      using Order = KeyOrder<T, false>;
      typename Order::Bits x, y;
      std::memcpy(&x, &a, sizeof x);
      std::memcpy(&y, &b, sizeof y);
      return Order::encode(x) < Order::encode(y);
    } else {
      return a < b;
    }
  }
};

inline constexpr std::uint64_t kMostMergeBlocks = (std::uint64_t(1) << 31) - 1;

template <class T>
bool is_range_of_merge(const T *range, std::uint64_t count, const T *out, std::uint64_t all) {
  return (count == 0 || range != nullptr) && are_apart(range, count, out, all);
}

template <class Problem, class Ranges>
cudaError_t launch_merge(const Problem &problem, const Ranges &ranges, unsigned tiles, cudaStream_t stream) {
  const cudaError_t error =
      launch(split_tiles_kernel<Problem, Ranges>, (tiles - 1) / kSplitThreads + 1, kSplitThreads, 0, stream, problem, ranges);
  return error != cudaSuccess ? error
                              : launch(merge_tiles_kernel<Problem, Ranges>, tiles, kMergeThreads, 0, stream, problem, ranges);
}

template <class Key, class Value, class... More>
cudaError_t merge_ranges(const Key *a_keys, const Key *b_keys, Key *keys_out, const Value *a_values, const Value *b_values,
                         Value *values_out, std::uint64_t a_count, std::uint64_t b_count, const More &...more) {
  if constexpr (are_stream_and_binary<Key, More...>()) {
    const auto less = operator_among<Key>(IsLess{}, more...);
    using Problem = MergeProblem<Key, Value, std::decay_t<decltype(less)>>;
    if (a_count > kMostElements || b_count > kMostElements - a_count) {
      return cudaErrorInvalidValue;
    }
    const std::uint64_t all = a_count + b_count;
    if (all == 0) {
      return cudaSuccess;
    }
    const bool are_values_right =
        !Problem::kHasValues || (values_out != nullptr && is_range_of_merge<Value>(a_values, a_count, values_out, all) &&
                                 is_range_of_merge<Value>(b_values, b_count, values_out, all) &&
                                 are_pairs_apart(a_keys, keys_out, a_values, values_out, a_count, all) &&
                                 are_pairs_apart(b_keys, keys_out, b_values, values_out, b_count, all));
    if (keys_out == nullptr || !are_values_right || !is_range_of_merge<Key>(a_keys, a_count, keys_out, all) ||
        !is_range_of_merge<Key>(b_keys, b_count, keys_out, all)) {
      return cudaErrorInvalidValue;
    }
    const std::uint64_t tiles = (all + Problem::kTileItems - 1) / Problem::kTileItems;
    if (tiles > kMostMergeBlocks) {
      return cudaErrorInvalidConfiguration;
    }
    return launch_merge(Problem{a_keys, b_keys, keys_out, a_values, b_values, values_out, less}, TwoRanges{a_count, b_count},
                        static_cast<unsigned>(tiles), stream_of(more...));
  }
  return cudaErrorInvalidValue;
}

// Sorts tiles, then merges runs alternately between `out` and `other`, so that the last runs are in `out`.
template <class Key, class Value, class Less>
cudaError_t launch_merge_sort(ScanState *of_workspace, const Key *keys_in, Key *keys_out, Key *keys_other,
                              const Value *values_in, Value *values_out, Value *values_other, Count count, Less less,
                              cudaStream_t stream) {
  using Problem = MergeProblem<Key, Value, Less>;
  const std::uint64_t tiles = (count.most + Problem::kTileItems - 1) / Problem::kTileItems;
  if (tiles > kMostMergeBlocks) {
    return cudaErrorInvalidConfiguration;
  }
  const auto blocks = static_cast<unsigned>(tiles);
  int passes = 0;
  while (std::uint64_t(1) << passes < tiles) {
    ++passes;
  }
  bool to_other = passes % 2 == 1;
  Problem problem{keys_in, nullptr, nullptr, values_in, nullptr, nullptr, less};
  const auto next = [&] {
    problem.keys_out = to_other ? keys_other : keys_out;
    problem.values_out = to_other ? values_other : values_out;
  };
  const Later<std::uint64_t> number{count.most, count.pointer};
  next();
  cudaError_t error = launch(sort_tiles_kernel<Problem>, blocks, kMergeThreads, 0, stream, problem, number, of_workspace);
  for (int i = 0; i < passes && error == cudaSuccess; ++i) {
    problem.a_keys = problem.keys_out;
    problem.a_values = problem.values_out;
    to_other = !to_other;
    next();
    error = launch_merge(problem, PairsOfRuns{number, std::uint64_t(Problem::kTileItems) << i}, blocks, stream);
  }
  return error;
}

template <class Key, class Value>
std::size_t merge_sort_bytes(std::uint64_t n) {
  return kOwnDataAt + other_bytes<Key>(n) + other_bytes<Value>(n);
}

template <class Key, class Value, class... More>
cudaError_t merge_sort(const workspace &space, const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out,
                       Count count, const More &...more) {
  if constexpr (are_stream_and_binary<Key, More...>()) {
    using Opaque = OpaqueOf<Value>;
    constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;
    const cudaStream_t stream = stream_of(more...);
    if (count.most > kMostElements || count.is_null) {
      return cudaErrorInvalidValue;
    }
    if (count.most == 0) {
      return cudaSuccess;
    }
    if (keys_in == nullptr || keys_out == nullptr || !may_be_together(keys_in, keys_out, count.known()) ||
        (kHasValues &&
         (values_in == nullptr || values_out == nullptr || !may_be_together(values_in, values_out, count.known()) ||
          !are_pairs_apart(keys_in, keys_out, values_in, values_out, count.known(), count.known())))) {
      return cudaErrorInvalidValue;
    }
    const std::size_t values_at = kOwnDataAt + other_bytes<Key>(count.most);
    const std::size_t needed = merge_sort_bytes<Key, Value>(count.most);
    const auto run = [&](const workspace &memory) {
      auto *const bytes = static_cast<unsigned char *>(memory.data);
      return launch_merge_sort<Key, Opaque>(
          reinterpret_cast<ScanState *>(bytes), keys_in, keys_out, reinterpret_cast<Key *>(bytes + kOwnDataAt),
          reinterpret_cast<const Opaque *>(values_in), reinterpret_cast<Opaque *>(values_out),
          reinterpret_cast<Opaque *>(bytes + values_at), count, operator_among<Key>(IsLess{}, more...), stream);
    };
    return with_workspace<false>(space, needed, stream, run);
  }
  return cudaErrorInvalidValue;
}

}  // namespace upsweep::cuda::detail
