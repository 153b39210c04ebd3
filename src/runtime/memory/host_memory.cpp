// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocates host memory. The C library maps large blocks and unmaps them when freed, so the latest freed blocks are kept for
// reuse.
#include "runtime/memory/host_memory.h"
#include "base/across_fork.h"
#include "runtime/check/freed_memory.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <mutex>
#include <sys/mman.h>
#include <utility>

namespace upsweep {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
/// For blocks of at least this size, page faults of 4 KiB cost more than a copy kernel's whole run time.
constexpr size_t kHugePageBytes = 4 * kHugePage;

// The system zeroes every page that it maps. Repeatedly creating, writing and releasing a buffer of 16 MiB took two to ten
// times as long as its copy.
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr size_t kKeptBytes = 0;  // sanitizers must detect uses of freed memory
#else
constexpr size_t kKeptBytes = size_t{64} << 20;
#endif

/// Freed blocks of huge pages, kKeptBytes at most; the oldest blocks are evicted first. Not destroyed at exit.
class KeptBlocks {
public:
  /// A kept block of at least `bytes` bytes and not much more, or null.
  char *take(size_t bytes, size_t alignment) {
    const std::scoped_lock lock(mutex_);
    for (Block &block : blocks_) {
      const bool fits = block.bytes >= bytes && block.bytes <= bytes + bytes / 8 + kHugePage;
      if (!block.memory || !fits || reinterpret_cast<uintptr_t>(block.memory) % alignment != 0) continue;
      bytes_ -= block.bytes;
      return std::exchange(block, {}).memory;
    }
    return nullptr;
  }

  /// Keeps the block if it fits, and frees evicted blocks; false if it was not kept.
  bool keep(char *memory) {
    const size_t bytes = malloc_usable_size(memory);
    if (bytes < kHugePageBytes || bytes > kKeptBytes || reinterpret_cast<uintptr_t>(memory) % kHugePage != 0) return false;
    const std::scoped_lock lock(mutex_);
    while (blocks_[next_].memory || bytes_ + bytes > kKeptBytes) {
      bytes_ -= blocks_[next_].bytes;
      std::free(std::exchange(blocks_[next_], {}).memory);
      next_ = (next_ + 1) % blocks_.size();
    }
    blocks_[next_] = {memory, bytes};
    bytes_ += bytes;
    next_ = (next_ + 1) % blocks_.size();
    return true;
  }

  std::mutex &mutex() { return mutex_; }

private:
  struct Block {
    char *memory = nullptr;
    size_t bytes = 0;
  };
  std::mutex mutex_;
  std::array<Block, 8> blocks_{};
  size_t next_ = 0, bytes_ = 0;
};
constinit KeptBlocks kept_blocks;
const AcrossFork blocks_across_fork(&kept_blocks.mutex());

bool is_mapped(uint64_t address) {
  unsigned char state = 0;
  // Pages are 4 KiB or multiples of that.
  return mincore(reinterpret_cast<void *>(address & ~uint64_t{0xfff}), 1, &state) == 0 || errno != ENOMEM;
}

/// Whether probed addresses from `address` to `distance` further on are mapped. Probes the farthest first, since most are not.
bool is_mapped_up_to(uint64_t address, int64_t distance) {
  constexpr int kPlaces = 16;
  for (int place = kPlaces; place > 0; --place)
    if (!is_mapped(address + static_cast<uint64_t>(distance / kPlaces * place))) return false;
  return true;
}

}  // namespace

uint64_t most_bytes_around(const void *pointer) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  // Code is compiled for object sizes (UpsweepKernelCode::large_bytes) some MiB below a power of two. An object of `bytes`
  // bytes extends at least half as far on one side of any address in it.
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
  else if (!keep_freed(memory) && !kept_blocks.keep(memory))
    std::free(memory);
}

HostMemory allocate_host_memory(size_t bytes, size_t alignment) {
  const bool is_huge = bytes >= kHugePageBytes;
  if (is_huge) alignment = std::max(alignment, kHugePage);
  if (is_huge)
    if (char *kept = kept_blocks.take(bytes, alignment)) return HostMemory(kept);
  void *memory = nullptr;
  if (posix_memalign(&memory, alignment, std::max<size_t>(bytes, 1)) != 0) return nullptr;
  if (is_huge) madvise(memory, bytes, MADV_HUGEPAGE);  // only a hint: correctness does not depend on it
  if (bytes <= kZeroedBytes) std::memset(memory, 0, bytes);
  return HostMemory(static_cast<char *>(memory));
}

void clear_host_memory(char *memory, size_t bytes) {
  // Clearing fewer bytes takes no longer than their page faults.
  constexpr size_t kManyBytes = size_t{1} << 20;
  if (bytes >= kManyBytes) {
    const size_t head = -reinterpret_cast<uintptr_t>(memory) % kAllocationAlignment;
    const size_t pages = (bytes - head) / kAllocationAlignment * kAllocationAlignment;
    // Fails, for example, for locked pages and for larger pages.
    if (madvise(memory + head, pages, MADV_DONTNEED) == 0) {
      std::memset(memory, 0, head);
      memory += head + pages;
      bytes -= head + pages;
    }
  }
  std::memset(memory, 0, bytes);
}

}  // namespace upsweep
