// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU's memory, and host memory that it reaches.
#ifndef UPSWEEP_TARGETS_CUDA_CUDA_MEMORY_H
#define UPSWEEP_TARGETS_CUDA_CUDA_MEMORY_H

#include "runtime/memory/target_memory.h"
#include "targets/cuda/helper_threads.h"
#include "targets/cuda/host_copies.h"
#include "targets/cuda/marks.h"
#include <atomic>

namespace upsweep {

class CudaMemory final : public TargetMemory {
public:
  /// `must_not_wait` tells whether others wait for the calling thread, `is_lost` whether the GPU has failed for good.
  CudaMemory(const Gpu &gpu, Marks &marks, HelperThreads &helpers, HostCopies &host_copies, bool (*must_not_wait)(),
             const std::atomic<bool> &is_lost)
      : gpu_(gpu), marks_(marks), helpers_(helpers), host_copies_(host_copies), must_not_wait_(must_not_wait),
        is_lost_(is_lost) {}

  Result<std::unique_ptr<DeviceMemory>> allocate(size_t bytes, cl_mem_flags) override;
  Result<void> download(void *to, const DeviceMemory &from, size_t offset, size_t bytes) override;
  Result<void> upload(DeviceMemory &to, size_t offset, const void *from, size_t bytes) override;
  Result<bool> copy_peer(DeviceMemory &to, const TargetMemory &other, const DeviceMemory &from, size_t offset,
                         size_t bytes) override;
  HostMemory allocate_shared(size_t bytes, size_t alignment) override;

private:
  class Allocation;

  void free(CUdeviceptr address);
  Result<void> copy_now(const HostCopies::Copy &copy);

  const Gpu &gpu_;
  Marks &marks_;
  HelperThreads &helpers_;
  HostCopies &host_copies_;
  bool (*must_not_wait_)();
  const std::atomic<bool> &is_lost_;
  std::atomic<size_t> num_frees_{0};  ///< that are under way on helper threads
};

}  // namespace upsweep
#endif
