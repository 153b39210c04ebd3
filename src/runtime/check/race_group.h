// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race check of a running work-group: its time, its barriers, and its accesses against those in the shadow
// (docs/decisions/race-checker.md). One thread runs a group.
#ifndef UPSWEEP_RUNTIME_CHECK_RACE_GROUP_H
#define UPSWEEP_RUNTIME_CHECK_RACE_GROUP_H

#include "runtime/check/local_shadow.h"
#include "runtime/check/race_order.h"
#include <optional>
#include <vector>

namespace upsweep {

/// memory_order and memory_scope of OpenCL C, as far as the check tells them apart.
enum RaceOrder : uint8_t { kRaceRelaxed = 0, kRaceAcquire = 2, kRaceRelease = 3, kRaceAcqRel = 4, kRaceSeqCst = 5 };
enum RaceScope : uint8_t { kRaceOfItem = 0, kRaceOfGroup = 1, kRaceOfDevice = 2, kRaceOfAll = 3, kRaceOfSubGroup = 4 };

/// An access of a work-item.
struct RaceAccess {
  uint64_t address = 0, width = 0;
  uint32_t item = 0;  ///< linear local id
  uint32_t site = 0;
  uint32_t value = 0;                                    ///< a hash of the written value, of 6 bits
  uint32_t order = kRaceRelaxed, scope = kRaceOfDevice;  ///< of an atomic access
  bool reads = false, writes = false;
  bool is_atomic = false, is_copy = false;
  bool may_write = false;  ///< the read of an exchange, which may release
  RaceSpace space = kRaceGlobal;
};

/// A row of plain accesses: lane i of `lanes` accesses `width` bytes at `address + i * step`, as the work-item
/// `item + i * item_step`.
struct RaceSpan {
  uint64_t address = 0;
  int64_t step = 0;
  uint64_t width = 0;
  uint64_t lanes = 0;
  uint32_t item = 0, item_step = 1;
  uint32_t site = 0;
  uint32_t value = 0;  ///< as in RaceEntry
  bool writes = false;
  RaceSpace space = kRaceGlobal;
};

struct RaceConflict {
  RaceEntry other;
  uint64_t address;  ///< the first common byte, or a byte of its word
};

class RaceGroup {
public:
  /// `number`: linear group id. Local memory of other groups may have the same addresses.
  void begin(RaceLaunch &launch, uint64_t number, uint32_t items);
  /// The group's local memory. Without it, accesses of local memory have no short form.
  void set_local(uint64_t address, uint64_t bytes);
  void end() { launch_ = nullptr; }
  [[nodiscard]] bool is_running() const { return launch_ != nullptr; }
  void set_sub_group_size(uint32_t size) { sub_group_size_ = size ? size : 1; }

  /// Before a row of accesses: the lanes that need access(), since they may have conflicts.
  uint64_t access_row(const RaceSpan &row);
  /// Before an async copy of adjacent bytes, whose access has the address and bytes of all of them.
  void access_copy(const RaceAccess &copy, std::vector<RaceConflict> &conflicts);
  /// Before the access: adds its conflicts, one for each other access.
  void access(const RaceAccess &access, std::vector<RaceConflict> &conflicts);
  /// Whether a work-item of the launch has released anything.
  [[nodiscard]] bool can_acquire() const { return launch_->has_nodes(); }
  /// After an atomic access.
  void acquire(const RaceAccess &access);
  void fence(uint32_t item, uint32_t order, uint32_t scope);
  /// A unit, named by its first work-item, goes on behind a barrier for the spaces.
  void pass_barrier(uint32_t unit, bool is_global, bool is_local, bool waits_for_copies);
  void pass_sub_group(uint32_t item, bool is_global, bool is_local);
  [[nodiscard]] const UpsweepLocalShadow &local_shadow() const { return shadow_.view(); }

private:
  /// The state at a release fence. The node is made when an atomic store follows.
  struct Fence {
    RaceNode state;
    const RaceNode *node = nullptr;
    bool is_set = false;
  };
  /// The order that a work-item has acquired since the last barrier, and its last fences.
  struct Item {
    uint32_t epoch = 0;  ///< the group's; other groups' items are empty
    const RaceNode *acquired = nullptr;
    const RaceNode *loose_group = nullptr, *loose_wide = nullptr;  ///< read by relaxed accesses; an acquire fence takes them
    Fence fence, wide_fence;  ///< the last release fence, and before it the last one beyond the group
    bool is_fence_wide = false;
  };

