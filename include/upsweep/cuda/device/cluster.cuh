// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks of a cluster (sm_90 and newer). Source: PTX ISA, "barrier.cluster" and "mapa".
#pragma once

#include <upsweep/cuda/version.cuh>

namespace upsweep::cuda::detail {

// Called by all threads of a cluster.
__device__ __forceinline__ void synchronise_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release;\n"
               "barrier.cluster.wait.acquire;" ::
                   : "memory");
#else
  __trap();
#endif
}

// The same variable of another block of the cluster.
template <class T>
__device__ __forceinline__ T *of_block(T *pointer, [[maybe_unused]] unsigned block) {
#if __CUDA_ARCH__ >= 900
  T *there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(pointer), "r"(block));
  return there;
#else
  return pointer;
#endif
}

}  // namespace upsweep::cuda::detail
