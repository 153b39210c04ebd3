// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hand-over from a kernel to the next one, which begins while this one ends and finds its results in the cache (sm_90 and
// newer). Source: PTX ISA, "griddepcontrol" and "createpolicy".
#pragma once

#include <upsweep/cuda/version.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

// The next kernel may begin where there is room, as soon as all blocks have called this.
__device__ __forceinline__ void let_next_kernel_begin() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// Waits until the preceding kernel's results are visible; does not wait if this kernel began after its end.
__device__ __forceinline__ void wait_for_kernel_before() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Stores data for the next kernel; they stay in the cache if `is_kept`.
class StoreForNext {
public:
  __device__ __forceinline__ explicit StoreForNext([[maybe_unused]] bool is_kept) {
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

}  // namespace upsweep::cuda::detail
