// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clocks of cl_khr_kernel_clock, by each scope that the device has.
#include "base/opencl_3_1.h"
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

struct Clock {
  const char *scope;
  cl_bitfield capability;
};

void PrintTo(const Clock &clock, std::ostream *out) { *out << clock.scope; }

class Clocks : public KernelRunner, public testing::WithParamInterface<Clock> {
protected:
  static constexpr size_t kItems = 1001;

  void SetUp() override {
    KernelRunner::SetUp();
    const auto known = figure_of<cl_bitfield>(device_, CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR);
    if (!(known & GetParam().capability)) {
      ASSERT_TRUE(tests_a_gpu()) << "CPU devices have all clocks";
      GTEST_SKIP() << "the device has no clock of the scope " << GetParam().scope;
    }
  }

  void expect_everywhere(const char *kernel, cl_int value) {
    for (const char *language : {"-cl-std=CL3.0", "-cl-std=CL2.0"}) {
      release();
      build("clocks.cl", kernel, (std::string(language) + " -DSCOPE=" + GetParam().scope).c_str());
      for (const size_t local : {77, 1})
        EXPECT_EQ(run({{kItems, 1, 1}, {local, 1, 1}}, kItems), std::vector<cl_int>(kItems, value))
            << kernel << ", " << language;
    }
  }
};

TEST_P(Clocks, GivenAClock_WhenAWorkItemReadsItAgain_ThenItHasMovedForward) { expect_everywhere("ordered", 2); }

TEST_P(Clocks, GivenAClock_WhenWorkItemsWaitForDifferentTimes_ThenEachReturns) { expect_everywhere("wait", 1); }

INSTANTIATE_TEST_SUITE_P(Scopes, Clocks,
                         testing::Values(Clock{"device", CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR},
                                         Clock{"work_group", CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR},
                                         Clock{"sub_group", CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR}),
                         [](const auto &test) { return std::string(test.param.scope); });

}  // namespace
}  // namespace upsweep::tests
