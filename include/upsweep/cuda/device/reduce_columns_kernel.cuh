// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of reductions along an axis with neighbouring elements behind it. A thread adds up the rows of its columns, or of
// a chunk of them. The same kernel adds up the chunks' totals. Any strides and alignment.
#pragma once

#include <upsweep/cuda/device/column_chunks.cuh>
#include <upsweep/cuda/device/tuning_columns.cuh>
#include <upsweep/cuda/device/values.cuh>

namespace upsweep::cuda::detail {

// Finish  finish(total, is_empty, index of the first element) makes the result of a column; a chunk's total is stored unchanged
template <class T_, class In_, class Output_, class Op_, class Transform_, class Finish_>
struct ReduceColumnsProblem {
  using T = T_;
  using In = In_;

  const In *in;
  Output_ output;
  std::uint64_t batches, length, inner;
  axis_strides strides;
  Op_ op;
  Transform_ transform;
  Finish_ finish;
  std::uint64_t chunks, chunk_rows;
  std::uint64_t indices_of_batch;  // the distance of the indices of successive batches' first elements

  __device__ __forceinline__ T operand(const In &element, std::uint64_t row) const {
    if constexpr (std::is_invocable_v<Transform_, In, std::uint64_t>) {
      return transform(element, row);
    } else {
      return transform(element);
    }
  }
};

// kColumns  neighbouring columns of a thread
// kRows     rows that are read together
template <class Problem, int kColumns, int kRows>
__global__ void __launch_bounds__(TunedColumns::kThreads) reduce_columns_kernel(const __grid_constant__ Problem problem) {
  using T = typename Problem::T;
  using Pack = Columns<typename Problem::In, kColumns>;
  const std::uint64_t across = problem.inner / kColumns;
  const std::uint64_t pack = static_cast<std::uint64_t>(blockIdx.x) * TunedColumns::kThreads + threadIdx.x;
  if (pack >= problem.batches * problem.chunks * across) {
    return;
  }
  const std::uint64_t column = pack % across * kColumns;
  const std::uint64_t chunk = pack / across % problem.chunks, batch = pack / across / problem.chunks;
  const std::uint64_t first_index = batch * problem.indices_of_batch;
  std::uint64_t row = chunk * problem.chunk_rows;
  const std::uint64_t end = min(row + problem.chunk_rows, problem.length);
  const auto *from = problem.in + (batch * problem.strides.batch + row * problem.strides.along + column);
  T totals[kColumns] = {};
  bool is_empty = true;
  const auto add = [&](const Pack &columns) {
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      totals[c] = combined(!is_empty, totals[c], problem.operand(columns.elements[c], first_index + row), problem.op);
    }
    is_empty = false;
    ++row;
  };
  while (row + kRows <= end) {
    Pack rows[kRows];
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      rows[i] = *reinterpret_cast<const Pack *>(from);
      from += problem.strides.along;
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      add(rows[i]);
    }
  }
  while (row < end) {
    add(*reinterpret_cast<const Pack *>(from));
    from += problem.strides.along;
  }
  const std::uint64_t to = (batch * problem.chunks + chunk) * problem.inner + column;
#pragma unroll
  for (int c = 0; c < kColumns; ++c) {
    problem.output[to + c] = problem.finish(totals[c], is_empty, first_index);
  }
}

}  // namespace upsweep::cuda::detail
