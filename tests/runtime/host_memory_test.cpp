// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bound for the size of an object of the host's, found by what is mapped around a pointer into it.
#include "runtime/memory/host_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

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
  // Nothing else is mapped where a reservation has just been given back but for its middle.
  constexpr uint64_t kReserved = 16 * kGiB, kMiddle = 8 * kGiB, kBytes = 64 * kMiB;
  char *reserved = reserve(kReserved);
  ASSERT_NE(reserved, nullptr);
  munmap(reserved, kMiddle);
  munmap(reserved + kMiddle + kBytes, kReserved - kMiddle - kBytes);
  for (const uint64_t place : {uint64_t{0}, kBytes / 2, kBytes - 1})
    EXPECT_LT(most_bytes_around(reserved + kMiddle + place), 4 * kGiB - 64 * kMiB) << place;
  munmap(reserved + kMiddle, kBytes);
}

}  // namespace
