// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command buffers of GPU devices: as CUDA graphs, which are updated in place, and by enqueues where a command needs the host.
#include "../../sanitizer.h"
#include "graphs_fixture.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace upsweep::tests {
namespace {

TEST_F(GpuGraphs, GivenAChainOfKernels_WhenEnqueuedWithCommandsAround_ThenTheOrderHolds) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_);
  for (int i = 0; i < 1000; ++i) record_add(buffer, data, 1);
  finalize(buffer);
  for (int i = 0; i < 5; ++i) {
    enqueue(buffer);
    EXPECT_EQ(add(queue_, data, 10, kItems), CL_SUCCESS);
  }
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 5050));
  if (fake()) EXPECT_EQ(fake()->graphs, 1u);
  release(buffer);
}

TEST_F(GpuGraphs, GivenLongCopies_WhenRun_ThenAllBytesArrive) {
  const size_t count = kSanitized ? 300'001 : 3'000'001;
  const std::vector<int> values = counting(count);
  cl_mem from = make_ints(values), to = make_ints(std::vector<int>(count, 0));
  cl_command_buffer_khr buffer = create(queue_);
  EXPECT_EQ(cl_.clCommandCopyBufferKHR(buffer, nullptr, nullptr, from, to, 0, 0, 4 * count, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  finalize(buffer);
  enqueue(buffer);
  EXPECT_EQ(read(queue_, to, count), values);
  release(buffer);
}

TEST_F(GpuGraphs, GivenNoCommandsOrNoWork_WhenEnqueued_ThenTheEventCompletes) {
  cl_mem data = make_ints(std::vector<int>(kItems, 1));
  for (const bool has_kernel : {false, true}) {
    cl_command_buffer_khr buffer = create(queue_);
    if (has_kernel) record_add(buffer, data, 1, 0);
    finalize(buffer);
    cl_event event = nullptr;
    enqueue(buffer, {}, &event);
    EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    EXPECT_EQ(status_of(event), CL_COMPLETE);
    clReleaseEvent(event);
    release(buffer);
  }
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 1));
}

TEST_F(GpuGraphs, GivenUpdates_WhenEnqueued_ThenTheGraphIsUpdatedInPlace) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0)), other = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_, CL_COMMAND_BUFFER_MUTABLE_KHR);
  const cl_mutable_command_khr command = record_add(buffer, data, 1).handle;
  record_add(buffer, data, 1000);
  finalize(buffer);
  const size_t made = fake() ? fake()->graphs_made.load() : 0, updated = fake() ? fake()->nodes_updated.load() : 0;
  for (int i = 1; i <= 10; ++i) {
    EXPECT_EQ(set_value(buffer, command, i), CL_SUCCESS);
    enqueue(buffer);
  }
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 10055));
  const size_t half = kItems / 2;
  const MutableDispatchArgument argument{0, sizeof other, &other};
  EXPECT_EQ(update(buffer, {.command = command, .num_args = 1, .arg_list = &argument, .global_work_size = &half}), CL_SUCCESS);
  enqueue(buffer);
  std::vector<int> expected(kItems, 0);
  std::fill_n(expected.begin(), half, 10);
  EXPECT_EQ(read(queue_, other, kItems), expected);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 11055));
  if (fake()) {
    EXPECT_EQ(fake()->graphs_made, made);
    EXPECT_EQ(fake()->nodes_updated, updated + 11);
  }
  release(buffer);
}

TEST_F(GpuGraphs, GivenUpdatesThatNeedOtherNodes_WhenEnqueued_ThenThereIsANewGraph) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_, CL_COMMAND_BUFFER_MUTABLE_KHR);
  const cl_mutable_command_khr command = record_add(buffer, data, 1).handle;
  record_add(buffer, data, 100);
  finalize(buffer);
  enqueue(buffer);
  for (const size_t items : {size_t{0}, kItems, size_t{0}}) {
    EXPECT_EQ(update(buffer, {.command = command, .global_work_size = &items}), CL_SUCCESS);
    enqueue(buffer);
  }
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 402));
  if (fake()) {
    // The driver may also reject an update.
    const size_t made = fake()->graphs_made, items = kItems;
    EXPECT_EQ(update(buffer, {.command = command, .global_work_size = &items}), CL_SUCCESS);
    enqueue(buffer);
    fake()->refuses_updates = true;
    EXPECT_EQ(set_value(buffer, command, 5), CL_SUCCESS);
    enqueue(buffer);
    EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 608));
    fake()->refuses_updates = false;
    EXPECT_EQ(fake()->graphs_made, made + 2);
  }
  release(buffer);
}

