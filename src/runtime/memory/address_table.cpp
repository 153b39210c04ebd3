// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of allocations. Each store of an entry has release order and each load of a look-up acquire order: a look-up that
// reads a changed value then also reads the changed version behind it.
#include "runtime/memory/address_table.h"
#include "base/never_destroyed.h"
#include "runtime/check/freed_memory.h"
#include "runtime/check/initialisation.h"
#include "runtime/trace/trace.h"
#include <algorithm>
#include <bit>
#include <cassert>
#include <thread>
#include <utility>

namespace upsweep {
namespace {

constexpr auto kReads = std::memory_order_acquire;
constexpr auto kWrites = std::memory_order_release;

/// The number of the first `count` addresses that are at most `address`.
size_t num_up_to(const std::atomic<uintptr_t> *addresses, size_t count, uintptr_t address) {
  size_t begin = 0;
  while (count != 0) {
    const size_t half = count / 2;
    if (addresses[begin + half].load(kReads) <= address) {
      begin += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return begin;
}

/// Moves the elements [first, last) one place on, or one place back to `first` - 1.
template <typename T>
void move_on(std::atomic<T> *elements, size_t first, size_t last) {
  for (size_t i = last; i > first; --i) elements[i].store(elements[i - 1].load(kReads), kWrites);
}
template <typename T>
void move_back(std::atomic<T> *elements, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) elements[i - 1].store(elements[i].load(kReads), kWrites);
}

uintptr_t address_of(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

}  // namespace

/// Exists while a leaf or the index changes.
class AddressTable::Change {
public:
  explicit Change(Version &version) : version_(version) {
    version_.store(version_.load(kReads) + 1, std::memory_order_relaxed);
  }
  ~Change() { version_.store(version_.load(kReads) + 1, kWrites); }
  Change(const Change &) = delete;
  Change &operator=(const Change &) = delete;

private:
  Version &version_;
};

std::optional<Allocation> AddressTable::find(const void *pointer) const {
  std::optional<Allocation> found;
  constexpr int kAttemptsBeforeYield = 64;  // a writer that has lost its processor changes nothing until it runs again
  for (int attempt = 1; !try_find(address_of(pointer), found); ++attempt)
    if (attempt % kAttemptsBeforeYield == 0) std::this_thread::yield();
  return found;
}

/// False if the table has changed in the meantime.
bool AddressTable::try_find(uintptr_t address, std::optional<Allocation> &found) const {
  found.reset();
  const uint64_t index_version = index_version_.load(kReads);
  if (index_version % 2) return false;
  const Index *index = index_.load(kReads);
  if (!index) return true;
  // Before a change is noticed, the values may be of different times. Each of them is in bounds.
  size_t of_leaf = num_up_to(index->first_addresses.get(), index->count.load(kReads), address);
  // An allocation that starts in the range of a leaf may end in the range of the next. Only the first leaf may be empty.
  for (int visits = 0; of_leaf != 0 && visits < 2; ++visits, --of_leaf) {
    const Leaf &leaf = *index->leaves[of_leaf - 1].load(kReads);
    const uint64_t leaf_version = leaf.version.load(kReads);
    if (leaf_version % 2) return false;
    const size_t of_entry = num_up_to(leaf.addresses.data(), leaf.count.load(kReads), address);
    if (of_entry != 0) {
      const Record &record = *leaf.records[of_entry - 1].load(kReads);
      const Allocation read{record.base.load(kReads),   record.bytes.load(kReads), record.kind.load(kReads),
                            record.device.load(kReads), record.flags.load(kReads), record.svm.load(kReads),
                            record.owner.load(kReads)};
      if (address - address_of(read.base) < read.bytes) found = read;
    }
    if (leaf.version.load(std::memory_order_relaxed) != leaf_version) return false;
    if (of_entry != 0) break;
  }
  return index_version_.load(std::memory_order_relaxed) == index_version;
}

void AddressTable::add(const Allocation &allocation, HostMemory &memory, std::vector<cl_properties> properties) {
  assert(allocation.base && allocation.bytes && allocation.owner && "an incomplete allocation");
  note_allocated(allocation.base, allocation.bytes);
  trace_memory(static_cast<int64_t>(allocation.bytes));
  if (allocation.kind == AllocationKind::kDevice)
    begin_object(allocation.base, allocation.bytes, false);
  else
    add_host_memory(allocation.base, allocation.bytes);
  const std::lock_guard lock(mutex_);
  make_room_locked();
  const uintptr_t address = address_of(allocation.base);
  if (const Place place = place_locked(address); place.leaf->count.load(kReads) == kLeafEntries) split_locked(place.of_leaf);
  Record &record = *std::exchange(unused_records_, unused_records_->next);
  record.base.store(allocation.base, kWrites);
  record.bytes.store(allocation.bytes, kWrites);
  record.kind.store(allocation.kind, kWrites);
  record.device.store(allocation.device, kWrites);
  record.flags.store(allocation.flags, kWrites);
  record.svm.store(allocation.svm, kWrites);
  record.owner.store(allocation.owner, kWrites);
  record.memory = std::move(memory);
  record.properties = std::move(properties);
  Record *&newest = allocation.owner->newest_;
  record.previous = nullptr;
  record.next = newest;
  if (newest) newest->previous = &record;
  newest = &record;
  insert_locked(address, record);
  note_size_locked(allocation.bytes);
}

/// The record of the allocation that starts at `base`; null if there is none.
AddressTable::Record *AddressTable::record_locked(const void *base) const {
  if (!index_.load(kReads)) return nullptr;
  const Place place = place_locked(address_of(base));
  if (place.of_entry == place.leaf->count.load(kReads)) return nullptr;
  Record *record = place.leaf->records[place.of_entry].load(kReads);
  return record->base.load(kReads) == base ? record : nullptr;
}

std::vector<cl_properties> AddressTable::properties_at(const void *base) const {
  const std::lock_guard lock(mutex_);
  const Record *record = record_locked(base);
  return record ? record->properties : std::vector<cl_properties>();
}

HostMemory AddressTable::remove(AllocationOwner &owner, const void *pointer, Freed freed) {
  const std::lock_guard lock(mutex_);
  Record *record = record_locked(pointer);
  if (!record || record->owner.load(kReads) != &owner) return {};
  const bool is_wanted =
      freed == Freed::kAsSvm ? record->svm.load(kReads) != SvmType::kNone : record->kind.load(kReads) != AllocationKind::kSvm;
  return is_wanted ? take_out_locked(place_locked(address_of(pointer)), *record) : HostMemory();
}

void AddressTable::remove_all(AllocationOwner &owner) {
  for (;;) {
    HostMemory memory;  // freed after the lock is released
    const std::lock_guard lock(mutex_);
    Record *record = owner.newest_;
    if (!record) return;
    memory = take_out_locked(place_locked(address_of(record->base.load(kReads))), *record);
  }
}

/// Removes the record at `place`; returns its memory.
HostMemory AddressTable::take_out_locked(const Place &place, Record &record) {
  note_freed(record.base.load(kReads), record.bytes.load(kReads));
  trace_memory(-static_cast<int64_t>(record.bytes.load(kReads)));
  remove_host_memory(record.base.load(kReads));
  end_object(record.base.load(kReads), record.bytes.load(kReads));
  erase_locked(place);
  forget_size_locked(record.bytes.load(kReads));
  (record.previous ? record.previous->next : record.owner.load(kReads)->newest_) = record.next;
  if (record.next) record.next->previous = record.previous;
  record.next = std::exchange(unused_records_, &record);
  return std::exchange(record.memory, {});
}

AddressTable::Place AddressTable::place_locked(uintptr_t address) const {
  const Index &index = *index_.load(kReads);
  // The first leaf covers the addresses from 0 on, so there is a leaf for each address.
  const size_t of_leaf = num_up_to(index.first_addresses.get(), index.count.load(kReads), address) - 1;
  Leaf *leaf = index.leaves[of_leaf].load(kReads);
  const size_t lower = address == 0 ? 0 : num_up_to(leaf->addresses.data(), leaf->count.load(kReads), address - 1);
  return {of_leaf, leaf, lower};
}

/// Allocates all that the next entry may need, so that adding it cannot fail.
void AddressTable::make_room_locked() {
  if (large_.size() == large_.capacity()) large_.reserve(std::max<size_t>(16, 2 * large_.size()));
  if (!unused_records_) {
    records_.reserve(records_.size() + 1);
    auto made = std::make_unique<Record[]>(kRecordsAtOnce);
    for (size_t i = 0; i < kRecordsAtOnce; ++i) made[i].next = std::exchange(unused_records_, &made[i]);
    records_.push_back(std::move(made));
  }
  if (!unused_leaves_) {
    leaves_.reserve(leaves_.size() + 1);
    leaves_.push_back(std::make_unique<Leaf>());
    unused_leaves_ = leaves_.back().get();
  }
  make_room_in_index_locked();
}

void AddressTable::make_room_in_index_locked() {
  Index *old = index_.load(kReads);
  const size_t count = old ? old->count.load(kReads) : 0;
  if (old && count < old->capacity) return;
  indices_.reserve(indices_.size() + 1);
  auto made = std::make_unique<Index>(old ? 2 * old->capacity : kFirstIndexEntries);
  for (size_t i = 0; i < count; ++i) {
    made->first_addresses[i].store(old->first_addresses[i].load(kReads), kWrites);
    made->leaves[i].store(old->leaves[i].load(kReads), kWrites);
  }
  made->count.store(count, kWrites);
  if (!old) {  // the table's only leaf, which is not full soon enough to need the next one now
    made->leaves[0].store(std::exchange(unused_leaves_, nullptr), kWrites);
    made->count.store(1, kWrites);
  }
  const Change change(index_version_);
  index_.store(made.get(), kWrites);
  indices_.push_back(std::move(made));
}

/// Moves the upper half of a full leaf to a new leaf behind it.
void AddressTable::split_locked(size_t of_leaf) {
  Index &index = *index_.load(kReads);
  Leaf &lower = *index.leaves[of_leaf].load(kReads);
  Leaf &upper = *std::exchange(unused_leaves_, unused_leaves_->next_unused);
  const Change of_index(index_version_), of_lower(lower.version), of_upper(upper.version);
  constexpr size_t kKept = kLeafEntries / 2;
  for (size_t i = kKept; i < kLeafEntries; ++i) {
    upper.addresses[i - kKept].store(lower.addresses[i].load(kReads), kWrites);
    upper.records[i - kKept].store(lower.records[i].load(kReads), kWrites);
  }
  upper.count.store(kLeafEntries - kKept, kWrites);
  lower.count.store(kKept, kWrites);
  const size_t count = index.count.load(kReads);
  move_on(index.first_addresses.get(), of_leaf + 1, count);
  move_on(index.leaves.get(), of_leaf + 1, count);
  index.first_addresses[of_leaf + 1].store(upper.addresses[0].load(kReads), kWrites);
  index.leaves[of_leaf + 1].store(&upper, kWrites);
  index.count.store(count + 1, kWrites);
}

void AddressTable::insert_locked(uintptr_t address, Record &record) {
  const Place place = place_locked(address);
  Leaf &leaf = *place.leaf;
  const size_t count = leaf.count.load(kReads);
  const Change change(leaf.version);
  move_on(leaf.addresses.data(), place.of_entry, count);
  move_on(leaf.records.data(), place.of_entry, count);
  leaf.addresses[place.of_entry].store(address, kWrites);
  leaf.records[place.of_entry].store(&record, kWrites);
  leaf.count.store(count + 1, kWrites);
}

void AddressTable::erase_locked(const Place &place) {
  Leaf &leaf = *place.leaf;
  const size_t count = leaf.count.load(kReads);
  const bool leaves_none = count == 1 && place.of_leaf != 0;
  // Begins before the leaf is empty, since look-ups rely on the other leaves' entries.
  std::optional<Change> of_index;
  if (leaves_none) of_index.emplace(index_version_);
  {
    const Change change(leaf.version);
    move_back(leaf.addresses.data(), place.of_entry + 1, count);
    move_back(leaf.records.data(), place.of_entry + 1, count);
    leaf.count.store(count - 1, kWrites);
  }
  if (!leaves_none) return;
  // The leaf before it covers the range of the empty leaf from now on.
  Index &index = *index_.load(kReads);
  const size_t num_leaves = index.count.load(kReads);
  move_back(index.first_addresses.get(), place.of_leaf + 1, num_leaves);
  move_back(index.leaves.get(), place.of_leaf + 1, num_leaves);
  index.count.store(num_leaves - 1, kWrites);
  leaf.next_unused = std::exchange(unused_leaves_, &leaf);
}

// Sizes

void AddressTable::note_size_locked(uint64_t bytes) {
  if (bytes < kLargeBytes)
    ++num_by_width_[static_cast<size_t>(std::bit_width(bytes))];
  else
    large_.push_back(bytes);
  update_largest_locked();
}

void AddressTable::forget_size_locked(uint64_t bytes) {
  if (bytes < kLargeBytes) {
    --num_by_width_[static_cast<size_t>(std::bit_width(bytes))];
  } else {
    *std::ranges::find(large_, bytes) = large_.back();
    large_.pop_back();
  }
  update_largest_locked();
}

void AddressTable::update_largest_locked() {
  uint64_t largest = 0;
  for (size_t width = 0; width < num_by_width_.size(); ++width)
    if (num_by_width_[width]) largest = (uint64_t{1} << width) - 1;
  for (const uint64_t bytes : large_) largest = std::max(largest, bytes);
  largest_.store(largest, std::memory_order_relaxed);
}

AddressTable &address_table() {
  static NeverDestroyed<AddressTable> instance;
  return *instance;
}

namespace {

const MadeWithPlatform table_made([] { static_cast<void>(address_table()); });

}  // namespace
}  // namespace upsweep
