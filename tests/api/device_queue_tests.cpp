// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues on the device. tests/kernels/enqueue_test.cpp tests their use by kernels.
#include "fixture.h"

namespace upsweep::tests {
namespace {

constexpr cl_queue_properties kOnDevice = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

class DeviceQueueTest : public Fixture {
protected:
  void SetUp() override {
    Fixture::SetUp();
    if (!value_of<cl_device_device_enqueue_capabilities>(clGetDeviceInfo, device_, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES)) {
      EXPECT_EQ(make(kOnDevice), CL_INVALID_QUEUE_PROPERTIES);
      GTEST_SKIP() << "the device has no queues";
    }
  }
  void TearDown() override {
    for (cl_command_queue queue : queues_) EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
    Fixture::TearDown();
  }

  cl_int make(cl_queue_properties properties) { return make({CL_QUEUE_PROPERTIES, properties, 0}); }
  cl_int make(std::vector<cl_queue_properties> list) {
    cl_int error = -1;
    const cl_command_queue queue = clCreateCommandQueueWithProperties(context_, device_, list.data(), &error);
    EXPECT_EQ(queue != nullptr, error == CL_SUCCESS);
    if (queue) queues_.push_back(queue);
    return error;
  }
  cl_uint limit(cl_device_info name) { return value_of<cl_uint>(clGetDeviceInfo, device_, name); }
  cl_command_queue default_of(cl_command_queue queue) {
    return value_of<cl_command_queue>(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE_DEFAULT);
  }

  std::vector<cl_command_queue> queues_;
};

TEST_F(DeviceQueueTest, GivenADevice_WhenAsked_ThenItsLimitsAreThoseOfTheSpecificationOrMore) {
  EXPECT_EQ(value_of<cl_command_queue_properties>(clGetDeviceInfo, device_, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES),
            cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE});
  EXPECT_GE(limit(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE), 16u << 10);
  EXPECT_GE(limit(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE), 256u << 10);
  EXPECT_GE(limit(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE), limit(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
  EXPECT_GE(limit(CL_DEVICE_MAX_ON_DEVICE_QUEUES), 1u);
  EXPECT_GE(limit(CL_DEVICE_MAX_ON_DEVICE_EVENTS), 1024u);
}

TEST_F(DeviceQueueTest, GivenSizes_WhenCreated_ThenTheyAreReturnedOrRefused) {
  const cl_uint most = limit(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  ASSERT_EQ(make(kOnDevice), CL_SUCCESS);
  EXPECT_EQ(value_of<cl_uint>(clGetCommandQueueInfo, queues_[0], CL_QUEUE_SIZE),
            limit(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
  for (const cl_uint size : {1u, 12345u, most}) {
    ASSERT_EQ(make({CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_SIZE, size, 0}), CL_SUCCESS);
    EXPECT_EQ(value_of<cl_uint>(clGetCommandQueueInfo, queues_.back(), CL_QUEUE_SIZE), size);
  }
  for (const cl_queue_properties size : {cl_queue_properties{0}, cl_queue_properties{most} + 1, cl_queue_properties{1} << 32})
    EXPECT_EQ(make({CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, size, 0}), CL_INVALID_QUEUE_PROPERTIES);
  EXPECT_EQ(make({CL_QUEUE_SIZE, 1024, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(make(CL_QUEUE_ON_DEVICE), CL_INVALID_VALUE);
}

TEST_F(DeviceQueueTest, GivenADefaultQueue_WhenCreatedAgainOrReplaced_ThenThereIsOne) {
  EXPECT_EQ(default_of(in_order_), nullptr);
  ASSERT_EQ(make(kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT), CL_SUCCESS);
  ASSERT_EQ(make(kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT), CL_SUCCESS);
  EXPECT_EQ(queues_[0], queues_[1]);
  EXPECT_EQ(value_of<cl_uint>(clGetCommandQueueInfo, queues_[0], CL_QUEUE_REFERENCE_COUNT), 2u);
  EXPECT_EQ(default_of(in_order_), queues_[0]);
  ASSERT_EQ(make(kOnDevice), CL_SUCCESS);
  EXPECT_NE(queues_[2], queues_[0]);
  EXPECT_EQ(default_of(queues_[2]), queues_[0]);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_, device_, queues_[2]), CL_SUCCESS);
  EXPECT_EQ(default_of(queues_[0]), queues_[2]);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_, device_, in_order_), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_, device_, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(nullptr, device_, queues_[0]), CL_INVALID_CONTEXT);
  EXPECT_EQ(clReleaseCommandQueue(queues_.back()), CL_SUCCESS);
  queues_.pop_back();
  EXPECT_EQ(default_of(in_order_), nullptr);
}

TEST_F(DeviceQueueTest, GivenAQueueOnTheDevice_WhenTheHostEnqueues_ThenItIsNoQueueOfTheHosts) {
  ASSERT_EQ(make(kOnDevice), CL_SUCCESS);
  const cl_command_queue queue = queues_[0];
  EXPECT_EQ(clFinish(queue), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clFlush(queue), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(value_of<cl_command_queue_properties>(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES), kOnDevice);
  EXPECT_EQ(clRetainCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
}

TEST_F(DeviceQueueTest, GivenAQueueArgument_WhenSet_ThenOnlyQueuesOnTheDeviceAreTaken) {
  ASSERT_EQ(make(kOnDevice), CL_SUCCESS);
  const char *source = "kernel void f(queue_t q, global int *a) {"
                       "  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ atomic_inc(a); });"
                       "}";
  const cl_program program = clCreateProgramWithSource(context_, 1, &source, nullptr, nullptr);
  ASSERT_EQ(clBuildProgram(program, 1, &device_, "-cl-std=CL2.0", nullptr, nullptr), CL_SUCCESS);
  // The block's kernel does not count as a kernel of the program.
  EXPECT_EQ(value_of<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS), 1u);
  cl_uint count = 0;
  EXPECT_EQ(clCreateKernelsInProgram(program, 0, nullptr, &count), CL_SUCCESS);
  EXPECT_EQ(count, 1u);
  char names[64] = {};
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, nullptr), CL_SUCCESS);
  EXPECT_STREQ(names, "f");
  cl_int error = 0;
  EXPECT_EQ(clCreateKernel(program, "__f_block_invoke_kernel", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_KERNEL_NAME);

  const cl_kernel kernel = clCreateKernel(program, "f", nullptr);
  const cl_command_queue none = nullptr;
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof in_order_, &in_order_), CL_INVALID_DEVICE_QUEUE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof none, &none), CL_INVALID_DEVICE_QUEUE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof none, nullptr), CL_INVALID_DEVICE_QUEUE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, 4, &queues_[0]), CL_INVALID_ARG_SIZE);
  ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof queues_[0], &queues_[0]), CL_SUCCESS);
  cl_int zero = 0;
  const cl_mem memory = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, sizeof zero, &zero, nullptr);
  ASSERT_EQ(clSetKernelArg(kernel, 1, sizeof memory, &memory), CL_SUCCESS);
  // The queue lives as long as commands that use it.
  const size_t global = 1;
  cl_event gate = make_user_event();
  EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &global, nullptr, 1, &gate, nullptr), CL_SUCCESS);
  EXPECT_EQ(clReleaseCommandQueue(queues_[0]), CL_SUCCESS);
  queues_.clear();
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  cl_int result = 0;
  EXPECT_EQ(clEnqueueReadBuffer(in_order_, memory, CL_TRUE, 0, sizeof result, &result, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(result, 4);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
  EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
}

}  // namespace
}  // namespace upsweep::tests
