// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race check's rules: order in a group, between groups, and the shadow's cells and limit.
#include "runtime/check/race_group.h"

#include <gtest/gtest.h>

namespace upsweep::tests {
namespace {

constexpr uint64_t kAt = 0x7000'0000'1000, kFlag = 0x7000'0000'8000;
constexpr uint32_t kItems = 64;

class RaceGroups : public testing::Test {
protected:
  RaceGroup &begin(uint64_t number) {
    group_.begin(launch_, number, kItems);
    group_.set_sub_group_size(16);
    return group_;
  }
  /// The number of conflicts.
  size_t access(uint32_t item, bool writes, uint64_t address = kAt, uint64_t width = 4, RaceSpace space = kRaceGlobal) {
    RaceAccess access;
    access.address = address;
    access.width = width;
    access.item = item;
    access.reads = !writes;
    access.writes = writes;
    access.space = space;
    std::vector<RaceConflict> found;
    group_.access(access, found);
    return found.size();
  }
  size_t read(uint32_t item, uint64_t address = kAt, uint64_t width = 4) { return access(item, false, address, width); }
  size_t write(uint32_t item, uint64_t address = kAt, uint64_t width = 4) { return access(item, true, address, width); }

  size_t atomic(uint32_t item, bool reads, bool writes, uint32_t order, uint32_t scope = kRaceOfDevice,
                uint64_t address = kFlag) {
    RaceAccess access{.address = address, .width = 4, .item = item, .order = order, .scope = scope};
    access.reads = reads;
    access.writes = writes;
    access.is_atomic = true;
    std::vector<RaceConflict> found;
    group_.access(access, found);
    group_.acquire(access);
    return found.size();
  }
  size_t store(uint32_t item, uint32_t order, uint32_t scope = kRaceOfDevice) {
    return atomic(item, false, true, order, scope);
  }
  size_t load(uint32_t item, uint32_t order, uint32_t scope = kRaceOfDevice) { return atomic(item, true, false, order, scope); }

  void barrier(bool is_global = true, bool is_local = true) {
    for (uint32_t unit = 0; unit < kItems; unit += 16) group_.pass_barrier(unit, is_global, is_local, false);
  }

