// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common fixture of tests of the entry points: the platform, the tested device, a context and queues.
#ifndef UPSWEEP_TESTS_API_FIXTURE_H
#define UPSWEEP_TESTS_API_FIXTURE_H

#include "../tested_device.h"
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace upsweep::tests {

class Fixture : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(clGetPlatformIDs(1, &platform_, nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform_, tested_device_type(), 1, &device_, nullptr), CL_SUCCESS);
    cl_int error = -1;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    in_order_ = make_queue(CL_QUEUE_PROFILING_ENABLE);
    out_of_order_ = make_queue(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  }

  void TearDown() override {
    EXPECT_EQ(clReleaseCommandQueue(in_order_), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(out_of_order_), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context_), CL_SUCCESS);
  }

  cl_command_queue make_queue(cl_command_queue_properties bits) {
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, bits, 0};
    cl_int error = -1;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context_, device_, properties, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return queue;
  }

  cl_event make_user_event() {
    cl_int error = -1;
    cl_event event = clCreateUserEvent(context_, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return event;
  }

  bool runs_native_kernels() const {
    return figure_of<cl_device_exec_capabilities>(device_, CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_NATIVE_KERNEL;
  }
  size_t max_work_group_size() const { return figure_of<size_t>(device_, CL_DEVICE_MAX_WORK_GROUP_SIZE); }

  static cl_int status_of(cl_event event) {
    cl_int status = 1000;
    EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr), CL_SUCCESS);
    return status;
  }

  cl_platform_id platform_ = nullptr;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue in_order_ = nullptr;
  cl_command_queue out_of_order_ = nullptr;
};

/// The text of a string query.
template <typename Function, typename Handle, typename Name>
std::string text_of(Function query, Handle handle, Name name) {
  size_t bytes = 0;
  EXPECT_EQ(query(handle, name, 0, nullptr, &bytes), CL_SUCCESS);
  std::string text(bytes, 'x');
  EXPECT_EQ(query(handle, name, bytes, text.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(text.back(), '\0');
  text.pop_back();
  return text;
}

/// The value of a query with a fixed size.
template <typename T, typename Function, typename Handle, typename Name>
T value_of(Function query, Handle handle, Name name) {
  T value{};
  size_t bytes = 0;
  EXPECT_EQ(query(handle, name, sizeof(T), &value, &bytes), CL_SUCCESS) << "query " << name;
  EXPECT_EQ(bytes, sizeof(T)) << "query " << name;
  return value;
}

}  // namespace upsweep::tests
#endif
