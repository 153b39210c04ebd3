// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Region arithmetic against a reference that marks every byte.
#include "runtime/commands/part_work.h"
#include "runtime/commands/rect_copy.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace upsweep;

/// Every byte offset of the region.
std::vector<size_t> bytes_of(const RectLayout &layout, const Size3 &region) {
  std::vector<size_t> bytes;
  for (size_t z = 0; z < region[2]; ++z)
    for (size_t y = 0; y < region[1]; ++y)
      for (size_t x = 0; x < region[0]; ++x)
        bytes.push_back((layout.origin[2] + z) * layout.slice_pitch + (layout.origin[1] + y) * layout.row_pitch +
                        layout.origin[0] + x);
  return bytes;
}

struct RandomRect {
  std::mt19937 random{7};

  size_t pick(size_t low, size_t high) { return low + random() % (high - low + 1); }
  Size3 region() { return {pick(1, 5), pick(1, 4), pick(1, 3)}; }
  RectLayout layout(const Size3 &region) {
    const size_t row_pitch = region[0] + pick(0, 3);
    return {{pick(0, 6), pick(0, 4), pick(0, 2)}, row_pitch, row_pitch * (region[1] + pick(0, 2))};
  }
};

TEST(RectCopy, GivenZeroPitches_WhenCompleted_ThenTheyAreTight) {
  RectLayout layout;
  ASSERT_TRUE(complete_pitches(layout, {7, 3, 2}));
  EXPECT_EQ(layout.row_pitch, 7U);
  EXPECT_EQ(layout.slice_pitch, 21U);
}

TEST(RectCopy, GivenBadPitches_WhenCompleted_ThenRefused) {
  RectLayout narrow{{}, 6, 0};
  EXPECT_FALSE(complete_pitches(narrow, {7, 3, 2}));
  RectLayout low{{}, 8, 16};
  EXPECT_FALSE(complete_pitches(low, {7, 3, 2}));
  RectLayout uneven{{}, 8, 25};
  EXPECT_FALSE(complete_pitches(uneven, {7, 3, 2}));
  RectLayout huge{{}, SIZE_MAX / 2, 0};
  EXPECT_FALSE(complete_pitches(huge, {7, 3, 2}));
}

TEST(RectCopy, GivenSizesThatOverflow_WhenAskedForTheEnd_ThenItIsTheLargest) {
  RectLayout layout{{SIZE_MAX, 0, 0}, 0, 0};
  ASSERT_TRUE(complete_pitches(layout, {2, 1, 1}));
  EXPECT_EQ(region_end(layout, {2, 1, 1}), SIZE_MAX);
  layout.origin = {0, SIZE_MAX / 2, 3};
  EXPECT_EQ(region_end(layout, {2, 1, 1}), SIZE_MAX);
}

TEST(RectCopy, GivenRandomRegions_WhenMeasured_ThenBeginEndAndOverlapMatchTheBytes) {
  RandomRect make;
  for (int trial = 0; trial < 20000; ++trial) {
    const Size3 region = make.region();
    RectLayout a = make.layout(region);
    RectLayout b = a;
    b.origin = make.layout(region).origin;
    const std::vector<size_t> a_bytes = bytes_of(a, region);
    const std::vector<size_t> b_bytes = bytes_of(b, region);
    ASSERT_EQ(region_begin(a), a_bytes.front());
    ASSERT_EQ(region_end(a, region), a_bytes.back() + 1);
    std::vector<bool> used(1000);
    for (size_t byte : a_bytes) used[byte] = true;
    const bool overlap = std::any_of(b_bytes.begin(), b_bytes.end(), [&](size_t byte) { return used[byte]; });
    ASSERT_EQ(regions_overlap(a, b, region), overlap) << trial;
  }
}