  RaceShadow shadow_{uint64_t{64} << 20};
  RaceLaunch launch_{shadow_};
  RaceGroup group_;
};

TEST_F(RaceGroups, GivenTwoItems_WhenOneWrites_ThenTheyConflict) {
  begin(0);
  EXPECT_EQ(read(1), 0U);
  EXPECT_EQ(read(2), 0U);
  EXPECT_EQ(write(3), 2U);
  EXPECT_EQ(write(3), 0U);
  EXPECT_EQ(read(4), 1U);
  EXPECT_EQ(read(3), 0U);
}

TEST_F(RaceGroups, GivenTwoReaders_WhenOneOfThemWrites_ThenItConflictsWithTheOther) {
  begin(0);
  for (uint32_t item = 0; item < kItems; ++item) EXPECT_EQ(read(item), 0U);
  EXPECT_EQ(write(0), 1U);
}

TEST_F(RaceGroups, GivenABarrier_WhenItIsForTheSpace_ThenItOrders) {
  begin(0);
  write(1);
  barrier(true, false);
  EXPECT_EQ(read(2), 0U);
  barrier(false, true);
  EXPECT_EQ(write(3), 1U);
}

TEST_F(RaceGroups, GivenUnitsInARow_WhenTheFirstIsBehindTheBarrier_ThenTheSecondsWritesConflict) {
  begin(0);
  write(1);
  barrier();
  group_.pass_barrier(0, true, true, false);  // the first unit reaches the next barrier's end
  EXPECT_EQ(write(1), 0U);
  group_.pass_barrier(16, true, true, false);
  EXPECT_EQ(read(17), 1U);
}

TEST_F(RaceGroups, GivenASubGroupBarrier_WhenAnotherSubGroupReads_ThenItConflicts) {
  begin(0);
  write(1);
  group_.pass_sub_group(0, true, true);
  EXPECT_EQ(read(2), 0U);
  EXPECT_EQ(read(20), 1U);
}

TEST_F(RaceGroups, GivenLocalMemory_WhenAnotherGroupHasTheAddress_ThenNothingConflicts) {
  begin(0);
  EXPECT_EQ(access(1, true, kAt, 4, kRaceLocal), 0U);
  begin(1);
  EXPECT_EQ(access(2, true, kAt, 4, kRaceLocal), 0U);
  EXPECT_EQ(access(3, true, kAt, 4, kRaceLocal), 1U);
}

TEST_F(RaceGroups, GivenGlobalMemory_WhenAnotherGroupWrites_ThenNoBarrierOrders) {
  begin(0);
  write(1);
  barrier();
  begin(1);
  barrier();
  EXPECT_EQ(read(1), 1U);
}

TEST_F(RaceGroups, GivenAnEarlierLaunch_WhenItsMemoryIsUsed_ThenNothingConflicts) {
  begin(0);
  write(1);
  RaceLaunch next(shadow_);
  group_.begin(next, 1, kItems);
  EXPECT_EQ(write(2), 0U);
}

TEST_F(RaceGroups, GivenReleaseAndAcquire_WhenScopesAreWide_ThenGroupsAreOrdered) {
  begin(0);
  write(1);
  EXPECT_EQ(store(1, kRaceRelease), 0U);
  begin(1);
  EXPECT_EQ(load(5, kRaceAcquire), 0U);
  EXPECT_EQ(read(5), 0U);
  EXPECT_EQ(read(6), 1U);  // has not acquired
  barrier();
  EXPECT_EQ(read(7), 0U);
}

TEST_F(RaceGroups, GivenReleaseAndAcquire_WhenTheScopeIsTheGroup_ThenGroupsAreNotOrdered) {
  begin(0);
  write(1);
  store(1, kRaceRelease, kRaceOfGroup);
  begin(1);
  EXPECT_EQ(load(5, kRaceAcquire), 1U);  // of the flag itself
  EXPECT_EQ(read(5), 1U);
}

TEST_F(RaceGroups, GivenAWriteBehindTheRelease_WhenItIsRead_ThenItConflicts) {
  begin(0);
  store(1, kRaceRelease);
  write(1);
  begin(1);
  load(5, kRaceAcquire);
  EXPECT_EQ(read(5), 1U);
}

TEST_F(RaceGroups, GivenAnotherItemsWrite_WhenNoBarrierPrecedesTheRelease_ThenItConflicts) {
  begin(0);
  write(2);
  store(1, kRaceRelease);
  begin(1);
  load(5, kRaceAcquire);
  EXPECT_EQ(read(5), 1U);
  begin(2);
  write(2, kAt + 64);
  barrier();
  store(1, kRaceRelease);
  begin(3);
  load(5, kRaceAcquire);
  EXPECT_EQ(read(5, kAt + 64), 0U);
}

TEST_F(RaceGroups, GivenAChainOfGroups_WhenTheLastReads_ThenTheFirstIsOrdered) {
  begin(0);
  write(1);
  atomic(1, true, true, kRaceAcqRel);
  for (uint64_t number = 1; number < 50; ++number) {
    begin(number);
    atomic(3, true, true, kRaceAcqRel);
  }
  EXPECT_EQ(read(3), 0U);
}

TEST_F(RaceGroups, GivenALockOfManyHolders_WhenTheyPassItOn_ThenEachIsOrderedByOneRelease) {
  constexpr uint64_t kHolders = RaceLaunch::kMostNodes / 2 + RaceLaunch::kMostNodes / 4;
  for (uint64_t holder = 0; holder < kHolders; ++holder) {
    if (holder % kItems == 0) begin(holder / kItems);
    const auto item = static_cast<uint32_t>(holder % kItems);
    ASSERT_EQ(load(item, kRaceRelaxed), 0U);
    group_.fence(item, kRaceAcqRel, kRaceOfDevice);
    ASSERT_EQ(write(item), 0U) << holder;
    group_.fence(item, kRaceRelease, kRaceOfDevice);
    ASSERT_EQ(store(item, kRaceRelaxed), 0U);
  }
  EXPECT_FALSE(launch_.has_lost_order());
  begin(kHolders / kItems);
  EXPECT_EQ(read(1), 1U);  // without the lock
}

TEST_F(RaceGroups, GivenACounterOfManyItems_WhenItIsAcqRel_ThenEachUpdateIsOneRelease) {
  constexpr uint64_t kUpdates = RaceLaunch::kMostNodes / 2 + RaceLaunch::kMostNodes / 4;
  begin(0);
  write(0);
  for (uint64_t update = 0; update < kUpdates; ++update) {
    if (update % kItems == 0 && update) begin(update / kItems);
    ASSERT_EQ(atomic(static_cast<uint32_t>(update % kItems), true, true, kRaceAcqRel), 0U);
  }
  EXPECT_FALSE(launch_.has_lost_order());
  EXPECT_EQ(read(kItems - 1), 0U);
  begin(kUpdates / kItems);
  EXPECT_EQ(read(1), 1U);
}

TEST_F(RaceGroups, GivenANarrowFenceBehindAWideOne_WhenAStoreIsWide_ThenTheWideFenceCounts) {
  begin(0);
  write(1);
  group_.fence(1, kRaceRelease, kRaceOfDevice);
  write(1, kAt + 64);
  group_.fence(1, kRaceRelease, kRaceOfGroup);
  store(1, kRaceRelaxed);
  load(2, kRaceAcquire);
  EXPECT_EQ(read(2, kAt + 64), 0U);
  begin(1);
  load(5, kRaceAcquire);
  EXPECT_EQ(read(5), 0U);
  EXPECT_EQ(read(5, kAt + 64), 1U);
}

TEST_F(RaceGroups, GivenReleasesAtManyAddresses_WhenOneIsAcquired_ThenOnlyItsItemIsOrdered) {
  begin(0);
  for (uint32_t item = 0; item < kItems; ++item) {
    write(item, kAt + uint64_t{4} * item);
    atomic(item, false, true, kRaceRelease, kRaceOfDevice, kFlag + uint64_t{4} * item);
  }
  begin(1);
  atomic(5, true, false, kRaceAcquire, kRaceOfDevice, kFlag + uint64_t{4} * 40);
  for (uint32_t item = 0; item < kItems; ++item) EXPECT_EQ(read(5, kAt + uint64_t{4} * item), item == 40 ? 0U : 1U);
}

TEST_F(RaceGroups, GivenLocalMemory_WhenAGroupReleasesVeryOftenWithoutABarrier_ThenAMessageSaysThatAccessesAreForgotten) {
  begin(0);
  group_.set_local(kAt, 256);
  testing::internal::CaptureStderr();
  for (uint32_t i = 0; i < 1000; ++i) group_.fence(1, kRaceRelease, kRaceOfGroup);
  EXPECT_EQ(access(1, true, kAt, 4, kRaceLocal), 0U);
  EXPECT_EQ(access(2, true, kAt, 4, kRaceLocal), 1U);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  for (uint32_t i = 0; i < (1U << 19); ++i) group_.fence(1, kRaceRelease, kRaceOfGroup);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("releases too often without a barrier"), std::string::npos);
  access(1, true, kAt + 64, 4, kRaceLocal);
  EXPECT_EQ(access(2, true, kAt + 64, 4, kRaceLocal), 1U);  // later accesses are followed
}

TEST_F(RaceGroups, GivenFences_WhenAtomicsAreRelaxed_ThenTheyOrder) {
  begin(0);
  write(1);
  group_.fence(1, kRaceRelease, kRaceOfDevice);
  store(1, kRaceRelaxed);
  begin(1);
  load(5, kRaceRelaxed);
  EXPECT_EQ(read(5), 1U);
  group_.fence(5, kRaceAcquire, kRaceOfDevice);
  EXPECT_EQ(write(5, kAt + 4), 0U);
  begin(2);
  load(5, kRaceRelaxed);
  group_.fence(5, kRaceAcquire, kRaceOfGroup);  // too narrow
  EXPECT_EQ(write(5), 2U);
}

TEST_F(RaceGroups, GivenReleaseInTheGroup_WhenAnItemAcquires_ThenItIsOrdered) {
  begin(0);
  write(1);
  store(1, kRaceRelease, kRaceOfGroup);
  EXPECT_EQ(load(40, kRaceAcquire, kRaceOfGroup), 0U);
  EXPECT_EQ(read(40), 0U);
  EXPECT_EQ(read(41), 1U);
}

TEST_F(RaceGroups, GivenAtomics_WhenPlainAccessesMeetThem_ThenTheyConflict) {
  begin(0);
  EXPECT_EQ(atomic(1, true, true, kRaceRelaxed, kRaceOfDevice, kAt), 0U);
  EXPECT_EQ(atomic(2, true, true, kRaceRelaxed, kRaceOfDevice, kAt), 0U);
  EXPECT_EQ(read(3), 2U);
  EXPECT_EQ(read(2), 1U);   // its own update hides no other
  EXPECT_EQ(write(4), 3U);  // a conflict for each item and place
}

TEST_F(RaceGroups, GivenAPlainWrite_WhenItsItemAlsoUpdates_ThenOtherUpdatesConflictWithTheWrite) {
  begin(0);
  write(0);
  EXPECT_EQ(atomic(0, true, true, kRaceRelaxed, kRaceOfDevice, kAt), 0U);
  EXPECT_EQ(atomic(1, true, true, kRaceRelaxed, kRaceOfDevice, kAt), 1U);
}

TEST_F(RaceGroups, GivenBytesOfAWord_WhenItemsWriteThem_ThenOnlyCommonBytesConflict) {
  begin(0);
  EXPECT_EQ(write(1, kAt, 1), 0U);
  EXPECT_EQ(write(2, kAt + 1, 1), 0U);
  EXPECT_EQ(write(3, kAt + 2, 2), 0U);
  EXPECT_EQ(write(4, kAt, 4), 3U);
  EXPECT_EQ(write(5, kAt + 5, 8), 0U);
  EXPECT_EQ(read(6, kAt + 12, 4), 1U);
}

TEST_F(RaceGroups, GivenAWord_WhenItsPageIsSplit_ThenItsAccessesRemain) {
  begin(0);
  write(1);
  EXPECT_EQ(read(2, kAt + 100, 1), 0U);
  EXPECT_EQ(read(3, kAt + 3, 1), 1U);
}

TEST_F(RaceGroups, GivenALongAccess_WhenItCrossesPages_ThenAllItsBytesCount) {
  begin(0);
  write(1, kAt + 4000, 9000);
  EXPECT_EQ(read(2, kAt + 3996, 4), 0U);
  EXPECT_EQ(read(2, kAt + 12996, 4), 1U);
  EXPECT_EQ(read(2, kAt + 13000, 4), 0U);
}

TEST_F(RaceGroups, GivenACopy_WhenNothingWaitsForIt_ThenABarrierDoesNotOrderIt) {
  begin(0);
  RaceAccess copy;
  copy.address = kAt;
  copy.width = 4;
  copy.item = 1;
  copy.writes = copy.is_copy = true;
  std::vector<RaceConflict> found;
  group_.access(copy, found);
  EXPECT_TRUE(found.empty());
  barrier();
  EXPECT_EQ(read(1), 1U);
  for (uint32_t unit = 0; unit < kItems; unit += 16) group_.pass_barrier(unit, true, true, true);
  EXPECT_EQ(read(2), 0U);
}

TEST(RaceShadowTest, GivenALimit_WhenItIsReached_ThenFurtherPagesHaveNoCells) {
  RaceShadow shadow(1 << 20);
  uint64_t pages = 0;
  while (shadow.page(kAt + pages * RacePage::kBytes)) ++pages;
  EXPECT_EQ(pages, (1U << 20) / (RacePage::kLines * sizeof(RaceLine)));
  EXPECT_TRUE(shadow.is_full());
  EXPECT_NE(shadow.page(kAt), nullptr);
  shadow.begin_launch();  // empties it
  EXPECT_FALSE(shadow.is_full());
  EXPECT_EQ(shadow.used_bytes(), 0U);
}

TEST(RaceShadowTest, GivenWildAddresses_WhenTheyAreAsked_ThenThereIsNoPage) {
  RaceShadow shadow(1 << 20);
  EXPECT_EQ(shadow.page(~uint64_t{0}), nullptr);
  EXPECT_EQ(shadow.page(uint64_t{1} << 47), nullptr);
}

}  // namespace
}  // namespace upsweep::tests
