// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections of many rows in one call: the kept elements of each row go to the front of its row, in their order.
//
//   select_if_of_rows       keeps x[i] where predicate(x[i])
//   select_by_flag_of_rows  keeps x[i] where flags[i] is not 0
//
// `space`      initialised workspace of at least select_workspace_bytes<T>(length) bytes (select.cuh), or stream_pool
//              (workspace.cuh).
// `in`, `out`  device pointers or random-access iterators to rows x length elements. They may be the same, but must not overlap
//              otherwise. The rest of a row is not written.
// `flags`      the same, of rows x length flags.
// `kept`       device pointer to `rows` integers: the number of kept elements of each row.
// `rows`       their number, or count_at(pointer, at_most); rows x length is at most 2^40.
// `length`     elements of a row.
//
// Each input is read once, and each kept element is written once, in one launch. Rows of 2^17 elements or more have a launch
// each if the host knows their number and the GPU has more multiprocessors. Results are the same from run to run. Work is
// queued on `stream` and nothing synchronises. Only stream_pool allocates memory.
//
// Errors: cudaErrorInvalidValue for a null pointer, arrays that overlap but are not the same, a workspace that is too small or
// misaligned, or too many elements.
//
// Source: rows of a warp by ballot (Harris and Garland 2012, "Optimizing Parallel Prefix Operations for the Fermi
// Architecture").
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/compact_rows_kernel.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/select.cuh>

namespace upsweep::cuda {

namespace detail {

inline constexpr std::uint64_t kLongRow = std::uint64_t(1) << 17;  // whose selection alone keeps the GPU busy
inline constexpr std::uint64_t kLengthOfWarp = 1024;               // rows of up to this length have a warp, longer rows a block
inline constexpr std::uint64_t kMostRowBlocks = std::uint64_t(1) << 20;

template <class Problem>
cudaError_t launch_compact_rows(const Problem &problem, int multiprocessors, cudaStream_t stream) {
  const auto blocks_for = [&](std::uint64_t rows_of_block) {
    return static_cast<unsigned>(std::min((problem.rows.value + rows_of_block - 1) / rows_of_block, kMostRowBlocks));
  };
  const auto launch_short = [&](auto kernel, int parts) {
    int lanes = 1;
    while (static_cast<std::uint64_t>(lanes) < problem.length && lanes < 32) {
      lanes *= 2;
    }
    const int rows_of_block = kCompactRowThreads / lanes * (RowStep<Problem>::kItems / parts);
    const auto blocks = std::min(blocks_for(rows_of_block), static_cast<unsigned>(multiprocessors * kShortRowBlocks));
    return launch(kernel, blocks, kCompactRowThreads, 0, stream, problem, lanes);
  };
  if (problem.length <= 32) {
    return launch_short(compact_short_rows_kernel<Problem, 1>, 1);
  }
  if (problem.length <= 64) {
    return launch_short(compact_short_rows_kernel<Problem, 2>, 2);
  }
  if constexpr (RowStep<Problem>::kItems >= 4) {
    if (problem.length <= 128) {
      return launch_short(compact_short_rows_kernel<Problem, 4>, 4);
    }
  }
  if (problem.length <= kLengthOfWarp) {
    return launch(compact_rows_kernel<Problem, 1>, blocks_for(kCompactRowThreads / 32), kCompactRowThreads, 0, stream, problem);
  }
  return launch(compact_rows_kernel<Problem, kCompactRowThreads / 32>, blocks_for(1), kCompactRowThreads, 0, stream, problem);
}

// keep_of(i) is the request for a selection from element i on.
template <class In, class Out, class Number, class Marks, class Predicate, class KeepOf>
cudaError_t select_rows(const workspace &space, In in, Out out, Number *kept, const Count &rows, std::uint64_t length,
                        Marks marks, const Predicate &predicate, const KeepOf &keep_of, cudaStream_t stream) {
  using T = ElementOf<In>;
  const bool is_too_large = length > 0 && rows.most > kMostElements / length;
  if (is_too_large || rows.is_null || (rows.most > 0 && kept == nullptr)) {
    return cudaErrorInvalidValue;
  }
  const std::uint64_t n = rows.most * length;
  if (n > 0 && (is_null(in) || is_null(out) || is_null(marks) || !may_be_together(in, out, n))) {
    return cudaErrorInvalidValue;
  }
  if (!is_pool(space) && !is_usable(space, select_workspace_bytes<T>(length))) {
    return cudaErrorInvalidValue;
  }
  if (rows.most == 0) {
    return cudaSuccess;
  }
  DeviceLimits limits;
  cudaError_t error = DeviceLimits::of_current(limits);
  if (error != cudaSuccess) {
    return error;
  }
  if (rows.pointer == nullptr && length >= kLongRow && rows.most < static_cast<std::uint64_t>(limits.multiprocessors)) {
    for (std::uint64_t row = 0; row < rows.most && error == cudaSuccess; ++row) {
      const std::uint64_t first = row * length;
      error = compact<Rejects::kDropped>(space, in + first, out + first, 0, kept + row, Count{length, nullptr, false},
                                         keep_of(first), stream);
    }
    return error;
  }
  return launch_compact_rows(
      CompactRowsProblem<In, Out, Marks, Predicate, Number>{in, out, marks, predicate, kept, {rows.most, rows.pointer}, length},
      limits.multiprocessors, stream);
}

}  // namespace detail

template <class In, class Out, class Number, class Rows, class Predicate, class... More>
cudaError_t select_if_of_rows(const workspace &space, In in, Out out, Number kept, Rows rows, std::uint64_t length,
                              Predicate predicate, More... more) {
  if constexpr (detail::are_of_select<In, Out, Number, Rows, More...>()) {
    if constexpr (detail::is_predicate_of<Predicate, detail::ElementOf<detail::Unwrapped<In>>>()) {
      return detail::select_rows(
          space, detail::unwrapped(in), detail::unwrapped(out), detail::unwrapped(kept), detail::count_of(rows), length,
          detail::NoMarks{}, predicate, [&](std::uint64_t) { return detail::KeepIf<Predicate>(predicate); },
          detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

template <class In, class Flags, class Out, class Number, class Rows, class... More>
cudaError_t select_by_flag_of_rows(const workspace &space, In in, Flags flags, Out out, Number kept, Rows rows,
                                   std::uint64_t length, More... more) {
  if constexpr (detail::are_of_select<In, Out, Number, Rows, More...>() && detail::is_further_array<Flags>()) {
    const auto marks = detail::unwrapped(flags);
    return detail::select_rows(
        space, detail::unwrapped(in), detail::unwrapped(out), detail::unwrapped(kept), detail::count_of(rows), length, marks,
        detail::IsNotZero{}, [&](std::uint64_t first) { return detail::keep_marked(marks + first, detail::IsNotZero{}); },
        detail::stream_of(more...));
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(select_if_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(select_by_flag_of_rows)

}  // namespace upsweep::cuda
#endif
