// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel for arrays so short that every block has one tile: nothing is pipelined, and only latency matters. A thread has
// its elements in registers from the load to the store. One look at the earlier blocks' totals is enough. A block that reads
// all elements before its tile itself needs no look.
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/look_back.cuh>
#include <upsweep/cuda/device/scan_few_before.cuh>
#include <upsweep/cuda/device/scan_few_elements.cuh>

namespace upsweep::cuda::detail {

// The totals of a thread's rows. Each row is first scanned separately.
template <class T, int kRows>
struct FewRows {
  T lanes[kRows];   // the thread's total; after scan_lanes() the total of the lanes up to it
  T before[kRows];  // the total of the warp's earlier rows; unused in the first

  template <class Op>
  __device__ __forceinline__ void scan_lanes(Op op) {
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        // Combines always, and then selects. A branch around several rows would put their shuffles on divergent paths.
        const T sum = op(shuffle_up(lanes[r], distance), lanes[r]);
        lanes[r] = chosen(lane_id() >= distance, sum, lanes[r]);
      }
    }
  }

  // Returns the total of the warp, in all lanes.
  template <class Op>
  __device__ __forceinline__ T scan(Op op) {
    scan_lanes(op);
    T total = shuffle_from(lanes[0], 31);
#pragma unroll
    for (int r = 1; r < kRows; ++r) {
      before[r] = total;
      total = op(total, shuffle_from(lanes[r], 31));
    }
    return total;
  }

  // The same total without a scan, for operators that commute.
  template <class Op>
  __device__ __forceinline__ T sum(Op op) const {
    T total = lanes[0];
#pragma unroll
    for (int r = 1; r < kRows; ++r) {
      total = op(total, lanes[r]);
    }
    return warp_total<32>(total, op, 32);
  }
};

// The most blocks of a launch: the last one looks back at one group.
inline constexpr int kFewBlocks = kGroup + 1;

