// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for buffers and SVM: aligned for every OpenCL type, in huge pages where they pay.
#ifndef UPSWEEP_RUNTIME_MEMORY_HOST_MEMORY_H
#define UPSWEEP_RUNTIME_MEMORY_HOST_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <memory>

namespace upsweep {

/// CL_DEVICE_MEM_BASE_ADDR_ALIGN in bytes: the largest built-in type, long16.
constexpr size_t kBaseAddressAlignment = 128;

/// Alignment of every allocation. At least CL_DEVICE_MEM_BASE_ADDR_ALIGN; a page, so that host-pointer tricks of applications
/// work.
constexpr size_t kAllocationAlignment = 4096;

struct FreeHostMemory {
  /// Gives `memory` back to its target; null for memory of allocate_host_memory.
  void (*release)(void *owner, char *memory) = nullptr;
  void *owner = nullptr;

  void operator()(char *memory) const;
};
using HostMemory = std::unique_ptr<char, FreeHostMemory>;

/// At least `bytes` bytes with undefined contents, or null.
HostMemory allocate_host_memory(size_t bytes, size_t alignment = kAllocationAlignment);

/// An upper bound for the bytes of the host's object that `pointer`, which clSVMAlloc knows nothing of, points into: exact
/// enough to tell objects of 4 GiB from smaller ones. By what is mapped on both sides of it.
uint64_t most_bytes_around(const void *pointer);

}  // namespace upsweep

#endif
