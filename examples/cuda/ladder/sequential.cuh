// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rung 0: one thread adds all elements, n - 1 operations in n steps. It is the reference for every parallel scan.
// Source: GPU Gems 3, chapter 39, section 39.1.1.
#pragma once

#include "arguments.cuh"

namespace upsweep::cuda::ladder {

namespace detail {
template <class T, class Op>
__global__ void sequential_kernel(const T *in, T *out, std::size_t n, Op op) {
  T total = identity<Op, T>::value();
  for (std::size_t i = 0; i < n; ++i) {
    const T value = in[i];  // before it is overwritten, if the scan is in place
    out[i] = total;
    total = op(total, value);
  }
}
}  // namespace detail

// Any n. See arguments.cuh.
template <class T, class Op = plus>
cudaError_t sequential(const T *in, T *out, std::size_t n, cudaStream_t stream, Op op = {}) {
  if (const cudaError_t error = detail::check_arrays(in, out, n); error != cudaSuccess || n == 0) {
    return error;
  }
  detail::sequential_kernel<<<1, 1, 0, stream>>>(in, out, n, op);
  return cudaPeekAtLastError();
}

}  // namespace upsweep::cuda::ladder
