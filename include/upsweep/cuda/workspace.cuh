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
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace upsweep::cuda {

struct workspace {
  void *data = nullptr;  // aligned to 16 bytes, as every device allocation is
  std::size_t bytes = 0;
};

namespace detail {

// The state comes first; the words of the tiles follow.
inline constexpr std::size_t kStateBytes = 128;
// No tile has fewer elements than this, but the last one; so many words suffice for any operator, also by key.
inline constexpr std::size_t kFewestTileItems = 64;
// Nor has the part of a warp.
inline constexpr std::size_t kFewestWarpItems = 32;

constexpr std::size_t word_bytes(std::size_t element_bytes) { return element_bytes <= 4 ? 8 : (element_bytes + 7) / 8 * 16; }

}  // namespace detail

// Prepares a new workspace, or one whose memory was used for something else.
inline cudaError_t initialise(const workspace &space, cudaStream_t stream = nullptr) {
  return space.data == nullptr ? cudaErrorInvalidValue : cudaMemsetAsync(space.data, 0, space.bytes, stream);
}

}  // namespace upsweep::cuda
