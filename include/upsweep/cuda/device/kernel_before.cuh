// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hand-over from a kernel to the next one, which begins while this one ends and finds its results in the cache (sm_90 and
// newer). Source: PTX ISA, "griddepcontrol" and "createpolicy".
#pragma once

#include <upsweep/cuda/device/barrier.cuh>

namespace upsweep::cuda::detail {

// The next kernel may begin where there is room, when all blocks have said so.
__device__ __forceinline__ void let_next_kernel_begin() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// Waits until the results of the kernel before are visible; returns at once if this kernel has begun after its end.
__device__ __forceinline__ void wait_for_kernel_before() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Stores data for the next kernel; they stay in the cache if `is_kept`.
class StoreForNext {
public:
  __device__ __forceinline__ explicit StoreForNext(bool is_kept) {
#if __CUDA_ARCH__ >= 900
    std::uint64_t other;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy_));
    asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(other));
    policy_ = is_kept ? policy_ : other;
#endif
  }

  __device__ __forceinline__ void operator()(std::uint32_t *to, std::uint32_t word) const {
#if __CUDA_ARCH__ >= 900
    asm volatile("st.global.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(__cvta_generic_to_global(to)), "r"(word), "l"(policy_)
                 : "memory");
#else
    *to = word;
#endif
  }
  __device__ __forceinline__ void operator()(std::uint64_t *to, std::uint64_t words) const {
#if __CUDA_ARCH__ >= 900
    asm volatile("st.global.L2::cache_hint.u64 [%0], %1, %2;" ::"l"(__cvta_generic_to_global(to)), "l"(words), "l"(policy_)
                 : "memory");
#else
    *to = words;
#endif
  }
  __device__ __forceinline__ void operator()(uint4 *to, uint4 words) const {
#if __CUDA_ARCH__ >= 900
    asm volatile("st.global.L2::cache_hint.v4.u32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(__cvta_generic_to_global(to)),
                 "r"(words.x), "r"(words.y), "r"(words.z), "r"(words.w), "l"(policy_)
                 : "memory");
#else
    *to = words;
#endif
  }

private:
#if __CUDA_ARCH__ >= 900
  std::uint64_t policy_;
#endif
};

// bulk_load() of data that are read for the last time, and need not stay in the cache.
__device__ __forceinline__ void bulk_load_last(void *shared, const void *global, unsigned bytes, Barrier &barrier) {
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

}  // namespace upsweep::cuda::detail
