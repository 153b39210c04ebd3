// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clocks of cl_khr_kernel_clock, by each scope.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

class Clocks : public KernelRunner, public testing::WithParamInterface<const char *> {
protected:
  static constexpr size_t kItems = 1001;

  void expect_everywhere(const char *kernel, cl_int value) {
    for (const char *language : {"-cl-std=CL3.0", "-cl-std=CL2.0"}) {
      release();
      build("clocks.cl", kernel, (std::string(language) + " -DSCOPE=" + GetParam()).c_str());
      for (const size_t local : {77, 1})
        EXPECT_EQ(run({{kItems, 1, 1}, {local, 1, 1}}, kItems), std::vector<cl_int>(kItems, value))
            << kernel << ", " << language;
    }
  }
};

TEST_P(Clocks, GivenAClock_WhenAWorkItemReadsItAgain_ThenItHasMovedForward) { expect_everywhere("ordered", 2); }

TEST_P(Clocks, GivenAClock_WhenWorkItemsWaitForDifferentTimes_ThenEachReturns) { expect_everywhere("wait", 1); }

INSTANTIATE_TEST_SUITE_P(Scopes, Clocks, testing::Values("device", "work_group", "sub_group"),
                         [](const auto &test) { return std::string(test.param); });

}  // namespace
}  // namespace upsweep::tests
