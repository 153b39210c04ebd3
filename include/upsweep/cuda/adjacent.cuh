// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Differences of neighbours, in one launch at the speed of a copy.
//
//   adjacent_difference   out[0] = x[0], out[i] = op(x[i], x[i - 1])
//
// `in`, `out`  device pointers or random-access iterators, which must not overlap. The fast path takes pointers aligned to 16
//              bytes, to elements of one type of 1, 2, 4 or 8 bytes.
// `n`          0 to 2^40 elements.
// `op`         x[i] - x[i - 1] if it is not given.
//
// Needs no workspace. Errors: cudaErrorInvalidValue for a null pointer, arrays that overlap, or too many elements.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/adjacent_kernel.cuh>
#include <upsweep/cuda/device/call.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/tuning_adjacent.cuh>

namespace upsweep::cuda {

namespace detail {

template <class In, class Out, class Op>
cudaError_t adjacent_difference(In in, Out out, std::uint64_t n, Op op, cudaStream_t stream) {
  using T = ElementOf<In>;
  using Problem = AdjacentProblem<In, Out, Op>;
  if (n > kMostElements || (n > 0 && (is_null(in) || is_null(out)))) {
    return cudaErrorInvalidValue;
  }
  if constexpr (is_contiguous<In> && is_contiguous<Out>) {
    if (overlap(in, n * sizeof(*in), out, n * sizeof(*out))) {
      return cudaErrorInvalidValue;
    }
  }
  if (n == 0) {
    return cudaSuccess;
  }
  const Problem problem{in, out, n, op};
  const auto launch = [&](auto kernel, std::uint64_t items) {
    const std::uint64_t of_block = TunedAdjacent::kThreads * TunedAdjacent::kVectors * items;
    return launch_with({}, kernel, static_cast<unsigned>((n + of_block - 1) / of_block), TunedAdjacent::kThreads, 0, stream,
                       problem);
  };
  if constexpr (is_contiguous<In> && std::is_same_v<Out, T *> && 16 % sizeof(T) == 0 && sizeof(T) < 16) {
    if (is_vector_aligned(in) && is_vector_aligned(out)) {
      return launch(adjacent_kernel<Problem, T, 16 / sizeof(T)>, 16 / sizeof(T));
    }
  }
  return launch(adjacent_kernel<Problem, T, 1>, 1);
}

}  // namespace detail

template <class In, class Out, class... More>
cudaError_t adjacent_difference(In in, Out out, std::uint64_t n, More... more) {
  if constexpr (detail::are_arrays<In, Out, std::uint64_t>()) {
    using T = detail::ElementOf<detail::Unwrapped<In>>;
    if constexpr (detail::are_stream_and_binary<T, More...>()) {
      return detail::adjacent_difference(detail::unwrapped(in), detail::unwrapped(out), n,
                                         detail::operator_among<T>(minus{}, more...), detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

}  // namespace upsweep::cuda
#endif
