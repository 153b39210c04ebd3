// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of device-wide reductions: a grid whose shape depends on the number of elements alone, whose last block adds up
// the totals of all blocks in their order.
#pragma once

#include <upsweep/cuda/detail/warp_steps.cuh>
#include <upsweep/cuda/device/scan_problem.cuh>

#include <algorithm>
#include <cstdint>

namespace upsweep::cuda::detail {

inline constexpr int kReduceThreads = 512;
// Three on each multiprocessor of an H200. The number is part of the order of sums, and the same on every GPU.
inline constexpr int kReduceBlocks = 396;

// T          the operands of the operator
// Transform  makes a T of an element, or of an element and its index
template <class T_, class Input_, class Output_, class Op_, class Transform_, bool kInitial_>
struct ReduceProblem {
  using T = T_;
  using Input = Input_;
  using Output = Output_;
  using Op = Op_;
  using In = std::remove_cv_t<typename std::iterator_traits<Input>::value_type>;
  static constexpr bool kInitial = kInitial_;

  Input input;
  Output output;
  Later<std::uint64_t> count;
  Op op;
  Later<T> initial;
  Transform_ transform;
  ScanState *state;
  TileWord<T> *words;  // one for each block

  __device__ __forceinline__ T operand(const In &element, std::uint64_t index) const {
    if constexpr (std::is_invocable_v<Transform_, In, std::uint64_t>) {
      return transform(element, index);
    } else {
      return transform(element);
    }
  }
};

// Threads load units: whole vectors, which begin in front of the array at the vector that the first element is in; or elements.
template <class Problem, bool kVectors_>
struct ReduceGeometry {
  using In = typename Problem::In;
  using T = typename Problem::T;
  static constexpr bool kVectors = kVectors_;
  // Else neighbouring threads have neighbouring units, and blocks have tiles in turns.
  static constexpr bool kInOrder = !is_commutative<typename Problem::Op, T>;
  static constexpr int kUnitItems = kVectors ? 16 / static_cast<int>(sizeof(In)) : 1;
  static constexpr int kUnits = kVectors || sizeof(In) > 8 ? (sizeof(In) > 16 ? 1 : 4) : 8;  // of a thread at once
  static constexpr int kTileUnits = kReduceThreads * kUnits;
  static constexpr int kTileItems = kTileUnits * kUnitItems;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
  static constexpr int kMostBlocksAtOnce = 2;  // that GPU has no room for more threads
#else
  static constexpr int kMostBlocksAtOnce = 3;
#endif
  static constexpr int kBlocksAtOnce = sizeof(T) <= 8 ? kMostBlocksAtOnce : 1;  // on a multiprocessor
};

// The tiles of a block. Those with any come first.
struct BlockTiles {
  std::uint64_t first, end, step;
  unsigned blocks;  // that have tiles

  template <bool kInOrder>
  __device__ __forceinline__ static BlockTiles of(std::uint64_t tiles) {
    if constexpr (kInOrder) {
      const std::uint64_t each = (tiles + gridDim.x - 1) / gridDim.x;
      const std::uint64_t first = blockIdx.x * each;
      return {first, min(first + each, tiles), 1, each > 0 ? static_cast<unsigned>((tiles + each - 1) / each) : 0};
    } else {
      return {blockIdx.x, tiles, gridDim.x, static_cast<unsigned>(min(tiles, static_cast<std::uint64_t>(gridDim.x)))};
    }
  }
};

// The total of the first threads of a block, those with a value; in the first thread.
template <class T, class Op>
__device__ __forceinline__ T block_total(T value, bool has_value, Op op, unsigned char *shared) {
  constexpr int kWarps = kReduceThreads / 32;
  static_assert(kWarps <= 32);
  T *totals = reinterpret_cast<T *>(shared);
  const int values = __syncthreads_count(has_value);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp * 32 < values) {
    const T total = warp_total<32>(value, op, min(values - warp * 32, 32));
    if (lane_id() == 0) {
      totals[warp] = total;
    }
  }
  __syncthreads();
  if (warp == 0 && values > 0) {
    const int warps = (values + 31) / 32;
    value = warp_total<32>(totals[min(lane_id(), warps - 1)], op, warps);
  }
  return value;
}

template <class Problem, class Geometry>
class ThreadTotal {
  using T = typename Problem::T;
  using In = typename Problem::In;
  static constexpr int kUnitItems = Geometry::kUnitItems;

public:
  __device__ __forceinline__ ThreadTotal(const Problem &problem, int lead, std::uint64_t end)
      : problem_(problem), lead_(lead), end_(end) {}

  __device__ __forceinline__ bool has_value() const { return has_; }
  __device__ __forceinline__ const T &value() const { return total_; }

