// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rung 2: Blelloch's scan, a balanced tree over the elements, in place. In the up-sweep each node becomes the total of its two
// children, so that the root becomes the total of all. In the down-sweep the root starts with the identity. Each node passes
// its value to its left child, and its value combined with the left child's old total to its right child. This takes 2 (n - 1)
// operations in 2 log2(n) steps.
//
// The tree's strides are powers of two, so that up to 32 threads of a warp access one bank of shared memory. The padded form
// leaves a gap after every 32 elements, and another after every 32 * 32, so that no two threads conflict.
// Sources: Blelloch 1990, "Prefix Sums and Their Applications"; GPU Gems 3, chapter 39, algorithms 3 and 4 and listings 39-2
// to 39-4. The listings' macro for the padding shifts by the number of banks, not its logarithm, and lacks parentheses.
#pragma once

#include "arguments.cuh"

namespace upsweep::cuda::ladder {

// The index of element i in shared memory.
struct dense_layout {
  __host__ __device__ static constexpr int at(int i) { return i; }
};
struct padded_layout {
  __host__ __device__ static constexpr int at(int i) { return i + (i >> 5) + (i >> 10); }
};

// The most elements of a block: two for each thread, and all of them, with their gaps, in 48 KiB of shared memory.
template <class T>
constexpr std::size_t blelloch_most() {
  int most = 2048;
  while ((padded_layout::at(most - 1) + 1) * sizeof(T) > 48 * 1024) {
    most /= 2;
  }
  return static_cast<std::size_t>(most);
}

namespace detail {

template <class Layout, class T, class Op>
__global__ void blelloch_kernel(const T *in, T *out, std::size_t n, int chunk, int leaves, Op op) {
  const chunk_range range = block_chunk(n, chunk);
  const int thread = threadIdx.x;
  const auto at = [](int i) { return Layout::at(i); };
  T *x = shared_array<T>();
  // A thread loads one element from each half, so that neighbours read neighbours. The tree is full; leaves without an element
  // are the identity.
  for (int i = thread; i < leaves; i += leaves / 2) {
    x[at(i)] = i < range.count ? in[range.first + i] : identity<Op, T>::value();
  }
  int stride = 1;
  for (int nodes = leaves / 2; nodes > 0; nodes /= 2) {
    __syncthreads();
    if (thread < nodes) {
      const int left = at(stride * (2 * thread + 1) - 1);
      const int right = at(stride * (2 * thread + 2) - 1);
      x[right] = op(x[left], x[right]);
    }
    stride *= 2;
  }
  // Thread 0 itself wrote the root last.
  if (thread == 0) {
    x[at(leaves - 1)] = identity<Op, T>::value();
  }
  for (int nodes = 1; nodes < leaves; nodes *= 2) {
    stride /= 2;
    __syncthreads();
    if (thread < nodes) {
      const int left = at(stride * (2 * thread + 1) - 1);
      const int right = at(stride * (2 * thread + 2) - 1);
      const T before = x[right];
      x[right] = op(before, x[left]);
      x[left] = before;
    }
  }
  __syncthreads();
  for (int i = thread; i < range.count; i += leaves / 2) {
    out[range.first + i] = x[at(i)];
  }
}

template <class Layout, class T, class Op>
cudaError_t launch_blelloch(const T *in, T *out, std::size_t n, std::size_t chunk, cudaStream_t stream, Op op) {
  const cudaError_t error = check_chunks(in, out, n, chunk, blelloch_most<T>());
  if (error != cudaSuccess || n == 0) {
    return error;
  }
  int leaves = 2;
  while (leaves < static_cast<int>(chunk)) {
    leaves *= 2;
  }
  const std::size_t bytes = (Layout::at(leaves - 1) + 1) * sizeof(T);
  const auto blocks = static_cast<unsigned>(divide_up(n, chunk));
  blelloch_kernel<Layout><<<blocks, leaves / 2, bytes, stream>>>(in, out, n, static_cast<int>(chunk), leaves, op);
  return cudaPeekAtLastError();
}

}  // namespace detail

// Scans each run of `chunk` elements separately; chunk <= blelloch_most<T>(). See arguments.cuh.
template <class T, class Op = plus>
cudaError_t blelloch_chunks(const T *in, T *out, std::size_t n, std::size_t chunk, cudaStream_t stream, Op op = {}) {
  return detail::launch_blelloch<dense_layout>(in, out, n, chunk, stream, op);
}
template <class T, class Op = plus>
cudaError_t blelloch_padded_chunks(const T *in, T *out, std::size_t n, std::size_t chunk, cudaStream_t stream, Op op = {}) {
  return detail::launch_blelloch<padded_layout>(in, out, n, chunk, stream, op);
}

// n <= blelloch_most<T>(). See arguments.cuh.
template <class T, class Op = plus>
cudaError_t blelloch(const T *in, T *out, std::size_t n, cudaStream_t stream, Op op = {}) {
  return blelloch_chunks(in, out, n, n, stream, op);
}
template <class T, class Op = plus>
cudaError_t blelloch_padded(const T *in, T *out, std::size_t n, cudaStream_t stream, Op op = {}) {
  return blelloch_padded_chunks(in, out, n, n, stream, op);
}

}  // namespace upsweep::cuda::ladder
