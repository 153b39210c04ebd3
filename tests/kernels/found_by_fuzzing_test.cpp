// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that tests/fuzz found to go wrong.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

constexpr Range kRange{{120, 1, 1}, {40, 1, 1}};

TEST_F(KernelRunner, GivenLoopsOnBothWaysOfABranch_WhenTheyEndTogether_ThenWorkItemsKeepTheirOwnResults) {
  build("found_by_fuzzing.cl", "loops_on_both_ways");
  set(1, cl_int{7});
  EXPECT_EQ(run(kRange, 120), expected(120, [](size_t i) { return i % 40 % 3 == 0 ? 2 * 1000 + 4 : 100 * 1000 + 7; }));
}

TEST_F(KernelRunner, GivenSumsBeyondTheirType_WhenWidened_ThenTheyHaveWrappedBefore) {
  constexpr cl_int kValue = 836785109;
  build("found_by_fuzzing.cl", "sums_that_wrap");
  set(1, kValue);
  auto sign_of = [](size_t terms) { return static_cast<cl_int>(static_cast<cl_uint>(terms * kValue)) < 0 ? -1 : 0; };
  EXPECT_EQ(run(kRange, 120),
            expected(120, [&](size_t i) { return static_cast<size_t>(sign_of(i % 40 + 1) + 10 * sign_of(40)); }));
}

}  // namespace
}  // namespace upsweep::tests
