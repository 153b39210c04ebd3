// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race check's short form of rows finds the races that cells find: random programs of two groups that run side by side.
#include "runtime/check/race_group.h"

#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <random>

namespace upsweep::tests {
namespace {

constexpr uint64_t kMemory = 0x7000'0000'1000, kLocalMemory = 0x7000'1000'0000;
constexpr uint32_t kRowItems = 64, kRowSubGroup = 16;

/// A group with rows in the short form, and the same group with a cell per word.
struct RacePair {
  RaceGroup rows, cells;
  uint64_t local = 0;  ///< address of the local memory
};

class RaceRows {
public:
  explicit RaceRows(unsigned seed) : random_(seed) {
    for (size_t i = 0; i < pairs_.size(); ++i) pairs_[i].local = kLocalMemory + i * 65536;
  }
  void run(bool has_atomics);
  [[nodiscard]] uint64_t conflicts() const { return conflicts_; }
  [[nodiscard]] uint64_t short_rows() const { return short_rows_; }

private:
  uint32_t number(uint32_t below) { return static_cast<uint32_t>(random_() % below); }
  RaceSpan random_row(const RacePair &pair);
  RaceAccess access_of(const RaceSpan &row, unsigned lane) const;
  static uint64_t access(RaceGroup &group, const RaceAccess &access);
  void follow_row(RacePair &pair);
  void follow_atomic(RacePair &pair);
  void follow_copy(RacePair &pair);
  void follow_barrier(RacePair &pair);
  void begin(RacePair &pair);

