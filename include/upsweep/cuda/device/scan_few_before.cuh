// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The total before a block's tile, from elements that the block reads itself: with up to `most_reading_blocks` blocks this
// takes less time than an exchange of totals (docs/decisions/cuda-scan-short-arrays.md).
#pragma once

#include <upsweep/cuda/device/slice.cuh>
#include <upsweep/cuda/device/values.cuh>
#include <upsweep/cuda/operators.cuh>

namespace upsweep::cuda::detail {

// Whether elements that are no neighbours may be added first. 16-bit floats may not: their sums soon exceed the integers that
// they represent.
template <class Problem>
inline constexpr bool adds_in_any_order =
    is_commutative<typename Problem::Op, typename Problem::T> && !is_half<typename Problem::T>;

template <class Problem, class Geometry, bool kReads = Geometry::kReadsBefore>
class FewBefore {
public:
  __device__ __forceinline__ void load(const Problem &, unsigned) {}
};

// Each thread has a whole vector for each earlier block: neighbouring vectors, or interleaved among threads if the order is
// free.
template <class Problem, class Geometry>
class FewBefore<Problem, Geometry, true> {
  using T = typename Problem::T;
  using In = typename Problem::In;
  using Vector = Slice<In, Geometry::kItems>;
  static constexpr bool kInAnyOrder = adds_in_any_order<Problem>;

public:
  static constexpr int kMost = Geometry::kMostBefore;

  // Issues all loads.
  __device__ __forceinline__ void load(const Problem &problem, unsigned count) {
    const unsigned first = kInAnyOrder ? threadIdx.x : threadIdx.x * blockIdx.x;
    constexpr unsigned kStep = kInAnyOrder ? Geometry::kThreads : 1;
#pragma unroll
    for (int v = 0; v < kMost; ++v) {
      if (static_cast<unsigned>(v) < blockIdx.x) {
        const unsigned rank = (first + v * kStep) * Geometry::kItems;
        vectors_[v].load(&problem.input[Problem::kBackward ? count - rank - Geometry::kItems : rank]);
      }
    }
  }

  // The total of the thread's vectors; not for the first block.
  __device__ __forceinline__ T sum(const Problem &problem) const {
    T total = sum(problem, vectors_[0]);
#pragma unroll
    for (int v = 1; v < kMost; ++v) {
      if (static_cast<unsigned>(v) < blockIdx.x) {
        total = problem.op(total, sum(problem, vectors_[v]));
      }
    }
    return total;
  }

private:
  __device__ __forceinline__ static T sum(const Problem &problem, const Vector &vector) {
    T total = problem.transform_in(vector.get(Problem::kBackward ? Geometry::kItems - 1 : 0));
#pragma unroll
    for (int i = 1; i < Geometry::kItems; ++i) {
      total = problem.op(total,
                         static_cast<T>(problem.transform_in(vector.get(Problem::kBackward ? Geometry::kItems - 1 - i : i))));
    }
    return total;
  }

  Vector vectors_[kMost];
};

}  // namespace upsweep::cuda::detail
