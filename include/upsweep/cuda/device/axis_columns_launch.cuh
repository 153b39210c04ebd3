// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides whether an array gets a thread for each column, and launches the kernel for it.
#pragma once

#include <upsweep/cuda/device/arguments.cuh>
#include <upsweep/cuda/device/axis_columns_kernel.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/tuning_axis.cuh>
#include <upsweep/cuda/device/tuning_columns.cuh>

#include <algorithm>

namespace upsweep::cuda::detail {

// The number of columns that are read as one vector of kBytes, or 1 if they cannot be.
template <class Problem, std::size_t kBytes>
inline constexpr int columns_of =
    is_contiguous<typename Problem::Input> && is_contiguous<typename Problem::Output> &&
            sizeof(typename Problem::In) == sizeof(typename Problem::Out) && kBytes % sizeof(typename Problem::In) == 0
        ? static_cast<int>(kBytes / sizeof(typename Problem::In))
        : 1;

template <class T>
bool lies_in_packs(const T *pointer, const axis_strides &strides, int columns) {
  return reinterpret_cast<std::uintptr_t>(pointer) % (columns * sizeof(T)) == 0 && strides.along % columns == 0 &&
         strides.batch % columns == 0;
}
template <int kColumns, class Problem>
bool lies_in_packs(const Problem &problem) {
  if constexpr (kColumns > 1) {
    return problem.inner % kColumns == 0 && lies_in_packs(problem.input, problem.in_strides, kColumns) &&
           lies_in_packs(problem.output, problem.out_strides, kColumns);
  } else {
    return false;
  }
}

// Axes of up to few_rows rows are fastest this way.
template <class In>
inline constexpr std::uint64_t few_rows = sizeof(In) < 4 ? TunedAxis::kShortAxisOfSmall : TunedAxis::kShortAxis;

// Rows that are read together, into about 128 bytes of registers.
template <class Problem, int kColumns, int kRows>
inline constexpr int rows_at_once =
    std::max(1, std::min(kRows, 128 / (kColumns * static_cast<int>(sizeof(typename Problem::T)))));

template <int kColumns, int kRows, class Problem>
cudaError_t launch_columns_of(const Problem &problem, cudaStream_t stream) {
  const std::uint64_t packs = problem.rows / problem.length * (problem.inner / kColumns);
  const std::uint64_t blocks = (packs + TunedColumns::kThreads - 1) / TunedColumns::kThreads;
  const auto kernel = axis_columns_kernel<Problem, kColumns, rows_at_once<Problem, kColumns, kRows>>;
  return launch(kernel, static_cast<unsigned>(blocks), TunedColumns::kThreads, 0, stream, problem);
}

template <int kColumns, class Problem>
cudaError_t launch_columns_of(const Problem &problem, cudaStream_t stream) {
  if (problem.length <= 4) {
    return launch_columns_of<kColumns, 4>(problem, stream);
  }
  return launch_columns_of<kColumns, 16>(problem, stream);
}

// The blocks of a launch are numbered by 31 bits.
template <class Problem>
bool has_columns_enough(const Problem &problem, std::uint64_t fewest) {
  const std::uint64_t columns = problem.rows / problem.length * problem.inner;
  return columns >= fewest && columns / TunedColumns::kThreads < (std::uint64_t(1) << 31) - 1;
}

template <class Problem>
cudaError_t launch_columns(const Problem &problem, cudaStream_t stream) {
  constexpr int kOfVector = sizeof(typename Problem::In) >= 4 ? columns_of<Problem, 16> : 1;
  constexpr int kOfWord = columns_of<Problem, 4>;
  if (problem.length <= TunedAxis::kRowsForVectors && lies_in_packs<kOfVector>(problem)) {
    return launch_columns_of<kOfVector, 4>(problem, stream);
  }
  return lies_in_packs<kOfWord>(problem) ? launch_columns_of<kOfWord>(problem, stream) : launch_columns_of<1>(problem, stream);
}

}  // namespace upsweep::cuda::detail
