// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps the shadow.
#include "base/shadow_memory.h"
#include "base/check_abi.h"
#include <algorithm>
#include <array>
#include <sys/mman.h>

namespace upsweep {
namespace {

struct Range {
  uint64_t begin, end;
};

/// Addresses of Linux on x86-64: the heap behind a program at a fixed address; mappings of the old layout, which grow upwards
/// (Documentation/process: ADDR_COMPAT_LAYOUT); programs at any address, and their heap; mappings and stacks.
constexpr std::array kUsual{Range{0, UINT64_C(0x0100) << 32}, Range{UINT64_C(0x2a00) << 32, UINT64_C(0x2c00) << 32},
                            Range{UINT64_C(0x5400) << 32, UINT64_C(0x5800) << 32},
                            Range{UINT64_C(0x7000) << 32, UINT64_C(0x8000) << 32}};
constexpr uint64_t kPage = 4096;

bool map_shadow(uint64_t begin, uint64_t bytes) {
  void *wanted = shadow_of(reinterpret_cast<const void *>(begin));
  void *mapped = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped == MAP_FAILED) return false;
  // Hints: a written byte must not cost a huge page, and a core dump needs no shadow.
  madvise(mapped, bytes, MADV_NOHUGEPAGE);
  madvise(mapped, bytes, MADV_DONTDUMP);
  if (mapped == wanted) return true;
  munmap(mapped, bytes);
  return false;
}

}  // namespace

char *shadow_of(const void *address) {
  const auto at = reinterpret_cast<int64_t>(address);
  return reinterpret_cast<char *>(at + (at < UPSWEEP_SHADOW_SPLIT ? UPSWEEP_SHADOW_LOW : UPSWEEP_SHADOW_HIGH));
}

bool reserve_shadow() {
  return std::ranges::all_of(kUsual, [](const Range &range) { return map_shadow(range.begin, range.end - range.begin); });
}

bool reserve_shadow_of(const void *object, uint64_t bytes) {
  const auto begin = reinterpret_cast<uint64_t>(object) / kPage * kPage;
  const uint64_t end = reinterpret_cast<uint64_t>(object) + bytes;
  const auto contains = [&](const Range &range) { return range.begin <= begin && end <= range.end; };
  if (std::ranges::any_of(kUsual, contains)) return true;
  // Objects may share pages, and an object may be registered again.
  for (uint64_t page = begin; page < end; page += kPage) {
    unsigned char state = 0;
    char *shadow = shadow_of(reinterpret_cast<const void *>(page));
    if (mincore(shadow, 1, &state) != 0 && !map_shadow(page, kPage)) return false;
  }
  return true;
}

}  // namespace upsweep