TEST_F(GpuGraphs, GivenPendingEnqueues_WhenUpdated_ThenEachRunHasItsOwnArguments) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  const cl_mutable_command_khr command = record_add(buffer, data, 1).handle;
  finalize(buffer);
  move({data});
  // The first enqueue runs last, with its own arguments.
  cl_int error = -1;
  cl_event user = clCreateUserEvent(context_, &error);
  cl_command_queue later = make_queue(gpus_[0], 0);
  ASSERT_EQ(cl_.clEnqueueCommandBufferKHR(1, &later, buffer, 1, &user, nullptr), CL_SUCCESS);
  if (fake()) fake()->is_halted = true;
  for (int value : {10, 100, 1000}) {
    EXPECT_EQ(set_value(buffer, command, value), CL_SUCCESS);
    enqueue(buffer);
  }
  if (fake()) fake()->is_halted = false;
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 1110));
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(later), CL_SUCCESS);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 1111));
  clReleaseEvent(user);
  release(buffer);
}

TEST_F(GpuGraphs, GivenThreads_WhenTheyUpdateAndEnqueue_ThenEachRunIsWhole) {
  constexpr int kThreads = 4, kRuns = 100;
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  const cl_mutable_command_khr command = record_add(buffer, data, 1).handle;
  record_add(buffer, data, 2);
  finalize(buffer);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      const size_t items = kItems;
      for (int i = 0; i < kRuns; ++i) {
        // Changes of the same values, so that the sum does not depend on the order.
        wrong += (t % 2 ? update(buffer, {.command = command, .global_work_size = &items}) : set_value(buffer, command, 1)) !=
                 CL_SUCCESS;
        wrong += cl_.clEnqueueCommandBufferKHR(0, nullptr, buffer, 0, nullptr, nullptr) != CL_SUCCESS;
      }
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 3 * kThreads * kRuns));
  release(buffer);
}

TEST_F(GpuGraphs, GivenSimultaneousUse_WhenEnqueuedOnSeveralQueues_ThenEachRuns) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_queue queues[] = {make_queue(gpus_[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), make_queue(gpus_[0], 0)};
  cl_command_buffer_khr buffer = create(queues[0], CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  record_add(buffer, data, 1);
  finalize(buffer);
  cl_event last = nullptr;
  for (int i = 0; i < 100; ++i) {
    cl_event event = nullptr;
    EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(1, &queues[i % 2], buffer, last ? 1 : 0, last ? &last : nullptr, &event),
              CL_SUCCESS);
    if (last) clReleaseEvent(last);
    last = event;
  }
  EXPECT_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
  clReleaseEvent(last);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 100));
  release(buffer);
}

TEST_F(GpuGraphs, GivenTwoDevices_WhenTheyUseTheMemoryInTurn_ThenEachSeesTheOthersBytes) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_queue on_cpu = make_queue(cpu_, 0);
  cl_command_buffer_khr buffer = create(queue_);
  record_add(buffer, data, 1);
  finalize(buffer);
  for (int i = 0; i < 10; ++i) {
    cl_event events[2] = {};
    enqueue(buffer, {}, &events[0]);
    EXPECT_EQ(add(on_cpu, data, 10, kItems, {events[0]}, &events[1]), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &events[1]), CL_SUCCESS);
    for (cl_event event : events) clReleaseEvent(event);
  }
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 110));
  release(buffer);
}

