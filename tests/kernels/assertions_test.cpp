// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions of kernels: nothing happens where they hold; a failed one prints one message and ends the process by SIGABRT.
#include "kernel_runner.h"

#include <csignal>

namespace upsweep::tests {
namespace {

constexpr Range kRange{{50, 3, 1}, {10, 1, 1}};
constexpr cl_int kItems = 150;

class AssertionTest : public KernelRunner {
protected:
  void SetUp() override {
    KernelRunner::SetUp();
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // the driver has threads
  }
};

TEST_F(AssertionTest, GivenAssertions_WhenTheyHold_ThenTheKernelEnds) {
  build("assertions.cl", "assertions");
  set(1, kItems);
  std::vector<cl_int> expected(kItems);
  for (cl_int i = 0; i < kItems; ++i) expected[static_cast<size_t>(i)] = 2 * i;
  EXPECT_EQ(run(kRange, kItems), expected);
}

TEST_F(AssertionTest, GivenOneAssertion_WhenItFails_ThenItsWorkItemIsNamedAndTheProcessEnds) {
  build("assertions.cl", "assertions");
  set(1, kItems - 1);  // the last work-item fails
  EXPECT_EXIT(run(kRange, kItems), testing::KilledBySignal(SIGABRT),
              tests_a_gpu() ? "here.cpp:12: check: block: .4,2,0., thread: .9,0,0. Assertion `x < limit` failed"
                            : "here.cpp:12: check: global id: .49,2,0., local id: .9,0,0. Assertion `x < limit` failed");
}

TEST_F(AssertionTest, GivenManyAssertions_WhenTheyFail_ThenTheProcessEnds) {
  build("assertions.cl", "assertions");
  set(1, 0);
  EXPECT_EXIT(run(kRange, kItems), testing::KilledBySignal(SIGABRT), "Assertion `x < limit` failed");
}

}  // namespace
}  // namespace upsweep::tests
