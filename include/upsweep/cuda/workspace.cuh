// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device memory that a device-wide scan needs besides its arrays.
//
//     upsweep::cuda::workspace space;
//     space.bytes = upsweep::cuda::scan_workspace_bytes<float>(n);
//     cudaMalloc(&space.data, space.bytes);
//     upsweep::cuda::initialise(space, stream);   // once; nothing has to be cleared between calls
//     upsweep::cuda::inclusive_sum(space, in, out, n, stream);
//
// Calls that may run at the same time (on different streams) need workspaces of their own.
//
//     upsweep::cuda::inclusive_sum(upsweep::cuda::stream_pool, in, out, n, stream);   // or take it from the stream's pool
#pragma once

#include <upsweep/cuda/version.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace upsweep::cuda {

struct workspace {
  void *data = nullptr;  // aligned to 16 bytes, as every device allocation is
  std::size_t bytes = 0;
};

// Stands for a workspace that a call takes from its stream's memory pool and gives back: for convenience, at the price of
// clearing it in each call.
inline constexpr workspace stream_pool{nullptr, ~std::size_t(0)};

namespace detail {

inline bool is_pool(const workspace &space) { return space.data == nullptr && space.bytes == stream_pool.bytes; }

// The state (ScanState) comes first; the words of the tiles follow.
inline constexpr std::size_t kStateBytes = 128;
// The fewest elements of a thread whose largest type has `largest` bytes; a tile has those of at least two warps. launch.cuh
// checks it.
constexpr std::size_t fewest_items(std::size_t largest) { return largest <= 16 ? 7 : largest <= 32 ? 3 : 1; }
constexpr std::size_t fewest_warp_items(std::size_t largest) { return 32 * fewest_items(largest); }
// The fewest elements of a slice, cut into segments, for each four bytes of its heads.
constexpr std::size_t fewest_items_of_heads(std::size_t largest) {
  return largest <= 2 ? 24 : largest <= 4 ? 16 : largest <= 8 ? 14 : fewest_items(largest);
}
inline constexpr std::size_t kMostHeadsBytes = 4096;  // of a tile

constexpr std::size_t word_bytes(std::size_t element_bytes) { return element_bytes <= 4 ? 8 : (element_bytes + 7) / 8 * 16; }

}  // namespace detail

// Prepares a new workspace, or one whose memory was used for something else.
inline cudaError_t initialise(const workspace &space, cudaStream_t stream = nullptr) {
  return space.data == nullptr ? cudaErrorInvalidValue : cudaMemsetAsync(space.data, 0, space.bytes, stream);
}

namespace detail {

// call(workspace) with memory of the stream's pool.
template <bool kInitialised = true, class Call>
cudaError_t with_pool_workspace(std::size_t bytes, cudaStream_t stream, const Call &call) {
  workspace space;
  space.bytes = bytes;
  cudaError_t error = cudaMallocAsync(&space.data, bytes, stream);
  if (error != cudaSuccess) {
    return error;
  }
  error = kInitialised ? initialise(space, stream) : cudaSuccess;
  if (error == cudaSuccess) {
    error = call(space);
  }
  const cudaError_t freed = cudaFreeAsync(space.data, stream);
  return error != cudaSuccess ? error : freed;
}

}  // namespace detail

}  // namespace upsweep::cuda