  __device__ __forceinline__ void add_tile(std::uint64_t tile) {
    const std::uint64_t first = tile * Geometry::kTileItems;
    const bool is_whole = (tile > 0 || lead_ == 0) && first + Geometry::kTileItems <= end_;
    if (is_whole) {
      add_whole(first);
    } else {
      add_incomplete(first);
    }
  }

private:
  // The places of the thread's unit.
  __device__ __forceinline__ static std::uint64_t place(std::uint64_t first, int unit) {
    const int of_tile = Geometry::kInOrder ? static_cast<int>(threadIdx.x) * Geometry::kUnits + unit
                                           : unit * kReduceThreads + static_cast<int>(threadIdx.x);
    return first + static_cast<std::uint64_t>(of_tile) * kUnitItems;
  }
  __device__ __forceinline__ void add(const T &more) {
    total_ = combined(has_, total_, more, problem_.op);
    has_ = true;
  }

  __device__ __forceinline__ void add_whole(std::uint64_t first) {
    if constexpr (Geometry::kVectors) {
      Slice<In, kUnitItems> units[Geometry::kUnits];
#pragma unroll
      for (int u = 0; u < Geometry::kUnits; ++u) {
        units[u].load(problem_.input + (place(first, u) - lead_));
      }
#pragma unroll
      for (int u = 0; u < Geometry::kUnits; ++u) {
        const std::uint64_t index = place(first, u) - lead_;
        T total = problem_.operand(units[u].get(0), index);
#pragma unroll
        for (int i = 1; i < kUnitItems; ++i) {
          total = problem_.op(total, problem_.operand(units[u].get(i), index + i));
        }
        add(total);
      }
    } else {
      In elements[Geometry::kUnits];
#pragma unroll
      for (int u = 0; u < Geometry::kUnits; ++u) {
        elements[u] = problem_.input[place(first, u)];
      }
#pragma unroll
      for (int u = 0; u < Geometry::kUnits; ++u) {
        add(problem_.operand(elements[u], place(first, u)));
      }
    }
  }

  __device__ __forceinline__ void add_incomplete(std::uint64_t first) {
#pragma unroll 1
    for (int u = 0; u < Geometry::kUnits; ++u) {
#pragma unroll 1
      for (int i = 0; i < kUnitItems; ++i) {
        const std::uint64_t at = place(first, u) + i;
        if (at >= static_cast<std::uint64_t>(lead_) && at < end_) {
          add(problem_.operand(problem_.input[at - lead_], at - lead_));
        }
      }
    }
  }

  const Problem &problem_;
  int lead_;           // places before the first element
  std::uint64_t end_;  // the place behind the last one
  T total_{};
  bool has_ = false;
};

template <class Problem, class Geometry>
__global__ void __launch_bounds__(kReduceThreads, Geometry::kBlocksAtOnce)
    reduce_kernel(const __grid_constant__ Problem problem) {
  using T = typename Problem::T;
  __shared__ __align__(16) unsigned char totals[kReduceThreads / 32 * sizeof(T)];
  __shared__ bool is_last;
  const std::uint64_t count = problem.count.get();
  int lead = 0;
  if constexpr (Geometry::kVectors) {
    lead =
        count == 0 ? 0 : static_cast<int>(reinterpret_cast<std::uintptr_t>(problem.input) % 16 / sizeof(typename Problem::In));
  }
  const std::uint64_t tiles = (count + lead + Geometry::kTileItems - 1) / Geometry::kTileItems;
  const BlockTiles of_block = BlockTiles::of<Geometry::kInOrder>(tiles);
  ThreadTotal<Problem, Geometry> own(problem, lead, count + lead);
  for (std::uint64_t tile = of_block.first; tile < of_block.end; tile += of_block.step) {
    own.add_tile(tile);
  }
  T total = block_total(own.value(), own.has_value(), problem.op, totals);
  bool is_here = threadIdx.x == 0 && count > 0;
  if (gridDim.x > 1) {
    if (threadIdx.x == 0) {
      if (blockIdx.x < of_block.blocks) {
        problem.words[blockIdx.x].publish(total, 0x80000000u);  // no tag of a call
      }
      __threadfence();
      is_last = atomicInc(&problem.state->blocks_finished, gridDim.x - 1) == gridDim.x - 1;
      __threadfence();
    }
    __syncthreads();
    if (!is_last) {
      return;
    }
    const bool has_block = threadIdx.x < of_block.blocks;
    static_assert(kReduceBlocks <= kReduceThreads);
    total = block_total(problem.words[has_block ? threadIdx.x : 0].load().value(), has_block, problem.op, totals);
  }
  if constexpr (Problem::kInitial) {
    if (threadIdx.x == 0) {
      const T initial = problem.initial.get();
      *problem.output = count > 0 ? problem.op(initial, total) : initial;
    }
  } else if (is_here) {
    *problem.output = total;
  }
}

}  // namespace upsweep::cuda::detail
