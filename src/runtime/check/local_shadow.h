// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race check's shadow of a work-group's local memory: the last write and two readers of each word. Entries are
// in arrays, so that vector code compares a row of accesses, and generated code reads them (docs/decisions/race-local.md).
#ifndef UPSWEEP_RUNTIME_CHECK_LOCAL_SHADOW_H
#define UPSWEEP_RUNTIME_CHECK_LOCAL_SHADOW_H

#include "base/race_abi.h"
#include "runtime/check/race_cells.h"
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace upsweep {

/// A row of plain accesses of whole words: lane i of `lanes` accesses `words` words from `word + i * step`, as the work-item
/// `item + i * item_step`.
struct LocalRow {
  uint64_t word = 0;
  int64_t step = 0;
  uint32_t words = 1;
  uint64_t lanes = 0;
  uint32_t item = 0, item_step = 1;
  uint32_t site = 0, value = 0;  ///< as in RaceEntry
  bool writes = false;
};

/// An atomic access of whole words, whose scope includes the work-group.
struct LocalUpdate {
  uint64_t word = 0;
  uint32_t words = 1;
  uint32_t item = 0, site = 0, scope = 0;
  bool writes = false;
};

/// The time of a work-group, as far as it orders accesses of local memory.
struct LocalTime {
  uint32_t tick = 1;
  uint32_t start = 0;  ///< the tick of the last barrier
  /// By sub-group, the ticks of its last barriers by space; null before the first one.
  const std::array<uint32_t, 2> *sub_start = nullptr;
  uint32_t sub_group_size = 1;
};

class LocalShadow {
public:
  LocalShadow() {
    view_.follow = follow_whole_row;
    view_.owner = this;
    set_bytes(0);
  }
  LocalShadow(const LocalShadow &) = delete;
  LocalShadow &operator=(const LocalShadow &) = delete;
  /// A work-group begins at the time `first`. Accesses of earlier groups no longer conflict.
  void begin(uint32_t items, const LocalTime &first);
  void set_bytes(uint64_t bytes);
  void set_time(const LocalTime &now);
  /// The group has waited for its copies, at a barrier.
  void end_copies();

  [[nodiscard]] bool has(uint64_t word, uint64_t words) const { return word < num_words_ && words <= num_words_ - word; }
  /// Whether a line's accesses are not kept here.
  [[nodiscard]] bool has_left(uint64_t line) const { return has_left_[line]; }

  /// Follows a row up to its first lane that may have a conflict. Returns this lane and all lanes behind it, as bits. `left`
  /// receives the lanes in lines that have left, which are not followed either.
  uint64_t follow(const LocalRow &row, uint64_t &left);
  /// False if the access may have a conflict, or its line is not kept here.
  bool follow(const LocalUpdate &update);
  /// Follows an async copy of whole words, likewise.
  bool follow_copy(uint64_t word, uint64_t words, uint32_t site, bool writes);

  /// Whether there were accesses of a line since the last barrier, or copies.
  [[nodiscard]] bool has_entries(uint64_t line) const;
  /// The group's later accesses of the line are kept in records and cells.
  void leave(uint64_t line);
  /// The accesses of a line that has not left, as cells of words or bytes.
  void fill_cells(uint64_t line, std::span<RaceCell> cells, uint32_t launch, uint32_t group) const;

  [[nodiscard]] const UpsweepLocalShadow &view() const { return view_; }

private:
  static constexpr unsigned kItemBits = 12;
  static constexpr int32_t kItemMask = (1 << kItemBits) - 1;
  static constexpr uint32_t kAtomic = kItemMask;  ///< in the place of a writer: both readers are atomic accesses
  static constexpr int32_t kBusy = INT32_MAX;     ///< a copy accesses the word, or its line has left
  static constexpr int32_t kMostTicks = 1 << (30 - kItemBits);
  static constexpr uint64_t kLineWords = RaceLine::kBytes / RacePage::kWordBytes;

  struct Copy {
    uint64_t word, words;
    uint32_t site, tick;
    bool writes;
  };
  [[nodiscard]] int32_t entry(uint32_t item) const {
    return (base_ + static_cast<int32_t>(now_.tick)) << kItemBits | static_cast<int32_t>(item);
  }
  [[nodiscard]] bool is_ordered(int32_t entry, uint32_t item) const;
  bool read(uint64_t word, uint32_t item, uint32_t detail);
  bool write(uint64_t word, uint32_t item, uint32_t detail);
  static uint32_t follow_whole_row(const UpsweepLocalShadow *shadow, uint64_t word, uint32_t item, uint32_t site,
                                   uint32_t shape);
  bool read_alike(uint64_t word, uint32_t words, uint32_t item, uint32_t detail);
  bool follow_run(uint64_t word, uint32_t words, uint32_t lanes, uint32_t item, uint32_t item_step, uint32_t detail);
  void clear();

  int32_t base_ = 0;  ///< an entry's tick minus the group's tick; grows from group to group
  uint32_t items_ = 0;
  LocalTime now_;
  UpsweepLocalShadow view_{};
  std::vector<int32_t> writers_, readers_, others_;  ///< a tick and an item; 0: none
  std::vector<uint32_t> write_details_, read_details_, other_details_;
  std::vector<char> has_left_;  ///< by line
  std::vector<uint64_t> left_;  ///< lines
  std::vector<Copy> copies_;    ///< since the last wait
  uint64_t words_ = 0;          ///< of the arrays
  uint64_t num_words_ = 0;      ///< in this group
};

}  // namespace upsweep
#endif