  [[nodiscard]] uint32_t sub_group_of(uint64_t item) const { return static_cast<uint32_t>(item) / sub_group_size_; }
  [[nodiscard]] bool is_of_now(const RaceEntry &entry, RaceSpace space) const;
  [[nodiscard]] bool is_ordered_in_group(const RaceEntry &entry, const RaceAccess &access) const;
  bool is_ordered(const RaceEntry &entry, const RaceAccess &access);
  bool conflicts(const RaceEntry &entry, const RaceAccess &access);
  void visit(RaceCell &cell, const RaceEntry &mine, const RaceAccess &access, uint64_t address,
             std::vector<RaceConflict> &found);
  void note(std::array<RaceEntry, 2> &slots, const RaceEntry &mine, const RaceAccess &access) const;
  RaceEntry entry_of(const RaceAccess &access) const;
  RaceRecord record_of(const RaceSpan &row) const;
  uint64_t access_strided(const RaceSpan &row);
  uint64_t access_lanes(const RaceSpan &row);
  uint64_t access_alike(const RaceSpan &row);
  uint64_t access_local(const RaceSpan &row, uint64_t &left);
  uint64_t access_lines(const RaceSpan &row);
  [[nodiscard]] std::optional<uint64_t> local_words(uint64_t address, uint64_t bytes) const;
  [[nodiscard]] bool is_shadowed(uint64_t address) const;
  void leave_shadow(RacePage &page, uint64_t address, RaceLine &line);
  void leave_shadow(uint64_t address, uint64_t bytes);
  bool update_local(const RaceAccess &access);
  bool copy_line(const RaceAccess &copy);
  [[nodiscard]] LocalTime local_time() const;
  RaceLine *local_line(uint64_t address);
  [[nodiscard]] RaceLine::Now now(RaceSpace space) const;
  bool add(uint64_t address, const RaceRecord &record, RaceSpace space);
  void use_cells(RacePage &page, uint64_t address, uint64_t bytes, RaceSpace space);
  void leave_to_cells(RacePage &page, uint64_t address, RaceLine &line, RaceSpace space);
  Item &item(uint32_t number);
  /// Null if the work-item has neither acquired nor fenced.
  [[nodiscard]] Item *known_item(uint32_t number);
  void acquire(Item &its, const RaceNode *node);
  [[nodiscard]] const RaceNode *acquired_by(uint32_t number);
  RaceNode state_of(uint32_t number);
  void release(const RaceAccess &access);
  const RaceNode *node_of(Fence &fence);
  void share_acquired();

  RaceLaunch *launch_ = nullptr;
  uint64_t number_ = 0;
  uint32_t sub_group_size_ = 1;
  uint32_t tick_ = 1, barriers_ = 0;
  RaceTicks start_{};                   ///< by space: the last barrier's tick
  uint32_t copies_start_ = 0;           ///< the last wait_group_events
  const RaceNode *acquired_ = nullptr;  ///< by the whole group
  LocalShadow shadow_;
  uint64_t local_ = 0;  ///< address of the local memory
  std::vector<RaceLine> local_lines_;
  uint32_t epoch_ = 0;                 ///< number of the group on this thread
  std::vector<uint32_t> barriers_of_;  ///< by unit
  std::vector<RaceTicks> sub_start_;   ///< by sub-group
  bool has_sub_groups_ = false;        ///< a sub-group has passed a barrier
  std::vector<Item> items_;            ///< empty until a work-item acquires or fences
  std::vector<uint32_t> acquirers_;    ///< work-items that have acquired since the last barrier
  RaceHeads heads_;                    ///< releases by the group, for its own work-items
  RaceNodes nodes_;
  RacePast past_, past_of_item_;
  uint32_t past_item_ = 0;
};

/// The group that this thread runs.
RaceGroup &race_group();

}  // namespace upsweep
#endif