TEST(RectCopy, GivenRandomRegions_WhenCopied_ThenExactlyTheRegionChanges) {
  RandomRect make;
  for (int trial = 0; trial < 2000; ++trial) {
    const Size3 region = make.region();
    const RectLayout from_layout = make.layout(region);
    const RectLayout to_layout = make.layout(region);
    std::vector<char> from(1000);
    std::iota(from.begin(), from.end(), char{1});
    std::vector<char> to(1000, 0);
    std::vector<char> expected = to;
    const std::vector<size_t> from_bytes = bytes_of(from_layout, region);
    const std::vector<size_t> to_bytes = bytes_of(to_layout, region);
    for (size_t i = 0; i < from_bytes.size(); ++i) expected[to_bytes[i]] = from[from_bytes[i]];
    copy_rect(to.data(), to_layout, from.data(), from_layout, region);
    ASSERT_EQ(to, expected) << trial;
  }
}

TEST(RectCopy, GivenRandomRegions_WhenFilled_ThenExactlyTheRegionRepeatsThePattern) {
  RandomRect make;
  for (int trial = 0; trial < 2000; ++trial) {
    Size3 region = make.region();
    const std::string pattern = std::string("abcdefghijkl").substr(0, std::array{1, 2, 3, 4, 6, 12}[make.pick(0, 5)]);
    region[0] *= pattern.size();
    const RectLayout layout = make.layout(region);
    std::vector<char> to(6000, 0), expected = to;
    const std::vector<size_t> bytes = bytes_of(layout, region);  // rows have whole patterns
    for (size_t i = 0; i < bytes.size(); ++i) expected[bytes[i]] = pattern[i % pattern.size()];
    fill_rect(to.data(), layout, region, pattern.data(), pattern.size());
    ASSERT_EQ(to, expected) << trial;
  }
}

/// Three threads, which take pieces of different sizes.
void share_among_threads(uint64_t count, uint64_t, bool, const PartWork &work) {
  std::vector<std::jthread> threads;
  for (uint64_t i = 0; i < 3; ++i)
    threads.emplace_back([=, &work] {
      const uint64_t end = (i + 1) * count / 3;
      for (uint64_t first = i * count / 3, step = 1; first < end; first += step, step = step % 7 + 1)
        work(first, std::min(first + step, end));
    });
}

// Short rows, rows that are written past the caches, rows that several threads share, and few bytes.
TEST(RectCopy, GivenLargeRegions_WhenThreadsShareThem_ThenExactlyTheRegionChanges) {
  share_parts_with(share_among_threads);
  for (const Size3 &region : {Size3{700, 3000, 20}, {3000, 1000, 12}, {(size_t{2} << 20) + 12, 3, 3}, {300, 900, 3}}) {
    const RectLayout from_layout{{1, 2, 0}, region[0] + 5, (region[0] + 5) * (region[1] + 2)};
    const RectLayout to_layout{{60, 0, 1}, region[0] + 64, (region[0] + 64) * region[1]};
    std::vector<char> from(region_end(from_layout, region));
    for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<char>(i * 31 + i / 257);
    std::vector<char> to(region_end(to_layout, region) + 64, 'x'), filled = to;
    std::vector<char> expected = to, expected_fill = to;
    const char pattern[] = {'a', 'b', 'c', 'd'};
    for (size_t z = 0; z < region[2]; ++z)
      for (size_t y = 0; y < region[1]; ++y) {
        const auto row = [&](const RectLayout &layout) {
          return (z + layout.origin[2]) * layout.slice_pitch + (y + layout.origin[1]) * layout.row_pitch + layout.origin[0];
        };
        std::memcpy(&expected[row(to_layout)], &from[row(from_layout)], region[0]);
        for (size_t x = 0; x < region[0]; ++x) expected_fill[row(to_layout) + x] = pattern[x % 4];
      }
    copy_rect(to.data(), to_layout, from.data(), from_layout, region);
    ASSERT_TRUE(to == expected) << region[0];
    fill_rect(filled.data(), to_layout, region, pattern, sizeof pattern);
    ASSERT_TRUE(filled == expected_fill) << region[0];
  }
  share_parts_with([](uint64_t count, uint64_t, bool, const PartWork &work) { work(0, count); });
}

}  // namespace
