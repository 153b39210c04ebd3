// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation from the C library, which maps large blocks and gives them back to the system when freed.
#include "runtime/memory/host_memory.h"
#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>

namespace upsweep {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
/// From here on, first-touch page faults of 4 KiB cost more than a copy kernel's whole work.
constexpr size_t kHugePageBytes = 4 * kHugePage;

}  // namespace

void FreeHostMemory::operator()(char *memory) const {
  if (release)
    release(owner, memory);
  else
    std::free(memory);
}

HostMemory allocate_host_memory(size_t bytes, size_t alignment) {
  const bool is_huge = bytes >= kHugePageBytes;
  alignment = std::max(alignment, is_huge ? kHugePage : kAllocationAlignment);
  void *memory = nullptr;
  if (posix_memalign(&memory, alignment, std::max<size_t>(bytes, 1)) != 0) return nullptr;
  if (is_huge) madvise(memory, bytes, MADV_HUGEPAGE);  // only advice: nothing depends on its success
  return HostMemory(static_cast<char *>(memory));
}

}  // namespace upsweep
