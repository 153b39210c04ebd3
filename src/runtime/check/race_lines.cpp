// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds rows to a line. The rules equal the rules for cells in RaceGroup::visit().
#include "runtime/check/race_lines.h"
#include <algorithm>
#include <bit>

namespace upsweep {
namespace {

/// Whether the last barrier of each work-item's sub-group stands between a record and `mine`, of the same group.
RaceItems is_before_sub_group(const RaceRecord &record, const RaceRecord &mine, uint64_t common, const RaceLine::Now &now) {
  if (record.is_copy || mine.is_copy) return RaceItems::kOther;
  bool is_before = false, is_other = false;
  for (uint64_t left = common; left; left &= left - 1) {
    const auto byte = static_cast<unsigned>(std::countr_zero(left));
    const uint32_t sub_group = mine.item(byte) / now.sub_group_size;
    const bool is_ordered =
        record.item(byte) / now.sub_group_size == sub_group && record.tick < now.sub_start[sub_group][now.space];
    (is_ordered ? is_before : is_other) = true;
  }
  return is_before && is_other ? RaceItems::kMixed : is_before ? RaceItems::kSame : RaceItems::kOther;
}

/// Before the last barrier, by the same group.
bool is_before_group(const RaceRecord &record, const RaceRecord &mine, const RaceLine::Now &now) {
  if (record.group != mine.group) return false;
  return record.is_copy ? mine.is_copy || record.tick < now.copies_start : record.tick < now.start;
}

bool is_by_same_items(const RaceRecord &record, const RaceRecord &mine, uint64_t common) {
  return record.group == mine.group && compare_items(record, mine, common) == RaceItems::kSame;
}

}  // namespace

RaceItems compare_items(const RaceRecord &one, const RaceRecord &other, uint64_t bytes) {
  if (one.is_copy || other.is_copy) return one.is_copy && other.is_copy ? RaceItems::kSame : RaceItems::kOther;
  if (one.shift == other.shift && one.step == other.step)
    return one.first == other.first ? RaceItems::kSame : RaceItems::kOther;
  bool is_same = false, is_other = false;
  for (uint64_t left = bytes; left; left &= left - 1) {
    const auto byte = static_cast<unsigned>(std::countr_zero(left));
    (one.item(byte) == other.item(byte) ? is_same : is_other) = true;
  }
  return is_same && is_other ? RaceItems::kMixed : is_same ? RaceItems::kSame : RaceItems::kOther;
}

void RaceLine::leave_to_cells(uint32_t epoch) {
  epoch_ = epoch;
  count_ = 0;
  has_cells_ = true;
}

void RaceLine::drop_empty() {
  uint16_t kept = 0;
  for (uint16_t i = 0; i < count_; ++i) {
    if (!records_[i].bytes) continue;
    if (kept != i) records_[kept] = records_[i];
    ++kept;
  }
  count_ = kept;
}

/// False if there is no room.
bool RaceLine::put(const RaceRecord &mine, uint64_t bytes) {
  for (uint16_t i = 0; i < count_; ++i)
    if (records_[i].is_like(mine)) {
      records_[i].bytes |= bytes;
      return true;
    }
  if (count_ == records_.size()) return false;
  records_[count_] = mine;
  records_[count_++].bytes = bytes;
  return true;
}

bool RaceLine::add(const RaceRecord &mine, const Now &now) {
  if (epoch_ != now.epoch) {
    epoch_ = now.epoch;
    has_cells_ = false;
    count_ = 1;
    records_[0] = mine;
    return true;
  }
  if (has_cells_) return false;
  // A loop repeats its row.
  if (count_ == 1 && records_[0].bytes == mine.bytes && records_[0].group == mine.group && records_[0].has_items_of(mine) &&
      records_[0].writes == mine.writes) {
    records_[0] = mine;
    return true;
  }
  bool has_dead = false;
  for (uint16_t i = 0; i < count_; ++i) {
    RaceRecord &record = records_[i];
    const bool is_earlier = is_before_group(record, mine, now);
    if (is_earlier && now.is_local && !(record.is_copy && record.tick >= now.copies_start)) {
      record.bytes = 0;
      has_dead = true;
      continue;
    }
    const uint64_t common = record.bytes & mine.bytes;
    if (!common || is_earlier || !(mine.writes || record.writes)) continue;
    if (is_by_same_items(record, mine, common)) continue;
    const bool is_of_group = record.group == mine.group;
    if (!is_of_group || !now.sub_start || is_before_sub_group(record, mine, common, now) != RaceItems::kSame) return false;
  }
  if (has_dead) drop_empty();
  return mine.writes ? add_write(mine) : add_read(mine, now);
}

/// Earlier accesses of these bytes happened before this one.
bool RaceLine::add_write(const RaceRecord &mine) {
  const auto makes_room = [&](const RaceRecord &record) { return !(record.bytes & ~mine.bytes) || record.is_like(mine); };
  if (count_ == records_.size() && std::ranges::none_of(records_, makes_room)) return false;
  for (uint16_t i = 0; i < count_; ++i) records_[i].bytes &= ~mine.bytes;
  drop_empty();
  return put(mine, mine.bytes);
}

/// Keeps the readers of two groups, or of two work-items of the group since its last barrier: a later write that conflicts with
/// a reader conflicts with a kept reader.
bool RaceLine::add_read(const RaceRecord &mine, const Now &now) {
  std::array<uint64_t, 5> bytes{};  // that the records keep
  uint64_t once = 0, twice = 0, once_by_others = 0, twice_by_others = 0;
  for (uint16_t i = 0; i < count_; ++i) {
    const RaceRecord &record = records_[i];
    bytes[i] = record.bytes;
    const uint64_t common = record.bytes & mine.bytes;
    if (!common || record.writes) continue;
    if (is_before_group(record, mine, now)) {
      bytes[i] &= ~common;
      continue;
    }
    if (record.group == mine.group) {
      RaceItems items = compare_items(record, mine, common);
      if (items == RaceItems::kOther && now.sub_start) items = is_before_sub_group(record, mine, common, now);
      if (items == RaceItems::kMixed) return false;
      if (items == RaceItems::kSame) {
        bytes[i] &= ~common;
        continue;
      }
    } else {
      const uint64_t third = once_by_others & common;  // the later of two other groups makes room
      twice_by_others |= third;
      bytes[i] &= ~third;
      once_by_others |= common;
    }
    twice |= once & common;
    once |= common;
  }
  const uint64_t added = mine.bytes & ~(twice & ~twice_by_others);
  if (!added) return true;
  uint16_t room = static_cast<uint16_t>(records_.size() - count_);
  bool has_like = false;
  for (uint16_t i = 0; i < count_; ++i) {
    room = static_cast<uint16_t>(room + (bytes[i] == 0));
    has_like = has_like || (bytes[i] != 0 && records_[i].is_like(mine));
  }
  if (!room && !has_like) return false;
  for (uint16_t i = 0; i < count_; ++i) records_[i].bytes = bytes[i];
  drop_empty();
  return put(mine, added);
}

}  // namespace upsweep
