// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of accesses of a work-group in the shadow's short form: a record for the lanes in each line.
#include "runtime/check/race_group.h"
#include <bit>
#include <cstdlib>

namespace upsweep {
namespace {

constexpr unsigned kLineShift = std::countr_zero(RaceLine::kBytes);
constexpr int32_t kMostItemStep = 4095;

/// The bits that are multiples of a step, whose logarithm is the index.
constexpr std::array<uint64_t, 7> kMultiples = [] {
  std::array<uint64_t, 7> multiples{};
  for (unsigned shift = 0; shift < multiples.size(); ++shift)
    for (unsigned bit = 0; bit < 64; bit += 1U << shift) multiples[shift] |= uint64_t{1} << bit;
  return multiples;
}();

uint64_t low_bits(uint64_t count) { return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }

/// `width` bytes at `offset` for each bit of `slots`, which are 2^shift bytes apart.
uint64_t bytes_of(uint64_t slots, unsigned shift, uint64_t offset, uint64_t width) {
  const uint64_t element = low_bits(width) << offset;
  if (slots == low_bits(RaceLine::kBytes >> shift)) return shift == kLineShift ? element : kMultiples[shift] * element;
  uint64_t bytes = 0;
  for (; slots; slots &= slots - 1) bytes |= element << (static_cast<unsigned>(std::countr_zero(slots)) << shift);
  return bytes;
}

uint64_t shifted(uint64_t bits, int64_t left) { return left >= 0 ? bits << left : bits >> -left; }

/// The same accesses in the order of their addresses.
RaceSpan ascending(const RaceSpan &row) {
  RaceSpan other = row;
  const auto last = static_cast<unsigned>(std::bit_width(row.lanes)) - 1;
  other.address = row.address + last * static_cast<uint64_t>(row.step);
  other.step = -row.step;
  other.item = row.item + last * row.item_step;
  other.item_step = 0U - row.item_step;
  other.lanes = __builtin_bitreverse64(row.lanes) >> (63 - last);
  return other;
}

/// A page that stays locked while a row's lines are in it.
class HeldPage {
public:
  explicit HeldPage(RaceShadow &shadow) : shadow_(shadow) {}
  ~HeldPage() { release(); }
  HeldPage(const HeldPage &) = delete;
  HeldPage &operator=(const HeldPage &) = delete;
  /// Null beyond the shadow's limit.
  RacePage *at(uint64_t address) {
    const uint64_t number = address / RacePage::kBytes;
    if (number == number_) return page_;
    release();
    number_ = number;
    page_ = shadow_.page(address);
    if (page_) page_->lock();
    return page_;
  }

private:
  void release() {
    if (page_) page_->unlock();
  }
  RaceShadow &shadow_;
  uint64_t number_ = ~uint64_t{0};
  RacePage *page_ = nullptr;
};

}  // namespace

void RaceGroup::set_local(uint64_t address, uint64_t bytes) {
  local_ = address;
  if (local_lines_.size() * RaceLine::kBytes < bytes) local_lines_.resize((bytes + RaceLine::kBytes - 1) / RaceLine::kBytes);
  shadow_.set_bytes(bytes);
}

RaceLine *RaceGroup::local_line(uint64_t address) {
  const uint64_t number = (address - local_) / RaceLine::kBytes;
  return number < local_lines_.size() ? &local_lines_[number] : nullptr;
}

RaceLine::Now RaceGroup::now(RaceSpace space) const {
  const bool is_local = space == kRaceLocal;
  return {.epoch = is_local ? epoch_ : launch_->number(),
          .start = start_[space],
          .copies_start = copies_start_,
          .is_local = is_local,
          .sub_start = has_sub_groups_ ? sub_start_.data() : nullptr,
          .sub_group_size = sub_group_size_,
          .space = space};
}

void RaceGroup::leave_to_cells(RacePage &page, uint64_t address, RaceLine &line, RaceSpace space) {
  const uint32_t epoch = now(space).epoch;
  if (line.is_of(epoch))
    launch_->shadow().fill_cells(page, address % RacePage::kBytes & ~(RaceLine::kBytes - 1), line, launch_->number());
  line.leave_to_cells(epoch);
}

/// The accesses of these bytes of a locked page are in cells from now on.
void RaceGroup::use_cells(RacePage &page, uint64_t address, uint64_t bytes, RaceSpace space) {
  const uint32_t epoch = now(space).epoch;
  for (uint64_t at = address & ~(RaceLine::kBytes - 1); at < address + bytes; at += RaceLine::kBytes) {
    RaceLine *line = space == kRaceLocal ? local_line(at) : &page.line(at);
    if (line && space == kRaceLocal && is_shadowed(at)) leave_shadow(page, at, *line);
    if (line && !(line->is_of(epoch) && line->has_cells())) leave_to_cells(page, at, *line, space);
  }
}

RaceRecord RaceGroup::record_of(const RaceSpan &row) const {
  RaceRecord record;
  record.group = static_cast<uint32_t>(number_);
  record.tick = tick_;
  record.site = row.site;
  record.value = row.value;
  record.writes = row.writes;
  return record;
}

/// Lanes whose distance is a power of two, each in its own part of a line.
uint64_t RaceGroup::access_strided(const RaceSpan &row) {
  const auto shift = static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(row.step)));
  const auto slots = static_cast<int64_t>(RaceLine::kBytes >> shift);
  const uint64_t first = row.address >> shift, offset = row.address & (static_cast<uint64_t>(row.step) - 1);
  RaceRecord record = record_of(row);
  record.shift = shift;
  const auto item_step = static_cast<int32_t>(row.item_step);
  record.step = shift == kLineShift ? 0 : item_step;
  const RaceLine::Now now = this->now(row.space);
  HeldPage held(launch_->shadow());
  uint64_t failed = 0;
  for (uint64_t left = row.lanes; left;) {
    const uint64_t slot = first + static_cast<unsigned>(std::countr_zero(left));
    const uint64_t address = slot << shift & ~(RaceLine::kBytes - 1);
    const auto lane = static_cast<int64_t>((address >> shift) - first);  // of the line's first slot
    const uint64_t mine = shifted(left, -lane) & low_bits(static_cast<uint64_t>(slots));
    const uint64_t lanes = shifted(mine, lane);
    left &= ~lanes;
    record.first = static_cast<int32_t>(row.item) + static_cast<int32_t>(lane) * item_step;
    record.bytes = bytes_of(mine, shift, offset, row.width);
    if (row.space == kRaceLocal) {
      RaceLine *line = local_line(address);
      if (!line || !line->add(record, now)) failed |= lanes;
    } else if (RacePage *page = held.at(address); page && !page->line(address).add(record, now)) {
      failed |= lanes;
    }
  }
  return failed;
}

