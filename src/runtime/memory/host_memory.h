// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for buffers, SVM and unified shared memory, aligned for every OpenCL type, in huge pages if they pay off.
#ifndef UPSWEEP_RUNTIME_MEMORY_HOST_MEMORY_H
#define UPSWEEP_RUNTIME_MEMORY_HOST_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <memory>

namespace upsweep {

/// CL_DEVICE_MEM_BASE_ADDR_ALIGN in bytes: the largest built-in type, long16.
constexpr size_t kBaseAddressAlignment = 128;

/// Alignment of the memory of buffers and SVM: at least CL_DEVICE_MEM_BASE_ADDR_ALIGN, and a page, since some applications rely
/// on it for host pointers.
constexpr size_t kAllocationAlignment = 4096;

struct FreeHostMemory {
  /// Returns `memory` to its target; null for memory of allocate_host_memory().
  void (*release)(void *owner, char *memory) = nullptr;
  void *owner = nullptr;

  void operator()(char *memory) const;
};
using HostMemory = std::unique_ptr<char, FreeHostMemory>;

/// Blocks of up to this size are zeroed when allocated. OpenCL leaves new memory undefined, but some programs read small
/// buffers that they never wrote, and pages of other drivers happen to be zero. Figures:
/// docs/decisions/small-buffers-are-zero.md.
constexpr size_t kZeroedBytes = size_t{16} << 10;

/// A block of at least `bytes` bytes, or null. Blocks of more than kZeroedBytes have undefined contents. `alignment` is at
/// least kBaseAddressAlignment.
HostMemory allocate_host_memory(size_t bytes, size_t alignment = kAllocationAlignment);

/// Zeroes bytes of allocate_host_memory(). Many whole pages are returned to the system, which maps zeroed pages on the next
/// access.
void clear_host_memory(char *memory, size_t bytes);

/// An upper bound for the size of the host object that contains `pointer`, which is not from clSVMAlloc: precise enough to tell
/// objects of 4 GiB from smaller objects. Derived from the mappings on both sides of it.
uint64_t most_bytes_around(const void *pointer);

}  // namespace upsweep

#endif
