// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The set of live handles: sharded hash tables with open addressing. A look-up takes a few ns and no lock.
#include "base/handle.h"
#include "base/across_fork.h"
#include "base/never_destroyed.h"
#include <array>
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <vector>

namespace upsweep {
namespace {

/// The slots of a hash table: a power of two, at most half of them in use.
class Slots {
public:
  struct Entry {
    const void *handle = nullptr;
    HandleKind kind = 0;
  };

  explicit Slots(size_t count) : slots_(count) {}
  size_t count() const { return slots_.size(); }
  size_t mask() const { return slots_.size() - 1; }
  size_t following(size_t slot) const { return (slot + 1) & mask(); }
  size_t home(const void *handle) const {
    // Fibonacci hashing: allocations differ in their middle bits.
    return (reinterpret_cast<uintptr_t>(handle) * 0x9E3779B97F4A7C15u >> 24) & mask();
  }

  // A concurrent reader may see a torn value; the version check rejects it. A reader that sees any part of a write also sees
  // the version number that was set before it.
  Entry at(size_t slot) const {
    const Slot &found = slots_[slot];
    return {found.handle.load(std::memory_order_acquire), found.kind.load(std::memory_order_acquire)};
  }
  void put(size_t slot, Entry entry) {
    slots_[slot].handle.store(entry.handle, std::memory_order_release);
    slots_[slot].kind.store(entry.kind, std::memory_order_release);
  }

  /// The handle's slot, or the empty slot where it would be inserted.
  size_t find(const void *handle) const {
    size_t slot = home(handle);
    // A torn read may see no empty slot.
    for (size_t left = count(); left; --left, slot = following(slot)) {
      const void *there = at(slot).handle;
      if (!there || there == handle) break;
    }
    return slot;
  }

private:
  struct Slot {
    std::atomic<const void *> handle = nullptr;
    std::atomic<HandleKind> kind = 0;
  };
  std::vector<Slot> slots_;
};

/// The kind, distinct from all errors, for a handle of the parent process.
constexpr HandleKind inherited(HandleKind kind) { return -kind; }

/// A hash table with linear probing. Erasing moves later entries back instead of leaving tombstones. Readers take no lock:
/// they check that the version is even and unchanged after reading (a sequence lock).
class HandleTable {
public:
  void insert(const void *handle, HandleKind kind) {
    std::lock_guard lock(mutex_);
    if (all_.empty() || 2 * (count_ + 1) > newest().count()) grow();
    Writing writing(version_);
    newest().put(newest().find(handle), {handle, kind});
    ++count_;
  }

  void erase(const void *handle) {
    std::lock_guard lock(mutex_);
    Slots &slots = newest();
    size_t hole = slots.find(handle);
    assert(slots.at(hole).handle == handle && "handle was never registered");
    Writing writing(version_);
    for (size_t next = slots.following(hole); slots.at(next).handle; next = slots.following(next)) {
      // The entry may move into the hole unless its home lies behind the hole.
      size_t distance_home = (next - slots.home(slots.at(next).handle)) & slots.mask();
      size_t distance_hole = (next - hole) & slots.mask();
      if (distance_home >= distance_hole) {
        slots.put(hole, slots.at(next));
        hole = next;
      }
    }
    slots.put(hole, {});
    --count_;
  }

  bool contains(const void *handle, HandleKind kind) {
    auto holds = [&](const Slots *slots) {
      if (!slots) return false;
      const Slots::Entry entry = slots->at(slots->find(handle));
      return entry.handle == handle && entry.kind == kind;
    };
    const uint64_t before = version_.load(std::memory_order_acquire);
    if (before % 2 == 0) {
      const bool found = holds(current_.load(std::memory_order_acquire));
      if (version_.load(std::memory_order_relaxed) == before) return found;
    }
    std::lock_guard lock(mutex_);
    return holds(current_.load(std::memory_order_relaxed));
  }

private:
  /// In a child of fork(): invalidates the parent's handles, since its threads and their work do not exist here. Platforms and
  /// devices stay valid.
  void disown() {
    for (size_t i = 0; !all_.empty() && i < newest().count(); ++i) {
      const Slots::Entry entry = newest().at(i);
      const bool lasts = entry.kind == CL_INVALID_PLATFORM || entry.kind == CL_INVALID_DEVICE;
      if (entry.handle && !lasts && entry.kind < 0) newest().put(i, {entry.handle, inherited(entry.kind)});
    }
  }

  /// Makes the version odd while the slots change.
  class Writing {
  public:
    explicit Writing(std::atomic<uint64_t> &version) : version_(version) { advance(std::memory_order_relaxed); }
    ~Writing() { advance(std::memory_order_release); }

  private:
    void advance(std::memory_order order) { version_.store(version_.load(std::memory_order_relaxed) + 1, order); }
    std::atomic<uint64_t> &version_;
  };

  Slots &newest() { return *all_.back(); }

  void grow() {
    auto larger = std::make_unique<Slots>(all_.empty() ? 16 : 2 * newest().count());
    for (size_t i = 0; !all_.empty() && i < newest().count(); ++i)
      if (const Slots::Entry entry = newest().at(i); entry.handle) larger->put(larger->find(entry.handle), entry);
    all_.push_back(std::move(larger));
    // A thread that still reads the old slots sees the handles that were valid when its look-up began.
    current_.store(all_.back().get(), std::memory_order_release);
  }

  std::atomic<uint64_t> version_{0};
  std::atomic<const Slots *> current_{nullptr};
  std::mutex mutex_;  ///< held by writers; guards the members below
  const AcrossFork across_fork_{&mutex_, [this] { disown(); }};
  std::vector<std::unique_ptr<Slots>> all_;  ///< the last is current; readers may still use the others
  size_t count_ = 0;
};

constexpr size_t kShards = 64;

HandleTable &table_of(const void *handle) {
  static NeverDestroyed<std::array<HandleTable, kShards>> tables;
  return (*tables)[(reinterpret_cast<uintptr_t>(handle) >> 6) % kShards];
}

const MadeWithPlatform handles_made([] { static_cast<void>(table_of(nullptr)); });

thread_local int last_releases = 0;

}  // namespace

LastRelease::LastRelease() { ++last_releases; }
LastRelease::~LastRelease() { --last_releases; }
bool LastRelease::is_in_progress() { return last_releases > 0; }

void register_handle(const HandleBase *handle, HandleKind kind) { table_of(handle).insert(handle, kind); }
void unregister_handle(const HandleBase *handle) { table_of(handle).erase(handle); }
bool is_live_handle(const void *handle, HandleKind kind) { return handle && table_of(handle).contains(handle, kind); }
const char *why_not_live(const void *handle, HandleKind kind) {
  return is_live_handle(handle, inherited(kind)) ? "the object belongs to the process that forked this one"
                                                 : "not a valid handle of the expected type";
}

}  // namespace upsweep
