// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of device-wide reductions: a grid whose shape depends on the number of elements alone, whose last block adds up
// the totals of all blocks in their order.
#pragma once

#include <upsweep/cuda/detail/warp_steps.cuh>
#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/iterators.cuh>
#include <upsweep/cuda/device/slice.cuh>
#include <upsweep/cuda/device/tile_word.cuh>
#include <upsweep/cuda/device/tuning_reduce.cuh>
#include <upsweep/cuda/device/values.cuh>

#include <algorithm>
#include <cstdint>

namespace upsweep::cuda::detail {

// T          the operands of the operator
// Transform  makes a T of an element, or of an element and its index
template <class T_, class Input_, class Output_, class Op_, class Transform_, bool kInitial_>
struct ReduceProblem {
  using T = T_;
  using Input = Input_;
  using Output = Output_;
  using Op = Op_;
  using In = ElementOf<Input>;
  static constexpr bool kInitial = kInitial_;
  static constexpr bool kIsPlain = std::is_same_v<Transform_, Unchanged>;

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

// Whether bytes are added in words, four at a time; their order is free.
template <class Problem>
inline constexpr bool adds_bytes_in_words =
    std::is_same_v<typename Problem::Op, plus> && std::is_integral_v<typename Problem::In> &&
    sizeof(typename Problem::In) == 1 && !std::is_same_v<typename Problem::In, bool> &&
    std::is_integral_v<typename Problem::T> && sizeof(typename Problem::T) == 4 && Problem::kIsPlain;

// The total of a slice whose first element has an index.
template <class Problem, int kItems>
__device__ __forceinline__ typename Problem::T
total_of_slice(const Problem &problem, const Slice<typename Problem::In, kItems> &slice, std::uint64_t index) {
  using T = typename Problem::T;
  if constexpr (adds_bytes_in_words<Problem> && kItems % 4 == 0) {
    using Words = std::conditional_t<std::is_signed_v<typename Problem::In>, int, unsigned>;
    Words total = 0;
#pragma unroll
    for (int w = 0; w < kItems / 4; ++w) {
      total = __dp4a(static_cast<Words>(slice.word(w)), static_cast<Words>(0x01010101), total);
    }
    return static_cast<T>(total);
  } else {
    T total = problem.operand(slice.get(0), index);
#pragma unroll
    for (int i = 1; i < kItems; ++i) {
      total = problem.op(total, problem.operand(slice.get(i), index + i));
    }
    return total;
  }
}

// Threads load units: whole vectors, from the vector that contains the first element on; or elements.
template <class Problem, bool kVectors_>
struct ReduceGeometry {
  using In = typename Problem::In;
  using T = typename Problem::T;
  static constexpr bool kVectors = kVectors_;
  // If operands keep their order, each warp has a range of the array in tiles, and each thread has neighbouring units.
  // Otherwise the threads of a block have neighbouring units, and blocks take tiles round robin.
  static constexpr bool kInOrder = !is_commutative<typename Problem::Op, T>;
  static constexpr int kUnitItems = kVectors ? 16 / static_cast<int>(sizeof(In)) : 1;
  static constexpr int kUnits = kVectors || sizeof(In) > 8 ? (sizeof(In) > 16 ? 1 : TunedReduce::kVectors)
                                                           : TunedReduce::kElements;  // of a thread, loaded together
  static constexpr int kTileUnits = (kInOrder ? 32 : TunedReduce::kThreads) * kUnits;
  static constexpr int kTileItems = kTileUnits * kUnitItems;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
  static constexpr int kMostBlocksAtOnce = 2;  // that GPU has no room for more threads
#else
  static constexpr int kMostBlocksAtOnce = TunedReduce::kBlocksAtOnce;
#endif
  static constexpr int kBlocksAtOnce = sizeof(T) <= 8 ? kMostBlocksAtOnce : 1;  // on a multiprocessor
};

// The tiles of one of `owners`. Owners with tiles come first.
struct OwnTiles {
  std::uint64_t first, end, step;
  std::uint64_t owners;  // that have tiles

