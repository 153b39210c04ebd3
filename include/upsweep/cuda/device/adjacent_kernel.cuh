// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of adjacent differences: threads load whole vectors, and the element before each vector, which the cache has from
// a neighbour's load.
#pragma once

#include <upsweep/cuda/device/slice.cuh>
#include <upsweep/cuda/device/tuning_adjacent.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

template <class In, class Out, class Op>
struct AdjacentProblem {
  In input;
  Out output;
  std::uint64_t count;
  Op op;
};

// kItems elements at a time, as vectors of 16 bytes if there is more than one.
template <class Problem, class T, int kItems>
__global__ void __launch_bounds__(TunedAdjacent::kThreads) adjacent_kernel(const __grid_constant__ Problem problem) {
  const std::uint64_t first =
      static_cast<std::uint64_t>(blockIdx.x) * (TunedAdjacent::kThreads * TunedAdjacent::kVectors * kItems);
  const auto begin_of = [&](int v) {
    return first + static_cast<std::uint64_t>(v * TunedAdjacent::kThreads + threadIdx.x) * kItems;
  };
  const bool is_whole = first + TunedAdjacent::kThreads * TunedAdjacent::kVectors * kItems <= problem.count;
  if constexpr (kItems > 1) {
    if (is_whole) {
      Slice<T, kItems> vectors[TunedAdjacent::kVectors];
      T before[TunedAdjacent::kVectors];
#pragma unroll
      for (int v = 0; v < TunedAdjacent::kVectors; ++v) {
        const std::uint64_t begin = begin_of(v);
        vectors[v].load(problem.input + begin);
        before[v] = problem.input[begin > 0 ? begin - 1 : 0];
      }
#pragma unroll
      for (int v = 0; v < TunedAdjacent::kVectors; ++v) {
        const std::uint64_t begin = begin_of(v);
        Slice<T, kItems> results;
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
          const T element = vectors[v].get(i);
          results.put(i, i > 0 || begin > 0 ? problem.op(element, before[v]) : element);
          before[v] = element;
        }
        results.store(problem.output + begin);
      }
      return;
    }
  }
  for (std::uint64_t i = first + threadIdx.x;
       i < min(first + TunedAdjacent::kThreads * TunedAdjacent::kVectors * kItems, problem.count);
       i += TunedAdjacent::kThreads) {
    const T element = problem.input[i];
    problem.output[i] = i > 0 ? T(problem.op(element, T(problem.input[i - 1]))) : element;
  }
}

}  // namespace upsweep::cuda::detail
