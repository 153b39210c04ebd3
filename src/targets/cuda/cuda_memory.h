// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU's memory, and host memory that the GPU can access.
#ifndef UPSWEEP_TARGETS_CUDA_CUDA_MEMORY_H
#define UPSWEEP_TARGETS_CUDA_CUDA_MEMORY_H

#include "runtime/memory/target_memory.h"
#include "targets/cuda/helper_threads.h"
#include "targets/cuda/host_copies.h"
#include "targets/cuda/marks.h"
#include <atomic>
#include <functional>

namespace upsweep {

class CudaMemory final : public TargetMemory {
public:
  /// `must_not_wait` tells whether other threads wait for the calling thread, `is_lost` whether the GPU has failed for good.
  /// `make_room` frees memory that is not essential, and returns whether there was any.
  CudaMemory(const Gpu &gpu, Marks &marks, HelperThreads &helpers, HostCopies &host_copies, bool (*must_not_wait)(),
             const std::atomic<bool> &is_lost, std::function<bool()> make_room)
      : gpu_(gpu), marks_(marks), helpers_(helpers), host_copies_(host_copies), must_not_wait_(must_not_wait),
        is_lost_(is_lost), make_room_(std::move(make_room)) {}

  Result<std::unique_ptr<DeviceMemory>> allocate(size_t bytes, cl_mem_flags) override;
  Result<void> download(void *to, const DeviceMemory &from, size_t offset, size_t bytes) override;
  Result<void> upload(DeviceMemory &to, size_t offset, const void *from, size_t bytes) override;
  Result<bool> copy_peer(DeviceMemory &to, const TargetMemory &other, const DeviceMemory &from, size_t offset,
                         size_t bytes) override;
  HostMemory allocate_shared(size_t bytes, size_t alignment) override;
  HostMemory allocate_usm(const UsmRequest &request) override;
  bool holds(const void *pointer) const override;

  /// An array of the CUDA driver. Its memory is freed when no work uses it.
  class Array;
  /// Null if memory runs out or the driver rejects the array. Does not free other memory to make room.
  std::unique_ptr<Array> allocate_array(const CudaArrayDescription &description);

  /// Calls `release`, which frees resources of the CUDA driver, with the GPU's context, here or on a helper thread.
  void free(const std::function<void()> &release);

private:
  class Allocation;

  Result<CUdeviceptr> take(size_t bytes);
  void free_later(const std::function<void()> &release);
  Result<CUdeviceptr> take_managed(const UsmRequest &request);
  Result<void> copy_now(const HostCopies::Copy &copy);

  const Gpu &gpu_;
  Marks &marks_;
  HelperThreads &helpers_;
  HostCopies &host_copies_;
  bool (*must_not_wait_)();
  const std::atomic<bool> &is_lost_;
  const std::function<bool()> make_room_;
  std::atomic<size_t> num_frees_{0};  ///< frees in progress on helper threads
};

class CudaMemory::Array {
public:
  Array(CudaMemory &memory, CUarray handle) : memory_(memory), handle_(handle) {}
  ~Array();
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  CUarray handle() const { return handle_; }

private:
  CudaMemory &memory_;
  CUarray handle_;
};

}  // namespace upsweep
#endif
