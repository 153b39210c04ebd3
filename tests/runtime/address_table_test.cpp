// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of allocations beside std::map, at the edges of its leaves, and while threads change it.
#include "runtime/memory/address_table.h"
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace upsweep::tests {
namespace {

/// A table is never destroyed, since it takes part in fork().
AddressTable &new_table() { return *new AddressTable; }

char *at(uintptr_t address) { return reinterpret_cast<char *>(address); }

/// Memory at any address, which the owner of the object counts as released.
HostMemory counted_memory(char *base, std::atomic<size_t> &released) {
  return {base, {[](void *counter, char *) { ++*static_cast<std::atomic<size_t> *>(counter); }, &released}};
}

class AddressTableTest : public testing::Test {
protected:
  void add(uintptr_t address, size_t bytes, AllocationKind kind = AllocationKind::kHost, AllocationOwner *owner = nullptr) {
    HostMemory memory = counted_memory(at(address), released_);
    table_.add({.base = at(address),
                .bytes = bytes,
                .kind = kind,
                .device = nullptr,
                .flags = address + bytes,
                .svm = kind == AllocationKind::kSvm ? SvmType::kCoarse : SvmType::kNone,
                .owner = owner ? owner : &owner_},
               memory);
    EXPECT_EQ(memory, nullptr) << "the table owns the memory";
  }
  /// The base of the allocation with this address; 0 if there is none.
  uintptr_t base_of(uintptr_t address) const {
    const auto found = table_.find(at(address));
    if (!found) return 0;
    EXPECT_EQ(found->flags, reinterpret_cast<uintptr_t>(found->base) + found->bytes) << "a torn entry";
    return reinterpret_cast<uintptr_t>(found->base);
  }

  AddressTable &table_ = new_table();
  AllocationOwner owner_, other_;
  std::atomic<size_t> released_{0};
};

TEST_F(AddressTableTest, GivenNoAllocation_WhenAsked_ThenNothingIsFound) {
  EXPECT_EQ(base_of(0), 0u);
  EXPECT_EQ(base_of(UINTPTR_MAX), 0u);
  EXPECT_EQ(table_.remove(owner_, at(64), AddressTable::Freed::kAsUsm), nullptr);
  EXPECT_EQ(table_.largest(), 0u);
}

TEST_F(AddressTableTest, GivenNeighbours_WhenAskedAtTheirEnds_ThenEachHasItsOwnBytes) {
  add(1000, 10);
  add(1010, 1);
  add(1012, 5);
  EXPECT_EQ(base_of(999), 0u);
  EXPECT_EQ(base_of(1000), 1000u);
  EXPECT_EQ(base_of(1009), 1000u);
  EXPECT_EQ(base_of(1010), 1010u);
  EXPECT_EQ(base_of(1011), 0u);
  EXPECT_EQ(base_of(1016), 1012u);
  EXPECT_EQ(base_of(1017), 0u);
}

TEST_F(AddressTableTest, GivenTheLastByteOfTheAddressSpace_WhenAllocated_ThenItIsFound) {
  add(UINTPTR_MAX - 15, 15);
  EXPECT_EQ(base_of(UINTPTR_MAX - 16), 0u);
  EXPECT_EQ(base_of(UINTPTR_MAX - 1), UINTPTR_MAX - 15);
  EXPECT_EQ(base_of(UINTPTR_MAX), 0u);
}

TEST_F(AddressTableTest, GivenAnotherOwnerKindOrPlace_WhenRemoved_ThenTheAllocationStays) {
  add(4096, 64);
  add(8192, 64, AllocationKind::kSvm);
  EXPECT_EQ(table_.remove(other_, at(4096), AddressTable::Freed::kAsUsm), nullptr);
  EXPECT_EQ(table_.remove(owner_, at(4097), AddressTable::Freed::kAsUsm), nullptr);
  EXPECT_EQ(table_.remove(owner_, at(4096), AddressTable::Freed::kAsSvm), nullptr);
  EXPECT_EQ(table_.remove(owner_, at(8192), AddressTable::Freed::kAsUsm), nullptr);
  EXPECT_EQ(released_, 0u);
  EXPECT_NE(table_.remove(owner_, at(4096), AddressTable::Freed::kAsUsm), nullptr);
  EXPECT_NE(table_.remove(owner_, at(8192), AddressTable::Freed::kAsSvm), nullptr);
  EXPECT_EQ(released_, 2u);
  EXPECT_EQ(base_of(4096), 0u);
  EXPECT_EQ(base_of(8192), 0u);
}

TEST_F(AddressTableTest, GivenTwoOwners_WhenOneEnds_ThenItsAllocationsAreFreed) {
  for (uintptr_t i = 1; i <= 1000; ++i) add(i * 64, 64, AllocationKind::kShared, i % 3 ? &owner_ : &other_);
  table_.remove_all(owner_);
  EXPECT_EQ(released_, 667u);
  for (uintptr_t i = 1; i <= 1000; ++i) EXPECT_EQ(base_of(i * 64 + 63), i % 3 ? 0 : i * 64) << i;
  table_.remove_all(owner_);
  table_.remove_all(other_);
  EXPECT_EQ(released_, 1000u);
}

TEST_F(AddressTableTest, GivenSizes_WhenTheLargestIsAsked_ThenTheBoundHoldsAndIsExactForLargeOnes) {
  add(1 << 20, 1000);
  EXPECT_GE(table_.largest(), 1000u);
  EXPECT_LT(table_.largest(), 2000u);
  constexpr uint64_t kLarge = AddressTable::kLargeBytes;
  add(uintptr_t{1} << 40, 5 * kLarge + 3);
  add(uintptr_t{1} << 41, kLarge);
  EXPECT_EQ(table_.largest(), 5 * kLarge + 3);
  static_cast<void>(table_.remove(owner_, at(uintptr_t{1} << 40), AddressTable::Freed::kAsUsm));
  EXPECT_EQ(table_.largest(), kLarge);
  static_cast<void>(table_.remove(owner_, at(uintptr_t{1} << 41), AddressTable::Freed::kAsUsm));
  EXPECT_LT(table_.largest(), 2000u);
  table_.remove_all(owner_);
  EXPECT_EQ(table_.largest(), 0u);
}

TEST_F(AddressTableTest, GivenRandomChanges_WhenComparedWithAMap_ThenEveryAnswerAgrees) {
  const char *chosen = std::getenv("UPSWEEP_TEST_SEED");
  const unsigned seed = chosen ? static_cast<unsigned>(std::stoul(chosen)) : 1;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  std::map<uintptr_t, size_t> reference;
  const auto reference_base = [&](uintptr_t address) -> uintptr_t {
    const auto after = reference.upper_bound(address);
    if (after == reference.begin()) return 0;
    const auto &[base, bytes] = *std::prev(after);
    return address < base + bytes ? base : 0;
  };
  // Allocations of few and many bytes take turns at the same addresses, so they start and end at any place of a leaf's range.
  // The numbers of entries pass the size of a leaf and of the first index.
  constexpr uintptr_t kEnd = 1 << 22;
#if __has_feature(thread_sanitizer)
  constexpr int kTurn = 3'000;
#else
  constexpr int kTurn = 50'000;
#endif
  for (int round = 0; round < 6 * kTurn; ++round) {
    const bool grows = round / kTurn % 2 == 0;
    const uintptr_t address = 1 + random() % kEnd;
    const uintptr_t there = reference_base(address);
    ASSERT_EQ(base_of(address), there) << address << " in round " << round;
    if (there && (!grows || random() % 8 == 0)) {
      EXPECT_NE(table_.remove(owner_, at(there), AddressTable::Freed::kAsUsm), nullptr);
      reference.erase(there);
    } else if (!there && (grows || random() % 8 == 0)) {
      const auto next = reference.lower_bound(address);
      const size_t most = random() % 16 ? 64 : 4096;
      size_t bytes = 1 + random() % most;
      if (next != reference.end()) bytes = std::min(bytes, next->first - address);
      add(address, bytes);
      reference[address] = bytes;
      ASSERT_EQ(base_of(address + bytes - 1), address);
    }
  }
  table_.remove_all(owner_);
  for (const auto &[base, bytes] : reference) ASSERT_EQ(base_of(base), 0u);
}

TEST_F(AddressTableTest, GivenThreadsThatChangeIt_WhenOthersAsk_ThenTheySeeWholeEntriesAndAllThatStay) {
  // Every 16th place of the lower half stays, and threads add and remove the others. In the upper half leaves become empty.
  constexpr uintptr_t kPlaces = 1 << 13, kStep = 128;
  constexpr int kWriters = 4, kReaders = 4;
#if __has_feature(thread_sanitizer)
  constexpr int kRounds = 4'000;
#else
  constexpr int kRounds = 40'000;
#endif
  const auto stays = [](uintptr_t place) { return place % 16 == 0 && place != 0 && place < kPlaces / 2; };
  for (uintptr_t place = 0; place < kPlaces; ++place)
    if (stays(place)) add(place * kStep, kStep);
  std::atomic<int> working{kWriters};
  std::vector<AllocationOwner> owners(kWriters);
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kWriters; ++writer)
    threads.emplace_back([&, writer] {
      std::mt19937_64 random(static_cast<uint64_t>(writer) + 1);
      std::vector<bool> is_there(kPlaces);
      for (int round = 0; round < kRounds; ++round) {
        // Each writer has its own places.
        const uintptr_t place = (random() % (kPlaces / 16) * 16) + 1 + 3 * static_cast<uintptr_t>(writer) + random() % 3;
        if (is_there[place])
          EXPECT_NE(table_.remove(owners[static_cast<size_t>(writer)], at(place * kStep), AddressTable::Freed::kAsUsm),
                    nullptr);
        else
          add(place * kStep, 1 + place % kStep, AllocationKind::kDevice, &owners[static_cast<size_t>(writer)]);
        is_there[place] = !is_there[place];
        EXPECT_EQ(base_of(place * kStep) != 0, is_there[place]) << "a thread sees its own changes";
        if (round % 4000 == 3999) {
          table_.remove_all(owners[static_cast<size_t>(writer)]);
          is_there.assign(kPlaces, false);
        }
      }
      --working;
    });
  for (int reader = 0; reader < kReaders; ++reader)
    threads.emplace_back([&, reader] {
      std::mt19937_64 random(static_cast<uint64_t>(reader) + 100);
      while (working != 0) {
        const uintptr_t asked = random() % (kPlaces * kStep);
        const uintptr_t place = asked / kStep, found = base_of(asked);
        if (stays(place))
          EXPECT_EQ(found, place * kStep);
        else if (found)
          EXPECT_EQ(found, place * kStep);
      }
    });
  for (std::thread &thread : threads) thread.join();
  for (AllocationOwner &owner : owners) table_.remove_all(owner);
  for (uintptr_t place = 1; place < kPlaces; ++place) EXPECT_EQ(base_of(place * kStep), stays(place) ? place * kStep : 0);
}

}  // namespace
}  // namespace upsweep::tests
