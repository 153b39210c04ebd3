// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rung 6: arrays of any size, eight elements for each thread. A thread loads two quads, one from each half of its block's
// elements, and scans each quad in registers. Only the quads' totals go through the padded tree of rung 2, whose loops are
// unrolled. The blocks' totals are scanned the same way and added (sums_of_blocks.cuh): 4n elements of memory traffic.
// Source: GPU Gems 3, chapter 39, sections 39.2.4 and 39.2.5 (after Lichterman 2007).
#pragma once

#include "blelloch.cuh"
#include "quads.cuh"
#include "sums_of_blocks.cuh"

#include <upsweep/cuda/block/storage.cuh>

namespace upsweep::cuda::ladder {

inline constexpr int kBlockSumsThreads = 128;
inline constexpr int kBlockSumsElements = 8 * kBlockSumsThreads;

// Bytes that block_sums needs for n elements.
template <class T>
constexpr std::size_t block_sums_workspace(std::size_t n) {
  return detail::sums_bytes<T>(n, kBlockSumsElements);
}

namespace detail {

// The tree over kLeaves totals; thread 0 returns with the total of all.
template <int kLeaves, class T, class Op>
__device__ __forceinline__ T scan_tree(T *x, Op op) {
  const int thread = threadIdx.x;
  const auto at = [](int i) { return padded_layout::at(i); };
  T total = identity<Op, T>::value();
#pragma unroll
  for (int stride = 1; stride < kLeaves; stride *= 2) {
    __syncthreads();
    if (thread < kLeaves / 2 / stride) {
      const int right = at(stride * (2 * thread + 2) - 1);
      x[right] = total = op(x[at(stride * (2 * thread + 1) - 1)], x[right]);
    }
  }
  if (thread == 0) {
    x[at(kLeaves - 1)] = identity<Op, T>::value();
  }
#pragma unroll
  for (int stride = kLeaves / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (thread < kLeaves / 2 / stride) {
      const int left = at(stride * (2 * thread + 1) - 1);
      const int right = at(stride * (2 * thread + 2) - 1);
      const T before = x[right];
      x[right] = op(before, x[left]);
      x[left] = before;
    }
  }
  __syncthreads();
  return total;
}

// The quad becomes its own inclusive scan.
template <class T, class Op>
__device__ __forceinline__ void scan_quad(quad<T> &q, Op op) {
  for (int i = 1; i < 4; ++i) {
    q.values[i] = op(q.values[i - 1], q.values[i]);
  }
}

// Its exclusive scan, after `before`.
template <class T, class Op>
__device__ __forceinline__ quad<T> shift_quad(const T &before, const quad<T> &scanned, Op op) {
  return {{before, op(before, scanned.values[0]), op(before, scanned.values[1]), op(before, scanned.values[2])}};
}

template <class T, class Op>
__global__ void __launch_bounds__(kBlockSumsThreads)
    block_sums_kernel(const T *in, T *out, std::size_t n, T *totals, bool aligned, Op op) {
  constexpr int kQuads = 2 * kBlockSumsThreads;
  __shared__ cuda::detail::raw_array<T, padded_layout::at(kQuads - 1) + 1> shared;
  T *const x = shared.data();
  const int a = threadIdx.x;
  const int b = threadIdx.x + kBlockSumsThreads;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * kQuads;
  quad<T> low = load_quad(in, n, first + a, aligned, identity<Op, T>::value());
  quad<T> high = load_quad(in, n, first + b, aligned, identity<Op, T>::value());
  scan_quad(low, op);
  scan_quad(high, op);
  x[padded_layout::at(a)] = low.values[3];
  x[padded_layout::at(b)] = high.values[3];
  const T total = scan_tree<kQuads>(x, op);
  if (totals != nullptr && threadIdx.x == 0) {
    totals[blockIdx.x] = total;
  }
  store_quad(out, n, first + a, aligned, shift_quad(x[padded_layout::at(a)], low, op));
  store_quad(out, n, first + b, aligned, shift_quad(x[padded_layout::at(b)], high, op));
}

}  // namespace detail

// Any n up to 2^31 blocks. See arguments.cuh.
template <class T, class Op = plus>
cudaError_t block_sums(const T *in, T *out, std::size_t n, cudaStream_t stream, void *workspace, std::size_t workspace_bytes,
                       Op op = {}) {
  cudaError_t error = detail::check_chunks(in, out, n, kBlockSumsElements, kBlockSumsElements);
  if (error == cudaSuccess) {
    error = detail::check_workspace(workspace, workspace_bytes, block_sums_workspace<T>(n));
  }
  if (error != cudaSuccess || n == 0) {
    return error;
  }
  const auto scan_blocks = [=](const T *from, T *to, std::size_t count, T *totals) {
    const auto blocks = static_cast<unsigned>(detail::divide_up(count, kBlockSumsElements));
    detail::block_sums_kernel<<<blocks, kBlockSumsThreads, 0, stream>>>(from, to, count, totals, detail::has_quads(from, to),
                                                                        op);
  };
  return detail::scan_by_sums(in, out, n, kBlockSumsElements, static_cast<T *>(workspace), stream, op, scan_blocks);
}

}  // namespace upsweep::cuda::ladder