  std::mt19937 random_;
  RaceShadow row_shadow_{uint64_t{256} << 20}, cell_shadow_{uint64_t{256} << 20};
  std::unique_ptr<RaceLaunch> row_launch_, cell_launch_;
  std::array<RacePair, 2> pairs_;
  uint64_t groups_ = 0, conflicts_ = 0, short_rows_ = 0;
};

RaceSpan RaceRows::random_row(const RacePair &pair) {
  constexpr int64_t kSteps[] = {0, 1, 2, 4, 4, 4, 4, 8, 12, 16, 64, 68, 128, -4, -8, -1};
  RaceSpan row;
  row.space = number(3) ? kRaceGlobal : kRaceLocal;
  row.width = uint64_t{1} << number(5);
  row.step = kSteps[number(std::size(kSteps))];
  if (number(4)) row.step = row.step < 0 ? -static_cast<int64_t>(row.width) : static_cast<int64_t>(row.width);
  const uint32_t unit = number(kRowItems / kRowSubGroup);
  // Mostly an element per work-item, with neighbours now and then.
  const uint64_t elements = number(3) ? unit * kRowSubGroup + number(2) : number(80);
  row.address = (row.space == kRaceLocal ? pair.local : kMemory) + 2048 + elements * row.width;
  if (!number(12)) row.address += number(7);
  row.item = unit * kRowSubGroup;
  row.item_step = number(8) ? 1 : 2;
  if (row.item_step == 2) row.item = number(2) * 32;
  constexpr uint64_t kMasks[] = {0xffff, 0xffff, 0xffff, 0xff, 0xf0f0, 1, 0x8000};
  row.lanes = number(10) ? kMasks[number(std::size(kMasks))] : 1 + number(0xffff);
  row.site = 1 + number(3);
  row.value = number(2) ? RaceRecord::kUnknownValue : 7;
  row.writes = number(3) == 0;
  // Lanes that overlap race in the order in which they are followed, so that the accesses behind them are not comparable.
  if (row.writes && row.step != 0 && static_cast<uint64_t>(std::abs(row.step)) < row.width)
    row.step = static_cast<int64_t>(row.width);
  return row;
}

RaceAccess RaceRows::access_of(const RaceSpan &row, unsigned lane) const {
  RaceAccess access;
  access.address = row.address + lane * static_cast<uint64_t>(row.step);
  access.width = row.width;
  access.item = row.item + lane * row.item_step;
  access.site = row.site;
  access.value = row.value;
  access.reads = !row.writes;
  access.writes = row.writes;
  access.space = row.space;
  return access;
}

uint64_t RaceRows::access(RaceGroup &group, const RaceAccess &access) {
  std::vector<RaceConflict> found;
  group.access(access, found);
  return found.empty() ? 0 : 1;
}

void RaceRows::follow_row(RacePair &pair) {
  const RaceSpan row = random_row(pair);
  uint64_t of_rows = 0, of_cells = 0;
  const uint64_t others = pair.rows.access_row(row);
  ASSERT_EQ(others & ~row.lanes, 0U);
  short_rows_ += others == 0;
  for (uint64_t left = row.lanes; left; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const RaceAccess one = access_of(row, lane);
    of_cells |= access(pair.cells, one) << lane;
    if (others >> lane & 1) of_rows |= access(pair.rows, one) << lane;
  }
  ASSERT_EQ(of_rows, of_cells) << "address " << row.address << " step " << row.step << " width " << row.width << " lanes "
                               << row.lanes << " item " << row.item << " writes " << row.writes << " space "
                               << static_cast<int>(row.space);
  conflicts_ += of_cells != 0;
}

void RaceRows::follow_atomic(RacePair &pair) {
  RaceAccess access;
  access.width = 4;
  access.space = number(2) ? kRaceGlobal : kRaceLocal;
  const uint64_t memory = access.space == kRaceLocal ? pair.local : kMemory;
  access.address = memory + (number(2) ? 2048 : 3840) + uint64_t{4} * number(40);
  if (!number(4)) access.width = 8;
  access.scope = number(8) ? kRaceOfDevice : number(2) ? kRaceOfGroup : kRaceOfSubGroup;
  access.item = number(kRowItems);
  access.site = 4;
  access.is_atomic = true;
  access.reads = number(2);
  access.writes = !access.reads || number(2);
  access.order = access.reads ? (access.writes ? kRaceAcqRel : kRaceAcquire) : kRaceRelease;
  if (number(2)) access.order = kRaceRelaxed;
  const uint64_t of_rows = this->access(pair.rows, access), of_cells = this->access(pair.cells, access);
  pair.rows.acquire(access);
  pair.cells.acquire(access);
  ASSERT_EQ(of_rows, of_cells);
}

/// The whole copy, beside its words.
void RaceRows::follow_copy(RacePair &pair) {
  RaceAccess copy;
  copy.is_copy = true;
  copy.space = number(2) ? kRaceGlobal : kRaceLocal;
  const uint64_t element = number(4) ? 4 : 1;
  copy.width = element * (1 + number(60));
  copy.address = (copy.space == kRaceLocal ? pair.local : kMemory) + 2048 + element * number(300);
  copy.site = 5;
  copy.writes = number(2);
  copy.reads = !copy.writes;
  std::vector<RaceConflict> of_rows;
  pair.rows.access_copy(copy, of_rows);
  uint64_t of_cells = 0;
  RaceAccess part = copy;
  part.width = element;
  for (; part.address < copy.address + copy.width; part.address += element) of_cells |= access(pair.cells, part);
  ASSERT_EQ(!of_rows.empty(), of_cells != 0) << "address " << copy.address << " width " << copy.width << " writes "
                                             << copy.writes << " space " << static_cast<int>(copy.space);
  conflicts_ += of_cells;
}

void RaceRows::follow_barrier(RacePair &pair) {
  const bool waits = number(4) == 0;
  const bool is_global = number(4) != 0, is_local = number(4) != 0, is_of_sub_group = number(3) == 0;
  const uint32_t item = number(kRowItems);
  for (RaceGroup *group : {&pair.rows, &pair.cells}) {
    if (is_of_sub_group)
      group->pass_sub_group(item, is_global, is_local);
    else
      for (uint32_t unit = 0; unit < kRowItems; unit += kRowSubGroup)
        group->pass_barrier(unit, waits || is_global, waits || is_local, waits);
  }
}

void RaceRows::begin(RacePair &pair) {
  pair.rows.begin(*row_launch_, groups_, kRowItems);
  pair.rows.set_local(pair.local, 4096);
  pair.cells.begin(*cell_launch_, groups_, kRowItems);
  for (RaceGroup *group : {&pair.rows, &pair.cells}) group->set_sub_group_size(kRowSubGroup);
  ++groups_;
}

void RaceRows::run(bool has_atomics) {
  for (int launch = 0; launch < 3; ++launch) {
    row_launch_ = std::make_unique<RaceLaunch>(row_shadow_);
    cell_launch_ = std::make_unique<RaceLaunch>(cell_shadow_);
    groups_ = 0;
    for (RacePair &pair : pairs_) begin(pair);
    for (int i = 0; i < 150; ++i) {
      RacePair &pair = pairs_[number(4) ? 0 : 1];
      const uint32_t choice = number(40);
      if (choice == 0)
        begin(pair);
      else if (choice < 8)
        follow_barrier(pair);
      else if (choice < 12 && has_atomics)
        follow_atomic(pair);
      else if (choice == 12)
        follow_copy(pair);
      else
        follow_row(pair);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(RaceRowsTest, GivenRandomRows_WhenTheyAreFollowedInTheShortForm_ThenTheyConflictAsCellsDo) {
  uint64_t conflicts = 0, rows = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RaceRows program(seed);
    program.run(seed % 2);
    ASSERT_FALSE(HasFatalFailure());
    conflicts += program.conflicts();
    rows += program.short_rows();
  }
  EXPECT_GT(conflicts, 1000U);
  EXPECT_GT(rows, 5000U);
}

TEST(RaceRowsTest, GivenALoopOverOwnElements_WhenBarriersPass_ThenNoRowNeedsCells) {
  RaceShadow shadow(uint64_t{16} << 20);
  RaceLaunch launch(shadow);
  RaceGroup group;
  group.begin(launch, 0, kRowItems);
  group.set_sub_group_size(kRowSubGroup);
  group.set_local(kLocalMemory, 4096);
  for (int round = 0; round < 20; ++round) {
    for (bool writes : {true, false})
      for (uint32_t unit = 0; unit < kRowItems; unit += kRowSubGroup)
        for (RaceSpace space : {kRaceLocal, kRaceGlobal}) {
          RaceSpan row;
          row.address = (space == kRaceLocal ? kLocalMemory : kMemory) + uint64_t{68} * (unit / kRowSubGroup);
          row.step = row.width = 4;
          row.item = unit;
          row.lanes = 0xffff;
          row.site = writes ? 1 : 2;
          row.writes = writes;
          row.space = space;
          EXPECT_EQ(group.access_row(row), 0U);
        }
    for (uint32_t unit = 0; unit < kRowItems; unit += kRowSubGroup) group.pass_barrier(unit, true, true, false);
  }
}

}  // namespace
}  // namespace upsweep::tests
