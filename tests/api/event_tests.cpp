// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events, user events, callbacks, profiling.
#include "fixture.h"
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

namespace upsweep::tests {
namespace {

class EventTest : public Fixture {
protected:
  /// A marker that waits for a new user event.
  void make_waiting_marker(cl_command_queue queue) {
    user_ = make_user_event();
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &user_, &marker_), CL_SUCCESS);
  }
  void release() {
    EXPECT_EQ(clReleaseEvent(user_), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(marker_), CL_SUCCESS);
  }
  static void wait_until(const std::atomic<int> &counter, int value) {
    for (int ms = 0; ms < 20000 && counter < value; ++ms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(counter, value);
  }

  cl_event user_ = nullptr;
  cl_event marker_ = nullptr;
};

TEST_F(EventTest, GivenBusyWorkers_WhenWaitingForShortCommands_ThenTheThreadRunsThem) {
  cl_device_exec_capabilities capabilities = 0;
  cl_uint units = 0;
  clGetDeviceInfo(device_, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof(capabilities), &capabilities, nullptr);
  clGetDeviceInfo(device_, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, nullptr);
  if (!(capabilities & CL_EXEC_NATIVE_KERNEL)) GTEST_SKIP() << "the device has no workers on the host";
  struct Gate {
    std::atomic<int> arrived{0};
    std::atomic<bool> is_open{false}, was_late{false};
  } gate;
  auto occupy = [](void *argument) {
    Gate &its_gate = **static_cast<Gate **>(argument);
    its_gate.arrived += 1;
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (!its_gate.is_open && !its_gate.was_late) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (std::chrono::steady_clock::now() > until) its_gate.was_late = true;
    }
  };
  cl_command_queue busy = clCreateCommandQueue(context_, device_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, nullptr);
  Gate *argument = &gate;
  for (cl_uint i = 0; i < units; ++i)
    ASSERT_EQ(clEnqueueNativeKernel(busy, occupy, &argument, sizeof(argument), 0, nullptr, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
  wait_until(gate.arrived, static_cast<int>(units));

  // The write, the copy and the read wait for each other. The thread waits for the read alone.
  std::array<cl_int, 64> source{}, result{};
  source.fill(7);
  cl_mem buffer = clCreateBuffer(context_, CL_MEM_READ_WRITE, sizeof(source) * 2, nullptr, nullptr);
  std::array<cl_event, 3> events{};
  EXPECT_EQ(clEnqueueWriteBuffer(out_of_order_, buffer, CL_FALSE, 0, sizeof(source), source.data(), 0, nullptr, &events[0]),
            CL_SUCCESS);
  EXPECT_EQ(clEnqueueCopyBuffer(out_of_order_, buffer, buffer, 0, sizeof(source), sizeof(source), 1, &events[0], &events[1]),
            CL_SUCCESS);
  EXPECT_EQ(clEnqueueReadBuffer(out_of_order_, buffer, CL_FALSE, sizeof(source), sizeof(result), result.data(), 1, &events[1],
                                &events[2]),
            CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &events[2]), CL_SUCCESS);
  EXPECT_FALSE(gate.was_late);
  EXPECT_EQ(result, source);
  gate.is_open = true;
  EXPECT_EQ(clFinish(busy), CL_SUCCESS);
  for (cl_event event : events) clReleaseEvent(event);
  clReleaseMemObject(buffer);
  clReleaseCommandQueue(busy);
}

TEST_F(EventTest, GivenUserEvent_WhenCompleted_ThenWaitingCommandsRun) {
  make_waiting_marker(in_order_);
  EXPECT_EQ(status_of(user_), CL_SUBMITTED);
  EXPECT_GE(status_of(marker_), CL_SUBMITTED);
  EXPECT_EQ(clSetUserEventStatus(user_, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &marker_), CL_SUCCESS);
  EXPECT_EQ(status_of(marker_), CL_COMPLETE);
  release();
}

TEST_F(EventTest, GivenUserEvent_WhenItFails_ThenTheErrorSpreads) {
  make_waiting_marker(out_of_order_);
  cl_event second = nullptr;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(out_of_order_, 1, &marker_, &second), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(user_, -7), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(status_of(user_), -7);
  EXPECT_EQ(status_of(marker_), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(status_of(second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(clFinish(out_of_order_), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(second), CL_SUCCESS);
  release();
}

TEST_F(EventTest, GivenUserEvent_WhenSetTwiceOrWrongly_ThenErrors) {
  make_waiting_marker(in_order_);
  EXPECT_EQ(clSetUserEventStatus(user_, CL_RUNNING), CL_INVALID_VALUE);
  EXPECT_EQ(clSetUserEventStatus(marker_, CL_COMPLETE), CL_INVALID_EVENT);
  EXPECT_EQ(clSetUserEventStatus(user_, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(user_, CL_COMPLETE), CL_INVALID_OPERATION);
  release();
}

TEST_F(EventTest, GivenEvent_WhenQueried_ThenItNamesItsCommand) {
  make_waiting_marker(in_order_);
  EXPECT_EQ(value_of<cl_command_queue>(clGetEventInfo, marker_, CL_EVENT_COMMAND_QUEUE), in_order_);
  EXPECT_EQ(value_of<cl_command_queue>(clGetEventInfo, user_, CL_EVENT_COMMAND_QUEUE), nullptr);
  EXPECT_EQ(value_of<cl_context>(clGetEventInfo, marker_, CL_EVENT_CONTEXT), context_);
  EXPECT_EQ(value_of<cl_command_type>(clGetEventInfo, marker_, CL_EVENT_COMMAND_TYPE), cl_command_type{CL_COMMAND_MARKER});
  EXPECT_EQ(value_of<cl_command_type>(clGetEventInfo, user_, CL_EVENT_COMMAND_TYPE), cl_command_type{CL_COMMAND_USER});
  EXPECT_EQ(value_of<cl_uint>(clGetEventInfo, marker_, CL_EVENT_REFERENCE_COUNT), 1u);
  EXPECT_EQ(clSetUserEventStatus(user_, CL_COMPLETE), CL_SUCCESS);
  release();
}

TEST_F(EventTest, GivenBadArguments_WhenWaited_ThenErrors) {
  EXPECT_EQ(clWaitForEvents(0, nullptr), CL_INVALID_VALUE);
  cl_event event = make_user_event(), other = nullptr;
  cl_event with_queue[] = {event, reinterpret_cast<cl_event>(in_order_)};
  EXPECT_EQ(clWaitForEvents(2, with_queue), CL_INVALID_EVENT);
  cl_context context = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  other = clCreateUserEvent(context, nullptr);
  cl_event of_two_contexts[] = {event, other};
  EXPECT_EQ(clWaitForEvents(2, of_two_contexts), CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(in_order_, 1, &other, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(in_order_, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(in_order_, 0, &other, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(other), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

std::atomic<int> calls;
std::atomic<int> last_status;
void CL_CALLBACK count_call(cl_event, cl_int status, void *) {
  last_status = status;
  ++calls;
}

TEST_F(EventTest, GivenCallbacks_WhenTheCommandEnds_ThenEachIsCalledOnce) {
  calls = 0;
  make_waiting_marker(in_order_);
  for (cl_int trigger : {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE})
    EXPECT_EQ(clSetEventCallback(marker_, trigger, count_call, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetEventCallback(marker_, CL_QUEUED, count_call, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetEventCallback(marker_, CL_COMPLETE, nullptr, nullptr), CL_INVALID_VALUE);
  wait_until(calls, 1);
  EXPECT_EQ(last_status, CL_SUBMITTED);
  EXPECT_EQ(clSetUserEventStatus(user_, CL_COMPLETE), CL_SUCCESS);
  wait_until(calls, 3);
  EXPECT_EQ(last_status, CL_COMPLETE);
  EXPECT_EQ(clSetEventCallback(marker_, CL_COMPLETE, count_call, nullptr), CL_SUCCESS);
  wait_until(calls, 4);
  release();
}

TEST_F(EventTest, GivenCallback_WhenTheCommandFails_ThenItGetsTheError) {
  calls = 0;
  make_waiting_marker(in_order_);
  EXPECT_EQ(clSetEventCallback(marker_, CL_COMPLETE, count_call, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(user_, -1), CL_SUCCESS);
  wait_until(calls, 1);
  EXPECT_EQ(last_status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  release();
}

TEST_F(EventTest, GivenProfilingQueue_WhenTheCommandIsComplete_ThenTimesAscend) {
  make_waiting_marker(in_order_);
  cl_ulong time = 0;
  EXPECT_EQ(clGetEventProfilingInfo(marker_, CL_PROFILING_COMMAND_QUEUED, sizeof(time), &time, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
  EXPECT_EQ(clSetUserEventStatus(user_, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &marker_), CL_SUCCESS);
  cl_ulong before = 1;
  for (cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
                                 CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
    time = value_of<cl_ulong>(clGetEventProfilingInfo, marker_, name);
    EXPECT_GE(time, before);
    before = time;
  }
  EXPECT_EQ(clGetEventProfilingInfo(user_, CL_PROFILING_COMMAND_END, sizeof(time), &time, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
  release();
}

TEST_F(EventTest, GivenLongChain_WhenItsFirstEventCompletes_ThenAllComplete) {
  // Long enough that one stack frame per marker would overflow an 8 MiB stack.
  constexpr int kLength = 100000;
  make_waiting_marker(in_order_);
  for (int i = 0; i < kLength; ++i) ASSERT_EQ(clEnqueueMarkerWithWaitList(in_order_, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(user_, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  release();
}

}  // namespace
}  // namespace upsweep::tests