/// Adds an access of one work-item in one line.
bool RaceGroup::add(uint64_t address, const RaceRecord &record, RaceSpace space) {
  if (space == kRaceLocal) {
    RaceLine *line = local_line(address);
    return line && line->add(record, now(space));
  }
  RacePage *page = launch_->shadow().page(address);
  if (!page) return true;
  std::lock_guard lock(*page);
  return page->line(address).add(record, now(space));
}

/// Lanes anywhere.
uint64_t RaceGroup::access_lanes(const RaceSpan &row) {
  uint64_t failed = 0;
  RaceRecord record = record_of(row);
  record.shift = kLineShift;
  for (uint64_t left = row.lanes; left; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const uint64_t address = row.address + lane * static_cast<uint64_t>(row.step), offset = address % RaceLine::kBytes;
    record.first = static_cast<int32_t>(row.item + lane * row.item_step);
    record.bytes = low_bits(row.width) << offset;
    if (offset + row.width > RaceLine::kBytes || !add(address, record, row.space)) failed |= uint64_t{1} << lane;
  }
  return failed;
}

/// All lanes read one place. Two readers say as much as all.
uint64_t RaceGroup::access_alike(const RaceSpan &row) {
  if (row.writes) return row.lanes;
  RaceSpan two = row;
  const uint64_t others = row.lanes & (row.lanes - 1);
  two.lanes = row.lanes ^ (others & (others - 1));
  return access_lanes(two) ? row.lanes : 0;
}

/// Rows of global memory, and of lines of local memory that have left the shadow.
uint64_t RaceGroup::access_lines(const RaceSpan &row) {
  if (!std::has_single_bit(row.width) || row.width > RaceLine::kBytes) return row.lanes;
  if (std::abs(static_cast<int32_t>(row.item_step)) > kMostItemStep) return row.lanes;
  if (std::has_single_bit(row.lanes)) return access_lanes(row);
  if (row.step == 0) return access_alike(row);
  const auto step = static_cast<uint64_t>(std::abs(row.step));
  const bool has_slots =
      std::has_single_bit(step) && step <= RaceLine::kBytes && (row.address & (step - 1)) + row.width <= step;
  if (!has_slots) return access_lanes(row);
  if (row.step > 0) return access_strided(row);
  const RaceSpan other = ascending(row);
  const auto last = static_cast<unsigned>(std::bit_width(row.lanes)) - 1;
  return __builtin_bitreverse64(access_strided(other)) >> (63 - last);
}

uint64_t RaceGroup::access_row(const RaceSpan &row) {
  if (row.space != kRaceLocal) return access_lines(row);
  uint64_t left = 0;
  const uint64_t failed = access_local(row, left);
  if (!left) return failed;
  RaceSpan others = row;
  others.lanes = left;
  return failed | access_lines(others);
}

}  // namespace upsweep
