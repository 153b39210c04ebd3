// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a target whose devices do not work in host memory: its part of the device interface (runtime/target.h).
#ifndef UPSWEEP_RUNTIME_MEMORY_TARGET_MEMORY_H
#define UPSWEEP_RUNTIME_MEMORY_TARGET_MEMORY_H

#include "base/result.h"
#include "runtime/memory/host_memory.h"
#include <CL/cl.h>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace upsweep {

/// An allocation in the memory of a target; freed by its destructor, on any thread.
class DeviceMemory {
public:
  virtual ~DeviceMemory() = default;
  virtual uint64_t address() const = 0;

protected:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
};

class TargetMemory {
public:
  virtual ~TargetMemory() = default;

  /// For a memory object with these flags. The contents are undefined.
  virtual Result<std::unique_ptr<DeviceMemory>> allocate(size_t bytes, cl_mem_flags flags) = 0;

  /// Copies between host and device, done when they return. The commands that wrote the bytes have ended, unless
  /// Target::can_follow() lets commands follow them that use the bytes elsewhere; then download() has to wait for them.
  virtual Result<void> download(void *to, const DeviceMemory &from, size_t offset, size_t bytes) = 0;
  virtual Result<void> upload(DeviceMemory &to, size_t offset, const void *from, size_t bytes) = 0;
  /// Copies the bytes at `offset` from the same place in another target's memory; false when they must go by way of the host.
  virtual Result<bool> copy_peer(DeviceMemory &, const TargetMemory &, const DeviceMemory &, size_t, size_t) { return false; }

  /// Host memory that devices of the target reach, at the same address: for SVM and CL_MEM_ALLOC_HOST_PTR. Null when there is
  /// none left.
  virtual HostMemory allocate_shared(size_t bytes, size_t alignment) { return allocate_host_memory(bytes, alignment); }

protected:
  TargetMemory() = default;
  TargetMemory(const TargetMemory &) = delete;
  TargetMemory &operator=(const TargetMemory &) = delete;
};

}  // namespace upsweep
#endif
