// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of selections of many rows: a warp or a block processes a row in steps, and lanes of a warp share shorter rows.
// Ballots count the kept elements before each element.
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>
#include <upsweep/cuda/device/iterators.cuh>
#include <upsweep/cuda/device/values.cuh>

#include <cstdint>
#include <type_traits>

namespace upsweep::cuda::detail {

inline constexpr int kCompactRowThreads = 256;

// Selections by predicate have no marks.
struct NoMarks {};

template <class In_, class Out_, class Marks_, class Predicate_, class Number_>
struct CompactRowsProblem {
  using Input = In_;
  using T = ElementOf<In_>;
  using Marks = Marks_;
  using Number = Number_;

  In_ input;
  Out_ output;
  Marks_ marks;
  Predicate_ predicate;
  Number_ *kept;
  Later<std::uint64_t> rows;
  std::uint64_t length;
};

template <class Marks>
struct MarkOf {
  using type = ElementOf<Marks>;
};
template <>
struct MarkOf<NoMarks> {
  using type = NoMarks;
};

// The elements that a lane loads together.
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

// The elements that a warp keeps of a step, from place `to` of the output on.
template <class Problem, class Step>
__device__ __forceinline__ void store_kept(const Problem &problem, const Step &step, const unsigned (&masks)[Step::kItems],
                                           std::uint64_t to) {
#pragma unroll
  for (int i = 0; i < Step::kItems; ++i) {
    if ((masks[i] >> lane_id() & 1) != 0) {
      problem.output[to + __popc(masks[i] & ((1u << lane_id()) - 1))] = step.values[i];
    }
    to += __popc(masks[i]);
  }
}

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
  const std::uint64_t rows = problem.rows.get();
  int parity = 0;
  for (std::uint64_t row = first_row; row < rows; row += static_cast<std::uint64_t>(gridDim.x) * kRowsOfBlock) {
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
        // The step after the next writes there again, behind the next step's barrier.
        __syncthreads();
        all = 0;
#pragma unroll
        for (int w = 0; w < kWarps; ++w) {
          before += w < warp ? counts[parity][w] : 0;
          all += counts[parity][w];
        }
        parity ^= 1;
      }
      store_kept(problem, now, masks, begin + kept + before);
      kept += all;
      now = next;
    }
    if (warp == 0 && lane_id() == 0) {
      problem.kept[row] = static_cast<typename Problem::Number>(kept);
    }
  }
}

// Blocks on a multiprocessor that process all short rows: while a warp stores a step, its next step is loaded.
inline constexpr int kShortRowBlocks = 4;

// A lane's part of rows of up to 32 x kParts elements. If all lanes share a row, it has parts of kItems / kParts rows. If
// `lanes` lanes (a power of two) share a row, it also has parts of kItems / kParts rows, and other lanes have the rows beside
// them.
template <class Problem, int kParts>
class ShortRows {
  using Step = RowStep<Problem>;
  static constexpr int kSlots = Step::kItems / kParts;  // rows of a lane

public:
  __device__ __forceinline__ ShortRows(const Problem &problem, std::uint64_t rows, int lanes)
      : problem_(problem), rows_(rows), side_by_side_(32 / lanes), length_(static_cast<int>(problem.length)),
        lane_(lane_id() & (lanes - 1)), row_of_warp_(lane_id() / lanes),
        lanes_of_row_((kAllLanes >> (32 - lanes)) << row_of_warp_ * lanes),
        lanes_before_(lanes_of_row_ & ((1u << lane_id()) - 1)) {}

  __device__ __forceinline__ std::uint64_t rows_of_step() const { return static_cast<std::uint64_t>(side_by_side_ * kSlots); }
  // Loads the rows from `first` on.
  __device__ __forceinline__ void load(std::uint64_t first) {
    row_ = first + static_cast<std::uint64_t>(row_of_warp_);
    const std::uint64_t left = row_ < rows_ ? (rows_ - row_ - 1) / side_by_side_ + 1 : 0;
    slots_ = static_cast<int>(left < kSlots ? left : kSlots);
    const std::uint64_t begin = row_ * problem_.length + lane_;
#pragma unroll
    for (int i = 0; i < Step::kItems; ++i) {
      if (has(i)) {
        step_.load(problem_, i, begin + offset_of(i) + i % kParts * 32);
      }
    }
  }
  __device__ __forceinline__ void store() const {
    const std::uint64_t begin = row_ * problem_.length;
    int kept = 0;  // of the parts before
#pragma unroll
    for (int i = 0; i < Step::kItems; ++i) {
      const bool is_kept = has(i) && step_.keeps(problem_, i);
      const unsigned mask = __ballot_sync(kAllLanes, is_kept);
      if (is_kept) {
        problem_.output[begin + offset_of(i) + kept + __popc(mask & lanes_before_)] = step_.values[i];
      }
      kept += __popc(mask & lanes_of_row_);
      if (i % kParts == kParts - 1) {
        if (lane_ == 0 && i / kParts < slots_) {
          problem_.kept[row_ + i / kParts * side_by_side_] = static_cast<typename Problem::Number>(kept);
        }
        kept = 0;
      }
    }
  }

  // Takes the rows that another object has loaded.
  __device__ __forceinline__ void take(const ShortRows &other) {
    row_ = other.row_;
    slots_ = other.slots_;
    step_ = other.step_;
  }

private:
  __device__ __forceinline__ bool has(int i) const { return i / kParts < slots_ && i % kParts * 32 + lane_ < length_; }
  __device__ __forceinline__ int offset_of(int i) const { return i / kParts * side_by_side_ * length_; }

  const Problem &problem_;
  std::uint64_t rows_;
  int side_by_side_, length_, lane_, row_of_warp_;
  unsigned lanes_of_row_, lanes_before_;
  std::uint64_t row_ = 0;
  int slots_ = 0;  // the number of the lane's rows
  Step step_;
};

template <class Problem, int kParts>
__global__ void __launch_bounds__(kCompactRowThreads, kShortRowBlocks)
    compact_short_rows_kernel(const __grid_constant__ Problem problem, const int lanes) {
  const std::uint64_t rows = problem.rows.get();
  ShortRows<Problem, kParts> now(problem, rows, lanes), next(problem, rows, lanes);
  const std::uint64_t warps = static_cast<std::uint64_t>(gridDim.x) * (kCompactRowThreads / 32);
  const std::uint64_t warp = static_cast<std::uint64_t>(blockIdx.x) * (kCompactRowThreads / 32) + threadIdx.x / 32;
  std::uint64_t first = warp * now.rows_of_step();
  now.load(first);
  while (first < rows) {
    first += warps * now.rows_of_step();
    next.load(first);
    now.store();
    now.take(next);
  }
}

}  // namespace upsweep::cuda::detail
