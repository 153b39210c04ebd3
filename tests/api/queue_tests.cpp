// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command queues.
#include "fixture.h"

namespace upsweep::tests {
namespace {

using QueueTest = Fixture;

TEST_F(QueueTest, GivenProperties_WhenAskedBack_ThenTheyAreWhatWasGiven) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context_, device_, list, nullptr);
  cl_queue_properties back[3] = {};
  EXPECT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof(back), back, nullptr), CL_SUCCESS);
  EXPECT_EQ(std::memcmp(back, list, sizeof(list)), 0);
  EXPECT_EQ(value_of<cl_command_queue_properties>(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES),
            cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE});
  EXPECT_EQ(value_of<cl_context>(clGetCommandQueueInfo, queue, CL_QUEUE_CONTEXT), context_);
  EXPECT_EQ(value_of<cl_device_id>(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE), device_);
  EXPECT_EQ(value_of<cl_uint>(clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT), 1u);
  cl_uint size = 0;
  EXPECT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof(size), &size, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
}

TEST_F(QueueTest, GivenBadProperties_WhenCreated_ThenErrors) {
  struct Case {
    cl_queue_properties list[5];
    cl_int error;
  };
  const Case cases[] = {
      {{CL_QUEUE_PROPERTIES, 1 << 20, 0}, CL_INVALID_VALUE},
      {{0x7777, 1, 0}, CL_INVALID_VALUE},
      {{CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}, CL_INVALID_VALUE},
      {{CL_QUEUE_SIZE, 1024, 0}, CL_INVALID_VALUE},
      {{CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE_DEFAULT, 0}, CL_INVALID_VALUE},
      {{CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0, 0}, CL_INVALID_VALUE},
  };
  for (const Case &bad : cases) {
    cl_int error = 0;
    EXPECT_EQ(clCreateCommandQueueWithProperties(context_, device_, bad.list, &error), nullptr);
    EXPECT_EQ(error, bad.error) << bad.list[0] << ", " << bad.list[1];
  }
  cl_int error = 0;
  EXPECT_EQ(clCreateCommandQueueWithProperties(context_, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
}

TEST_F(QueueTest, GivenAnotherKindOfHandle_WhenUsedAsDevice_ThenInvalidDevice) {
  cl_int error = 0;
  EXPECT_EQ(clCreateCommandQueueWithProperties(context_, reinterpret_cast<cl_device_id>(in_order_), nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
}

TEST_F(QueueTest, GivenQueue_WhenPropertyIsChanged_ThenInvalidOperation) {
  EXPECT_EQ(clSetCommandQueueProperty(in_order_, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr), CL_INVALID_OPERATION);
}

TEST_F(QueueTest, GivenPendingCommands_WhenQueueIsReleased_ThenTheyStillRun) {
  cl_command_queue queue = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
  cl_event user = make_user_event(), marker = nullptr;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &user, &marker), CL_SUCCESS);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &marker), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(user), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(marker), CL_SUCCESS);
}

}  // namespace
}  // namespace upsweep::tests
