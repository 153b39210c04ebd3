// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers and polling.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

// Sizes around sub-groups of 4 to 16 lanes: one, a part, several and a part, many.
const size_t kLocalSizes[] = {1, 3, 16, 20, 64, 257};

TEST_F(KernelRunner, GivenBarriersInALoop_WhenRun_ThenEveryRoundSeesTheOneBefore) {
  build("waits.cl", "reverse_often");
  for (size_t local : kLocalSizes) {
    set_local(1, local * sizeof(cl_int));
    std::vector<size_t> values(local, 0);
    for (size_t round = 0; round < 3; ++round) {
      std::vector<size_t> tile(local);
      for (size_t i = 0; i < local; ++i) tile[i] = i * 10 + round + values[i];
      for (size_t i = 0; i < local; ++i) values[i] = tile[local - 1 - i];
    }
    EXPECT_EQ(run({{3 * local, 1, 1}, {local, 1, 1}}, 3 * local),
              expected(3 * local, [&](size_t i) { return values[i % local]; }));
  }
}

TEST_F(KernelRunner, GivenBarriersInCalledFunctions_WhenRunInThreeDimensions_ThenTilesRotate) {
  build("waits.cl", "barriers_in_calls");
  for (std::array<size_t, 3> local :
       {std::array<size_t, 3>{5, 3, 2}, {16, 2, 1}, {1, 1, 7}, {1024, 1, 1}, {16, 16, 4}, {4096, 1, 1}, {16, 16, 16}}) {
    if (!fits({local, local})) continue;
    const size_t items = local[0] * local[1] * local[2];
    EXPECT_EQ(run({local, local}, items), expected(items, [&](size_t i) { return (i + 6) % items; }));
  }
}

TEST_F(KernelRunner, GivenWorkGroupsThatLeaveEarly_WhenOthersMeetABarrier_ThenBothEnd) {
  build("waits.cl", "odd_groups_leave");
  for (size_t local : kLocalSizes)
    EXPECT_EQ(run({{4 * local, 1, 1}, {local, 1, 1}}, 4 * local), expected(4 * local, [&](size_t i) {
                const size_t group = i / local;
                return group % 2 ? static_cast<size_t>(-1) : group + 7;
              }));
}

TEST_F(KernelRunner, GivenPrivateArraysAndWideVectors_WhenTheyLiveAcrossBarriers_ThenTheyKeepTheirValues) {
  build("waits.cl", "private_state");
  set(1, cl_int{11});
  for (size_t local : kLocalSizes)
    EXPECT_EQ(run({{local, 1, 1}, {local, 1, 1}}, local), expected(local, [](size_t i) { return i * 780 + 1000 + 2 * i + 3; }));
}

TEST_F(KernelRunner, GivenSubGroupsThatPollTheirSuccessor_WhenRun_ThenAllGetTheirTurn) {
  build("waits.cl", "turns");
  for (size_t local : kLocalSizes) {
    const Range range{{local, 1, 1}, {local, 1, 1}};
    const size_t lanes = sub_group_size(range), sub_groups = (local + lanes - 1) / lanes;
    EXPECT_EQ(run(range, local), expected(local, [&](size_t i) { return sub_groups - i / lanes; }));
  }
}

TEST_F(KernelRunner, GivenAFlagOfTheLastSubGroup_WhenOthersSpinOnIt_ThenTheySeeIt) {
  build("waits.cl", "flag");
  set_local(1, sizeof(cl_int));
  for (size_t local : kLocalSizes)
    EXPECT_EQ(run({{2 * local, 1, 1}, {local, 1, 1}}, 2 * local), expected(2 * local, [](size_t) { return 42; }));
}

}  // namespace
}  // namespace upsweep::tests
