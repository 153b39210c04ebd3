// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A map of ranges, by address.
#include "runtime/check/freed_memory.h"
#include "base/across_fork.h"
#include "base/checks.h"
#include "base/never_destroyed.h"
#include "runtime/memory/address_table.h"
#include <map>
#include <mutex>

namespace upsweep {
namespace {

constexpr size_t kMostRanges = 65536;
constexpr uintptr_t kNullPage = 4096;

struct Freed {
  std::mutex mutex;
  const AcrossFork across_fork{&mutex};
  std::map<uintptr_t, uintptr_t> ends;  ///< by first address

  void forget(uintptr_t begin, uintptr_t end) {
    auto at = ends.upper_bound(begin);
    if (at != ends.begin() && std::prev(at)->second > begin) --at;
    while (at != ends.end() && at->first < end) at = ends.erase(at);
  }
};

Freed &freed() {
  static NeverDestroyed<Freed> ranges;
  return *ranges;
}

const MadeWithPlatform freed_made([] { static_cast<void>(freed()); });

}  // namespace

void note_freed(const void *base, uint64_t bytes) {
  if (enabled_checks().is_empty() || bytes == 0) return;
  std::lock_guard lock(freed().mutex);
  const auto begin = reinterpret_cast<uintptr_t>(base);
  freed().forget(begin, begin + bytes);
  if (freed().ends.size() < kMostRanges) freed().ends[begin] = begin + bytes;
}

void note_allocated(const void *base, uint64_t bytes) {
  if (enabled_checks().is_empty()) return;
  std::lock_guard lock(freed().mutex);
  const auto begin = reinterpret_cast<uintptr_t>(base);
  freed().forget(begin, begin + bytes);
}

bool is_freed(const void *pointer) {
  std::lock_guard lock(freed().mutex);
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const auto after = freed().ends.upper_bound(address);
  return after != freed().ends.begin() && std::prev(after)->second > address;
}

UpsweepExtent extent_of(const void *pointer) {
  if (reinterpret_cast<uintptr_t>(pointer) < kNullPage) return {0, 0};
  if (const auto found = address_table().find(pointer))
    return {static_cast<uint64_t>(static_cast<const char *>(pointer) - found->base), found->bytes};
  if (is_freed(pointer)) return {0, 0};
  return {UPSWEEP_UNKNOWN_BYTES / 2, UPSWEEP_UNKNOWN_BYTES};
}

}  // namespace upsweep
