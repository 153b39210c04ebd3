// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that work on separate strips or batches drift apart, and memory is slower the farther apart they are. So no block
// begins a step (a tile or a stage) while it is far ahead of the mean. Only speed depends on this: if the others stall because
// the GPU has other work, a block stops waiting for them.
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/tuning_axis.cuh>

namespace upsweep::cuda::detail {

// Used by one thread of each block.
class Pacer {
public:
  // `most_steps`: the most steps of a block, the same for all `blocks`. Blocks with at most kSteps steps do not wait.
  __device__ __forceinline__ Pacer(ScanState &state, std::uint64_t most_steps, std::uint32_t blocks)
      : begun_(state.steps_begun), most_steps_(most_steps), blocks_(blocks), is_on_(blocks > 1 && most_steps > kSteps),
        waits_(is_on_) {}

  // Before a step is begun.
  __device__ __forceinline__ void wait() {
    if (waits_ && steps_ >= kSteps) {
      const std::uint64_t aim = (steps_ - kSteps + 1) * blocks_;
      for (int polls = 0; seen_ < aim; ++polls) {
        const std::uint64_t before = seen_;
        seen_ = *static_cast<volatile unsigned long long *>(&begun_);
        if (seen_ != before) {
          polls = 0;
        } else if (polls == kMostPolls) {
          waits_ = false;
          return;
        }
      }
    }
  }
  __device__ __forceinline__ void begin() {
    if (is_on_) {
      atomicAdd(&begun_, 1ull);
      ++steps_;
    }
  }
  // After the last step: other blocks do not wait for a block with fewer tiles. The last block of all leaves 0 for the next
  // call.
  __device__ __forceinline__ void finish() {
    if (is_on_) {
      const unsigned long long rest = most_steps_ - steps_ + 1;
      const unsigned long long all = (most_steps_ + 1) * blocks_;
      if (atomicAdd(&begun_, rest) + rest == all) {
        begun_ = 0;
      }
    }
  }

private:
  static constexpr std::uint64_t kSteps = TunedAxis::kStepsAhead;  // a block may be this far ahead
  static constexpr int kMostPolls = TunedAxis::kMostPolls;         // polls that read the same number

  unsigned long long &begun_;
  std::uint64_t most_steps_;
  std::uint32_t blocks_;
  std::uint64_t steps_ = 0;
  std::uint64_t seen_ = 0;
  bool is_on_, waits_;
};

}  // namespace upsweep::cuda::detail
