// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of SVM allocations of all contexts, ordered by address.
#include "runtime/memory/svm.h"
#include "base/across_fork.h"
#include "base/never_destroyed.h"
#include "runtime/memory/host_memory.h"
#include "runtime/objects/context.h"
#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>

namespace upsweep {
namespace {

struct Entry {
  const Context *context;
  HostMemory memory;
  size_t size;
};

struct Table {
  std::mutex mutex;
  std::map<const char *, Entry> entries;
  std::atomic<uint64_t> largest{0};
  const AcrossFork across_fork{&mutex};

  /// Subtracts `bytes` of a freed allocation.
  void forget(uint64_t bytes) {
    if (bytes < largest) return;
    uint64_t rest = 0;
    for (const auto &[base, entry] : entries) rest = std::max<uint64_t>(rest, entry.size);
    largest = rest;
  }
};

Table &table() {
  static NeverDestroyed<Table> instance;
  return *instance;
}

const MadeWithPlatform allocations_made([] { static_cast<void>(table()); });

}  // namespace

void *allocate_svm(const Context &context, size_t size, size_t alignment) {
  HostMemory memory = context.allocate_shared(size, alignment);
  char *base = memory.get();
  if (!base) return nullptr;
  // Made before the lock: if there is no memory for the entry, the allocation is freed, which takes another such mutex.
  std::map<const char *, Entry> made;
  made.emplace(base, Entry{&context, std::move(memory), size});
  std::lock_guard lock(table().mutex);
  table().entries.merge(made);
  table().largest = std::max<uint64_t>(table().largest, size);
  return base;
}

void free_svm(const Context &context, void *pointer) {
  // Free the memory after unlocking: freeing may take long, on a GPU until the GPU is idle.
  std::map<const char *, Entry>::node_type freed;
  std::lock_guard lock(table().mutex);
  auto found = table().entries.find(static_cast<const char *>(pointer));
  if (found == table().entries.end() || found->second.context != &context) return;
  freed = table().entries.extract(found);
  table().forget(freed.mapped().size);
}

std::optional<SvmAllocation> find_svm(const Context &context, const void *pointer) {
  const char *address = static_cast<const char *>(pointer);
  std::lock_guard lock(table().mutex);
  auto after = table().entries.upper_bound(address);
  if (after == table().entries.begin()) return std::nullopt;
  const Entry &entry = std::prev(after)->second;
  char *base = entry.memory.get();
  if (entry.context != &context || address >= base + entry.size) return std::nullopt;
  return SvmAllocation{base, entry.size};
}

uint64_t largest_svm() { return table().largest; }

}  // namespace upsweep
