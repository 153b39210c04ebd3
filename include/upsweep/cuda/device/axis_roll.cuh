// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that wait for each other must be resident together. Another kernel, or a partition of the GPU, may leave no room for
// all blocks of a launch. So the blocks agree at their start on their number. It is usually the whole launch, or else the
// number of started blocks when no further block starts for a while. Blocks that start later exit.
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/tuning_axis.cuh>

namespace upsweep::cuda::detail {

// The result of the roll call for a block or a cluster of blocks.
struct RollCall {
  std::uint32_t call;     // the number of the call
  std::uint32_t place;    // in the order in which the units of the launch began
  std::uint32_t present;  // units that may wait for each other; later places exit
  bool is_last;           // all units have begun: this one ends the call, by end_call()
};

// Called by one thread of each of `units` blocks or clusters that do not wait for each other: all are present.
__device__ __forceinline__ RollCall draw(ScanState *state, std::uint32_t units) {
  const unsigned long long drawn = atomicAdd(&state->call_and_ticket, 1ull);
  RollCall roll;
  roll.call = static_cast<std::uint32_t>(drawn >> 32);
  roll.place = static_cast<std::uint32_t>(drawn);
  roll.present = units;
  roll.is_last = roll.place == units - 1;
  check_workspace(state, roll.call);
  return roll;
}

// Called by one thread of each of `units` blocks or clusters. If must_prepare(call) is true, the first unit runs prepare()
// before any unit gets its answer, and the numbers of calls may begin anew. `present` is 0 whenever they have begun anew (also
// by start_calls_anew()), and so never has the tag of a later call.
template <class MustPrepare, class Prepare>
__device__ __forceinline__ RollCall call_roll(ScanState *state, std::uint32_t units, const MustPrepare &must_prepare,
                                              const Prepare &prepare) {
  RollCall roll = draw(state, units);
  const bool is_first = roll.place == 0;
  const bool must = must_prepare(roll.call);
  if (is_first && must) {
    prepare();
    __threadfence();
  }
  const std::uint32_t tag = roll.call + 1;
  std::uint32_t begun = 0;
  for (long long since = clock64();;) {
    const unsigned long long present = *static_cast<const volatile unsigned long long *>(&state->present);
    if (static_cast<std::uint32_t>(present >> 32) == tag) {
      roll.present = static_cast<std::uint32_t>(present);
      break;
    }
    std::uint32_t agreed = roll.is_last && !must ? units : 0;
    if (is_first) {
      // The number of the call stays until its last unit has the answer.
      const auto now = static_cast<std::uint32_t>(*static_cast<const volatile unsigned long long *>(&state->call_and_ticket));
      if (now != begun) {
        begun = now;
        since = clock64();
      }
      if (begun == units || clock64() - since > TunedAxis::kRollCallCycles) {
        agreed = begun;
      }
    }
    if (agreed > 0) {
      atomicCAS(&state->present, present, static_cast<unsigned long long>(tag) << 32 | agreed);
    }
  }
  if (must && atomicAdd(&state->blocks_finished, 1u) == units - 1) {
    // All units have the answer.
    state->blocks_finished = 0;
    state->present = 0;
  }
  return roll;
}

}  // namespace upsweep::cuda::detail
