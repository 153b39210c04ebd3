// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of bytes against a reference that marks every byte.
#include "runtime/memory/range_list.h"

#include <gtest/gtest.h>
#include <random>

namespace {

using namespace upsweep;

using Ranges = std::vector<ByteRange>;

TEST(RangeList, GivenTouchingRanges_WhenAdded_ThenTheyAreOne) {
  RangeList list;
  list.add({10, 20});
  list.add({30, 40});
  list.add({20, 30});
  EXPECT_EQ(list.ranges(), (Ranges{{10, 40}}));
}

TEST(RangeList, GivenARange_WhenItsMiddleIsRemoved_ThenTwoAreLeft) {
  RangeList list;
  list.add({10, 40});
  list.remove({20, 30});
  EXPECT_EQ(list.ranges(), (Ranges{{10, 20}, {30, 40}}));
  EXPECT_EQ(list.inside({15, 35}), (Ranges{{15, 20}, {30, 35}}));
  EXPECT_EQ(list.missing({5, 50}), (Ranges{{5, 10}, {20, 30}, {40, 50}}));
}

TEST(RangeList, GivenAnEmptyRange_WhenUsed_ThenNothingChanges) {
  RangeList list;
  list.add({10, 20});
  list.add({5, 5});
  list.remove({15, 15});
  EXPECT_EQ(list.ranges(), (Ranges{{10, 20}}));
  EXPECT_TRUE(list.contains({7, 7}));
  EXPECT_TRUE(list.missing({7, 7}).empty());
}

/// The ranges of the marked bytes from `begin` to `end`.
Ranges ranges_of(const std::vector<bool> &bytes, bool marked, ByteRange within) {
  Ranges ranges;
  for (size_t i = within.begin; i < within.end; ++i) {
    if (bytes[i] != marked) continue;
    if (!ranges.empty() && ranges.back().end == i)
      ++ranges.back().end;
    else
      ranges.push_back({i, i + 1});
  }
  return ranges;
}

TEST(RangeList, GivenRandomChanges_WhenComparedWithMarkedBytes_ThenTheyAgree) {
  constexpr size_t kBytes = 64;
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    RangeList list;
    std::vector<bool> bytes(kBytes);
    for (int step = 0; step < 40; ++step) {
      size_t begin = random() % (kBytes + 1), end = random() % (kBytes + 1);
      if (begin > end) std::swap(begin, end);
      const bool adds = random() % 2;
      adds ? list.add({begin, end}) : list.remove({begin, end});
      for (size_t i = begin; i < end; ++i) bytes[i] = adds;
      ASSERT_EQ(list.ranges(), ranges_of(bytes, true, {0, kBytes}));
      const ByteRange asked{random() % 32, 32 + random() % 32};
      ASSERT_EQ(list.inside(asked), ranges_of(bytes, true, asked));
      ASSERT_EQ(list.missing(asked), ranges_of(bytes, false, asked));
      ASSERT_EQ(list.contains(asked), ranges_of(bytes, false, asked).empty());
    }
  }
}

}  // namespace
