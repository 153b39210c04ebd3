// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of SVM allocations of all contexts, ordered by address.
#include "runtime/memory/svm.h"
#include "base/never_destroyed.h"
#include "runtime/memory/host_memory.h"
#include "runtime/objects/context.h"
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
};

Table &table() {
  static NeverDestroyed<Table> instance;
  return *instance;
}

}  // namespace

void *allocate_svm(const Context &context, size_t size, size_t alignment) {
  HostMemory memory = context.allocate_shared(size, alignment);
  char *base = memory.get();
  if (base) {
    std::lock_guard lock(table().mutex);
    table().entries.emplace(base, Entry{&context, std::move(memory), size});
  }
  return base;
}

void free_svm(const Context &context, void *pointer) {
  // Its memory goes after the lock: to free it may take long, on a GPU until the GPU is idle.
  std::map<const char *, Entry>::node_type freed;
  std::lock_guard lock(table().mutex);
  auto found = table().entries.find(static_cast<const char *>(pointer));
  if (found != table().entries.end() && found->second.context == &context) freed = table().entries.extract(found);
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

}  // namespace upsweep
