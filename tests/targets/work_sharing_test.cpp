// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The means by which threads share work: sets of workers, and ranges of numbers in parts.
#include "targets/cpu/work_ranges.h"
#include "targets/cpu/worker_set.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <vector>

namespace upsweep {
namespace {

TEST(WorkerSetTest, GivenSharesAroundWords_WhenCountedAndTaken_ThenOnlyTheirWorkersAre) {
  constexpr uint32_t kWorkers = 200;  // three words and a partial one
  // Whole words, and parts of words, across word boundaries.
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
        WorkRanges ranges(total, parts, row, 256, parts % 2);
        std::vector<int> seen(total);
        WorkRanges::Cursor cursor = ranges.cursor_for(parts + 1);
        for (auto range = ranges.take(cursor); !range.is_empty(); range = ranges.take(cursor)) {
          ASSERT_LE(range.last, total);
          ASSERT_LE(range.last - range.first, 256u);
          for (uint64_t i = range.first; i < range.last; ++i) ++seen[i];
        }
        EXPECT_EQ(seen, std::vector<int>(total, 1)) << total << " in " << parts << " parts, rows of " << row;
      }
}

TEST(WorkRangesTest, GivenAPart_WhenAThreadTakesFromIt_ThenNumbersAreConsecutiveAndTheSameAgain) {
  for (int again = 0; again < 2; ++again) {
    WorkRanges ranges(1000, 4, 1, 256, true);
    WorkRanges::Cursor first = ranges.cursor_for(3), cursor = ranges.cursor_for(2);
    EXPECT_EQ(ranges.take(first).first, 0u);  // whatever its rank
    uint64_t next = 500;
    while (next < 750) {
      const auto range = ranges.take(cursor);
      EXPECT_EQ(range.first, next);
      next = range.last;
    }
    EXPECT_EQ(next, 750u);
    EXPECT_EQ(ranges.take(cursor).first, 250u);  // then the lowest part that no thread has begun
    WorkRanges::Cursor zero = ranges.cursor_for(0);
    EXPECT_EQ(ranges.take(zero).first, 750u);  // the first thread's own
  }
}

TEST(WorkRangesTest, GivenNumbersThatWaitForNone_WhenThreadsArriveInAnyOrder_ThenEachStartsItsOwnPart) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    WorkRanges ranges(1000, 4, 1, 256, false);
    std::vector<uint32_t> ranks{0, 1, 2, 3};
    std::ranges::shuffle(ranks, random);
    for (const uint32_t rank : ranks) {
      WorkRanges::Cursor cursor = ranges.cursor_for(rank);
      EXPECT_EQ(ranges.take(cursor).first, 250 * rank);
    }
    WorkRanges::Cursor late = ranges.cursor_for(2);  // its part is started already, as are all others
    EXPECT_GT(ranges.take(late).first, 500u);
  }
}

TEST(WorkRangesTest, GivenRows_WhenPartsHaveSeveral_ThenTheyBeginWithARow) {
  WorkRanges ranges(10 * 103, 4, 10, 256, true);
  for (uint32_t rank = 0; rank < 4; ++rank) {
    WorkRanges::Cursor cursor = ranges.cursor_for(rank);
    const auto range = ranges.take(cursor);
    EXPECT_EQ(range.first % 10, 0u);
    EXPECT_EQ(range.last % 10, 0u);
  }
}

/// A model of a scheduler and its threads. Each thread takes numbers, and finishes a number only after all lower ones. In
/// every order of steps, some thread can continue until all numbers are finished.
void expect_progress(std::mt19937 &random, uint64_t total, uint32_t num_parts, size_t num_threads, uint64_t row) {
  struct Thread {
    WorkRanges::Cursor cursor;
    WorkRanges::Range range;
    bool has_left = false;
  };
  WorkRanges ranges(total, num_parts, row, 256, true);
  std::vector<Thread> threads;
  for (size_t i = 0; i < num_threads; ++i)
    threads.push_back({.cursor = ranges.cursor_for(static_cast<uint32_t>(random())), .range = {}, .has_left = false});
  std::vector<bool> done(total);
  uint64_t lowest = 0;
  for (size_t idle = 0; lowest < total;) {
    Thread &thread = threads[random() % num_threads];
    if (thread.range.is_empty() && !thread.has_left) {
      thread.range = ranges.take(thread.cursor);
      thread.has_left = thread.range.is_empty();
      idle = 0;
    } else if (thread.range.first == lowest && !thread.range.is_empty()) {
      done[lowest] = true;
      ++thread.range.first;
      while (lowest < total && done[lowest]) ++lowest;
      idle = 0;
    } else {
      ASSERT_LT(++idle, 1000 * num_threads) << "all threads wait for " << lowest << " of " << total << " in " << num_parts
                                            << " parts with " << num_threads << " threads";
    }
  }
  EXPECT_TRUE(ranges.is_exhausted());
}

TEST(WorkRangesTest, GivenNumbersThatWaitForLowerOnes_WhenThreadsGoOnInAnyOrder_ThenOneOfThemAlwaysCan) {
  const char *text = std::getenv("UPSWEEP_TEST_SEED");
  std::mt19937 random(text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 1);
  for (int round = 0; round < 3000 && !testing::Test::HasFatalFailure(); ++round) {
    const auto parts = static_cast<uint32_t>(random() % 17);
    // Fewer threads than parts, as many, and more.
    expect_progress(random, random() % 200, parts, 1 + random() % (parts + 4), 1 + random() % 12);
  }
}

TEST(WorkRangesTest, GivenThreads_WhenTheyTakeFromEachOther_ThenEachNumberComesOnce) {
  constexpr uint64_t kTotal = 200'000;
  WorkRanges ranges(kTotal, 4, 1, 16, false);
  std::vector<std::atomic<int>> seen(kTotal);
  {
    std::vector<std::jthread> threads;
    for (uint32_t rank = 0; rank < 7; ++rank)
      threads.emplace_back([&, rank] {
        WorkRanges::Cursor cursor = ranges.cursor_for(rank);
        for (auto range = ranges.take(cursor); !range.is_empty(); range = ranges.take(cursor))
          for (uint64_t i = range.first; i < range.last; ++i) ++seen[i];
      });
  }
  for (const auto &count : seen) ASSERT_EQ(count, 1);
}

}  // namespace
}  // namespace upsweep
