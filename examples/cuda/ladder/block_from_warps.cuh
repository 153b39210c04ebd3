// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rung 5: a block from its warps. Each warp scans its elements, the first warp scans the warps' totals, and each warp adds the
// total before it: two barriers for up to 1024 elements.
// Source: document "GPU prefix sums", block-level scan with warp scans. Its listing subtracts each element from its inclusive
// result, which works only for sums of integers, and omits the last warp's total if the block is no multiple of 32.
#pragma once

#include "warp_shuffle.cuh"

#include <upsweep/cuda/block/storage.cuh>

namespace upsweep::cuda::ladder {

inline constexpr std::size_t kBlockFromWarpsMost = 1024;

namespace detail {

// The exclusive scan of one element for each thread, in blocks of any number of whole warps; `total` becomes the total of all.
// Two calls need a barrier between them.
template <class T, class Op>
__device__ T scan_block_from_warps(const T &value, Op op, T &total) {
  __shared__ cuda::detail::raw_array<T, 32> shared;
  T *const totals = shared.data();
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int warps = blockDim.x / 32;

  const T inclusive = scan_by_shuffles(value, op);
  const T in_warp = shift_by_shuffle<T, Op>(inclusive);
  if (lane == 31) {
    totals[warp] = inclusive;
  }
  __syncthreads();
  if (warp == 0) {
    const T mine = lane < warps ? totals[lane] : identity<Op, T>::value();
    totals[lane] = scan_by_shuffles(mine, op);
  }
  __syncthreads();
  total = totals[warps - 1];
  return warp > 0 ? op(totals[warp - 1], in_warp) : in_warp;
}

template <class T, class Op>
__global__ void block_from_warps_kernel(const T *in, T *out, std::size_t n, int chunk, Op op) {
  const chunk_range range = block_chunk(n, chunk);
  const int thread = threadIdx.x;
  const T value = thread < range.count ? in[range.first + thread] : identity<Op, T>::value();
  T total = value;
  const T result = scan_block_from_warps(value, op, total);
  if (thread < range.count) {
    out[range.first + thread] = result;
  }
}

}  // namespace detail

// Scans each run of `chunk` elements separately; chunk <= kBlockFromWarpsMost. See arguments.cuh.
template <class T, class Op = plus>
cudaError_t block_from_warps_chunks(const T *in, T *out, std::size_t n, std::size_t chunk, cudaStream_t stream, Op op = {}) {
  const cudaError_t error = detail::check_chunks(in, out, n, chunk, kBlockFromWarpsMost);
  if (error != cudaSuccess || n == 0) {
    return error;
  }
  const auto blocks = static_cast<unsigned>(detail::divide_up(n, chunk));
  const auto threads = static_cast<unsigned>(detail::divide_up(chunk, 32) * 32);
  detail::block_from_warps_kernel<<<blocks, threads, 0, stream>>>(in, out, n, static_cast<int>(chunk), op);
  return cudaPeekAtLastError();
}

// n <= kBlockFromWarpsMost. See arguments.cuh.
template <class T, class Op = plus>
cudaError_t block_from_warps(const T *in, T *out, std::size_t n, cudaStream_t stream, Op op = {}) {
  return block_from_warps_chunks(in, out, n, n, stream, op);
}

}  // namespace upsweep::cuda::ladder
