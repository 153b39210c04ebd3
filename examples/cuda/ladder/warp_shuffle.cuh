// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rung 4: the elements of a warp, in registers. Hillis and Steele's steps, each a shuffle: no shared memory, no barrier, and
// the log2(32) = 5 steps cost less than a tree's 10.
// Source: document "GPU prefix sums", warp-level scan.
#pragma once

#include "arguments.cuh"

#include <upsweep/cuda/detail/shuffle.cuh>

namespace upsweep::cuda::ladder {

inline constexpr std::size_t kWarpShuffleMost = 32;
// A warp for each chunk, and several warps in a block: with blocks of 32 a multiprocessor would not be full.
inline constexpr int kWarpShuffleThreads = 256;

namespace detail {

template <class T, class Op>
__device__ __forceinline__ T scan_by_shuffles(T value, Op op) {
  const int lane = cuda::detail::lane_id();
  for (int distance = 1; distance < 32; distance *= 2) {
    const T lower = cuda::detail::shuffle_up(value, distance);
    if (lane >= distance) {
      value = op(lower, value);
    }
  }
  return value;
}

// The exclusive result is the inclusive result of the lane below; subtracting the lane's own value would need an inverse.
template <class T, class Op>
__device__ __forceinline__ T shift_by_shuffle(const T &inclusive) {
  const T below = cuda::detail::shuffle_up(inclusive, 1);
  return cuda::detail::lane_id() == 0 ? identity<Op, T>::value() : below;
}

template <class T, class Op>
__global__ void warp_shuffle_kernel(const T *in, T *out, std::size_t n, int chunk, Op op) {
  const std::size_t warp = (static_cast<std::size_t>(blockIdx.x) * kWarpShuffleThreads + threadIdx.x) / 32;
  const chunk_range range = chunk_at(warp, n, chunk);
  const int lane = threadIdx.x % 32;
  const T value = lane < range.count ? in[range.first + lane] : identity<Op, T>::value();
  const T result = shift_by_shuffle<T, Op>(scan_by_shuffles(value, op));
  if (lane < range.count) {
    out[range.first + lane] = result;
  }
}

}  // namespace detail

// Scans each run of `chunk` elements separately; chunk <= kWarpShuffleMost. See arguments.cuh.
template <class T, class Op = plus>
cudaError_t warp_shuffle_chunks(const T *in, T *out, std::size_t n, std::size_t chunk, cudaStream_t stream, Op op = {}) {
  const cudaError_t error = detail::check_chunks(in, out, n, chunk, kWarpShuffleMost);
  if (error != cudaSuccess || n == 0) {
    return error;
  }
  const std::size_t warps = detail::divide_up(n, chunk);
  const auto blocks = static_cast<unsigned>(detail::divide_up(warps, kWarpShuffleThreads / 32));
  detail::warp_shuffle_kernel<<<blocks, kWarpShuffleThreads, 0, stream>>>(in, out, n, static_cast<int>(chunk), op);
  return cudaPeekAtLastError();
}

// n <= kWarpShuffleMost. See arguments.cuh.
template <class T, class Op = plus>
cudaError_t warp_shuffle(const T *in, T *out, std::size_t n, cudaStream_t stream, Op op = {}) {
  return warp_shuffle_chunks(in, out, n, n, stream, op);
}

}  // namespace upsweep::cuda::ladder
