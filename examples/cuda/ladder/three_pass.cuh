// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rung 7: three passes. Blocks of rung 5 scan one element for each thread, the same three passes scan their totals, and each
// block adds the total before it (sums_of_blocks.cuh). This takes 4n elements of memory traffic, where 2n would do. Source:
// document "GPU prefix sums", three-pass approach.
#pragma once

#include "block_from_warps.cuh"
#include "sums_of_blocks.cuh"

namespace upsweep::cuda::ladder {

inline constexpr int kThreePassThreads = 256;

// Bytes that three_pass needs for n elements.
template <class T>
constexpr std::size_t three_pass_workspace(std::size_t n) {
  return detail::sums_bytes<T>(n, kThreePassThreads);
}

namespace detail {
template <class T, class Op>
__global__ void __launch_bounds__(kThreePassThreads) three_pass_kernel(const T *in, T *out, std::size_t n, T *totals, Op op) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreePassThreads + threadIdx.x;
  const T value = i < n ? in[i] : identity<Op, T>::value();
  T total = value;
  const T result = scan_block_from_warps(value, op, total);
  if (i < n) {
    out[i] = result;
  }
  if (totals != nullptr && threadIdx.x == 0) {
    totals[blockIdx.x] = total;
  }
}
}  // namespace detail

// Any n up to 2^31 blocks. See arguments.cuh.
template <class T, class Op = plus>
cudaError_t three_pass(const T *in, T *out, std::size_t n, cudaStream_t stream, void *workspace, std::size_t workspace_bytes,
                       Op op = {}) {
  cudaError_t error = detail::check_chunks(in, out, n, kThreePassThreads, kThreePassThreads);
  if (error == cudaSuccess) {
    error = detail::check_workspace(workspace, workspace_bytes, three_pass_workspace<T>(n));
  }
  if (error != cudaSuccess || n == 0) {
    return error;
  }
  const auto scan_blocks = [=](const T *from, T *to, std::size_t count, T *totals) {
    const auto blocks = static_cast<unsigned>(detail::divide_up(count, kThreePassThreads));
    detail::three_pass_kernel<<<blocks, kThreePassThreads, 0, stream>>>(from, to, count, totals, op);
  };
  return detail::scan_by_sums(in, out, n, kThreePassThreads, static_cast<T *>(workspace), stream, op, scan_blocks);
}

}  // namespace upsweep::cuda::ladder
