// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rung 1: Hillis and Steele's scan. In each of log2(n) steps, element k adds the element 2^d below. It has few steps, but n
// log2(n) operations, log2(n) times the necessary number.
//
// In place (naive), a step must not overwrite an element that another thread has yet to read: all read, wait, write, and wait
// again. With two buffers a step reads one and writes the other, and waits once.
// Sources: Hillis and Steele 1986, "Data Parallel Algorithms"; GPU Gems 3, chapter 39, algorithms 1 and 2. The in-place
// algorithm there has no waits, and listing 39-1 adds to a buffer that holds the values of two steps ago.
#pragma once

#include "arguments.cuh"

namespace upsweep::cuda::ladder {

// The most elements of a block: one for each thread, and two buffers in shared memory.
template <class T>
constexpr std::size_t hillis_steele_most() {
  return detail::fit_shared<T>(1024, 2);
}

namespace detail {

// The exclusive scan is the inclusive scan of the elements shifted right by one, with the identity in front.
template <class T, class Op>
__device__ __forceinline__ T load_shifted(const T *in, const chunk_range &range, int k) {
  return k == 0 || k >= range.count ? identity<Op, T>::value() : in[range.first + k - 1];
}

template <class T, class Op>
__global__ void hillis_steele_kernel(const T *in, T *out, std::size_t n, int chunk, Op op) {
  const chunk_range range = block_chunk(n, chunk);
  const int k = threadIdx.x;
  T *x = shared_array<T>();
  x[k] = load_shifted<T, Op>(in, range, k);
  __syncthreads();
  for (int distance = 1; distance < range.count; distance *= 2) {
    const T left = x[k >= distance ? k - distance : k];
    __syncthreads();
    if (k >= distance) {
      x[k] = op(left, x[k]);
    }
    __syncthreads();
  }
  if (k < range.count) {
    out[range.first + k] = x[k];
  }
}

template <class T, class Op>
__global__ void hillis_steele_double_buffered_kernel(const T *in, T *out, std::size_t n, int chunk, Op op) {
  const chunk_range range = block_chunk(n, chunk);
  const int k = threadIdx.x;
  T *from = shared_array<T>();
  T *to = from + blockDim.x;
  from[k] = load_shifted<T, Op>(in, range, k);
  __syncthreads();
  for (int distance = 1; distance < range.count; distance *= 2) {
    to[k] = k >= distance ? op(from[k - distance], from[k]) : from[k];
    __syncthreads();
    T *const written = to;
    to = from;
    from = written;
  }
  if (k < range.count) {
    out[range.first + k] = from[k];
  }
}

}  // namespace detail

// Scans each run of `chunk` elements separately; chunk <= hillis_steele_most<T>(). See arguments.cuh.
template <class T, class Op = plus>
cudaError_t hillis_steele_chunks(const T *in, T *out, std::size_t n, std::size_t chunk, cudaStream_t stream, Op op = {}) {
  const cudaError_t error = detail::check_chunks(in, out, n, chunk, hillis_steele_most<T>());
  if (error != cudaSuccess || n == 0) {
    return error;
  }
  const auto blocks = static_cast<unsigned>(detail::divide_up(n, chunk));
  const int threads = static_cast<int>(chunk);
  detail::hillis_steele_kernel<<<blocks, threads, chunk * sizeof(T), stream>>>(in, out, n, threads, op);
  return cudaPeekAtLastError();
}
template <class T, class Op = plus>
cudaError_t hillis_steele_double_buffered_chunks(const T *in, T *out, std::size_t n, std::size_t chunk, cudaStream_t stream,
                                                 Op op = {}) {
  const cudaError_t error = detail::check_chunks(in, out, n, chunk, hillis_steele_most<T>());
  if (error != cudaSuccess || n == 0) {
    return error;
  }
  const auto blocks = static_cast<unsigned>(detail::divide_up(n, chunk));
  const int threads = static_cast<int>(chunk);
  const std::size_t bytes = 2 * chunk * sizeof(T);
  detail::hillis_steele_double_buffered_kernel<<<blocks, threads, bytes, stream>>>(in, out, n, threads, op);
  return cudaPeekAtLastError();
}

// n <= hillis_steele_most<T>(). See arguments.cuh.
template <class T, class Op = plus>
cudaError_t hillis_steele(const T *in, T *out, std::size_t n, cudaStream_t stream, Op op = {}) {
  return hillis_steele_chunks(in, out, n, n, stream, op);
}
template <class T, class Op = plus>
cudaError_t hillis_steele_double_buffered(const T *in, T *out, std::size_t n, cudaStream_t stream, Op op = {}) {
  return hillis_steele_double_buffered_chunks(in, out, n, n, stream, op);
}

}  // namespace upsweep::cuda::ladder
