// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of searches: blocks search tiles round robin, from the first on, until an element before their next tile is found.
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/slice.cuh>
#include <upsweep/cuda/device/tuning_find.cuh>
#include <upsweep/cuda/device/values.cuh>
#include <upsweep/cuda/workspace.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

// Follows the state that all calls share. Between calls it is 0: nothing is found.
struct FindState {
  unsigned long long found;  // ~i of the first element i that was found
};
inline constexpr std::size_t kFindStateAt = kStateBytes - sizeof(FindState);
static_assert(sizeof(ScanState) <= kFindStateAt);

template <class Input_, class Number_, class Predicate_>
struct FindProblem {
  using In = std::remove_cv_t<typename std::iterator_traits<Input_>::value_type>;

  Input_ input;
  Number_ *result;
  Later<std::uint64_t> count;
  Predicate_ predicate;
  ScanState *state;
  FindState *find;
};

// The unit of a thread's load: a vector, or one element.
template <class In, int kItems>
struct UnitOf {
  using type = Slice<In, kItems>;
};
template <class In>
struct UnitOf<In, 1> {
  using type = In;
};

// kItems elements at a time, as vectors of 16 bytes if there is more than one; the first vector is the one that contains the
// first element.
template <class Problem, int kItems>
class TileOfSearch {
  using In = typename Problem::In;
  using Unit = typename UnitOf<In, kItems>::type;
  static constexpr std::uint64_t kTileItems = TunedFind::kThreads * TunedFind::kVectors * kItems;

public:
  __device__ __forceinline__ explicit TileOfSearch(const Problem &problem) : problem_(problem), count_(problem.count.get()) {
    if constexpr (kItems > 1) {
      lead_ = static_cast<int>(reinterpret_cast<std::uintptr_t>(problem.input) % 16 / sizeof(In));
    }
  }

  // Called by all threads. Returns ~i of the first element i of the thread that is found, or 0.
  __device__ __forceinline__ unsigned long long run() const {
    const std::uint64_t end = count_ > 0 ? count_ + lead_ : 0;
    for (std::uint64_t begin = blockIdx.x * kTileItems; begin < end; begin += gridDim.x * kTileItems) {
      // It is tested when the elements have arrived.
      const unsigned long long found = *static_cast<const volatile unsigned long long *>(&problem_.find->found);
      const std::uint64_t place = look_at(begin, end);
      if (place != kNone) {
        return ~place;
      }
      if (found != 0 && ~found < begin) {
        break;
      }
    }
    return 0;
  }

private:
  static constexpr std::uint64_t kNone = ~std::uint64_t(0);

  __device__ __forceinline__ std::uint64_t look_at(std::uint64_t begin, std::uint64_t end) const {
    const std::uint64_t first = begin + threadIdx.x * kItems;
    std::uint64_t place = kNone;
    if (begin >= static_cast<std::uint64_t>(lead_) && begin + kTileItems <= end) {
      Unit units[TunedFind::kVectors];
#pragma unroll
      for (int v = 0; v < TunedFind::kVectors; ++v) {
        const auto from = problem_.input + (first + v * (TunedFind::kThreads * kItems) - lead_);
        if constexpr (kItems > 1) {
          units[v].load(from);
        } else {
          units[v] = *from;
        }
      }
#pragma unroll
      for (int v = TunedFind::kVectors - 1; v >= 0; --v) {
#pragma unroll
        for (int i = kItems - 1; i >= 0; --i) {
          if (problem_.predicate(element(units[v], i))) {
            place = first + v * (TunedFind::kThreads * kItems) + i - lead_;
          }
        }
      }
      return place;
    }
#pragma unroll 1
    for (int i = TunedFind::kVectors * kItems - 1; i >= 0; --i) {
      const std::uint64_t at = first + i / kItems * (TunedFind::kThreads * kItems) + i % kItems;
      if (at >= static_cast<std::uint64_t>(lead_) && at < end && problem_.predicate(problem_.input[at - lead_])) {
        place = at - lead_;
      }
    }
    return place;
  }
  __device__ __forceinline__ static In element(const Unit &unit, int i) {
    if constexpr (kItems > 1) {
      return unit.get(i);
    } else {
      return unit;
    }
  }

  const Problem &problem_;
  std::uint64_t count_;
  int lead_ = 0;  // places before the first element
};

template <class Problem, int kItems>
__global__ void __launch_bounds__(TunedFind::kThreads) find_kernel(const __grid_constant__ Problem problem) {
  const unsigned long long found = TileOfSearch<Problem, kItems>(problem).run();
  if (found != 0) {
    atomicMax(&problem.find->found, found);  // the least index has the largest complement
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    const volatile unsigned long long &state = problem.state->call_and_ticket;
    check_workspace(problem.state, static_cast<std::uint32_t>(state >> 32));
    __threadfence();
    if (atomicInc(&problem.state->blocks_finished, gridDim.x - 1) == gridDim.x - 1) {
      __threadfence();
      const unsigned long long first = atomicExch(&problem.find->found, 0);
      *problem.result =
          static_cast<std::remove_reference_t<decltype(*problem.result)>>(first != 0 ? ~first : problem.count.get());
    }
  }
}

}  // namespace upsweep::cuda::detail
