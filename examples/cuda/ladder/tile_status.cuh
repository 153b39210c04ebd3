// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values that tiles of a single-pass scan publish: first a tile's total, later the total up to its end. Each value has its
// own slot, so that a reader never sees a partly replaced value. A state word is written after the value (with release) and
// read before it (with acquire).
#pragma once

#include "arguments.cuh"

namespace upsweep::cuda::ladder::detail {

enum tile_state : unsigned { kTileEmpty = 0, kTileAggregate = 1, kTilePrefix = 2 };

template <class T>
struct tile_status {
  unsigned *ticket;  // the number of the next tile to start
  unsigned *states;
  T *aggregates;
  T *prefixes;

  // The ticket has its own row; data that must be 0 at the start come first.
  static constexpr std::size_t cleared_bytes(std::size_t tiles) { return (16 + 4 * tiles + 15) / 16 * 16; }
  static constexpr std::size_t bytes(std::size_t tiles) { return cleared_bytes(tiles) + 2 * tiles * sizeof(T); }

  static tile_status in(void *workspace, std::size_t tiles) {
    auto *const start = static_cast<unsigned char *>(workspace);
    T *const values = reinterpret_cast<T *>(start + cleared_bytes(tiles));
    return {reinterpret_cast<unsigned *>(start), reinterpret_cast<unsigned *>(start + 16), values, values + tiles};
  }

  __device__ __forceinline__ void publish_aggregate(std::size_t tile, const T &value) const {
    aggregates[tile] = value;
    store_release(states + tile, kTileAggregate);
  }
  __device__ __forceinline__ void publish_prefix(std::size_t tile, const T &value) const {
    prefixes[tile] = value;
    store_release(states + tile, kTilePrefix);
  }
  // Waits until the tile has published something.
  __device__ __forceinline__ unsigned wait(std::size_t tile) const {
    unsigned state = kTileEmpty;
    while (state == kTileEmpty) {
      state = load_acquire(states + tile);
    }
    return state;
  }

private:
  __device__ __forceinline__ static void store_release(unsigned *address, unsigned value) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(address)), "r"(value) : "memory");
  }
  __device__ __forceinline__ static unsigned load_acquire(const unsigned *address) {
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(address)) : "memory");
    return value;
  }
};

}  // namespace upsweep::cuda::ladder::detail
