// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common part of the ladder's functions: the rules of their signature and the checks of their arguments.
//
// A rung is a function
//
//     cudaError_t rung(const T *in, T *out, std::size_t n, cudaStream_t stream, Op op = {});
//
// that launches an exclusive scan of n elements: out[i] combines the identity of op with in[0] to in[i - 1], in order.
//
// T, Op      numbers and the operators of operators.cuh, or a trivially copyable and default-constructible type of at most
//            64 bytes, aligned to at most 16, with an associative operator for which identity<Op, T> is specialised. The
//            operator need not commute.
// in, out    device memory; out may be in.
// The call is asynchronous and returns cudaPeekAtLastError() after the launch, so that a pending earlier error is reported as
// well. It returns cudaErrorInvalidValue and launches nothing if
//            - n is more than the rung can scan (the limit is a constant or function beside it),
//            - in or out is null although n is not 0,
//            - in and out overlap without being the same.
//
// Rungs for one block also have a form rung_chunks(in, out, n, chunk, stream, op). It scans each run of `chunk` elements
// separately with one block; the documents' tables fill a GPU this way. Rungs that need device memory take it as (void
// *workspace, std::size_t workspace_bytes) after the stream, aligned to 16 bytes; rung_workspace<T>(n) is its size. The memory
// may be reused when the stream has reached the call's end.
#pragma once

#include <upsweep/cuda/operators.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::cuda::ladder::detail {

template <class T>
cudaError_t check_arrays(const T *in, const T *out, std::size_t n) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64, "elements are trivially copyable and of at most 64 bytes");
  if (n == 0) {
    return cudaSuccess;
  }
  if (in == nullptr || out == nullptr || n > PTRDIFF_MAX / sizeof(T)) {
    return cudaErrorInvalidValue;
  }
  const auto from = reinterpret_cast<std::uintptr_t>(in);
  const auto to = reinterpret_cast<std::uintptr_t>(out);
  const std::uintptr_t bytes = n * sizeof(T);
  const bool overlap = from < to + bytes && to < from + bytes;
  return overlap && from != to ? cudaErrorInvalidValue : cudaSuccess;
}

template <class T>
cudaError_t check_chunks(const T *in, const T *out, std::size_t n, std::size_t chunk, std::size_t largest_chunk) {
  const bool no_chunks = n > 0 && (chunk == 0 || chunk > largest_chunk || (n - 1) / chunk >= 0x7fffffff);
  return no_chunks ? cudaErrorInvalidValue : check_arrays(in, out, n);
}

inline cudaError_t check_workspace(const void *workspace, std::size_t bytes, std::size_t needed) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(workspace) % 16 == 0;
  return needed > 0 && (workspace == nullptr || !aligned || bytes < needed) ? cudaErrorInvalidValue : cudaSuccess;
}

constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return a / b + (a % b != 0); }

// The largest power of two of elements, at most `most`, for which `arrays` arrays fit the 48 KiB of shared memory of every
// block.
template <class T>
constexpr std::size_t fit_shared(std::size_t most, std::size_t arrays) {
  while (most * arrays * sizeof(T) > 48 * 1024) {
    most /= 2;
  }
  return most;
}

// The block's dynamic shared memory as an array.
template <class T>
__device__ __forceinline__ T *shared_array() {
  static_assert(alignof(T) <= 16, "shared memory is aligned to 16 bytes");
  extern __shared__ __align__(16) unsigned char upsweep_ladder_shared[];
  return reinterpret_cast<T *>(upsweep_ladder_shared);
}

// The elements of chunk `index`: `count` of them from `first` on; none behind the last chunk.
struct chunk_range {
  std::size_t first;
  int count;
};
__device__ __forceinline__ chunk_range chunk_at(std::size_t index, std::size_t n, int chunk) {
  const std::size_t first = index * chunk;
  const std::size_t left = first < n ? n - first : 0;
  return {first, left < static_cast<std::size_t>(chunk) ? static_cast<int>(left) : chunk};
}
__device__ __forceinline__ chunk_range block_chunk(std::size_t n, int chunk) { return chunk_at(blockIdx.x, n, chunk); }

}  // namespace upsweep::cuda::ladder::detail
