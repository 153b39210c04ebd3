// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel for arrays so short that every block compacts one tile. A warp has its rows in registers from the load to the
// store. A block reads the earlier blocks' totals once.
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/compact_problem.cuh>
#include <upsweep/cuda/device/look_back.cuh>
#include <upsweep/cuda/device/tuning_compact.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

inline constexpr int kCompactFewBlocks = kGroup + 1;  // the most of a launch: the last one looks back at one group

// A warp's rows of 32 elements, one a lane.
template <class Problem, int kRows>
class FewToCompact {
  using In = typename Problem::In;
  using Keep = typename Problem::Segments;
  using Mark = typename Keep::Mark;

public:
  // `first` is the index of the first element, of `count`, which is not 0.
  __device__ __forceinline__ FewToCompact(const Problem &problem, std::uint32_t first, std::uint32_t count)
      : first_(first), count_(count) {
    In before[kRows];
    Mark mark[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const std::uint32_t index = min(this->index(r), count - 1);  // some element for places behind the last one
      element_[r] = problem.input[index];
      if constexpr (Keep::kLooksBefore) {
        before[r] = problem.input[index > 0 ? index - 1 : 0];
      }
      if constexpr (Keep::kMarked) {
        mark[r] = problem.segments.marks[index / Keep::kItemsPerMark];
      }
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      bool is_kept = false;
      if constexpr (Keep::kIsMask) {
        is_kept = (mark[r] >> lane_id() & 1) != 0;
      } else if constexpr (Keep::kLooksBefore) {
        const In both[2] = {before[r], element_[r]};
        is_kept = index(r) == 0 || problem.segments.keeps(both + 1, &mark[r], 0);
        if constexpr (Keep::kContinued) {
          is_kept = is_kept && (index(r) > 0 || *problem.segments.continues == 0);
        }
      } else {
        is_kept = problem.segments.keeps(&element_[r], &mark[r], 0);
      }
      kept_[r] = __ballot_sync(kAllLanes, is_kept && index(r) < count);
    }
  }

  __device__ __forceinline__ typename Problem::Element total() const {
    std::uint32_t kept = 0;
    std::uint32_t end = 0;  // the place behind the last kept element
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      kept += __popc(kept_[r]);
      end = kept_[r] != 0 ? first_ + r * 32 + 32 - __clz(static_cast<int>(kept_[r])) : end;
    }
    if constexpr (Problem::kCounts) {
      const std::uint32_t last = min(first_ + kRows * 32, count_);
      return {kept, kept > 0 ? last - (end - 1) : last - min(first_, last)};
    } else {
      return kept;
    }
  }

  __device__ __forceinline__ void store(const Problem &problem, const typename Problem::Prefix &before) const {
    const std::uint32_t lanes_before = (1u << lane_id()) - 1;
    auto rank = static_cast<std::uint32_t>(kept_of(before));  // of the row's first kept element
    std::uint32_t begin = 0;                                  // of the last open run
    if constexpr (Problem::kCounts) {
      begin = first_ - static_cast<std::uint32_t>(before.since);
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const std::uint32_t below = kept_[r] & lanes_before;
      const std::uint32_t own = rank + __popc(below);
      if ((kept_[r] >> lane_id() & 1) != 0) {
        problem.output[own] = element_[r];
        if constexpr (Problem::kCounts) {
          if (own > 0) {
            problem.rejected[own - 1] = index(r) - (below != 0 ? first_ + r * 32 + 31 - __clz(static_cast<int>(below)) : begin);
          }
        }
      } else if (index(r) < count_) {
        if constexpr (Problem::kRejects == Rejects::kReversed) {
          problem.output[count_ - 1 - (index(r) - own)] = element_[r];
        } else if constexpr (Problem::kRejects == Rejects::kSeparate) {
          problem.rejected[index(r) - own] = element_[r];
        }
      }
      rank += __popc(kept_[r]);
      begin = kept_[r] != 0 ? first_ + r * 32 + 31 - __clz(static_cast<int>(kept_[r])) : begin;
    }
  }

private:
  __device__ __forceinline__ std::uint32_t index(int row) const { return first_ + row * 32 + lane_id(); }

  std::uint32_t first_, count_;
  In element_[kRows];
  std::uint32_t kept_[kRows];
};

template <class Problem, int kRows>
__global__ void __launch_bounds__(TunedCompact::kFewThreads) compact_few_kernel(const __grid_constant__ Problem problem) {
  using Element = typename Problem::Element;
  using Prefix = typename Problem::Prefix;
  constexpr int kWarps = TunedCompact::kFewThreads / 32;
  __shared__ Element warp_totals[kWarps];
  __shared__ Prefix prefix;
  __shared__ std::uint32_t call_of_block;
  __shared__ bool is_last_block;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = lane_id();
  const bool is_alone = gridDim.x == 1;
  std::uint32_t tag = 0;
  if (warp == 0 && !is_alone) {
    tag = static_cast<std::uint32_t>(*static_cast<volatile unsigned long long *>(&problem.state->call_and_ticket) >> 32) + 1;
    check_workspace(problem.state, tag - 1);
  }
  const auto count = static_cast<std::uint32_t>(problem.count.get());
  if (count == 0) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
      *problem.kept = 0;
    }
    return;
  }
  const FewToCompact<Problem, kRows> rows(problem, (blockIdx.x * kWarps + warp) * (kRows * 32), count);
  if (lane == 0) {
    warp_totals[warp] = rows.total();
  }
  __syncthreads();
  const Element warps = warp_inclusive<kWarps>(warp_totals[lane % kWarps], problem.op);
  Prefix before{};
  if (warp == 0) {
    LookBack<Element, typename Problem::Op, TileWords<1>, 1, Prefix> look_back(problem.words, tag, problem.op);
    if (!is_alone) {
      if (lane == kWarps - 1) {
        problem.words[TileWords<1>::place(blockIdx.x)].publish(warps, tag);
      }
      if (blockIdx.x > 0) {
        typename decltype(look_back)::Batch batch;
        look_back.start_from(before);
        look_back.ask(batch, blockIdx.x, 0);
        before = look_back.finish(batch);
      }
    }
    const Element of_block = shuffle_from(warps, kWarps - 1);
    if (lane == 0) {
      prefix = before;
      call_of_block = static_cast<std::uint32_t>(tag - 1);
      if (blockIdx.x == gridDim.x - 1) {
        const Prefix all = problem.op(before, of_block);
        *problem.kept = static_cast<std::remove_pointer_t<decltype(problem.kept)>>(kept_of(all));
        if constexpr (Problem::kCounts) {
          problem.rejected[kept_of(all) - 1] = all.since;
        }
        if (!is_alone && tag - 1 != kLastCall) {
          // All blocks have published, so all know the number of this call.
          end_call(problem.state, tag);
        }
      }
    }
  }
  __syncthreads();
  before = prefix;
  const Element before_warp = shuffle_from(warps, warp > 0 ? warp - 1 : 0);
  if (warp > 0) {
    before = problem.op(before, before_warp);
  }
  rows.store(problem, before);
  if (!is_alone && call_of_block == kLastCall) {
    start_calls_anew(problem, is_last_block);
  }
}

}  // namespace upsweep::cuda::detail
