// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of a workspace that outlives a call, and the numbers of calls, which distinguish tile words from older calls'
// words.
#pragma once

#include <upsweep/cuda/version.cuh>

#include <cassert>
#include <cstdint>

namespace upsweep::cuda::detail {

// The state that outlives a call: the number of the call, and the tickets that were drawn in it.
struct ScanState {
  unsigned long long call_and_ticket;
  unsigned blocks_finished;  // of the last call alone
  unsigned mark;             // kMark after the first call, which other data lack
  // The steps of all blocks in this call, if they keep pace (axis_pace.cuh); 0 between calls. Blocks poll it, so it is apart
  // from the tickets.
  unsigned long long unused[6];
  unsigned long long steps_begun;
  // The number of blocks of a call that wait for each other (axis_roll.cuh), in the low half; the call's number + 1 in the high
  // half.
  unsigned long long present;
};

// The tags of calls are 1 to 2^31 - 2, so that cleared memory has no call's tag; after the last call the words are cleared.
// Kernels that keep other data in a workspace set the highest bit wherever a later call may have a tag.
inline constexpr std::uint32_t kLastCall = 0x7ffffffd;

inline constexpr unsigned kMark = 0x75707377;

// Called by a thread of each block that waits for others, before the call's last ticket is drawn. If initialise() has not
// prepared the workspace, or its begin was overwritten, this ends the program's use of the GPU (cudaErrorAssert, or
// cudaErrorLaunchFailure with NDEBUG). The tickets and totals of such a workspace would make blocks skip tiles.
__device__ __forceinline__ void check_workspace(const ScanState *state, std::uint32_t call) {
  const unsigned mark = *static_cast<const volatile unsigned *>(&state->mark);
  const bool is_prepared = mark == kMark || (mark == 0 && call == 0);
  assert(is_prepared && "upsweep: this workspace was not initialised, or overwritten");
  if (!is_prepared) {
    __trap();
  }
}

// Called by kernels that keep data in a workspace in which later calls might find their tags. check_workspace() then refuses
// the workspace until it is initialised again.
__device__ __forceinline__ void spoil_workspace(ScanState *state) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    state->mark = ~kMark;
  }
}

// Called by the thread with the call's last ticket: sets the next call's number.
__device__ __forceinline__ void end_call(ScanState *state, std::uint32_t next) {
  state->call_and_ticket = static_cast<unsigned long long>(next) << 32;
  state->mark = kMark;
}

// Called at the end of the last call that the tags can distinguish from cleared memory: its last block clears all words. All
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
