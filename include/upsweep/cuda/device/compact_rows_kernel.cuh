// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of selections of many rows: a warp or a block goes through a row step by step, and lanes of a warp share rows
// that are shorter. Ballots count the kept elements before each.
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>
#include <upsweep/cuda/device/iterators.cuh>

#include <cstdint>
#include <type_traits>

namespace upsweep::cuda::detail {

inline constexpr int kCompactRowThreads = 256;

// Selections by predicate have no marks.
struct NoMarks {};

template <class In_, class Out_, class Marks_, class Predicate_, class Number_>
struct RowsToCompact {
  using Input = In_;
  using T = ElementOf<In_>;
  using Marks = Marks_;
  using Number = Number_;

  In_ input;
  Out_ output;
  Marks_ marks;
  Predicate_ predicate;
  Number_ *kept;
  std::uint64_t rows, length;
};

template <class Marks>
struct MarkOf {
  using type = ElementOf<Marks>;
};
template <>
struct MarkOf<NoMarks> {
  using type = NoMarks;
};

// What a lane loads at once.
template <class Problem>
struct RowStep {
  using T = typename Problem::T;
  static constexpr bool kMarked = !std::is_same_v<typename Problem::Marks, NoMarks>;
  static constexpr int kItems = sizeof(T) <= 8 ? 8 : sizeof(T) <= 16 ? 4 : 2;

  T values[kItems];
  typename MarkOf<typename Problem::Marks>::type marks[kItems];

