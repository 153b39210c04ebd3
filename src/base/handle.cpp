// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The set of live handles: sharded hash tables with open addressing, so that a check costs some 20 ns.
#include "base/handle.h"
#include "base/never_destroyed.h"
#include <array>
#include <cassert>
#include <mutex>
#include <vector>

namespace upsweep {
namespace {

/// One hash table. Linear probing; an erased slot is closed by moving later ones back, so there are no tombstones.
class HandleTable {
public:
  void insert(const void *handle, HandleKind kind) {
    std::lock_guard lock(mutex_);
    if (2 * (count_ + 1) > slots_.size()) grow();
    place({handle, kind});
    ++count_;
  }

  void erase(const void *handle) {
    std::lock_guard lock(mutex_);
    size_t hole = find(handle);
    assert(slots_[hole].handle == handle && "handle was never registered");
    for (size_t next = following(hole); slots_[next].handle; next = following(next)) {
      // The slot may move into the hole unless its home lies behind the hole.
      size_t distance_home = (next - home(slots_[next].handle)) & mask();
      size_t distance_hole = (next - hole) & mask();
      if (distance_home >= distance_hole) {
        slots_[hole] = slots_[next];
        hole = next;
      }
    }
    slots_[hole] = {};
    --count_;
  }

  bool contains(const void *handle, HandleKind kind) {
    std::lock_guard lock(mutex_);
    if (slots_.empty()) return false;
    const Slot &slot = slots_[find(handle)];
    return slot.handle == handle && slot.kind == kind;
  }

private:
  struct Slot {
    const void *handle = nullptr;
    HandleKind kind = 0;
  };

  size_t mask() const { return slots_.size() - 1; }
  size_t following(size_t slot) const { return (slot + 1) & mask(); }
  size_t home(const void *handle) const {
    // Fibonacci hashing: allocations differ in their middle bits.
    return (reinterpret_cast<uintptr_t>(handle) * 0x9E3779B97F4A7C15u >> 24) & mask();
  }
  size_t find(const void *handle) const {
    size_t slot = home(handle);
    while (slots_[slot].handle && slots_[slot].handle != handle) slot = following(slot);
    return slot;
  }
  void place(Slot entry) { slots_[find(entry.handle)] = entry; }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot &slot : old)
      if (slot.handle) place(slot);
  }

  std::mutex mutex_;
  std::vector<Slot> slots_;
  size_t count_ = 0;
};

constexpr size_t kShards = 64;

HandleTable &table_of(const void *handle) {
  static NeverDestroyed<std::array<HandleTable, kShards>> tables;
  return (*tables)[(reinterpret_cast<uintptr_t>(handle) >> 6) % kShards];
}

}  // namespace

void register_handle(const HandleBase *handle, HandleKind kind) { table_of(handle).insert(handle, kind); }
void unregister_handle(const HandleBase *handle) { table_of(handle).erase(handle); }
bool is_live_handle(const void *handle, HandleKind kind) { return handle && table_of(handle).contains(handle, kind); }

}  // namespace upsweep
