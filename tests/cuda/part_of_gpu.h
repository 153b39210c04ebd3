// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two ways to leave a program only a part of the GPU: a kernel that occupies the other multiprocessors, and a green context.
#pragma once

#include "check.h"

#include <cuda.h>
#include <dlfcn.h>

#include <chrono>

namespace upsweep::test {

inline __global__ void hold_kernel(const volatile unsigned *gate) {
  if (threadIdx.x == 0) {
    while (*gate == 0) {
    }
  }
}

// A kernel that fills all but a few multiprocessors until it is released.
class Holding {
public:
  explicit Holding(int free_multiprocessors) {
    int multiprocessors = 0, shared = 0;
    UPSWEEP_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    UPSWEEP_CUDA(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    UPSWEEP_CUDA(cudaFuncSetAttribute(hold_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    UPSWEEP_CUDA(cudaHostAlloc(&gate_, sizeof(*gate_), cudaHostAllocMapped));
    *gate_ = 1;
    UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    hold_kernel<<<1, 32, shared, stream_>>>(gate_);  // loaded before a long kernel runs
    UPSWEEP_CUDA(cudaStreamSynchronize(stream_));
    *gate_ = 0;
    hold_kernel<<<multiprocessors - free_multiprocessors, 32, shared, stream_>>>(gate_);
    UPSWEEP_CUDA(cudaGetLastError());
  }
  ~Holding() {
    *const_cast<volatile unsigned *>(gate_) = 1;
    UPSWEEP_CUDA(cudaStreamSynchronize(stream_));
    UPSWEEP_CUDA(cudaStreamDestroy(stream_));
    UPSWEEP_CUDA(cudaFreeHost(gate_));
  }

private:
  unsigned *gate_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

// Waits for at most ten seconds.
inline bool ends(cudaStream_t stream) {
  const auto begin = std::chrono::steady_clock::now();
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(10)) {
      return false;
    }
  }
  return true;
}

// A stream for a part of the GPU, if the driver can make one (12.4). The test does not link with the toolkit's library.
class PartOfGpu {
public:
  explicit PartOfGpu(unsigned multiprocessors) {
    void *const driver = dlopen("libcuda.so.1", RTLD_NOW);
    const auto device_resource = find<decltype(&cuDeviceGetDevResource)>(driver, "cuDeviceGetDevResource");
    const auto split = find<decltype(&cuDevSmResourceSplitByCount)>(driver, "cuDevSmResourceSplitByCount");
    const auto describe = find<decltype(&cuDevResourceGenerateDesc)>(driver, "cuDevResourceGenerateDesc");
    const auto create = find<decltype(&cuGreenCtxCreate)>(driver, "cuGreenCtxCreate");
    const auto create_stream = find<decltype(&cuGreenCtxStreamCreate)>(driver, "cuGreenCtxStreamCreate");
    if (device_resource == nullptr || split == nullptr || describe == nullptr || create == nullptr ||
        create_stream == nullptr) {
      return;
    }
    CUdevResource all, part, rest;
    CUdevResourceDesc description;
    unsigned parts = 1;
    CUgreenCtx context;
    CUstream stream;
    if (device_resource(0, &all, CU_DEV_RESOURCE_TYPE_SM) == CUDA_SUCCESS &&
        split(&part, &parts, &all, &rest, 0, multiprocessors) == CUDA_SUCCESS &&
        describe(&description, &part, 1) == CUDA_SUCCESS &&
        create(&context, description, 0, CU_GREEN_CTX_DEFAULT_STREAM) == CUDA_SUCCESS &&
        create_stream(&stream, context, CU_STREAM_NON_BLOCKING, 0) == CUDA_SUCCESS) {
      stream_ = stream;
    }
  }
  cudaStream_t stream() const { return stream_; }

private:
  template <class F>
  static F find(void *library, const char *name) {
    return library == nullptr ? nullptr : reinterpret_cast<F>(dlsym(library, name));
  }
  cudaStream_t stream_ = nullptr;
};

}  // namespace upsweep::test
