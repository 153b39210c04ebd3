// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Differences of neighbours, in one launch at the speed of a copy.
//
//   adjacent_difference   out[0] = x[0], out[i] = op(x[i], x[i - 1])
//
// in, out  device pointers or random-access iterators, which must not overlap; pointers aligned to 16 bytes to elements of one
//          type of 1, 2, 4 or 8 bytes take the fast path
// n        0 to 2^40 elements
// op       x[i] - x[i - 1] if it is not given
//
// Needs no workspace. Errors: cudaErrorInvalidValue for a null pointer, arrays that overlap, or too many elements.
#pragma once

#include <upsweep/cuda/device/adjacent_kernel.cuh>
#include <upsweep/cuda/device/arguments.cuh>

namespace upsweep::cuda {

struct minus {
  template <class T>
  __host__ __device__ __forceinline__ T operator()(const T &a, const T &b) const {
    return static_cast<T>(a - b);
  }
};

template <class In, class Out, class Op = minus>
cudaError_t adjacent_difference(In in, Out out, std::uint64_t n, Op op = {}, cudaStream_t stream = nullptr) {
  using T = std::remove_cv_t<typename std::iterator_traits<In>::value_type>;
  using Problem = detail::AdjacentProblem<In, Out, Op>;
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64,
                "elements must be trivially copyable and of at most 64 bytes");
  if (n > detail::kMostElements || (n > 0 && (detail::is_null(in) || detail::is_null(out)))) {
    return cudaErrorInvalidValue;
  }
  if constexpr (detail::is_contiguous<In> && detail::is_contiguous<Out>) {
    if (detail::overlap(in, n * sizeof(*in), out, n * sizeof(*out))) {
      return cudaErrorInvalidValue;
    }
  }
  if (n == 0) {
    return cudaSuccess;
  }
  const Problem problem{in, out, n, op};
  const auto launch = [&](auto kernel, std::uint64_t items) {
    const std::uint64_t of_block = detail::kAdjacentThreads * detail::kAdjacentVectors * items;
    return detail::launch_with({}, kernel, static_cast<unsigned>((n + of_block - 1) / of_block), detail::kAdjacentThreads, 0,
                               stream, problem);
  };
  if constexpr (detail::is_contiguous<In> && std::is_same_v<Out, T *> && 16 % sizeof(T) == 0 && sizeof(T) < 16) {
    if (detail::is_vector_aligned(in) && detail::is_vector_aligned(out)) {
      return launch(detail::adjacent_kernel<Problem, T, 16 / sizeof(T)>, 16 / sizeof(T));
    }
  }
  return launch(detail::adjacent_kernel<Problem, T, 1>, 1);
}

}  // namespace upsweep::cuda
