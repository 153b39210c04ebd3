// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rung 3: the hybrid of Sengupta et al. Each of a few steps of a work-efficient reduction halves the number of elements. The
// step-efficient scan of Hillis and Steele scans the rest, and as many steps down restore all elements. With 0 reduce steps
// the scan is Hillis and Steele's, with log2(n) steps it is a tree. Each level of the reduction has its own array, in place of
// the authors' textures, so that strides stay at two and at most two threads access one bank.
// Sources: Sengupta, Lefohn and Owens 2006, "A Work-Efficient Step-Efficient Prefix Sum Algorithm"; GPU Gems 3, chapter 39,
// algorithms 5 and 6. The code differs, since these start at k = 1, drop the element itself on the way down, and use an
// undefined i. In a level, element 2j + 1 ends a pair, and its result is the pair's element j after its scan. The result of
// element 2j is that of pair j - 1, combined with element 2j.
#pragma once

#include "arguments.cuh"

namespace upsweep::cuda::ladder {

// The most elements of a block: all levels and the scan's second buffer together hold twice the elements.
template <class T>
constexpr std::size_t hybrid_most() {
  return detail::fit_shared<T>(4096, 2);
}

namespace detail {

// for all k in parallel
template <class Body>
__device__ __forceinline__ void for_all(int count, Body body) {
  for (int k = threadIdx.x; k < count; k += blockDim.x) {
    body(k);
  }
  __syncthreads();
}

// Hillis and Steele's inclusive scan of `from`; returns the buffer with the result.
template <class T, class Op>
__device__ T *step_efficient_scan(T *from, T *to, int count, Op op) {
  for (int distance = 1; distance < count; distance *= 2) {
    for_all(count, [&](int k) { to[k] = k >= distance ? op(from[k - distance], from[k]) : from[k]; });
    T *const written = to;
    to = from;
    from = written;
  }
  return from;
}

template <class T, class Op>
__global__ void hybrid_kernel(const T *in, T *out, std::size_t n, int chunk, int reduce_steps, Op op) {
  const chunk_range range = block_chunk(n, chunk);
  T *level = shared_array<T>();
  for_all(range.count, [&](int k) { level[k] = in[range.first + k]; });

  // Level d has count >> d elements, and follows level d - 1. An odd last element needs no pair.
  int depth = 0;
  for (; depth < reduce_steps && range.count >> (depth + 1) > 0; ++depth) {
    T *const next = level + (range.count >> depth);
    for_all(range.count >> (depth + 1), [&](int k) { next[k] = op(level[2 * k], level[2 * k + 1]); });
    level = next;
  }
  const int count = range.count >> depth;
  const T *above = step_efficient_scan(level, level + count, count, op);
  for (; depth > 0; --depth) {
    level -= range.count >> (depth - 1);
    for_all(range.count >> (depth - 1), [&](int k) {
      if (k % 2 == 1) {
        level[k] = above[k / 2];
      } else if (k > 0) {
        level[k] = op(above[k / 2 - 1], level[k]);
      }
    });
    above = level;
  }
  for_all(range.count, [&](int k) { out[range.first + k] = k > 0 ? above[k - 1] : identity<Op, T>::value(); });
}

}  // namespace detail

// Scans each run of `chunk` elements separately; chunk <= hybrid_most<T>(). reduce_steps, 0 or more, is limited to the steps
// that the elements allow; a negative number is cudaErrorInvalidValue. See arguments.cuh.
template <class T, class Op = plus>
cudaError_t hybrid_chunks(const T *in, T *out, std::size_t n, std::size_t chunk, cudaStream_t stream, Op op = {},
                          int reduce_steps = 3) {
  const cudaError_t error = detail::check_chunks(in, out, n, chunk, hybrid_most<T>());
  if (error != cudaSuccess || n == 0) {
    return error;
  }
  if (reduce_steps < 0) {
    return cudaErrorInvalidValue;
  }
  const auto blocks = static_cast<unsigned>(detail::divide_up(n, chunk));
  const std::size_t bytes = 2 * chunk * sizeof(T);
  detail::hybrid_kernel<<<blocks, 256, bytes, stream>>>(in, out, n, static_cast<int>(chunk), reduce_steps, op);
  return cudaPeekAtLastError();
}

// n <= hybrid_most<T>().
template <class T, class Op = plus>
cudaError_t hybrid(const T *in, T *out, std::size_t n, cudaStream_t stream, Op op = {}, int reduce_steps = 3) {
  return hybrid_chunks(in, out, n, n, stream, op, reduce_steps);
}

}  // namespace upsweep::cuda::ladder
