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

/// Blocks of up to this size are zero when they are allocated. OpenCL leaves the contents of new memory undefined, and some
/// programs read small buffers that they never wrote: other drivers' pages happen to be zero. Figures:
/// docs/decisions/small-buffers-are-zero.md.
constexpr size_t kZeroedBytes = size_t{16} << 10;

/// A block of at least `bytes` bytes, or null. Blocks of more than kZeroedBytes have undefined contents.
HostMemory allocate_host_memory(size_t bytes, size_t alignment = kAllocationAlignment);

/// Makes bytes of allocate_host_memory zero. Whole pages of many bytes are taken back by the system, which gives zeroed ones
/// when they are touched.
void clear_host_memory(char *memory, size_t bytes);

/// An upper bound for the bytes of the host's object that `pointer`, which clSVMAlloc knows nothing of, points into: exact
/// enough to tell objects of 4 GiB from smaller ones. By what is mapped on both sides of it.
uint64_t most_bytes_around(const void *pointer);

}  // namespace upsweep

#endif
