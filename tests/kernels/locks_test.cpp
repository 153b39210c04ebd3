// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks for which all work-items of several sub-groups and work-groups contend. tests/fuzz/wait_fuzz has many more forms.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

constexpr size_t kLocks[] = {1, 3};

class Locks : public KernelRunner, public testing::WithParamInterface<const char *> {
protected:
  void add_behind_locks(const std::string &memory, size_t num_locks) {
    const std::string options =
        "-cl-std=CL3.0 -DMEMORY=" + memory + " -DLOCKS=" + std::to_string(num_locks) + " -DFORM=" + GetParam();
    build("locks.cl", "locks", options.c_str());
    for (const size_t local : {1, 20, 64}) {
      const Range range{{6 * local, 1, 1}, {local, 1, 1}};
      std::vector<cl_int> wanted(num_locks), got = run(range, 4 * num_locks, 0);
      for (size_t i = 0; i < range.global[0]; ++i)
        for (size_t round = 0; round < 2; ++round) wanted[(i + round) % num_locks] += static_cast<cl_int>(i % 5 + 1);
      const size_t first = memory == "local" ? 0 : 3 * num_locks;
      EXPECT_EQ(std::vector(got.begin() + first, got.begin() + first + num_locks), wanted) << local << " work-items";
    }
    release();
  }
};

TEST_P(Locks, GivenLocksInGlobalMemory_WhenAllWorkItemsContend_ThenEachGetsIt) {
  for (const size_t locks : kLocks)
    if (locks > 1 || GetParam() != std::string("pair")) add_behind_locks("global", locks);
}

TEST_P(Locks, GivenLocksInLocalMemory_WhenAllWorkItemsContend_ThenEachGetsIt) {
  for (const size_t locks : kLocks)
    if (locks > 1 || GetParam() != std::string("pair")) add_behind_locks("local", locks);
}

INSTANTIATE_TEST_SUITE_P(Forms, Locks, testing::Values("behind", "inside", "try_lock", "ticket", "flag", "exchange", "pair"),
                         [](const auto &info) { return std::string(info.param); });

}  // namespace
}  // namespace upsweep::tests
