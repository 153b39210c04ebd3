// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory that the block algorithms exchange through.
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>
#include <upsweep/cuda/detail/standard.cuh>

namespace upsweep::cuda::detail {

// Room for values whose types may have constructors, which shared variables must not.
template <class T, int kCount>
struct raw_array {
  alignas(T) unsigned char bytes[sizeof(T) * kCount];

  __device__ __forceinline__ T *data() { return reinterpret_cast<T *>(bytes); }
};

// One call's exchange: each warp's total, and the seed that a prefix callback returned.
template <class T, int kWarps>
struct block_slot {
  raw_array<T, kWarps> totals;
  raw_array<T, 1> seed;
};

// Two slots, used in turn, save the barrier between two calls: a thread that writes a slot again has passed the barrier of the
// call between, and no thread passes that before it has read the slot.
template <class T, int kWarps>
struct block_storage {
  block_slot<T, kWarps> slots[2];
};
// A single warp exchanges by shuffles.
template <class T>
struct block_storage<T, 1> {};

// The smallest power of two that is not below: lanes that look at one total per warp.
__host__ __device__ constexpr int round_up_to_power_of_two(int n) {
  int power = 1;
  while (power < n) {
    power *= 2;
  }
  return power;
}

// How a block goes through its warps' totals. Up to 4 each thread goes through alone; with more, each warp does by shuffles
// (on an H200, at full occupancy, an exclusive sum of 128 threads takes 356 ns so and 457 ns by shuffles, one of 256 threads
// 585 and 473). A partial last warp may lack the lanes for that, so that the first warp does it for all, and a barrier more.
enum class totals_by { kThread, kWarp, kFirstWarp };
template <int kThreads>
inline constexpr totals_by kTotalsBy = kThreads <= 4 * kWarpSize   ? totals_by::kThread
                                       : kThreads % kWarpSize == 0 ? totals_by::kWarp
                                                                   : totals_by::kFirstWarp;

}  // namespace upsweep::cuda::detail