  __device__ __forceinline__ static OwnTiles in_turns(std::uint64_t tiles) {
    return {blockIdx.x, tiles, gridDim.x, min(tiles, static_cast<std::uint64_t>(gridDim.x))};
  }
  __device__ __forceinline__ static OwnTiles in_order(std::uint64_t tiles, std::uint64_t owner, std::uint64_t owners) {
    const std::uint64_t each = (tiles + owners - 1) / owners;
    const std::uint64_t first = min(owner * each, tiles);
    return {first, min(first + each, tiles), 1, each > 0 ? (tiles + each - 1) / each : 0};
  }
};

// The total of the first warps of a block, in the first warp. All lanes of a warp have its value.
template <class T, class Op>
__device__ __forceinline__ T total_of_warps(T value, int warps, Op op, unsigned char *shared) {
  static_assert(TunedReduce::kThreads / 32 <= 32);
  T *totals = reinterpret_cast<T *>(shared);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp < warps && lane_id() == 0) {
    totals[warp] = value;
  }
  __syncthreads();
  if (warp == 0 && warps > 0) {
    value = warp_total<32>(totals[min(lane_id(), warps - 1)], op, warps);
  }
  return value;
}

// The total of the block's threads with values, which come first; in the first warp.
template <class T, class Op>
__device__ __forceinline__ T total_of_threads(T value, bool has_value, Op op, unsigned char *shared) {
  const int values = __syncthreads_count(has_value);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (warp * 32 < values) {
    value = warp_total<32>(value, op, min(values - warp * 32, 32));
  }
  return total_of_warps(value, (values + 31) / 32, op, shared);
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
  __device__ __forceinline__ void forget() { has_ = false; }

  __device__ __forceinline__ void add_tile(std::uint64_t tile) {
    // The distance of a thread's units, in units, and its first unit.
    constexpr int kStep = Geometry::kInOrder ? 1 : TunedReduce::kThreads;
    const int own = Geometry::kInOrder ? lane_id() * Geometry::kUnits : static_cast<int>(threadIdx.x);
    const std::uint64_t first = tile * Geometry::kTileItems + own * kUnitItems;
    if (is_whole(tile)) {
      add_whole(first, kStep * kUnitItems);
    } else {
#pragma unroll 1
      for (int u = 0; u < Geometry::kUnits; ++u) {
        add_incomplete(first + u * kStep * kUnitItems);
      }
    }
  }

private:
  __device__ __forceinline__ bool is_whole(std::uint64_t tile) const {
    return (tile > 0 || lead_ == 0) && (tile + 1) * Geometry::kTileItems <= end_;
  }
  __device__ __forceinline__ void add(const T &more) {
    total_ = combined(has_, total_, more, problem_.op);
    has_ = true;
  }

  // Adds units, the first of which begins at the place `first`, and each following one `step` places further.
  __device__ __forceinline__ void add_whole(std::uint64_t first, int step) {
    constexpr int kCount = Geometry::kUnits;
    if constexpr (Geometry::kVectors) {
      Slice<In, kUnitItems> units[kCount];
#pragma unroll
      for (int u = 0; u < kCount; ++u) {
        units[u].load(problem_.input + (first + u * step - lead_));
      }
#pragma unroll
      for (int u = 0; u < kCount; ++u) {
        add(total_of_slice(problem_, units[u], first + u * step - lead_));
      }
    } else {
      In elements[kCount];
#pragma unroll
      for (int u = 0; u < kCount; ++u) {
        elements[u] = problem_.input[first + u * step];
      }
#pragma unroll
      for (int u = 0; u < kCount; ++u) {
        add(problem_.operand(elements[u], first + u * step));
      }
    }
  }

  __device__ __forceinline__ void add_incomplete(std::uint64_t first) {
#pragma unroll 1
    for (int i = 0; i < kUnitItems; ++i) {
      const std::uint64_t at = first + i;
      if (at >= static_cast<std::uint64_t>(lead_) && at < end_) {
        add(problem_.operand(problem_.input[at - lead_], at - lead_));
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
__global__ void __launch_bounds__(TunedReduce::kThreads, Geometry::kBlocksAtOnce)
    reduce_kernel(const __grid_constant__ Problem problem) {
  using T = typename Problem::T;
  __shared__ __align__(16) unsigned char totals[TunedReduce::kThreads / 32 * sizeof(T)];
  __shared__ bool is_last;
  const std::uint64_t count = problem.count.get();
  int lead = 0;
  if constexpr (Geometry::kVectors) {
    lead =
        count == 0 ? 0 : static_cast<int>(reinterpret_cast<std::uintptr_t>(problem.input) % 16 / sizeof(typename Problem::In));
  }
  const std::uint64_t tiles = (count + lead + Geometry::kTileItems - 1) / Geometry::kTileItems;
  ThreadTotal<Problem, Geometry> own(problem, lead, count + lead);
  unsigned blocks = 0;  // that have a total
  T total{};
  if constexpr (Geometry::kInOrder) {
    constexpr unsigned kWarps = TunedReduce::kThreads / 32;
    const OwnTiles of_warp = OwnTiles::in_order(tiles, blockIdx.x * kWarps + threadIdx.x / 32, gridDim.x * kWarps);
    bool has_total = false;
    for (std::uint64_t tile = of_warp.first; tile < of_warp.end; ++tile) {
      own.forget();
      own.add_tile(tile);
      const T more = warp_total<32>(own.value(), problem.op, __popc(__ballot_sync(kAllLanes, own.has_value())));
      total = combined(has_total, total, more, problem.op);
      has_total = true;
    }
    blocks = static_cast<unsigned>((of_warp.owners + kWarps - 1) / kWarps);
    const std::uint64_t warps = of_warp.owners - min(of_warp.owners, static_cast<std::uint64_t>(blockIdx.x) * kWarps);
    total = total_of_warps(total, static_cast<int>(min(warps, static_cast<std::uint64_t>(kWarps))), problem.op, totals);
  } else {
    const OwnTiles of_block = OwnTiles::in_turns(tiles);
    for (std::uint64_t tile = of_block.first; tile < of_block.end; tile += of_block.step) {
      own.add_tile(tile);
    }
    blocks = static_cast<unsigned>(of_block.owners);
    total = total_of_threads(own.value(), own.has_value(), problem.op, totals);
  }
  const bool is_here = threadIdx.x == 0 && count > 0;
  if (gridDim.x > 1) {
    if (threadIdx.x == 0) {
      if (blockIdx.x < blocks) {
        problem.words[blockIdx.x].publish(total, 0x80000000u);  // no tag of a call
      }
      const volatile unsigned long long &state = problem.state->call_and_ticket;
      check_workspace(problem.state, static_cast<std::uint32_t>(state >> 32));
      __threadfence();
      is_last = atomicInc(&problem.state->blocks_finished, gridDim.x - 1) == gridDim.x - 1;
      __threadfence();
    }
    __syncthreads();
    if (!is_last) {
      return;
    }
    const bool has_block = threadIdx.x < blocks;
    static_assert(TunedReduce::kBlocks <= TunedReduce::kThreads);
    total = total_of_threads(problem.words[has_block ? threadIdx.x : 0].load().value(), has_block, problem.op, totals);
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
