// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts that hold only behind a guard, with sub-groups whose first work-items do not pass it.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

constexpr size_t kItems = 32;
constexpr Range kRange{{kItems, 1, 1}, {kItems, 1, 1}};

TEST_F(KernelRunner, GivenAGuardThatTheFirstWorkItemsFail_WhenBitsAreJoined_ThenTheOthersHaveTheirOwnNumbers) {
  for (const cl_uint n : {8U, 3U, 30U, 0U}) {
    build("inactive_lanes.cl", "ors_behind_a_guard");
    set(1, n);
    EXPECT_EQ(run(kRange, 2 * kItems),
              expected(2 * kItems,
                       [&](size_t word) {
                         const uint64_t i = n - static_cast<uint64_t>(word / 2);
                         return static_cast<size_t>(i >= 8 ? -1 : word % 2 == 0 ? static_cast<int64_t>(i + 8) : 0);
                       }))
        << n;
    release();
  }
}

TEST_F(KernelRunner, GivenAGuardThatTheFirstWorkItemsFail_WhenIndicesAreJoined_ThenTheOthersHaveTheirOwnPlaces) {
  for (const cl_uint n : {5U, 0U, 17U, 24U}) {
    build("inactive_lanes.cl", "ors_an_index");
    set(1, n);
    std::vector<cl_int> wanted(24, -1);
    for (cl_uint l = 0; l < kItems; ++l)
      if (l - n < 4) wanted[2 * (l - n) + 8] = static_cast<cl_int>(l);
    for (cl_uint l = 0; l < kItems; ++l)
      if (l - n < 8) wanted[l - n + 16] = static_cast<cl_int>(l) + 100;
    EXPECT_EQ(run(kRange, 24), wanted) << n;
    release();
  }
}

TEST_F(KernelRunner, GivenAPointerMadeBeforeAGuard_WhenUsedBehindIt_ThenEachWorkItemHasItsOwnPlace) {
  for (const cl_uint off : {0U, 5U, 16U, 21U}) {
    constexpr cl_uint kLimit = 11;
    build("inactive_lanes.cl", "points_before_a_guard");
    set(1, off);
    set(2, kLimit);
    EXPECT_EQ(run(kRange, kLimit),
              expected(kLimit, [&](size_t i) { return i + off >= kItems ? size_t(-1)
                                                      : i % 2 == 0      ? i + 100
                                                                        : i; }))
        << off;
    release();
  }
}

TEST_F(KernelRunner, GivenAPointerThatALoopMoves_WhenUsedBehindAGuard_ThenEachWorkItemHasItsOwnPlace) {
  for (const cl_uint off : {0U, 5U, 16U, 21U}) {
    constexpr cl_uint kLimit = 11;
    build("inactive_lanes.cl", "moves_a_pointer");
    set(1, off);
    set(2, kLimit);
    EXPECT_EQ(run(kRange, 3 * kLimit), expected(3 * kLimit,
                                                [&](size_t place) {
                                                  const size_t i = place % kLimit, round = place / kLimit;
                                                  return i + off >= kItems ? size_t(-1) : i + 100 * round;
                                                }))
        << off;
    release();
  }
}

TEST_F(KernelRunner, GivenIndicesOfFewBits_WhenTheyStartAgainFromZero_ThenEachWorkItemReadsItsOwnPlace) {
  std::vector<cl_int> table(1024);
  for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<cl_int>(i * 2654435761U);
  for (const cl_uint c : {0U, 5U, 12U, 29U}) {
    constexpr cl_uint kAway = 250;
    build("inactive_lanes.cl", "starts_again");
    cl_mem in = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, table.size() * sizeof(cl_int), table.data(), nullptr);
    set(1, in);
    set(2, c);
    set(3, kAway);
    EXPECT_EQ(run(kRange, 3 * kItems), expected(3 * kItems,
                                                [&](size_t place) {
                                                  const auto l = static_cast<cl_uint>(place / 3);
                                                  const cl_uint indices[] = {((l << 24) - (c << 24)) >> 24,
                                                                             (((l + kAway) << 24) + c) >> 22,
                                                                             (((l + kAway) << 26) + (c << 27)) >> 26};
                                                  return static_cast<size_t>(table[indices[place % 3]]);
                                                }))
        << c;
    clReleaseMemObject(in);
    release();
  }
}

TEST_F(KernelRunner, GivenPlacesOfWhichSomeAreAligned_WhenTheseAreUsed_ThenTheOthersNeedNotBe) {
  for (const cl_uint first : {0U, 1U, 2U, 7U}) {
    build("inactive_lanes.cl", "aligned_places");
    set(1, first);
    EXPECT_EQ(
        run(kRange, 2 * kItems),
        expected(2 * kItems, [&](size_t i) { return i % 16 == 0 && i >= first && i < first + kItems ? i - 1 : size_t(-1); }))
        << first;
    release();
  }
}

TEST_F(KernelRunner, GivenStructuresOfThreeBytes_WhenCopied_ThenEachKeepsItsBytes) {
  build("inactive_lanes.cl", "three_bytes");
  set(1, cl_uint{77});
  std::vector<cl_int> given = run(kRange, kItems);
  for (cl_int &word : given) word &= 0xffffff;
  EXPECT_EQ(given, expected(kItems, [](size_t l) {
              const size_t k = (l + 77) & 3;
              return ((l + k) & 255) | 77 << 8 | (l * 3 & 255) << 16;
            }));
}

TEST_F(KernelRunner, GivenNumbersOfFewBits_WhenGuarded_ThenTheyAreTheirOwnPlaces) {
  for (const cl_uint n : {8U, 3U, 0U, 19U}) {
    build("inactive_lanes.cl", "narrow_numbers");
    set(1, n);
    std::vector<cl_int> wanted(32, -1);
    for (cl_uint l = 0; l < kItems; ++l) {
      if (l - n < 8) wanted[l - n + 8] = static_cast<cl_int>(l - n + 8);
      if (n - l < 8) wanted[n - l + 16] = static_cast<cl_int>(n - l + 16);
      if (l - n < 8) wanted[l - n + 24] = static_cast<cl_int>((l - n) | 8);
    }
    EXPECT_EQ(run(kRange, 32), wanted) << n;
    release();
  }
}

}  // namespace
}  // namespace upsweep::tests
