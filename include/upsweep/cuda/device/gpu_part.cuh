// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the GPU that a stream has: a green context has some of the multiprocessors. Source: CUDA driver API, "Green
// Contexts".
#pragma once

#include <upsweep/cuda/device/driver_function.cuh>
#include <upsweep/cuda/device/launch.cuh>

#include <algorithm>

namespace upsweep::cuda::detail {

// The number of multiprocessors that kernels on the stream may use. Blocks that wait for each other check whether they run
// (axis_roll.cuh), so only speed depends on this number. If the driver does not report it, it is all multiprocessors.
inline int multiprocessors_of(cudaStream_t stream, const DeviceLimits &limits) {
#if CUDA_VERSION >= 12040
  static const auto context_of = driver_function<CUresult (*)(CUstream, CUgreenCtx *)>("cuStreamGetGreenCtx", 12040);
  static const auto resource_of =
      driver_function<CUresult (*)(CUgreenCtx, CUdevResource *, CUdevResourceType)>("cuGreenCtxGetDevResource", 12040);
  CUgreenCtx context = nullptr;
  CUdevResource resource = {};
  if (context_of != nullptr && resource_of != nullptr && context_of(stream, &context) == CUDA_SUCCESS && context != nullptr &&
      resource_of(context, &resource, CU_DEV_RESOURCE_TYPE_SM) == CUDA_SUCCESS && resource.sm.smCount > 0) {
    return std::min(limits.multiprocessors, static_cast<int>(resource.sm.smCount));
  }
#else
  static_cast<void>(stream);
#endif
  return limits.multiprocessors;
}

}  // namespace upsweep::cuda::detail
