// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of scans along an axis for arrays with enough columns to fill the GPU with a thread for each. A thread scans all
// rows of its columns, with the totals in registers. No thread waits for another. Any iterators, strides and alignment.
#pragma once

#include <upsweep/cuda/device/axis_problem.cuh>
#include <upsweep/cuda/device/tuning_columns.cuh>

namespace upsweep::cuda::detail {

// kColumns  neighbouring columns of a thread, read and written together
// kRows     rows that are read together, while the kRows rows before them are scanned
template <class Problem, int kColumns, int kRows>
class ColumnWalk {
  using T = typename Problem::T;
  using In = typename Problem::In;
  using Out = typename Problem::Out;

public:
  __device__ __forceinline__ ColumnWalk(const Problem &problem, std::uint64_t pack)
      : problem_(problem), initial_(Problem::kInitial ? problem.initial.get() : T()) {
    const std::uint64_t across = problem.inner / kColumns;
    const std::uint64_t batch = pack / across;
    const std::uint64_t column = pack % across * kColumns;
    const std::uint64_t first = Problem::kBackward ? problem.length - 1 : 0;
    from_ = batch * problem.in_strides.batch + first * problem.in_strides.along + column;
    to_ = batch * problem.out_strides.batch + first * problem.out_strides.along + column;
  }

  __device__ __forceinline__ void run() {
    std::uint64_t left = problem_.length;
    PackedColumns<In, kColumns> packs[kRows];
    read(packs, left);
    for (; left > kRows; left -= kRows) {
      PackedColumns<In, kColumns> next[kRows];
      read(next, left - kRows);
      scan(packs, kRows, left == problem_.length);
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        packs[i] = next[i];
      }
    }
    scan(packs, static_cast<int>(left), left == problem_.length);
  }

private:
  __device__ __forceinline__ static std::uint64_t step(const axis_strides &strides) {
    return Problem::kBackward ? -strides.along : strides.along;
  }
  // The next rows; after the end, the last row again. All loads are issued before any result is used.
  __device__ __forceinline__ void read(PackedColumns<In, kColumns> (&packs)[kRows], std::uint64_t left) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      if constexpr (kColumns == 1) {
        packs[i].put({problem_.input[from_]});
      } else {
        packs[i].load(problem_.input + from_);
      }
      if (static_cast<unsigned>(i + 1) < left) {
        from_ += step(problem_.in_strides);
      }
    }
  }

  __device__ __forceinline__ void scan(const PackedColumns<In, kColumns> (&packs)[kRows], int count, bool is_first) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      if (i < count) {
        const Pack<In, kColumns> pack = packs[i].get();
        Pack<Out, kColumns> results;
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
          T next = problem_.transform_in(pack.elements[c]);
          if (i > 0 || !is_first) {
            next = problem_.op(totals_.elements[c], next);
          } else if constexpr (Problem::kInitial) {
            totals_.elements[c] = initial_;
            next = problem_.op(initial_, next);
          }
          results.elements[c] = problem_.transform_out(Problem::kInclusive ? next : totals_.elements[c]);
          totals_.elements[c] = next;
        }
        if constexpr (kColumns == 1) {
          problem_.output[to_] = results.elements[0];
        } else {
          PackedColumns<Out, kColumns> packed;
          packed.put(results);
          packed.store(problem_.output + to_);
        }
        to_ += step(problem_.out_strides);
      }
    }
  }

  const Problem &problem_;
  T initial_;
  Pack<T, kColumns> totals_;
  std::uint64_t from_, to_;  // places of the next rows
};

template <class Problem, int kColumns, int kRows>
__global__ void __launch_bounds__(TunedColumns::kThreads) axis_columns_kernel(const __grid_constant__ Problem problem) {
  const std::uint64_t pack = static_cast<std::uint64_t>(blockIdx.x) * TunedColumns::kThreads + threadIdx.x;
  const std::uint64_t packs = problem.rows / problem.length * (problem.inner / kColumns);
  if (pack < packs) {
    ColumnWalk<Problem, kColumns, kRows>(problem, pack).run();
  }
}

}  // namespace upsweep::cuda::detail
