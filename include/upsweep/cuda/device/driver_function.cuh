// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the CUDA driver, without linking with its library.
#pragma once

#include <upsweep/cuda/version.cuh>

#include <cuda.h>
#include <cuda_runtime.h>

namespace upsweep::cuda::detail {

// A function of the driver, or nullptr if the driver lacks it.
template <class Function>
Function driver_function(const char *name, unsigned version) {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  const cudaError_t error = cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &result);
#else
  static_cast<void>(version);
  const cudaError_t error = cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &result);
#endif
  return error == cudaSuccess && result == cudaDriverEntryPointSuccess ? reinterpret_cast<Function>(function) : nullptr;
}

}  // namespace upsweep::cuda::detail
