// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of calls, by which tile words are told from those of older calls.
#pragma once

#include <upsweep/cuda/device/scan_problem.cuh>

namespace upsweep::cuda::detail {

// At the end of the last call that the tags can tell from cleared memory: the last block of it clears all words. All
// threads of all blocks call; `is_last_block` is in shared memory.
template <class Problem>
__device__ __forceinline__ void start_calls_anew(const Problem &problem, bool &is_last_block) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last_block = atomicAdd(&problem.state->blocks_finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last_block) {
    __threadfence();
    auto *words = reinterpret_cast<std::uint64_t *>(problem.words);
    for (std::uint64_t i = threadIdx.x; i < problem.words_bytes / 8; i += blockDim.x) {
      words[i] = 0;
    }
    if (threadIdx.x == 0) {
      problem.state->blocks_finished = 0;
      problem.state->call_and_ticket = 0;
      problem.state->present = 0;
    }
  }
}

}  // namespace upsweep::cuda::detail
