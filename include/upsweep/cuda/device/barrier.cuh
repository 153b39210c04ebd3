// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barriers of a pipeline in shared memory, and the bulk copy engine that reports to them (sm_90 and newer).
// Source: PTX ISA, "mbarrier" and "cp.async.bulk".
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

__device__ __forceinline__ std::uint32_t shared_address(const void *pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// A barrier of a stage: a phase ends when all arrivals and all expected bytes have come.
class Barrier {
public:
  __device__ __forceinline__ void initialise(unsigned arrivals) {
#if __CUDA_ARCH__ >= 800
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals) : "memory");
#else
    missing_ = arrivals << 16 | arrivals;
    phase_ = 0;
#endif
  }

  __device__ __forceinline__ void arrive() {
#if __CUDA_ARCH__ >= 800
    asm volatile("{ .reg .b64 token; mbarrier.arrive.shared.b64 token, [%0]; }" ::"r"(shared_address(this)) : "memory");
#else
    __threadfence_block();
    const unsigned before = atomicSub(&missing_, 1);
    if ((before & 0xffff) == 1) {
      atomicExch(&missing_, (before >> 16) | (before & 0xffff0000u));
      __threadfence_block();
      atomicXor(&phase_, 1);
    }
#endif
  }

  // Arrives, and lets the phase end only when the copy engine has written that many bytes.
  __device__ __forceinline__ void arrive_and_expect([[maybe_unused]] unsigned bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)), "r"(bytes) : "memory");
#else
    __trap();
#endif
  }

  // True if the phase of this parity has ended.
  __device__ __forceinline__ bool has_ended(unsigned parity) {
#if __CUDA_ARCH__ >= 800
    unsigned ended;
    asm volatile("{ .reg .pred p;\n"
                 "  mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
                 "  selp.u32 %0, 1, 0, p; }"
                 : "=r"(ended)
                 : "r"(shared_address(this)), "r"(parity)
                 : "memory");
    return ended != 0;
#else
    const bool ended = atomicAdd(&phase_, 0) != parity;
    __threadfence_block();
    return ended;
#endif
  }

  // Waits until the phase of this parity has ended. The hardware of sm_90 puts the thread to sleep meanwhile.
  __device__ __forceinline__ void wait(unsigned parity) {
#if __CUDA_ARCH__ >= 900
    unsigned ended;
    do {
      asm volatile("{ .reg .pred p;\n"
                   "  mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                   "  selp.u32 %0, 1, 0, p; }"
                   : "=r"(ended)
                   : "r"(shared_address(this)), "r"(parity)
                   : "memory");
    } while (ended == 0);
#else
    while (!has_ended(parity)) {
      __nanosleep(32);
    }
#endif
  }

private:
  // Without hardware barriers: arrivals expected and missing in one word, and the parity of the running phase.
  [[maybe_unused]] alignas(8) unsigned missing_;
  [[maybe_unused]] unsigned phase_;
};

// The number of arrivals of a warp at a barrier. Its first lane arrives for all lanes, ordered by __syncwarp.
// compute-sanitizer's racecheck does not follow this order: with UPSWEEP_CUDA_RACECHECK every lane arrives for itself
// (docs/decisions/cuda-scan-checks.md).
#ifdef UPSWEEP_CUDA_RACECHECK
inline constexpr unsigned kWarpArrivals = 32;
#else
inline constexpr unsigned kWarpArrivals = 1;
#endif

// Arrives for a warp, all of whose lanes have done their part.
__device__ __forceinline__ void arrive_as_warp(Barrier &barrier) {
  if constexpr (kWarpArrivals == 1) {
    __syncwarp();
    if (lane_id() != 0) {
      return;
    }
  }
  barrier.arrive();
}

// Arrives for the other lanes of a warp, whose first lane uses arrive_and_expect().
__device__ __forceinline__ void arrive_beside_first_lane(Barrier &barrier) {
  if (kWarpArrivals > 1 && lane_id() != 0) {
    barrier.arrive();
  }
}

// Makes initialised barriers visible to the copy engine.
__device__ __forceinline__ void fence_barrier_initialisation() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

// Orders this thread's ordinary writes to shared memory before later reads by the copy engine.
__device__ __forceinline__ void fence_before_bulk_store() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

// Global to shared memory; addresses and `bytes` are multiples of 16. The barrier must expect the bytes.
__device__ __forceinline__ void bulk_load([[maybe_unused]] void *shared, [[maybe_unused]] const void *global,
                                          [[maybe_unused]] unsigned bytes, [[maybe_unused]] Barrier &barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(shared)),
      "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(shared_address(&barrier))
      : "memory");
#else
  __trap();
#endif
}

// bulk_load() of data that are read for the last time, and need not stay in the cache.
__device__ __forceinline__ void bulk_load_last([[maybe_unused]] void *shared, [[maybe_unused]] const void *global,
                                               [[maybe_unused]] unsigned bytes, [[maybe_unused]] Barrier &barrier) {
#if __CUDA_ARCH__ >= 900
  std::uint64_t policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;" ::"r"(
          shared_address(shared)),
      "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(shared_address(&barrier)), "l"(policy)
      : "memory");
#else
  __trap();
#endif
}

// Copies this block's shared memory to another block of its cluster. `there` and `barrier` are addresses in this block, and
// stand for the same places of the other block, whose barrier must expect the bytes. Addresses and `bytes` are multiples of 16.
__device__ __forceinline__ void bulk_copy_to_block([[maybe_unused]] int block, [[maybe_unused]] void *there,
                                                   [[maybe_unused]] const void *shared, [[maybe_unused]] unsigned bytes,
                                                   [[maybe_unused]] Barrier &barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile("{ .reg .b32 to, done;\n"
               "  mapa.shared::cluster.u32 to, %0, %4;\n"
               "  mapa.shared::cluster.u32 done, %3, %4;\n"
               "  cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [%1], %2, [done]; }" ::"r"(
                   shared_address(there)),
               "r"(shared_address(shared)), "r"(bytes), "r"(shared_address(&barrier)), "r"(block)
               : "memory");
#else
  __trap();
#endif
}

// Shared to global memory; addresses and `bytes` are multiples of 16.
__device__ __forceinline__ void bulk_store([[maybe_unused]] void *global, [[maybe_unused]] const void *shared,
                                           [[maybe_unused]] unsigned bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(global)),
               "r"(shared_address(shared)), "r"(bytes)
               : "memory");
#else
  __trap();
#endif
}

__device__ __forceinline__ void commit_bulk_stores() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#endif
}

// Waits until all but the newest `kNewest` groups of this thread's stores have read their shared memory.
template <int kNewest>
__device__ __forceinline__ void wait_for_bulk_reads() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kNewest) : "memory");
#endif
}

}  // namespace upsweep::cuda::detail
