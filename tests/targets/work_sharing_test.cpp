// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What threads share work with: sets of workers, and ranges of numbers in parts.
#include "targets/cpu/work_ranges.h"
#include "targets/cpu/worker_set.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace upsweep {
namespace {

TEST(WorkerSetTest, GivenSharesAroundWords_WhenCountedAndTaken_ThenOnlyTheirWorkersAre) {
  constexpr uint32_t kWorkers = 200;  // three words and a part
  // Whole words, parts of one, across their bounds.
  for (const Share share : {Share{0, 200}, {0, 64}, {64, 64}, {63, 2}, {1, 62}, {60, 80}, {128, 72}, {199, 1}}) {
    WorkerSet set(kWorkers);
    for (uint32_t worker = 0; worker < kWorkers; ++worker) set.add(worker);
    EXPECT_EQ(set.count(share), share.count);
    for (uint32_t i = 0; i < share.count; ++i) EXPECT_EQ(set.take(share), share.first + i);
    EXPECT_EQ(set.take(share), std::nullopt);
    EXPECT_EQ(set.count({0, kWorkers}), kWorkers - share.count);
  }
}

TEST(WorkerSetTest, GivenAWorker_WhenRemovedTwice_ThenOnlyTheFirstTells) {
  WorkerSet set(65);
  set.add(64);
  EXPECT_TRUE(set.remove(64));
  EXPECT_FALSE(set.remove(64));
}

TEST(WorkRangesTest, GivenAnySizes_WhenOneTakesAll_ThenEachNumberComesOnce) {
  for (const uint64_t total : {0, 1, 2, 7, 16, 100, 4096, 100'003})
    for (const uint32_t parts : {1, 2, 3, 16, 64})
      for (const uint64_t row : {1, 10, 5000}) {
        WorkRanges ranges(total, parts, row, 256);
        std::vector<int> seen(total);
        uint32_t part = ranges.own_part(parts + 1);
        for (auto range = ranges.take(part); !range.is_empty(); range = ranges.take(part)) {
          ASSERT_LE(range.last, total);
          ASSERT_LE(range.last - range.first, 256u);
          for (uint64_t i = range.first; i < range.last; ++i) ++seen[i];
        }
        EXPECT_EQ(seen, std::vector<int>(total, 1)) << total << " in " << parts << " parts, rows of " << row;
      }
}

TEST(WorkRangesTest, GivenAPart_WhenItsWorkerTakesFromIt_ThenNumbersAreConsecutiveAndTheSameAgain) {
  for (int again = 0; again < 2; ++again) {
    WorkRanges ranges(1000, 4, 1, 256);
    uint32_t part = ranges.own_part(2);
    uint64_t next = 500;
    while (next < 750) {
      const auto range = ranges.take(part);
      EXPECT_EQ(range.first, next);
      next = range.last;
    }
    EXPECT_EQ(next, 750u);
    EXPECT_EQ(ranges.take(part).first, 750u);  // then from the neighbour's
  }
}

TEST(WorkRangesTest, GivenRows_WhenPartsHaveSeveral_ThenTheyBeginWithARow) {
  WorkRanges ranges(10 * 103, 4, 10, 256);
  for (uint32_t rank = 0; rank < 4; ++rank) {
    uint32_t part = ranges.own_part(rank);
    const auto range = ranges.take(part);
    EXPECT_EQ(range.first % 10, 0u);
    EXPECT_EQ(range.last % 10, 0u);
  }
}

TEST(WorkRangesTest, GivenThreads_WhenTheyTakeFromEachOther_ThenEachNumberComesOnce) {
  constexpr uint64_t kTotal = 200'000;
  WorkRanges ranges(kTotal, 4, 1, 16);
  std::vector<std::atomic<int>> seen(kTotal);
  {
    std::vector<std::jthread> threads;
    for (uint32_t rank = 0; rank < 7; ++rank)
      threads.emplace_back([&, rank] {
        uint32_t part = ranges.own_part(rank);
        for (auto range = ranges.take(part); !range.is_empty(); range = ranges.take(part))
          for (uint64_t i = range.first; i < range.last; ++i) ++seen[i];
      });
  }
  for (const auto &count : seen) ASSERT_EQ(count, 1);
}

}  // namespace
}  // namespace upsweep
