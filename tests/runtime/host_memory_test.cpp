// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bound for the size of a host object, from the mappings around a pointer into it.
#include "runtime/memory/host_memory.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/mman.h>
#include <vector>

namespace {

using namespace upsweep;

constexpr uint64_t kMiB = uint64_t{1} << 20, kGiB = uint64_t{1} << 30;

char *reserve(uint64_t bytes) {
  void *mapping = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return mapping == MAP_FAILED ? nullptr : static_cast<char *>(mapping);
}

TEST(HostMemory, GivenLargeObject_WhenBoundIsAskedForAnyPlace_ThenItIsNotLess) {
  for (const uint64_t bytes : {4 * kGiB - 64 * kMiB, 4 * kGiB, 17 * kGiB}) {
    char *object = reserve(bytes);
    ASSERT_NE(object, nullptr);
    for (const uint64_t place : {uint64_t{0}, uint64_t{5}, bytes / 3, bytes / 2, bytes - kMiB, bytes - 1})
      EXPECT_GE(most_bytes_around(object + place), bytes) << place;
    munmap(object, bytes);
  }
}

TEST(HostMemory, GivenSmallObject_WhenNothingElseIsNear_ThenBoundIsBelowFourGiB) {
  // No other mapping is near a reservation that has been released except for its middle.
  constexpr uint64_t kReserved = 16 * kGiB, kMiddle = 8 * kGiB, kBytes = 64 * kMiB;
  char *reserved = reserve(kReserved);
  ASSERT_NE(reserved, nullptr);
  munmap(reserved, kMiddle);
  munmap(reserved + kMiddle + kBytes, kReserved - kMiddle - kBytes);
  for (const uint64_t place : {uint64_t{0}, kBytes / 2, kBytes - 1})
    EXPECT_LT(most_bytes_around(reserved + kMiddle + place), 4 * kGiB - 64 * kMiB) << place;
  munmap(reserved + kMiddle, kBytes);
}

TEST(HostMemory, GivenLargeBlock_WhenFreed_ThenAllocationsOfAboutItsSizeAloneGetIt) {
#if !__has_feature(address_sanitizer)
  const size_t bytes = 16 * kMiB;
  HostMemory block = allocate_host_memory(bytes);
  const char *const freed = block.get();
  block.reset();
  block = allocate_host_memory(bytes / 2);
  EXPECT_NE(block.get(), freed);
  const HostMemory again = allocate_host_memory(bytes), another = allocate_host_memory(bytes);
  EXPECT_EQ(again.get(), freed);
  EXPECT_NE(another.get(), freed);
  ASSERT_NE(another, nullptr);
#endif
}

TEST(HostMemory, GivenManyLargeBlocks_WhenFreed_ThenFewAreKept) {
  std::vector<HostMemory> blocks;
  for (int i = 0; i < 40; ++i) {
    blocks.push_back(allocate_host_memory((8 + static_cast<size_t>(i % 5)) * kMiB));
    ASSERT_NE(blocks.back(), nullptr);
    std::memset(blocks.back().get(), i, 8 * kMiB);
  }
  blocks.clear();
  const HostMemory too_large = allocate_host_memory(512 * kMiB);
  EXPECT_NE(too_large, nullptr);
  EXPECT_LE(mallinfo2().hblkhd + mallinfo2().uordblks, 600 * kMiB);
}

/// The number of a block's pages that hold memory.
size_t pages_with_memory(char *block, size_t bytes) {
  std::vector<unsigned char> states(bytes / 4096);
  EXPECT_EQ(mincore(block, bytes, states.data()), 0);
  return static_cast<size_t>(std::count_if(states.begin(), states.end(), [](unsigned char state) { return state & 1; }));
}

TEST(HostMemory, GivenMemoryThatWasWritten_WhenCleared_ThenItIsZeroFromTheFirstByteToTheLast) {
  const HostMemory block = allocate_host_memory(8 * kMiB);
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{5000}, size_t{kMiB - 1}, size_t{kMiB}, size_t{3 * kMiB + 77}})
    for (const size_t begin : {0, 1, 4095, 4096, 10'000}) {
      std::memset(block.get(), 0x5a, 8 * kMiB);
      clear_host_memory(block.get() + begin, bytes);
      std::vector<char> expected(8 * kMiB, 0x5a);
      std::fill_n(expected.begin() + static_cast<ptrdiff_t>(begin), bytes, 0);
      ASSERT_EQ(std::memcmp(block.get(), expected.data(), 8 * kMiB), 0) << bytes << " from " << begin;
    }
}

TEST(HostMemory, GivenMuchMemory_WhenCleared_ThenItsPagesAreNotTouched) {
  // Up to a huge page more at either end.
  constexpr size_t kBytes = 256 * kMiB;
  const HostMemory block = allocate_host_memory(kBytes);
  ASSERT_NE(block, nullptr);
  clear_host_memory(block.get(), kBytes);
  EXPECT_LE(pages_with_memory(block.get(), kBytes), 1024u);
}

TEST(HostMemory, GivenSmallBlocks_WhenOthersOfTheirSizeWereWritten_ThenTheyAreZero) {
  for (const size_t bytes : {size_t{1}, size_t{100}, size_t{4096}, kZeroedBytes - 1, kZeroedBytes})
    for (int i = 0; i < 20; ++i) {
      const HostMemory block = allocate_host_memory(bytes);
      EXPECT_TRUE(std::all_of(block.get(), block.get() + bytes, [](char byte) { return byte == 0; })) << bytes;
      std::memset(block.get(), 0x5a, bytes);
    }
}

}  // namespace
