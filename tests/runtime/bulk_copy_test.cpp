// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills, also of sizes that several threads share.
#include "runtime/commands/bulk_copy.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace {

using namespace upsweep;

/// Sizes around divisions of work: a block of a fill, a page, and enough for three threads with an odd rest.
const size_t kSizes[] = {0, 1, 127, 128, 129, 383, 384, 385, 4096, (size_t{48} << 20) + 12345};

TEST(BulkCopy, GivenAnySize_WhenCopied_ThenAllBytesArriveAndNoMore) {
  for (size_t bytes : kSizes) {
    std::vector<char> from(bytes);
    for (size_t i = 0; i < bytes; ++i) from[i] = static_cast<char>(i * 31 + i / 257);
    std::vector<char> to(bytes + 1, 'x');
    copy_bytes(to.data(), from.data(), bytes);
    ASSERT_TRUE(std::equal(from.begin(), from.end(), to.begin())) << bytes;
    ASSERT_EQ(to[bytes], 'x');
  }
}

// Long copies write whole lines, from the first whole line on.
TEST(BulkCopy, GivenAnyAlignment_WhenALongCopyIsMade_ThenAllBytesArriveAndNoMore) {
  constexpr size_t kBytes = (size_t{32} << 20) + 77;
  std::vector<char> from(kBytes + 128);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<char>(i * 31 + i / 257);
  for (auto [to_offset, from_offset] : {std::pair{1, 0}, {63, 5}, {64, 16}, {17, 33}}) {
    std::vector<char> to(kBytes + 128, 'x');
    copy_bytes(to.data() + to_offset, from.data() + from_offset, kBytes);
    ASSERT_TRUE(std::equal(to.begin() + to_offset, to.begin() + to_offset + kBytes, from.begin() + from_offset)) << to_offset;
    ASSERT_TRUE(std::all_of(to.begin(), to.begin() + to_offset, [](char byte) { return byte == 'x'; }));
    ASSERT_EQ(to[to_offset + kBytes], 'x');
  }
}

TEST(BulkCopy, GivenEveryPatternSize_WhenFilled_ThenThePatternRepeats) {
  // Powers of two, and texels of three channels.
  for (size_t pattern_bytes : {1, 2, 4, 8, 16, 32, 64, 128, 3, 6, 12, 24, 384}) {
    std::vector<char> pattern(pattern_bytes);
    for (size_t i = 0; i < pattern_bytes; ++i) pattern[i] = static_cast<char>(i + 3);
    for (size_t size : kSizes) {
      const size_t bytes = size / pattern_bytes * pattern_bytes;
      std::vector<char> to(bytes + 1, 'x');
      fill_bytes(to.data(), bytes, pattern.data(), pattern_bytes);
      // The bytes begin with the pattern, and each byte is equal to the byte one pattern before. A loop over the bytes would
      // take minutes under the thread sanitizer.
      if (bytes) {
        ASSERT_EQ(std::memcmp(to.data(), pattern.data(), pattern_bytes), 0) << bytes << ", pattern of " << pattern_bytes;
        ASSERT_EQ(std::memcmp(to.data(), to.data() + pattern_bytes, bytes - pattern_bytes), 0)
            << bytes << ", pattern of " << pattern_bytes;
      }
      ASSERT_EQ(to[bytes], 'x');
    }
  }
}

}  // namespace