TEST_F(GpuGraphs, GivenAPendingEnqueue_WhenEverythingIsReleased_ThenItRuns) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0)), result = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_);
  const cl_sync_point_khr point = record_add(buffer, data, 9).point;
  record(buffer, make_kernel("copy", data, result), kItems, {point});
  finalize(buffer);
  move({data, result});
  if (fake()) fake()->is_halted = true;
  enqueue(buffer);
  release(buffer);
  buffers_.erase(std::ranges::find(buffers_, data));
  clReleaseMemObject(data);
  if (fake()) {
    EXPECT_EQ(fake()->graphs, 1u);
    fake()->is_halted = false;
  }
  EXPECT_EQ(read(queue_, result, kItems), std::vector<int>(kItems, 9));
}

TEST_F(GpuGraphs, GivenAFailedWaitList_WhenEnqueued_ThenNothingRunsAndTheOldBytesStay) {
  cl_mem data = make_ints(std::vector<int>(kItems, 7));
  cl_command_buffer_khr buffer = create(queue_);
  const int zero = 0;
  EXPECT_EQ(cl_.clCommandFillBufferKHR(buffer, nullptr, nullptr, data, &zero, 4, 0, 4 * kItems, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  finalize(buffer);
  cl_int error = -1;
  cl_event user = clCreateUserEvent(context_, &error), event = nullptr;
  enqueue(buffer, {user}, &event);
  EXPECT_EQ(clSetUserEventStatus(user, -5), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_LT(status_of(event), 0);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 7));
  clReleaseEvent(event);
  clReleaseEvent(user);
  release(buffer);
}

TEST_F(GpuGraphs, GivenProfiling_WhenRun_ThenTheTimesAreInOrder) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_queue queue = make_queue(gpus_[0], CL_QUEUE_PROFILING_ENABLE);
  cl_command_buffer_khr buffer = create(queue);
  for (int i = 0; i < 10; ++i) record_add(buffer, data, 1);
  finalize(buffer);
  cl_event event = nullptr;
  enqueue(buffer, {}, &event);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  cl_command_type type = 0;
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, cl_command_type{CL_COMMAND_COMMAND_BUFFER_KHR});
  std::array<cl_ulong, 4> times{};
  const cl_profiling_info kNames[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
                                      CL_PROFILING_COMMAND_END};
  for (size_t i = 0; i < times.size(); ++i)
    EXPECT_EQ(clGetEventProfilingInfo(event, kNames[i], sizeof times[i], &times[i], nullptr), CL_SUCCESS);
  EXPECT_TRUE(std::ranges::is_sorted(times)) << times[0] << ' ' << times[1] << ' ' << times[2] << ' ' << times[3];
  clReleaseEvent(event);
  release(buffer);
}

TEST_F(GpuGraphs, GivenAKernelThatPrints_WhenRun_ThenTheCommandsAreEnqueued) {
  const char *source = R"(
    kernel void add(global int *data, int value) {
      if (value == 0) printf("%d\n", data[0]);
      data[get_global_id(0)] += value;
    })";
  cl_program program = clCreateProgramWithSource(context_, 1, &source, nullptr, nullptr);
  ASSERT_EQ(clBuildProgram(program, 1, gpus_.data(), "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_);
  record_add(buffer, data, 1);
  record(buffer, make_kernel("add", data, 10, program), kItems);
  finalize(buffer);
  const auto before = fake() ? launches() : std::array<size_t, 2>();
  for (int i = 0; i < 3; ++i) enqueue(buffer);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 33));
  if (fake()) EXPECT_EQ(launches(), (std::array{before[0], before[1] + 6}));
  if (fake()) kept_ = fake()->allocations - 1;  // without `data`
  release(buffer);
  clReleaseProgram(program);
}

TEST_F(GpuGraphs, GivenADriverThatRefusesNodes_WhenRun_ThenTheCommandsAreEnqueued) {
  if (!fake()) GTEST_SKIP() << "the driver in software alone refuses nodes";
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_);
  for (int i = 0; i < 4; ++i) record_add(buffer, data, 1);
  fake()->refuses_nodes = true;
  finalize(buffer);
  const auto before = launches();
  for (int i = 0; i < 3; ++i) enqueue(buffer);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 12));
  fake()->refuses_nodes = false;
  EXPECT_EQ(launches(), (std::array{before[0], before[1] + 12}));
  release(buffer);
}

}  // namespace
}  // namespace upsweep::tests
