// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of command graphs; and command buffers of devices that run no graphs, so that each command is enqueued.
#include "api/command_buffer_functions.h"
#include "runtime/commands/command_graph.h"
#include "separate_fixture.h"
#include <random>

namespace upsweep::tests {
namespace {

std::vector<std::vector<uint32_t>> lists_of(const Stages &stages) {
  std::vector<std::vector<uint32_t>> lists;
  for (size_t i = 0; i < stages.size(); ++i) lists.emplace_back(stages[i].begin(), stages[i].end());
  return lists;
}

TEST(Stages, GivenNoCommands_WhenClosed_ThenThereAreNone) {
  Stages stages;
  stages.close();
  EXPECT_EQ(stages.size(), 0u);
}

TEST(Stages, GivenAChainAndABranch_WhenClosed_ThenCommandsFollowTheirPredecessors) {
  Stages stages;
  const std::vector<uint32_t> after_0{0}, after_1_and_2{1, 2}, after_3{3};
  stages.add({}, true);              // 0
  stages.add(after_0, true);         // 1
  stages.add({}, true);              // 2
  stages.add(after_1_and_2, false);  // 3, a barrier
  stages.add(after_3, true);         // 4
  stages.add({}, true);              // 5
  stages.close();
  EXPECT_EQ(lists_of(stages), (std::vector<std::vector<uint32_t>>{{0, 2, 5}, {1}, {4}}));
}

constexpr size_t kNumbers = 64;

class SeparateGraph : public SeparateFixture {
protected:
  /// Random additions, and copies between two buffers, in the order of recording.
  void check(cl_command_queue queue, unsigned seed, bool with_points) {
    std::mt19937 random(seed);
    std::vector<std::vector<int>> model = {counting(kNumbers), counting(kNumbers, 1000)};
    const std::vector<cl_mem> buffers = {make_ints(model[0]), make_ints(model[1])};
    cl_int error = -1;
    cl_command_buffer_khr recorded = upsweep::clCreateCommandBufferKHR(1, &queue, nullptr, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    cl_kernel add = make_kernel("add");
    struct Step {
      bool copies;
      size_t to;
      int value;
    };
    std::vector<Step> steps;
    cl_sync_point_khr point = 0;
    for (int i = 0; i < 40; ++i) {
      steps.push_back({random() % 3 == 0, random() % 2, static_cast<int>(random() % 100)});
      const auto &[copies, to, value] = steps.back();
      const cl_sync_point_khr before = point;
      const cl_uint num_points = with_points && before ? 1 : 0;
      const cl_sync_point_khr *points = num_points ? &before : nullptr;
      if (copies) {
        EXPECT_EQ(upsweep::clCommandCopyBufferKHR(recorded, nullptr, nullptr, buffers[1 - to], buffers[to], 0, 0,
                                                  kNumbers * sizeof(int), num_points, points, &point, nullptr),
                  CL_SUCCESS);
        continue;
      }
      clSetKernelArg(add, 0, sizeof(cl_mem), &buffers[to]);
      clSetKernelArg(add, 1, sizeof value, &value);
      EXPECT_EQ(upsweep::clCommandNDRangeKernelKHR(recorded, nullptr, nullptr, add, 1, nullptr, &kNumbers, nullptr, num_points,
                                                   points, &point, nullptr),
                CL_SUCCESS);
    }
    EXPECT_EQ(upsweep::clFinalizeCommandBufferKHR(recorded), CL_SUCCESS);
    devices().first->is_halted = true;
    cl_event done = nullptr;
    for (int round = 0; round < 3; ++round) {
      for (const auto &[copies, to, value] : steps)
        for (size_t i = 0; i < kNumbers; ++i) model[to][i] = copies ? model[1 - to][i] : model[to][i] + value;
      cl_event before = done;
      EXPECT_EQ(upsweep::clEnqueueCommandBufferKHR(0, nullptr, recorded, before ? 1 : 0, before ? &before : nullptr, &done),
                CL_SUCCESS);
      if (before) EXPECT_EQ(clReleaseEvent(before), CL_SUCCESS);
    }
    EXPECT_EQ(upsweep::clReleaseCommandBufferKHR(recorded), CL_SUCCESS);
    devices().first->is_halted = false;
    EXPECT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
    for (size_t i = 0; i < 2; ++i) EXPECT_EQ(read(queue, buffers[i]), model[i]) << i;
  }
};

TEST_F(SeparateGraph, GivenAnInOrderQueue_WhenReplayed_ThenResultsAreTheModels) {
  for (unsigned seed = 1; seed < 6; ++seed) check(queues_[kFirst], seed, false);
}

TEST_F(SeparateGraph, GivenAnOutOfOrderQueue_WhenReplayed_ThenSyncPointsHold) {
  open({kFirst}, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (unsigned seed = 11; seed < 16; ++seed) check(queues_[kFirst], seed, true);
}

TEST_F(SeparateGraph, GivenMemoryOfAnotherDevice_WhenTheCpuRunsAGraph_ThenItSeesTheNewestBytes) {
  cl_mem data = make_ints(counting(kNumbers));
  ASSERT_EQ(add(queues_[kFirst], data, 5), CL_SUCCESS);
  ASSERT_EQ(clFinish(queues_[kFirst]), CL_SUCCESS);
  cl_int error = -1;
  cl_command_buffer_khr recorded = upsweep::clCreateCommandBufferKHR(1, &queues_[kCpu], nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  const int pattern = 9;
  EXPECT_EQ(upsweep::clCommandFillBufferKHR(recorded, nullptr, nullptr, data, &pattern, 4, 0, 8, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(upsweep::clFinalizeCommandBufferKHR(recorded), CL_SUCCESS);
  EXPECT_EQ(upsweep::clEnqueueCommandBufferKHR(0, nullptr, recorded, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queues_[kCpu]), CL_SUCCESS);
  std::vector<int> expected = counting(kNumbers, 5);
  expected[0] = expected[1] = 9;
  EXPECT_EQ(read(queues_[kFirst], data), expected);
  EXPECT_EQ(upsweep::clReleaseCommandBufferKHR(recorded), CL_SUCCESS);
}

TEST_F(SeparateGraph, GivenAFailedWaitList_WhenReplayed_ThenNothingRuns) {
  cl_mem data = make_ints(counting(kNumbers));
  cl_kernel kernel = make_kernel("add");
  const int value = 3;
  clSetKernelArg(kernel, 0, sizeof data, &data);
  clSetKernelArg(kernel, 1, sizeof value, &value);
  cl_int error = -1;
  cl_command_buffer_khr recorded = upsweep::clCreateCommandBufferKHR(1, &queues_[kFirst], nullptr, &error);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(upsweep::clCommandNDRangeKernelKHR(recorded, nullptr, nullptr, kernel, 1, nullptr, &kNumbers, nullptr, 0, nullptr,
                                                 nullptr, nullptr),
              CL_SUCCESS);
  EXPECT_EQ(upsweep::clFinalizeCommandBufferKHR(recorded), CL_SUCCESS);
  cl_event gate = clCreateUserEvent(context_, &error), done = nullptr;
  EXPECT_EQ(upsweep::clEnqueueCommandBufferKHR(0, nullptr, recorded, 1, &gate, &done), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, -5), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &done), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(read(queues_[kFirst], data), counting(kNumbers));
  clReleaseEvent(gate);
  clReleaseEvent(done);
  EXPECT_EQ(upsweep::clReleaseCommandBufferKHR(recorded), CL_SUCCESS);
}

}  // namespace
}  // namespace upsweep::tests