  __device__ __forceinline__ void load(const Problem &problem, int item, std::uint64_t place) {
    values[item] = problem.input[place];
    if constexpr (kMarked) {
      marks[item] = problem.marks[place];
    }
  }
  __device__ __forceinline__ bool keeps(const Problem &problem, int item) const {
    if constexpr (kMarked) {
      return problem.predicate(marks[item]);
    } else {
      return problem.predicate(values[item]);
    }
  }
};

// kWarps  of a row: 1, or all of the block
template <class Problem, int kWarps>
__global__ void __launch_bounds__(kCompactRowThreads) compact_rows_kernel(const __grid_constant__ Problem problem) {
  using Step = RowStep<Problem>;
  constexpr int kRowsOfBlock = kCompactRowThreads / 32 / kWarps;
  constexpr int kStepItems = kWarps * 32 * Step::kItems;
  __shared__ std::uint32_t counts[2][kWarps];  // of warps, in even and in odd steps
  const int warp = kWarps == 1 ? 0 : static_cast<int>(threadIdx.x / 32);
  const std::uint64_t lane_place = static_cast<std::uint64_t>(warp * Step::kItems * 32 + lane_id());
  const std::uint64_t first_row = static_cast<std::uint64_t>(blockIdx.x) * kRowsOfBlock + (kWarps == 1 ? threadIdx.x / 32 : 0);
  int parity = 0;
  for (std::uint64_t row = first_row; row < problem.rows; row += static_cast<std::uint64_t>(gridDim.x) * kRowsOfBlock) {
    const std::uint64_t begin = row * problem.length;
    const auto load = [&](Step &step, std::uint64_t from) {
#pragma unroll
      for (int i = 0; i < Step::kItems; ++i) {
        const std::uint64_t place = from + lane_place + i * 32;
        if (place < problem.length) {
          step.load(problem, i, begin + place);
        }
      }
    };
    Step now, next;
    std::uint64_t kept = 0;
    load(now, 0);
    for (std::uint64_t from = 0; from < problem.length; from += kStepItems) {
      load(next, from + kStepItems);
      unsigned masks[Step::kItems];
      std::uint32_t count = 0;
#pragma unroll
      for (int i = 0; i < Step::kItems; ++i) {
        masks[i] = __ballot_sync(kAllLanes, from + lane_place + i * 32 < problem.length && now.keeps(problem, i));
        count += __popc(masks[i]);
      }
      std::uint32_t before = 0, all = count;
      if constexpr (kWarps > 1) {
        if (lane_id() == 0) {
          counts[parity][warp] = count;
        }
        // The next step but one writes there again, behind the barrier of the next one.
        __syncthreads();
        all = 0;
#pragma unroll
        for (int w = 0; w < kWarps; ++w) {
          before += w < warp ? counts[parity][w] : 0;
          all += counts[parity][w];
        }
        parity ^= 1;
      }
      std::uint64_t to = begin + kept + before;
#pragma unroll
      for (int i = 0; i < Step::kItems; ++i) {
        if ((masks[i] >> lane_id() & 1) != 0) {
          problem.output[to + __popc(masks[i] & ((1u << lane_id()) - 1))] = now.values[i];
        }
        to += __popc(masks[i]);
      }
      kept += all;
      now = next;
    }
    if (warp == 0 && lane_id() == 0) {
      problem.kept[row] = static_cast<typename Problem::Number>(kept);
    }
  }
}

// What the lanes of a warp load of rows of up to lanes x parts elements: `lanes` of a row side by side, or all lanes several
// times. Powers of two; parts divides RowStep::kItems.
struct ShortRows {
  int lanes, parts;
  __host__ __device__ constexpr int side_by_side() const { return 32 / lanes; }
  __host__ static ShortRows of_length(std::uint64_t length) {
    ShortRows rows{1, 1};
    while (static_cast<std::uint64_t>(rows.lanes) < length && rows.lanes < 32) {
      rows.lanes *= 2;
    }
    while (static_cast<std::uint64_t>(rows.lanes * rows.parts) < length) {
      rows.parts *= 2;
    }
    return rows;
  }
};

template <class Problem>
__global__ void __launch_bounds__(kCompactRowThreads)
    compact_short_rows_kernel(const __grid_constant__ Problem problem, const ShortRows shape) {
  using Step = RowStep<Problem>;
  const int lane = lane_id() & (shape.lanes - 1), row_of_warp = lane_id() / shape.lanes;
  const unsigned lanes_of_row = (kAllLanes >> (32 - shape.lanes)) << row_of_warp * shape.lanes;
  const auto rows_of_step = static_cast<std::uint64_t>(shape.side_by_side() * (Step::kItems / shape.parts));
  const std::uint64_t warps = static_cast<std::uint64_t>(gridDim.x) * (kCompactRowThreads / 32);
  const std::uint64_t warp = static_cast<std::uint64_t>(blockIdx.x) * (kCompactRowThreads / 32) + threadIdx.x / 32;
  for (std::uint64_t first = warp * rows_of_step; first < problem.rows; first += warps * rows_of_step) {
    Step step;
    const auto row_of = [&](int i) {
      return first + static_cast<std::uint64_t>(i / shape.parts * shape.side_by_side() + row_of_warp);
    };
    const auto place_of = [&](int i) { return (i & (shape.parts - 1)) * 32 + lane; };
    const auto is_there = [&](int i) { return row_of(i) < problem.rows && place_of(i) < static_cast<int>(problem.length); };
#pragma unroll
    for (int i = 0; i < Step::kItems; ++i) {
      if (is_there(i)) {
        step.load(problem, i, row_of(i) * problem.length + place_of(i));
      }
    }
    int kept = 0;  // of the parts before
#pragma unroll
    for (int i = 0; i < Step::kItems; ++i) {
      const unsigned mask = __ballot_sync(kAllLanes, is_there(i) && step.keeps(problem, i)) & lanes_of_row;
      if ((mask >> lane_id() & 1) != 0) {
        problem.output[row_of(i) * problem.length + kept + __popc(mask & ((1u << lane_id()) - 1))] = step.values[i];
      }
      kept += __popc(mask);
      if (((i + 1) & (shape.parts - 1)) == 0) {
        if (lane == 0 && row_of(i) < problem.rows) {
          problem.kept[row_of(i)] = static_cast<typename Problem::Number>(kept);
        }
        kept = 0;
      }
    }
  }
}

}  // namespace upsweep::cuda::detail
