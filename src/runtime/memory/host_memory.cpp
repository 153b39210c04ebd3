// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation from the C library, which maps large blocks and gives them back to the system when freed.
#include "runtime/memory/host_memory.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sys/mman.h>

namespace upsweep {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
/// From here on, first-touch page faults of 4 KiB cost more than a copy kernel's whole work.
constexpr size_t kHugePageBytes = 4 * kHugePage;

bool is_mapped(uint64_t address) {
  unsigned char state = 0;
  // Pages are 4 KiB or multiples of it.
  return mincore(reinterpret_cast<void *>(address & ~uint64_t{0xfff}), 1, &state) == 0 || errno != ENOMEM;
}

/// Whether some places are mapped from `address` to `distance` further on; the farthest are asked first, as most are not.
bool is_mapped_up_to(uint64_t address, int64_t distance) {
  constexpr int kPlaces = 16;
  for (int place = kPlaces; place > 0; --place)
    if (!is_mapped(address + static_cast<uint64_t>(distance / kPlaces * place))) return false;
  return true;
}

}  // namespace

uint64_t most_bytes_around(const void *pointer) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  // The sizes that code is made for (UpsweepKernelCode::large_bytes) are some MiB below a power of two. An object of `bytes`
  // reaches half as far on one side of any place in it.
  for (unsigned bits = 32; bits < 47; ++bits) {
    const uint64_t bytes = (uint64_t{1} << bits) - (uint64_t{64} << 20);
    const auto half = static_cast<int64_t>(bytes / 2 - 4096);
    if (!is_mapped_up_to(address, half) && !is_mapped_up_to(address, -half)) return bytes - 1;
  }
  return UINT64_MAX;
}

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
