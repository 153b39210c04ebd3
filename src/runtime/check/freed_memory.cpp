// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A map of ranges, by address.
#include "runtime/check/freed_memory.h"
#include "base/across_fork.h"
#include "base/checks.h"
#include "base/never_destroyed.h"
#include "runtime/memory/address_table.h"
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

namespace upsweep {
namespace {

constexpr size_t kMostRanges = 65536;
/// Freed memory that is kept, so that no other object gets its addresses.
constexpr size_t kMostKeptBytes = size_t{256} << 20;

struct Freed {
  std::mutex mutex;
  const AcrossFork across_fork{&mutex};
  std::map<uintptr_t, uintptr_t> ends;  ///< by first address
  std::deque<char *> kept;              ///< each begins a range; oldest first
  size_t kept_bytes = 0;

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

/// A fork takes mutexes in the order of their registration: the table's first, as take_out_locked() does.
const MadeWithPlatform freed_made([] {
  static_cast<void>(address_table());
  static_cast<void>(freed());
});

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

bool keep_freed(char *memory) {
  if (enabled_checks().is_empty()) return false;
  std::vector<char *> oldest;
  {
    std::lock_guard lock(freed().mutex);
    Freed &all = freed();
    const auto range = all.ends.find(reinterpret_cast<uintptr_t>(memory));
    if (range == all.ends.end()) return false;
    all.kept.push_back(memory);
    all.kept_bytes += range->second - range->first;
    while (all.kept_bytes > kMostKeptBytes) {
      const auto first = all.ends.find(reinterpret_cast<uintptr_t>(all.kept.front()));
      all.kept_bytes -= first->second - first->first;
      all.ends.erase(first);
      oldest.push_back(all.kept.front());
      all.kept.pop_front();
    }
  }
  for (char *block : oldest) std::free(block);
  return true;
}

bool is_freed(const void *pointer) {
  std::lock_guard lock(freed().mutex);
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const auto after = freed().ends.upper_bound(address);
  return after != freed().ends.begin() && std::prev(after)->second > address;
}

UpsweepExtent extent_of(const void *pointer) {
  if (reinterpret_cast<uintptr_t>(pointer) < UPSWEEP_NULL_PAGE) return {0, 0};
  if (const auto found = address_table().find(pointer))
    return {static_cast<uint64_t>(static_cast<const char *>(pointer) - found->base), found->bytes};
  if (is_freed(pointer)) return {0, 0};
  return {UPSWEEP_UNKNOWN_BYTES / 2, UPSWEEP_UNKNOWN_BYTES};
}

}  // namespace upsweep
