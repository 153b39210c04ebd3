// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process in which no thread can be started. This is a program of its own, since the driver starts its threads once.
#include "../tested_device.h"
#include "failing_system.h"
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <thread>
#include <vector>

namespace upsweep::tests {
namespace {

TEST(ThreadShortage, GivenNoThreadsAtFirst_WhenCommandsAreEnqueued_ThenErrorsTellUntilThereAreSome) {
  if (tests_a_gpu()) GTEST_SKIP() << "the CUDA driver has threads of its own";
  std::optional<NoThreads> shortage(std::in_place);
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr), CL_SUCCESS);
  cl_int error = -1;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  cl_mem buffer = clCreateBuffer(context, 0, 64, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  const int value = 7;
  cl_event event = nullptr;
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, 64, 0, nullptr, &event), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(event, nullptr);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  // A command that waits for an event needs a thread only later, and then ends with the error.
  cl_event gate = clCreateUserEvent(context, &error);
  ASSERT_EQ(clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, 64, 1, &gate, &event), CL_SUCCESS);
  auto call = [](cl_event, cl_int, void *flag) { *static_cast<std::atomic<bool> *>(flag) = true; };
  std::atomic<bool> is_called{false};
  EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, call, &is_called), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  cl_int status = 0;
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
  EXPECT_EQ(status, CL_OUT_OF_RESOURCES);

  shortage.reset();
  std::vector<int> values(16, 0);
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, 64, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 64, values.data(), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(values, std::vector<int>(16, 7));
  EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, call, &is_called), CL_SUCCESS);
  for (int ms = 0; ms < 20000 && !is_called; ++ms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(is_called);
  for (cl_event old : {gate, event}) clReleaseEvent(old);
  clReleaseMemObject(buffer);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

}  // namespace
}  // namespace upsweep::tests