template <class Problem, class Geometry>
__global__ void __launch_bounds__(Geometry::kThreads) scan_few_kernel(const __grid_constant__ Problem problem) {
  using T = typename Problem::T;
  constexpr int kWarps = Geometry::kWarps;
  constexpr int kItems = Geometry::kItems;
  __shared__ __align__(16) unsigned char warp_bytes[(Geometry::kReadsBefore ? 2 : 1) * kWarps * sizeof(T)];
  __shared__ __align__(16) unsigned char prefix_bytes[sizeof(T)];
  __shared__ __align__(16) unsigned char ends[Geometry::kMayShift ? kWarps * 16 : 16];
  __shared__ std::uint32_t call_of_block;
  __shared__ bool is_last_block;
  T *const warp_totals = reinterpret_cast<T *>(warp_bytes);
  T *const prefix = reinterpret_cast<T *>(prefix_bytes);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = lane_id();
  const bool is_alone = Geometry::kReadsBefore || gridDim.x == 1;
  // The totals of the block's warps, followed by the totals of the elements that each warp read before the tile.
  const int warps_before_tile = Geometry::kReadsBefore && blockIdx.x > 0 ? kWarps : 0;
  const int rank = warps_before_tile + warp;

  std::uint32_t tag = 0;
  if (warp == 0 && !is_alone) {
    tag = static_cast<std::uint32_t>(*static_cast<volatile unsigned long long *>(&problem.state->call_and_ticket) >> 32) + 1;
    check_workspace(problem.state, tag - 1);
  }
  const auto count = static_cast<unsigned>(problem.count.get());
  FewBefore<Problem, Geometry> before_tile;
  before_tile.load(problem, count);
  const FewElements<Problem, Geometry> array(problem, count);
  T elements[Geometry::kRows][kItems];
  array.load(elements);
  // Read before anything is published, since the last block may write the total to the same place.
  T before = problem.initial.get();

  FewRows<T, Geometry::kRows> rows;
#pragma unroll
  for (int r = 0; r < Geometry::kRows; ++r) {
#pragma unroll
    for (int i = 1; i < kItems; ++i) {
      elements[r][i] = combined(!array.is_first(r, i), elements[r][i - 1], elements[r][i], problem.op);
    }
    rows.lanes[r] = elements[r][kItems - 1];
  }
  // If blocks wait for each other's totals, and rows and lanes may be added in any order, totals are computed first.
  constexpr bool kSumsFirst = !Geometry::kReadsBefore && adds_in_any_order<Problem>;
  if constexpr (Geometry::kReadsBefore) {
    // Both are scanned together, so that their shuffles overlap.
    FewRows<T, 2> both{{rows.lanes[0], rows.lanes[0]}, {}};
    if (blockIdx.x > 0) {
      both.lanes[0] = before_tile.sum(problem);
    }
    both.scan_lanes(problem.op);
    rows.lanes[0] = both.lanes[1];
    if (lane == 31) {
      warp_totals[warp] = both.lanes[0];
      warp_totals[rank] = both.lanes[1];
    }
  } else {
    const T total = kSumsFirst ? rows.sum(problem.op) : rows.scan(problem.op);
    if (lane == 31) {
      warp_totals[warp] = total;
    }
  }
  __syncthreads();
  constexpr int kTotals = (Geometry::kReadsBefore ? 2 : 1) * kWarps;
  constexpr int kWidth = kTotals <= 8 ? 8 : kTotals <= 16 ? 16 : 32;
  const T warps = warp_inclusive<kWidth>(warp_totals[lane < warps_before_tile + kWarps ? lane : 0], problem.op);
  LookBack<T, typename Problem::Op, typename Geometry::Words, 1> look_back(problem.words, tag, problem.op);
  typename decltype(look_back)::Batch batch;
  if (!is_alone && warp == 0) {
    if (lane == kWarps - 1) {
      problem.words[Geometry::Words::place(blockIdx.x)].publish(warps, tag);
    }
    if (blockIdx.x > 0) {
      look_back.ask(batch, blockIdx.x, 0);
    }
  }
  if constexpr (kSumsFirst) {
    rows.scan(problem.op);
  }
  const T before_warp = shuffle_from(warps, rank > 0 ? rank - 1 : 0);
  bool has_before = Problem::kInitial || (!Geometry::kReadsBefore && blockIdx.x > 0);
  if (!is_alone) {
    if (warp == 0) {
      if (blockIdx.x > 0) {
        if constexpr (Problem::kInitial) {
          look_back.start_from(before);
        }
        before = look_back.finish(batch);
      }
      if (lane == 0) {
        *prefix = before;
        call_of_block = tag - 1;
        if (blockIdx.x == gridDim.x - 1 && tag - 1 != kLastCall) {
          // All blocks have published, so all know the number of this call.
          end_call(problem.state, tag);
        }
      }
    }
    __syncthreads();
    before = *prefix;
  }
  if (rank > 0) {
    before = combined(has_before, before, before_warp, problem.op);
    has_before = true;
  }
  T lower[Geometry::kRows];
#pragma unroll
  for (int r = 0; r < Geometry::kRows; ++r) {
    lower[r] = shuffle_up(rows.lanes[r], 1);
  }
#pragma unroll
  for (int r = 0; r < Geometry::kRows; ++r) {
    T start = before;
    bool has_start = has_before;
    if (r > 0) {
      start = combined(has_start, start, rows.before[r], problem.op);
      has_start = true;
    }
    start = chosen(lane > 0, combined(has_start, start, lower[r], problem.op), start);
    has_start = has_start || lane > 0;
#pragma unroll
    for (int i = kItems - 1; i >= 0; --i) {
      const T next = combined(has_start, start, elements[r][i], problem.op);
      if constexpr (Problem::kTotal) {
        if (array.is_last(r, i)) {
          *problem.total = next;
        }
      }
      if constexpr (Problem::kInclusive) {
        elements[r][i] = next;
      } else {
        T result = start;
        if (i > 0 && !array.is_first(r, i)) {
          result = problem.op(start, elements[r][i - 1]);
        }
        elements[r][i] = result;
      }
    }
  }
  array.store(elements, ends + (Geometry::kMayShift ? warp * 16 : 0));
  if constexpr (Problem::kTotal && Problem::kInitial) {
    if (problem.count.get() == 0 && blockIdx.x == 0 && threadIdx.x == 0) {
      *problem.total = problem.initial.get();
    }
  }
  if (!is_alone && call_of_block == kLastCall) {
    start_calls_anew(problem, is_last_block);
  }
}

}  // namespace upsweep::cuda::detail
