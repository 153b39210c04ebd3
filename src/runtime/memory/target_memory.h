// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a target whose devices do not use host memory: a part of the device interface (runtime/target.h).
#ifndef UPSWEEP_RUNTIME_MEMORY_TARGET_MEMORY_H
#define UPSWEEP_RUNTIME_MEMORY_TARGET_MEMORY_H

#include "base/result.h"
#include "runtime/memory/host_memory.h"
#include "runtime/memory/usm.h"
#include <CL/cl.h>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace upsweep {

/// An allocation in a target's memory; the destructor, which may run on any thread, frees it.
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

  /// Allocates memory for a memory object with these flags. The contents are undefined.
  virtual Result<std::unique_ptr<DeviceMemory>> allocate(size_t bytes, cl_mem_flags flags) = 0;

  /// Blocking copies between host and device. The commands that wrote the bytes have ended, unless Target::can_follow() lets
  /// commands that use the bytes elsewhere follow them; then download() must wait for those commands.
  virtual Result<void> download(void *to, const DeviceMemory &from, size_t offset, size_t bytes) = 0;
  virtual Result<void> upload(DeviceMemory &to, size_t offset, const void *from, size_t bytes) = 0;
  /// Copies the bytes at `offset` from the same offset in another target's memory; false if they must go through the host.
  virtual Result<bool> copy_peer(DeviceMemory &, const TargetMemory &, const DeviceMemory &, size_t, size_t) { return false; }

  /// Host memory that the target's devices access at the same address, for SVM and CL_MEM_ALLOC_HOST_PTR. Null if the
  /// allocation fails.
  virtual HostMemory allocate_shared(size_t bytes, size_t alignment) { return allocate_host_memory(bytes, alignment); }

  /// Unified shared memory, for devices that report it (DeviceProperties::usm). Null if the allocation fails. A device
  /// allocation's address need not be valid for the host.
  virtual HostMemory allocate_usm(const UsmRequest &request) {
    return request.kind == AllocationKind::kHost ? allocate_shared(request.bytes, request.alignment) : nullptr;
  }

  /// Whether an address outside of all allocations is the device's own: that of a program-scope variable.
  virtual bool holds(const void *) const { return false; }

protected:
  TargetMemory() = default;
  TargetMemory(const TargetMemory &) = delete;
  TargetMemory &operator=(const TargetMemory &) = delete;
};

}  // namespace upsweep
#endif
