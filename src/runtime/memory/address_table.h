// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AddressTable: the allocations that kernels reach by pointer, SVM and unified shared memory, ordered by address.
#ifndef UPSWEEP_RUNTIME_MEMORY_ADDRESS_TABLE_H
#define UPSWEEP_RUNTIME_MEMORY_ADDRESS_TABLE_H

#include "base/across_fork.h"
#include "runtime/memory/host_memory.h"
#include <CL/cl.h>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace upsweep {

class AllocationOwner;
class Device;

/// The memory of clSVMAlloc, clHostMemAllocINTEL, clDeviceMemAllocINTEL, clSharedMemAllocINTEL.
enum class AllocationKind : uint8_t { kSvm, kHost, kDevice, kShared };

/// The types of cl_khr_unified_svm (svm_types.h). kNone: the allocation is for the functions of
/// cl_intel_unified_shared_memory alone. kSystem: memory of the host's own allocators.
enum class SvmType : uint8_t { kNone, kDevice, kHost, kShared, kCoarse, kFine, kSystem };

struct Allocation {
  char *base = nullptr;
  size_t bytes = 0;
  AllocationKind kind = AllocationKind::kSvm;
  const Device *device = nullptr;  ///< the device of cl_intel_unified_shared_memory; null if there is none
  uint64_t flags = 0;              ///< CL_MEM_ALLOC_FLAGS_INTEL
  SvmType svm = SvmType::kNone;    ///< other than kNone: functions for SVM use and free the memory
  AllocationOwner *owner = nullptr;
};

/// Look-ups take no lock. They read addresses that writers may be changing, compare version numbers before and after, and read
/// again after a change. The memory that they read is reused for other entries, but never freed.
///
/// Entries are in leaves of up to kLeafEntries entries. An index has the leaves by the first address of their ranges, which
/// cover the address space without gaps. The writers' lock guards all changes.
class AddressTable {
public:
  AddressTable() = default;
  AddressTable(const AddressTable &) = delete;
  AddressTable &operator=(const AddressTable &) = delete;

  /// Adds an allocation, whose addresses no other entry has, and takes over its memory. `properties` is the application's list
  /// of properties. Throws std::bad_alloc before it changes anything.
  void add(const Allocation &allocation, HostMemory &memory, std::vector<cl_properties> properties = {});

  /// The allocation that contains `pointer`.
  std::optional<Allocation> find(const void *pointer) const;

  /// The properties of the allocation that starts at `base`.
  std::vector<cl_properties> properties_at(const void *base) const;

  /// The functions that free an allocation.
  enum class Freed : uint8_t { kAsSvm, kAsUsm };
  /// Removes the owner's allocation that starts at `pointer`, if these functions may free it. Returns its memory, or null if
  /// there is no such allocation. The caller frees the memory, since that may take long.
  HostMemory remove(AllocationOwner &owner, const void *pointer, Freed freed);
  /// Removes and frees all allocations of the owner.
  void remove_all(AllocationOwner &owner);

  /// An upper bound for the bytes of the largest allocation; exact from kLargeBytes on.
  uint64_t largest() const { return largest_.load(std::memory_order_relaxed); }
  /// Less than any size on which code depends (UpsweepKernelCode::large_bytes).
  static constexpr uint64_t kLargeBytes = uint64_t{1} << 30;

private:
  friend class AllocationOwner;
  static constexpr size_t kLeafEntries = 256;
  static constexpr size_t kRecordsAtOnce = 256;
  static constexpr size_t kFirstIndexEntries = 64;

  /// An allocation; a look-up reads the atomic members.
  struct Record {
    std::atomic<char *> base;
    std::atomic<size_t> bytes;
    std::atomic<AllocationKind> kind;
    std::atomic<const Device *> device;
    std::atomic<uint64_t> flags;
    std::atomic<SvmType> svm;
    std::atomic<AllocationOwner *> owner;
    HostMemory memory;
    std::vector<cl_properties> properties;
    Record *previous = nullptr;  ///< of the owner's list
    Record *next = nullptr;      ///< of the owner's list, or of the unused records
  };
  /// Even while the leaf or the index is whole, odd while it changes.
  using Version = std::atomic<uint64_t>;
  class Change;

  struct Leaf {
    Version version{0};
    std::atomic<size_t> count{0};
    std::array<std::atomic<uintptr_t>, kLeafEntries> addresses{};
    std::array<std::atomic<Record *>, kLeafEntries> records{};
    Leaf *next_unused = nullptr;
  };
  struct Index {
    explicit Index(size_t its_capacity)
        : capacity(its_capacity), first_addresses(std::make_unique<std::atomic<uintptr_t>[]>(its_capacity)),
          leaves(std::make_unique<std::atomic<Leaf *>[]>(its_capacity)) {}
    const size_t capacity;
    std::atomic<size_t> count{0};
    const std::unique_ptr<std::atomic<uintptr_t>[]> first_addresses;
    const std::unique_ptr<std::atomic<Leaf *>[]> leaves;
  };
  /// The place of an address: in the leaf that covers it, behind the entries with lower addresses.
  struct Place {
    size_t of_leaf;
    Leaf *leaf;
    size_t of_entry;
  };

  bool try_find(uintptr_t address, std::optional<Allocation> &found) const;
  Place place_locked(uintptr_t address) const;
  Record *record_locked(const void *base) const;
  void make_room_locked();
  void make_room_in_index_locked();
  void split_locked(size_t of_leaf);
  void insert_locked(uintptr_t address, Record &record);
  void erase_locked(const Place &place);
  HostMemory take_out_locked(const Place &place, Record &record);
  void note_size_locked(uint64_t bytes);
  void forget_size_locked(uint64_t bytes);
  void update_largest_locked();

  Version index_version_{0};
  std::atomic<Index *> index_{nullptr};
  std::atomic<uint64_t> largest_{0};
  mutable std::mutex mutex_;                     ///< guards all changes, and the members below
  std::vector<std::unique_ptr<Index>> indices_;  ///< the last is in use; look-ups may still read the others
  std::vector<std::unique_ptr<Leaf>> leaves_;
  std::vector<std::unique_ptr<Record[]>> records_;
  Leaf *unused_leaves_ = nullptr;
  Record *unused_records_ = nullptr;
  std::array<size_t, 65> num_by_width_{};  ///< allocations below kLargeBytes, by the bits of their size
  std::vector<uint64_t> large_;            ///< sizes of the others
  const AcrossFork across_fork_{&mutex_};
};

/// A context's allocations: a list that the table's lock guards.
class AllocationOwner {
private:
  friend class AddressTable;
  AddressTable::Record *newest_ = nullptr;
};

/// The table of all contexts.
AddressTable &address_table();

}  // namespace upsweep
#endif
