// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a checked linear recurrence to launches: the pipeline where elements along the axis are neighbours, else a thread for
// each column, or for each of its chunks where there are too few columns.
#pragma once

#include <upsweep/cuda/device/arguments.cuh>
#include <upsweep/cuda/device/recurrence_columns.cuh>
#include <upsweep/cuda/device/recurrence_work.cuh>

namespace upsweep::cuda::detail {

template <class Problem>
struct RecurrenceTuning {
  static constexpr std::size_t kBytes = sizeof(typename Problem::In) + sizeof(typename Problem::B);
  static constexpr int kVectors = sizeof(typename Problem::In) == 1 ? 3 : 7;
  static constexpr int kWarpBytes =
      32 * items_for(sizeof(typename Problem::In), sizeof(typename Problem::Out), kVectors) * static_cast<int>(kBytes);
  static constexpr int kWarps = std::clamp(kTileBytesAimedAt / kWarpBytes, 2, sizeof(typename Problem::T) > 8 ? 4 : 6);
  template <bool kBulk>
  using Geometry = RecurrenceGeometry<Problem, kWarps, kVectors, kBulk>;
  // The workspace has a word for each tile.
  static_assert(Geometry<true>::kItems >= static_cast<int>(fewest_items(Problem::kLargest)));
};

// Rows that are as long as a thread's slice, so that no two begin in one.
template <class Problem>
inline constexpr std::uint64_t fewest_row_items = RecurrenceTuning<Problem>::template Geometry<true>::kItems;

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
    return launch_scan<Problem, typename RecurrenceTuning<Problem>::template Geometry<true>>(problem, most, limits, stream);
  }
  return launch_scan<Problem, typename RecurrenceTuning<Problem>::template Geometry<false>>(problem, most, limits, stream);
}

// Columns are cut until there are as many threads, about 250 on each multiprocessor of an H200; chunks have at least
// kFewestChunkRows rows.
inline constexpr std::uint64_t kColumnsEnough = 1 << 15;
inline constexpr std::uint64_t kFewestChunkRows = 64;

inline std::uint64_t chunks_for(std::uint64_t columns, std::uint64_t length) {
  if (columns >= kColumnsEnough || length < 4 * kFewestChunkRows) {
    return 1;
  }
  return std::min((2 * kColumnsEnough + columns - 1) / columns, length / kFewestChunkRows);
}
constexpr std::uint64_t rounded_up(std::uint64_t n, std::uint64_t d) { return (n + d - 1) / d; }
// Without chunks that would have no rows.
inline std::uint64_t whole_chunks(std::uint64_t length, std::uint64_t chunks) {
  return rounded_up(length, rounded_up(length, chunks));
}

// Of the maps of chunks, of their maps, and so on.
inline std::size_t chunks_bytes(std::uint64_t batches, std::uint64_t length, std::uint64_t inner, std::size_t element) {
  std::size_t bytes = 0;
  while (length > 0) {
    const std::uint64_t chunks = whole_chunks(length, chunks_for(batches * inner, length));
    if (chunks == 1) {
      break;
    }
    bytes += 2 * rounded_up(batches * chunks * inner * element, 16) * 16;
    length = chunks;
  }
  return bytes;
}

template <class T, int kColumns>
bool lies_in_columns(const T *pointer, const axis_strides &strides) {
  return reinterpret_cast<std::uintptr_t>(pointer) % (kColumns * sizeof(T)) == 0 && strides.along % kColumns == 0 &&
         strides.batch % kColumns == 0;
}

template <int kColumns, int kRows, class Problem>
cudaError_t launch_walk(const Problem &problem, cudaStream_t stream) {
  const std::uint64_t packs = problem.batches * problem.chunks * (problem.inner / kColumns);
  const std::uint64_t blocks = rounded_up(packs, kRecurrenceThreads);
  if (blocks >= std::uint64_t(1) << 31) {
    return cudaErrorInvalidConfiguration;
  }
  return launch(recurrence_columns_kernel<Problem, kColumns, kRows>, static_cast<unsigned>(blocks), kRecurrenceThreads, 0,
                stream, problem);
}

// As vectors where there are threads enough without narrower ones: a multiprocessor has to wait for about 64 KiB at once.
template <class Problem>
cudaError_t launch_walk(const Problem &problem, cudaStream_t stream) {
  using A = typename Problem::A;
  using B = typename Problem::B;
  using Out = typename Problem::Out;
  constexpr std::size_t kWidest = std::max({sizeof(A), sizeof(B), sizeof(Out)});
  constexpr int kRows = std::max(1, std::min(16, 128 / static_cast<int>(2 * sizeof(typename Problem::T))));
  if constexpr (kWidest > 1 && kWidest < 16 && 16 % sizeof(A) == 0 && 16 % sizeof(B) == 0 && 16 % sizeof(Out) == 0) {
    constexpr int kColumns = static_cast<int>(16 / kWidest);
    const bool are_columns = problem.inner % kColumns == 0 && lies_in_columns<A, kColumns>(problem.a, problem.in_strides) &&
                             lies_in_columns<B, kColumns>(problem.b, problem.in_strides) &&
                             (Problem::kIsOfChunks || lies_in_columns<Out, kColumns>(problem.x, problem.out_strides));
    if (are_columns && problem.batches * problem.chunks * problem.inner >= 4 * kColumnsEnough) {
      return launch_walk<kColumns, 4>(problem, stream);
    }
  }
  return launch_walk<1, kRows>(problem, stream);
}

// Maps of chunks, then the recurrence of those, then that of all rows from the states between chunks.
template <class T, bool kBackward, class A, class B, class Out>
cudaError_t launch_columns_recurrence(const A *a, const B *b, Out *x, std::uint64_t batches, std::uint64_t length,
                                      std::uint64_t inner, const axis_strides &in, const axis_strides &out, const T *initials,
                                      T *lasts, unsigned char *memory, cudaStream_t stream) {
  const std::uint64_t chunk_rows = rounded_up(length, chunks_for(batches * inner, length));
  const std::uint64_t chunks = rounded_up(length, chunk_rows);
  T *const chunk_a = reinterpret_cast<T *>(memory);
  const std::uint64_t maps = batches * chunks * inner;
  T *const chunk_b = reinterpret_cast<T *>(memory + rounded_up(maps * sizeof(T), 16) * 16);
  if (chunks > 1) {
    const ColumnsProblem<T, A, B, Out, kBackward, true> of_chunks{
        a, b, nullptr, batches, length, inner, in, in, nullptr, nullptr, chunks, chunk_rows, chunk_a, chunk_b, nullptr};
    cudaError_t error = launch_walk(of_chunks, stream);
    if (error == cudaSuccess) {
      const axis_strides dense{chunks * inner, inner};
      error = launch_columns_recurrence<T, false>(chunk_a, chunk_b, chunk_b, batches, chunks, inner, dense, dense, initials,
                                                  static_cast<T *>(nullptr), memory + 2 * rounded_up(maps * sizeof(T), 16) * 16,
                                                  stream);
    }
    if (error != cudaSuccess) {
      return error;
    }
  }
  const ColumnsProblem<T, A, B, Out, kBackward, false> problem{
      a, b, x, batches, length, inner, in, out, initials, lasts, chunks, chunk_rows, chunk_a, chunk_b, chunk_b};
  return launch_walk(problem, stream);
}

}  // namespace upsweep::cuda::detail
