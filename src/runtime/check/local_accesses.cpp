// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of a work-group's local memory, and async copies: in the shadow of local memory as long as they fit there.
#include "runtime/check/race_group.h"
#include <algorithm>
#include <bit>

namespace upsweep {
namespace {

constexpr uint64_t kWordBytes = RacePage::kWordBytes, kLineBytes = RaceLine::kBytes;

}  // namespace

LocalTime RaceGroup::local_time() const {
  return {.tick = tick_,
          .start = start_[kRaceLocal],
          .sub_start = has_sub_groups_ ? sub_start_.data() : nullptr,
          .sub_group_size = sub_group_size_};
}

/// The number of the first of these words in the shadow; nothing if they are not there, or are not whole words.
std::optional<uint64_t> RaceGroup::local_words(uint64_t address, uint64_t bytes) const {
  const uint64_t offset = address - local_;
  if ((offset | bytes) % kWordBytes != 0 || !shadow_.has(offset / kWordBytes, bytes / kWordBytes)) return std::nullopt;
  return offset / kWordBytes;
}

/// Whether the shadow keeps the accesses of an address' line.
bool RaceGroup::is_shadowed(uint64_t address) const {
  const uint64_t line = (address - local_) / kLineBytes;
  return shadow_.has(line * (kLineBytes / kWordBytes), 1) && !shadow_.has_left(line);
}

/// The accesses of a line in the shadow are in cells from now on. The page is locked.
void RaceGroup::leave_shadow(RacePage &page, uint64_t address, RaceLine &line) {
  const uint64_t number = (address - local_) / kLineBytes;
  const uint64_t offset = address % RacePage::kBytes & ~(kLineBytes - 1);
  const std::span<RaceCell> cells = launch_->shadow().cells(page, offset, kLineBytes);
  if (!cells.empty()) shadow_.fill_cells(number, cells, launch_->number(), static_cast<uint32_t>(number_));
  shadow_.leave(number);
  line.leave_to_cells(epoch_);
}

/// The lines of bytes leave the shadow, since an access does not fit there.
void RaceGroup::leave_shadow(uint64_t address, uint64_t bytes) {
  for (uint64_t at = address & ~(kLineBytes - 1); at < address + bytes; at += kLineBytes) {
    RaceLine *line = local_line(at);
    if (!line || !is_shadowed(at)) continue;
    if (!shadow_.has_entries((at - local_) / kLineBytes)) {
      shadow_.leave((at - local_) / kLineBytes);
    } else if (RacePage *page = launch_->shadow().page(at)) {
      std::lock_guard lock(*page);
      leave_shadow(*page, at, *line);
    }
  }
}

/// The lanes that may have conflicts. `left`: lanes in lines that are not in the shadow.
uint64_t RaceGroup::access_local(const RaceSpan &row, uint64_t &left) {
  const auto first = static_cast<uint64_t>(std::countr_zero(row.lanes));
  const auto last = static_cast<uint64_t>(std::bit_width(row.lanes)) - 1;
  const auto step = static_cast<uint64_t>(row.step);
  const std::optional<uint64_t> one = local_words(row.address + first * step, row.width);
  if (one && row.step % static_cast<int64_t>(kWordBytes) == 0 && local_words(row.address + last * step, row.width)) {
    LocalRow words;
    words.step = row.step / static_cast<int64_t>(kWordBytes);
    words.word = *one - first * static_cast<uint64_t>(words.step);
    words.words = static_cast<uint32_t>(row.width / kWordBytes);
    words.lanes = row.lanes;
    words.item = row.item;
    words.item_step = row.item_step;
    words.site = row.site;
    words.value = row.value;
    words.writes = row.writes;
    return shadow_.follow(words, left);
  }
  for (uint64_t lanes = row.lanes; lanes; lanes &= lanes - 1)
    leave_shadow(row.address + static_cast<unsigned>(std::countr_zero(lanes)) * step, row.width);
  left = row.lanes;
  return 0;
}

/// An atomic access of local memory. False if it needs cells.
bool RaceGroup::update_local(const RaceAccess &access) {
  if (access.space != kRaceLocal || access.scope == kRaceOfItem || access.scope == kRaceOfSubGroup) return false;
  const std::optional<uint64_t> word = local_words(access.address, access.width);
  if (!word) return false;
  LocalUpdate update;
  update.word = *word;
  update.words = static_cast<uint32_t>(access.width / kWordBytes);
  update.item = access.item;
  update.site = access.site;
  update.scope = access.scope;
  update.writes = access.writes;
  return shadow_.follow(update);
}

/// A part of a copy, in one line. False if it may have a conflict.
bool RaceGroup::copy_line(const RaceAccess &copy) {
  if (copy.space == kRaceLocal) {
    const std::optional<uint64_t> word = local_words(copy.address, copy.width);
    if (word && is_shadowed(copy.address)) return shadow_.follow_copy(*word, copy.width / kWordBytes, copy.site, copy.writes);
    leave_shadow(copy.address, copy.width);
  }
  RaceSpan span;
  span.site = copy.site;
  span.writes = copy.writes;
  RaceRecord record = record_of(span);
  record.is_copy = true;
  record.shift = std::countr_zero(kLineBytes);
  record.bytes = (copy.width == kLineBytes ? ~uint64_t{0} : (uint64_t{1} << copy.width) - 1) << copy.address % kLineBytes;
  return add(copy.address, record, copy.space);
}

void RaceGroup::access_copy(const RaceAccess &copy, std::vector<RaceConflict> &conflicts) {
  if (copy.space == kRaceLocal && copy.width) {
    const std::optional<uint64_t> word = local_words(copy.address, copy.width);
    if (word && shadow_.follow_copy(*word, copy.width / kWordBytes, copy.site, copy.writes)) return;
  }
  RaceAccess part = copy;
  for (uint64_t at = copy.address, end = at + copy.width; at < end; at += part.width) {
    part.address = at;
    part.width = std::min(end - at, kLineBytes - at % kLineBytes);
    if (!copy_line(part)) access(part, conflicts);
  }
}

}  // namespace upsweep
