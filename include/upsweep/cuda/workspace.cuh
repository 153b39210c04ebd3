// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device memory that a device-wide scan needs besides its arrays.
//
//     upsweep::cuda::workspace space;
//     space.bytes = upsweep::cuda::scan_workspace_bytes<float>(n);
//     cudaMalloc(&space.data, space.bytes);
//     upsweep::cuda::initialise(space, stream);   // once; nothing has to be cleared between calls
//     upsweep::cuda::inclusive_sum(space, in, out, n, stream);
//
// Calls that may run at the same time (on different streams) need separate workspaces.
//
//     upsweep::cuda::inclusive_sum(in, out, n, stream);   // or without one: from the stream's pool, cleared in each call
//     upsweep::cuda::inclusive_sum(upsweep::cuda::memory_of(resource), in, out, n, stream);   // or from a memory resource
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/version.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace upsweep::cuda {

namespace detail {

// The source of a call's memory; null: the stream's pool.
struct MemorySource {
  cudaError_t (*allocate)(void *resource, std::size_t bytes, cudaStream_t stream, void **data);
  void (*release)(void *resource, void *data, std::size_t bytes, cudaStream_t stream);
};

}  // namespace detail

struct workspace {
  void *data = nullptr;  // aligned to 16 bytes, as every device allocation is
  std::size_t bytes = 0;
  // Used with memory_of() alone.
  const detail::MemorySource *source = nullptr;
  void *resource = nullptr;
};

// Stands for a workspace that a call takes from its stream's memory pool and returns. It is convenient, but each call clears
// its workspace. A call whose first argument is no workspace does the same.
inline constexpr workspace stream_pool{nullptr, ~std::size_t(0)};

namespace detail {

inline bool is_pool(const workspace &space) { return space.data == nullptr && space.bytes == stream_pool.bytes; }

// The state (ScanState) comes first; the words of the tiles follow.
inline constexpr std::size_t kStateBytes = 128;
// Sorts, selections by rank and filters store data without tags from here on, and first invalidate the state (call_state.cuh).
inline constexpr std::size_t kOwnDataAt = 256;
// The fewest elements of a thread if the largest type has `largest` bytes. A tile has at least two warps' elements.
// scan_launch.cuh checks it.
constexpr std::size_t fewest_items(std::size_t largest) { return largest <= 16 ? 7 : largest <= 32 ? 3 : 1; }
constexpr std::size_t fewest_warp_items(std::size_t largest) { return 32 * fewest_items(largest); }
// The fewest elements of a slice with segments, whose heads are bits in words of four bytes.
constexpr std::size_t fewest_items_of_heads(std::size_t largest) {
  return largest <= 2 ? 24 : largest <= 4 ? 16 : largest <= 8 ? 14 : fewest_items(largest);
}
inline constexpr std::size_t kMostHeadsBytes = 4096;  // of a tile

constexpr std::size_t word_bytes(std::size_t element_bytes) { return element_bytes <= 4 ? 8 : (element_bytes + 7) / 8 * 16; }

}  // namespace detail

// Prepares a new workspace, or a workspace whose memory had another use.
inline cudaError_t initialise(const workspace &space, cudaStream_t stream = nullptr) {
  return space.data == nullptr ? cudaErrorInvalidValue : cudaMemsetAsync(space.data, 0, space.bytes, stream);
}

namespace detail {

template <class Resource, class... Arguments>
using Allocated = decltype(std::declval<Resource &>().allocate(std::declval<Arguments>()...));
template <class Resource, class = void, class... Arguments>
inline constexpr bool allocates = false;
template <class Resource, class... Arguments>
inline constexpr bool allocates<Resource, std::void_t<Allocated<Resource, Arguments...>>, Arguments...> = true;

// Three interfaces of memory resources: CCCL 3.1 and later and current RMM, older RMM, older CCCL.
template <class Resource>
struct SourceOf {
  static constexpr std::size_t kAlignment = 256;
  static constexpr bool kTakesStreamFirst = allocates<Resource, void, cudaStream_t, std::size_t, std::size_t>;
  static constexpr bool kTakesStreamLast = allocates<Resource, void, std::size_t, cudaStream_t>;

  static cudaError_t allocate(void *resource, std::size_t bytes, cudaStream_t stream, void **data) {
    auto &from = *static_cast<Resource *>(resource);
    if constexpr (kTakesStreamFirst) {
      *data = from.allocate(stream, bytes, kAlignment);
    } else if constexpr (kTakesStreamLast) {
      *data = from.allocate(bytes, stream);
    } else {
      *data = from.allocate_async(bytes, kAlignment, stream);
    }
    return *data != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
  }
  static void release(void *resource, void *data, std::size_t bytes, cudaStream_t stream) {
    auto &from = *static_cast<Resource *>(resource);
    if constexpr (kTakesStreamFirst) {
      from.deallocate(stream, data, bytes, kAlignment);
    } else if constexpr (kTakesStreamLast) {
      from.deallocate(data, bytes, stream);
    } else {
      from.deallocate_async(data, bytes, kAlignment, stream);
    }
  }
  static constexpr MemorySource kSource{allocate, release};
};

}  // namespace detail

// Stands for a workspace that a call allocates from a memory resource and returns to it, in the stream's order. The resource is
// from libcu++ or RMM, or any class with allocate(stream, bytes, alignment) and deallocate(stream, pointer, bytes, alignment).
// It must outlive the call.
template <class Resource>
workspace memory_of(Resource &resource) {
  return {nullptr, stream_pool.bytes, &detail::SourceOf<Resource>::kSource, &resource};
}

namespace detail {

// Runs call(workspace) with memory of the stream's pool, or of the resource that `from` stands for.
template <bool kInitialised = true, class Call>
cudaError_t with_pool_workspace(const workspace &from, std::size_t bytes, cudaStream_t stream, const Call &call) {
  workspace space;
  space.bytes = bytes;
  cudaError_t error = from.source == nullptr ? cudaMallocAsync(&space.data, bytes, stream)
                                             : from.source->allocate(from.resource, bytes, stream, &space.data);
  if (error != cudaSuccess) {
    return error;
  }
  error = kInitialised ? initialise(space, stream) : cudaSuccess;
  if (error == cudaSuccess) {
    error = call(space);
  }
  cudaError_t freed = cudaSuccess;
  if (from.source == nullptr) {
    freed = cudaFreeAsync(space.data, stream);
  } else {
    from.source->release(from.resource, space.data, bytes, stream);
  }
  return error != cudaSuccess ? error : freed;
}

inline bool is_usable(const workspace &space, std::size_t needed) {
  return space.data != nullptr && reinterpret_cast<std::uintptr_t>(space.data) % 16 == 0 && space.bytes >= needed;
}

// Runs call(workspace) with at least `needed` bytes, from the caller or from the source that `space` stands for.
template <bool kInitialised = true, class Call>
cudaError_t with_workspace(const workspace &space, std::size_t needed, cudaStream_t stream, const Call &call) {
  if (is_pool(space)) {
    return with_pool_workspace<kInitialised>(space, needed, stream, call);
  }
  return is_usable(space, needed) ? call(space) : cudaErrorInvalidValue;
}

template <class First>
using IfNoWorkspace = std::enable_if_t<!std::is_convertible_v<First, workspace>, int>;

}  // namespace detail

}  // namespace upsweep::cuda

// Defines the form of a call without a workspace.
#define UPSWEEP_CUDA_CALL_FROM_POOL(call)                                                                                      \
  template <class First, class... Rest, ::upsweep::cuda::detail::IfNoWorkspace<First> = 0>                                     \
  cudaError_t call(First &&first, Rest &&...rest) {                                                                            \
    return call(::upsweep::cuda::stream_pool, static_cast<First &&>(first), static_cast<Rest &&>(rest)...);                    \
  }
#endif
