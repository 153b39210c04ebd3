// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rung 8: one pass. Each block takes a tile, publishes the tile's total, and looks back tile by tile. It adds totals until it
// reaches a tile whose prefix is published, and then publishes its own prefix. This takes 2n elements of memory traffic.
//
// A tile's number is a ticket that its block draws when it starts, since blocks need not start in the order of blockIdx. So
// all earlier tiles have started, and waiting for them ends.
// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back"; document "GPU prefix sums".
// Its listing publishes a total that only another thread holds, replaces a tile's value while it may be read, and numbers
// tiles by blockIdx. Only its thread 0 looks back, which took twice as long as three passes on an H200.
#pragma once

#include "quads.cuh"
#include "tile_status.cuh"

#include <upsweep/cuda/block/scan.cuh>
#include <upsweep/cuda/warp.cuh>

namespace upsweep::cuda::ladder {

inline constexpr int kLookBackThreads = 512;

// Elements of a thread, in registers: more elements mean fewer tiles to look back at. On an H200, 2^26 floats took 568, 396
// and 319 us with 4, 8 and 16 elements of 256 threads, and 305 us with 16 of 512.
template <class T>
inline constexpr int kLookBackQuads = sizeof(T) <= 4   ? 4
                                      : sizeof(T) <= 8 ? 2
                                                       : 1;
template <class T>
inline constexpr int kLookBackElements = 4 * kLookBackQuads<T> * kLookBackThreads;

// Bytes that decoupled_look_back needs for n elements.
template <class T>
constexpr std::size_t decoupled_look_back_workspace(std::size_t n) {
  return detail::tile_status<T>::bytes(detail::divide_up(n, kLookBackElements<T>));
}

namespace detail {

// The prefix callback of a tile's block scan; the first warp calls it.
template <class T, class Op>
struct look_back {
  const tile_status<T> &status;
  std::size_t tile;
  Op op;

  __device__ T operator()(const T &total) const {
    const bool first_lane = threadIdx.x == 0;
    T before = identity<Op, T>::value();
    if (tile > 0) {
      if (first_lane) {
        status.publish_aggregate(tile, total);
      }
      // Tile 0 publishes only a prefix, so that the walk ends there at the latest.
      for (std::size_t end = tile; !collect(end, before); end -= 32) {
      }
    }
    if (first_lane) {
      status.publish_prefix(tile, op(before, total));
    }
    return before;
  }

  // Combines the totals of the 32 tiles before tile `end`, from the last prefix among them on, with `before`; true if there
  // was a prefix.
  __device__ bool collect(std::size_t end, T &before) const {
    const std::size_t lane = threadIdx.x;
    const bool exists = end + lane >= 32;
    const std::size_t other = end + lane - 32;
    const bool is_prefix = exists && status.wait(other) == kTilePrefix;
    const unsigned prefixes = __ballot_sync(0xffffffffu, is_prefix);
    const bool counts = exists && (prefixes >> lane >> 1) == 0;
    const T value = counts ? (is_prefix ? status.prefixes[other] : status.aggregates[other]) : identity<Op, T>::value();
    before = op(warp_reduce<T>().reduce(value, op), before);
    return prefixes != 0;
  }
};

template <class T, class Op>
__global__ void __launch_bounds__(kLookBackThreads)
    look_back_kernel(const T *in, T *out, std::size_t n, tile_status<T> status, bool aligned, Op op) {
  using scan = block_scan<T, kLookBackThreads>;
  constexpr int kQuads = kLookBackQuads<T>;
  __shared__ typename scan::storage storage;
  __shared__ unsigned drawn;
  if (threadIdx.x == 0) {
    drawn = atomicAdd(status.ticket, 1u);
  }
  __syncthreads();
  const std::size_t tile = drawn;

  const std::size_t first = kQuads * (tile * kLookBackThreads + threadIdx.x);
  T items[4 * kQuads];
  for (int q = 0; q < kQuads; ++q) {
    const quad<T> loaded = load_quad(in, n, first + q, aligned, identity<Op, T>::value());
    for (int i = 0; i < 4; ++i) {
      items[4 * q + i] = loaded.values[i];
    }
  }
  scan(storage).exclusive_after(items, items, op, look_back<T, Op>{status, tile, op});
  for (int q = 0; q < kQuads; ++q) {
    const T *const part = items + 4 * q;
    store_quad(out, n, first + q, aligned, quad<T>{{part[0], part[1], part[2], part[3]}});
  }
}

}  // namespace detail

// Any n up to 2^31 tiles. Clears the workspace's states itself. See arguments.cuh.
template <class T, class Op = plus>
cudaError_t decoupled_look_back(const T *in, T *out, std::size_t n, cudaStream_t stream, void *workspace,
                                std::size_t workspace_bytes, Op op = {}) {
  cudaError_t error = detail::check_chunks(in, out, n, kLookBackElements<T>, kLookBackElements<T>);
  if (error == cudaSuccess && n > 0) {
    error = detail::check_workspace(workspace, workspace_bytes, decoupled_look_back_workspace<T>(n));
  }
  if (error != cudaSuccess || n == 0) {
    return error;
  }
  const std::size_t tiles = detail::divide_up(n, kLookBackElements<T>);
  const auto status = detail::tile_status<T>::in(workspace, tiles);
  error = cudaMemsetAsync(workspace, 0, detail::tile_status<T>::cleared_bytes(tiles), stream);
  if (error != cudaSuccess) {
    return error;
  }
  detail::look_back_kernel<<<static_cast<unsigned>(tiles), kLookBackThreads, 0, stream>>>(in, out, n, status,
                                                                                          detail::has_quads(in, out), op);
  return cudaPeekAtLastError();
}

}  // namespace upsweep::cuda::ladder
