// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kind of transfer by its ends and accesses, and its route on a GPU: the table of targets/cuda/way.h.
#include "runtime/commands/transfer_ends.h"
#include "separate_fixture.h"
#include "targets/cuda/placement.h"
#include "targets/cuda/staging.h"
#include <tuple>

namespace upsweep::tests {
namespace {

class TransferEndsTest : public SeparateFixture {
protected:
  MemoryObject &object(cl_mem_flags flags = CL_MEM_READ_WRITE) { return **MemoryObject::from(make_buffer(kBytes, flags)); }
  static Placement placement(Transfer transfer) { return placement_of(CommandBody(std::move(transfer)), *devices().first); }

  /// A copy of a box with gaps between its rows.
  static CopyTransfer box(Place to, Place from) {
    const RectLayout layout{{4, 1, 0}, 64, 256};
    return {std::move(to), std::move(from), layout, layout, {16, 3, 2}};
  }

  static constexpr size_t kBytes = 4 * kStagingBytes;
  char pointer_[kBytes] = {};
  const Place at_pointer_ = place_at(pointer_);
};

using Ends = std::tuple<EndAt, EndAt, size_t>;
Ends summary(const TransferEnds &ends) { return {ends.from, ends.to, ends.bytes}; }

constexpr Placement kOnStream{.follows = true, .needs_stream = true, .is_quick = false};
constexpr Placement kOnStreamBehindOthers{.follows = true, .needs_stream = false, .is_quick = false};
constexpr Placement kNoted{.follows = true, .needs_stream = false, .is_quick = true};
constexpr Placement kOnHost{};

TEST_F(TransferEndsTest, GivenCopies_WhenClassified_ThenPointersAndObjectsAreToldApart) {
  MemoryObject &a = object(), &b = object();
  EXPECT_EQ(summary(ends_of(linear_copy(place_in(a), place_in(b), 8))), Ends(EndAt::kObject, EndAt::kObject, 8));
  const TransferEnds write = ends_of(box(place_in(a), at_pointer_));
  EXPECT_EQ(summary(write), Ends(EndAt::kPointer, EndAt::kObject, 96));
  EXPECT_FALSE(write.is_linear);
  EXPECT_EQ(write.pointer, pointer_);
  EXPECT_EQ(write.source, nullptr);
  const TransferEnds read = ends_of(linear_copy(at_pointer_, place_in(b), 8));
  EXPECT_EQ(summary(read), Ends(EndAt::kObject, EndAt::kPointer, 8));
  EXPECT_TRUE(read.is_linear);
  EXPECT_EQ(read.pointer, pointer_);
  EXPECT_EQ(read.source, &b);
  EXPECT_EQ(summary(ends_of(linear_copy(at_pointer_, place_at(pointer_ + 64), 8))), Ends(EndAt::kPointer, EndAt::kPointer, 8));

  EXPECT_EQ(placement(linear_copy(place_in(a), place_in(b), 8)), kOnStream);
  EXPECT_EQ(placement(box(place_in(a), at_pointer_)), kOnStream);
  EXPECT_EQ(placement(linear_copy(at_pointer_, place_at(pointer_ + 64), 8)), kOnHost);
}

TEST_F(TransferEndsTest, GivenARead_WhenTheDeviceGetsTheObject_ThenItNeedsTheDevice) {
  MemoryObject &buffer = object();
  EXPECT_EQ(placement(linear_copy(at_pointer_, place_in(buffer), 8)), kOnStreamBehindOthers);
  ASSERT_TRUE(buffer.address_on(*devices().first));
  EXPECT_EQ(placement(linear_copy(at_pointer_, place_in(buffer), 8)), kOnStream);
}

TEST_F(TransferEndsTest, GivenFills_WhenClassified_ThenOnlyThoseOfObjectsAreTheDevices) {
  const char pattern[4] = {1, 2, 3, 4};
  MemoryObject &buffer = object();
  EXPECT_EQ(summary(ends_of(make_fill(place_in(buffer), 64, pattern, 4))), Ends(EndAt::kNowhere, EndAt::kObject, 64));
  EXPECT_EQ(summary(ends_of(make_fill(at_pointer_, 64, pattern, 4))), Ends(EndAt::kNowhere, EndAt::kPointer, 64));
  EXPECT_EQ(placement(make_fill(place_in(buffer), 64, pattern, 4)), kOnStream);
  EXPECT_EQ(placement(make_fill(at_pointer_, 64, pattern, 4)), kOnHost);
}

TEST_F(TransferEndsTest, GivenMappings_WhenClassified_ThenShortOnesToBeReadCanFollow) {
  MemoryObject &buffer = object(), &pinned = object(CL_MEM_ALLOC_HOST_PTR);
  auto map = [](const Place &place, size_t bytes, cl_map_flags flags) { return MapTransfer{place, bytes, flags}; };
  const TransferEnds reading = ends_of(map(place_in(buffer), 64, CL_MAP_READ));
  EXPECT_EQ(summary(reading), Ends(EndAt::kObject, EndAt::kHostCopy, 64));
  EXPECT_FALSE(reading.host_writes);
  EXPECT_TRUE(ends_of(map(place_in(buffer), 64, CL_MAP_WRITE)).host_writes);
  EXPECT_EQ(summary(ends_of(map(at_pointer_, 0, 0))), Ends(EndAt::kPointer, EndAt::kPointer, 0));

  EXPECT_EQ(placement(map(place_in(buffer), kStagingBytes, CL_MAP_READ)), kOnStreamBehindOthers);
  EXPECT_EQ(placement(map(place_in(buffer), kStagingBytes + 1, CL_MAP_READ)), kOnHost);
  EXPECT_EQ(placement(map(place_in(pinned), kStagingBytes + 1, CL_MAP_READ)), kOnStreamBehindOthers);
  for (cl_map_flags flags : {CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION})
    EXPECT_EQ(placement(map(place_in(buffer), 64, flags)), kOnHost);
  EXPECT_EQ(placement(map(at_pointer_, 0, 0)), kOnHost);
}

TEST_F(TransferEndsTest, GivenUnmappings_WhenClassified_ThenNothingMoves) {
  MemoryObject &buffer = object();
  for (const Place &place : {place_in(buffer), at_pointer_}) {
    EXPECT_EQ(ends_of(UnmapTransfer{place, 64, CL_MAP_WRITE}).to, EndAt::kNowhere);
    EXPECT_FALSE(ends_of(UnmapTransfer{place, 64, CL_MAP_WRITE}).moves_host_copy());
    EXPECT_EQ(placement(UnmapTransfer{place, 64, CL_MAP_WRITE}), kNoted);
  }
  EXPECT_TRUE(accesses_of(UnmapTransfer{place_in(buffer), 64, CL_MAP_READ}).empty());
  const UnmapTransfer written{place_in(buffer, 16), 64, CL_MAP_WRITE};
  const TransferAccesses accesses = accesses_of(written);
  ASSERT_EQ(accesses.size(), 1u);
  EXPECT_EQ(accesses.begin()->access, Access::kWrite);
  EXPECT_EQ(accesses.begin()->range, (ByteRange{16, 80}));
  EXPECT_TRUE(accesses.begin()->on_host);
}

TEST_F(TransferEndsTest, GivenMigrations_WhenClassified_ThenTheHostsCopyMoves) {
  MemoryObject &buffer = object();
  auto migrate = [&](cl_mem_migration_flags flags) { return MigrateTransfer{{{place_in(buffer), kBytes}}, flags}; };
  for (cl_mem_migration_flags flags : {cl_mem_migration_flags{0}, cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST}}) {
    EXPECT_TRUE(ends_of(migrate(flags)).moves_host_copy());
    EXPECT_EQ(placement(migrate(flags)), kOnHost);
    const MigrateTransfer kept = migrate(flags);
    EXPECT_EQ(accesses_of(kept).begin()->on_host, flags == CL_MIGRATE_MEM_OBJECT_HOST);
    EXPECT_TRUE(accesses_of(migrate(flags | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)).empty());
  }
}

TEST_F(TransferEndsTest, GivenUnifiedSharedMemory_WhenClassified_ThenTheDevicesOwnIsUsedInPlace) {
  const Place own = place_on_device(pointer_), other = place_on_device(pointer_ + 64);
  const char pattern[4] = {};
  EXPECT_EQ(summary(ends_of(linear_copy(own, other, 8))), Ends(EndAt::kObject, EndAt::kObject, 8));
  EXPECT_EQ(ends_of(linear_copy(own, place_at(pointer_ + 64), 8)).pointer, pointer_ + 64);
  EXPECT_EQ(placement(linear_copy(own, other, 8)), kOnStream);
  EXPECT_EQ(placement(linear_copy(own, at_pointer_, 8)), kOnStream);
  EXPECT_EQ(placement(linear_copy(at_pointer_, other, 8)), kOnStream);
  EXPECT_EQ(placement(make_fill(own, 64, pattern, 4)), kOnStream);
  EXPECT_EQ(placement(HintTransfer{own, 64, HintTransfer::Kind::kToDevice}), kOnStream);
  EXPECT_EQ(placement(HintTransfer{at_pointer_, 64, HintTransfer::Kind::kToHost}), kOnHost);
  EXPECT_TRUE(accesses_of(HintTransfer{own, 64, HintTransfer::Kind::kToHost}).empty());
}

TEST_F(TransferEndsTest, GivenBodiesThatMoveNothing_WhenAGpuGetsThem_ThenFunctionsAloneAreTheHosts) {
  EXPECT_EQ(placement_of(CommandBody(), *devices().first), kOnStream);
  const KernelDescription kernel;
  Launch launch;
  launch.call.kernel = &kernel;
  EXPECT_EQ(placement_of(CommandBody(std::move(launch)), *devices().first), kOnStream);
  EXPECT_EQ(placement_of(CommandBody(HostWork([] { return Result<void>(); })), *devices().first), kOnHost);
}

TEST_F(TransferEndsTest, GivenACopyThatMayFail_WhenMadeCurrent_ThenTheOldBytesAreThere) {
  SeparateTarget &target = *devices().first;
  const char pattern[4] = {};
  for (bool may_fail : {false, true}) {
    MemoryObject &buffer = **MemoryObject::from(make_ints(counting(16)));
    target.bytes_up = 0;
    ASSERT_TRUE(make_current(make_fill(place_in(buffer), 64, pattern, 4), &target, may_fail));
    EXPECT_EQ(target.bytes_up, may_fail ? 64u : 0u);
  }
}

}  // namespace
}  // namespace upsweep::tests
