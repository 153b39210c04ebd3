// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race check's short form of the shadow: rows of accesses in 64 bytes of memory, each as one record. A line whose accesses
// do not fit has cells (race_cells.h) instead (docs/decisions/race-rows.md).
#ifndef UPSWEEP_RUNTIME_CHECK_RACE_LINES_H
#define UPSWEEP_RUNTIME_CHECK_RACE_LINES_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace upsweep {

/// Plain accesses of one kind, place and time. The work-item that accesses byte i of the line is `first + (i >> shift) * step`.
struct RaceRecord {
  static constexpr uint32_t kUnknownValue = 63;  ///< of RaceEntry::value: the work-items' values differ

  uint64_t bytes = 0;  ///< a bit for each byte
  uint32_t group = 0, tick = 0;
  uint32_t site : 20 = 0;
  uint32_t value : 6 = 0;
  uint32_t shift : 3 = 0;
  uint32_t writes : 1 = 0;
  uint32_t is_copy : 1 = 0;  ///< by an async copy, which has no work-item
  int32_t first : 19 = 0;
  int32_t step : 13 = 0;

  [[nodiscard]] uint32_t item(unsigned byte) const {
    return static_cast<uint32_t>(first + static_cast<int>(byte >> shift) * step);
  }
  /// Equal but for the bytes.
  [[nodiscard]] bool is_like(const RaceRecord &other) const {
    return group == other.group && tick == other.tick && site == other.site && value == other.value && writes == other.writes &&
           has_items_of(other);
  }
  [[nodiscard]] bool has_items_of(const RaceRecord &other) const {
    return first == other.first && shift == other.shift && step == other.step && is_copy == other.is_copy;
  }
};
static_assert(sizeof(RaceRecord) == 24);

/// Whether two records have the same work-item at `bytes`: at each of them, at none, or neither.
enum class RaceItems : uint8_t { kSame, kOther, kMixed };
[[nodiscard]] RaceItems compare_items(const RaceRecord &one, const RaceRecord &other, uint64_t bytes);

/// The accesses of 64 bytes of memory: for each byte the last write, and the reads since then by one or two work-items.
class RaceLine {
public:
  static constexpr uint64_t kBytes = 64;

  /// The order of a group's accesses, for the line's space.
  struct Now {
    uint32_t epoch = 0;         ///< the launch; for local memory the group's number on its thread
    uint32_t start = 0;         ///< the last barrier's tick
    uint32_t copies_start = 0;  ///< the last wait_group_events
    bool is_local = false;      ///< no other group reaches the memory
    /// The last barriers of the sub-groups; null before the first one. `space` selects the memory's tick.
    const std::array<uint32_t, 2> *sub_start = nullptr;
    uint32_t sub_group_size = 1;
    uint32_t space = 0;
  };

  /// Adds an access, unless it may conflict with an earlier access or does not fit: then the line needs cells.
  bool add(const RaceRecord &mine, const Now &now);

  [[nodiscard]] bool is_of(uint32_t epoch) const { return epoch_ == epoch; }
  [[nodiscard]] bool has_cells() const { return has_cells_; }
  /// The line's accesses are in cells from now on, until the next epoch.
  void leave_to_cells(uint32_t epoch);

  [[nodiscard]] const RaceRecord *begin() const { return records_.data(); }
  [[nodiscard]] const RaceRecord *end() const { return records_.data() + count_; }

private:
  bool add_write(const RaceRecord &mine);
  bool add_read(const RaceRecord &mine, const Now &now);
  bool put(const RaceRecord &mine, uint64_t bytes);
  void drop_empty();

  uint32_t epoch_ = 0;
  uint16_t count_ = 0;
  bool has_cells_ = false;
  std::array<RaceRecord, 5> records_;
};
static_assert(sizeof(RaceLine) == 128);

}  // namespace upsweep
#endif
