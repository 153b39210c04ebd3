// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a checked linear recurrence: by the pipeline if elements along the axis are neighbours, else with a thread for each
// column. If there are too few columns, each of a column's chunks has a thread.
#pragma once

#include <upsweep/cuda/device/arguments.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/pipeline_launch.cuh>
#include <upsweep/cuda/device/recurrence_columns_kernel.cuh>
#include <upsweep/cuda/device/recurrence_work.cuh>
#include <upsweep/cuda/device/slice.cuh>
#include <upsweep/cuda/device/tuning_columns.cuh>
#include <upsweep/cuda/device/tuning_pipeline.cuh>
#include <upsweep/cuda/device/tuning_recurrence.cuh>

namespace upsweep::cuda::detail {

template <class Problem>
struct RecurrenceTuning {
  static constexpr std::size_t kBytes = sizeof(typename Problem::In) + sizeof(typename Problem::B);
  static constexpr int kVectors =
      sizeof(typename Problem::In) == 1 ? TunedRecurrence::kVectorsOfBytes : TunedRecurrence::kVectors;
  static constexpr int kWarpBytes =
      32 * items_for(sizeof(typename Problem::In), sizeof(typename Problem::Out), kVectors) * static_cast<int>(kBytes);
  static constexpr int kMost = sizeof(typename Problem::T) > 8 ? TunedRecurrence::kWarpsOfLarger : TunedRecurrence::kWarps;
  static constexpr int kWarps = std::clamp(TunedPipeline::kTileBytes / kWarpBytes, 2, kMost);
  template <bool kBulk>
  using Geometry = RecurrenceGeometry<Problem, kWarps, kVectors, kBulk>;
  // The workspace has a word for each tile.
  static_assert(Geometry<true>::kItems >= static_cast<int>(fewest_items(Problem::kLargest)));
};

// The fewest elements of a row: longer than a thread's slice, so that at most one row begins in a slice or just behind it.
template <class Problem>
inline constexpr std::uint64_t fewest_row_items = RecurrenceTuning<Problem>::template Geometry<true>::kItems + 1;

template <class Problem>
cudaError_t launch_recurrence(const Problem &problem, std::uint64_t most, cudaStream_t stream) {
  DeviceLimits limits;
  const cudaError_t error = DeviceLimits::of_current(limits);
  if (error != cudaSuccess) {
    return error;
  }
  using B = typename Problem::B;
  const bool is_known = problem.count.pointer == nullptr;
  if (limits.major >= 9 && can_copy_in_bulk(problem, most, is_known) && is_vector_aligned(problem.b) &&
      (!Problem::kBackward || most * sizeof(B) % 16 == 0)) {
    return launch_pipeline<Problem, typename RecurrenceTuning<Problem>::template Geometry<true>>(problem, most, limits, stream);
  }
  return launch_pipeline<Problem, typename RecurrenceTuning<Problem>::template Geometry<false>>(problem, most, limits, stream);
}

template <int kColumns, int kRows, class Problem>
cudaError_t launch_walk(const Problem &problem, cudaStream_t stream) {
  const std::uint64_t packs = problem.batches * problem.chunks * (problem.inner / kColumns);
  const std::uint64_t blocks = rounded_up(packs, TunedColumns::kThreads);
  if (blocks >= std::uint64_t(1) << 31) {
    return cudaErrorInvalidConfiguration;
  }
  return launch(recurrence_columns_kernel<Problem, kColumns, kRows>, static_cast<unsigned>(blocks), TunedColumns::kThreads, 0,
                stream, problem);
}

// A multiprocessor needs about 64 KiB of loads in flight. With kColumnsEnough threads, 128 bytes of an array for each thread
// suffice. Each load then takes as many columns as possible.
template <class Problem>
inline constexpr int rows_of_walk =
    std::max(1, std::min(TunedRecurrence::kMostRows, 128 / static_cast<int>(sizeof(typename Problem::A))));

template <int kColumns, class Problem>
bool is_for_columns(const Problem &problem, std::uint64_t fewest_threads) {
  return problem.inner % kColumns == 0 && problem.batches * problem.chunks * (problem.inner / kColumns) >= fewest_threads &&
         lies_in_columns<typename Problem::A, kColumns>(problem.a, problem.in_strides) &&
         lies_in_columns<typename Problem::B, kColumns>(problem.b, problem.in_strides) &&
         (Problem::kIsOfChunks || lies_in_columns<typename Problem::Out, kColumns>(problem.x, problem.out_strides));
}

template <class Problem>
cudaError_t launch_walk(const Problem &problem, cudaStream_t stream) {
  using A = typename Problem::A;
  using B = typename Problem::B;
  using Out = typename Problem::Out;
  constexpr int kWidest = static_cast<int>(std::max({sizeof(A), sizeof(B), sizeof(Out)}));
  if constexpr (kWidest > 1 && kWidest < 16 && 16 % sizeof(A) == 0 && 16 % sizeof(B) == 0 && 16 % sizeof(Out) == 0) {
    constexpr int kColumns = 16 / kWidest;
    if (is_for_columns<kColumns>(problem, 4 * TunedColumns::kEnough)) {
      return launch_walk<kColumns, 4>(problem, stream);
    }
    if constexpr (kWidest < 8) {
      if (is_for_columns<2>(problem, TunedColumns::kEnough)) {
        return launch_walk<2, std::min(TunedRecurrence::kMostRows, 64 / kWidest)>(problem, stream);
      }
    }
  }
  return launch_walk<1, rows_of_walk<Problem>>(problem, stream);
}

// Computes the maps of chunks, then their recurrence, and then the recurrence of all rows from the states between chunks.
template <class T, bool kBackward, class A, class B, class Out>
cudaError_t launch_columns_recurrence(const A *a, const B *b, Out *x, std::uint64_t batches, std::uint64_t length,
                                      std::uint64_t inner, const axis_strides &in, const axis_strides &out, const T *initials,
                                      T *lasts, unsigned char *memory, cudaStream_t stream) {
  const ColumnChunks chunks(batches * inner, length, TunedColumns::kEnough);
  const std::size_t array_bytes = chunks_array_bytes<T>(batches * inner, chunks.count);
  T *const chunk_a = reinterpret_cast<T *>(memory), *const chunk_b = reinterpret_cast<T *>(memory + array_bytes);
  if (chunks.count > 1) {
    const RecurrenceColumnsProblem<T, A, B, Out, kBackward, true> of_chunks{
        a, b, nullptr, batches, length, inner, in, in, nullptr, nullptr, chunks.count, chunks.rows, chunk_a, chunk_b, nullptr};
    cudaError_t error = launch_walk(of_chunks, stream);
    if (error == cudaSuccess) {
      const axis_strides dense{chunks.count * inner, inner};
      error = launch_columns_recurrence<T, false>(chunk_a, chunk_b, chunk_b, batches, chunks.count, inner, dense, dense,
                                                  initials, static_cast<T *>(nullptr), memory + 2 * array_bytes, stream);
    }
    if (error != cudaSuccess) {
      return error;
    }
  }
  const RecurrenceColumnsProblem<T, A, B, Out, kBackward, false> problem{
      a, b, x, batches, length, inner, in, out, initials, lasts, chunks.count, chunks.rows, chunk_a, chunk_b, chunk_b};
  return launch_walk(problem, stream);
}

}  // namespace upsweep::cuda::detail
