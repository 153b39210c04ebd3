// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer: queries and errors.
#include "command_buffer_fixture.h"

namespace upsweep::tests {
namespace {

constexpr const char *kSource = "kernel void nothing(global uint *to) { to[get_global_id(0)] += 1; }";

class CommandBufferErrorTest : public CommandBufferFixture {
protected:
  void SetUp() override {
    CommandBufferFixture::SetUp();
    memory_ = make_values(Values(kItems));
    kernel_ = make_kernel(build(kSource), "nothing");
    set_argument(kernel_, 0, memory_);
    buffer_ = create(in_order_);
  }
  void TearDown() override {
    release(buffer_);
    CommandBufferFixture::TearDown();
  }
  cl_int create_error(cl_uint num, const cl_command_queue *queues, const cl_command_buffer_properties_khr *properties) {
    cl_int error = 12345;
    EXPECT_EQ(cl_.clCreateCommandBufferKHR(num, queues, properties, &error), nullptr);
    return error;
  }
  cl_int fill(cl_command_buffer_khr buffer, cl_command_queue queue = nullptr,
              const cl_command_properties_khr *properties = nullptr, cl_uint num = 0, const cl_sync_point_khr *points = nullptr,
              cl_mutable_command_khr *handle = nullptr) {
    const uint32_t one = 1;
    return cl_.clCommandFillBufferKHR(buffer, queue, properties, memory_, &one, 4, 0, 16, num, points, nullptr, handle);
  }
  cl_int launch(cl_command_buffer_khr buffer, const cl_command_properties_khr *properties = nullptr, cl_uint num = 0,
                const cl_sync_point_khr *points = nullptr, size_t items = 4, size_t local = 0, cl_uint dims = 1) {
    return cl_.clCommandNDRangeKernelKHR(buffer, nullptr, properties, kernel_, dims, nullptr, &items, local ? &local : nullptr,
                                         num, points, nullptr, nullptr);
  }
  cl_command_buffer_khr invalid() { return reinterpret_cast<cl_command_buffer_khr>(memory_); }

  cl_mem memory_ = nullptr;
  cl_kernel kernel_ = nullptr;
  cl_command_buffer_khr buffer_ = nullptr;
};

TEST_F(CommandBufferErrorTest, GivenQueries_WhenAsked_ThenTheyTellTheBuffer) {
  EXPECT_EQ(value_of<cl_uint>(cl_.clGetCommandBufferInfoKHR, buffer_, CL_COMMAND_BUFFER_NUM_QUEUES_KHR), 1u);
  EXPECT_EQ(value_of<cl_command_queue>(cl_.clGetCommandBufferInfoKHR, buffer_, CL_COMMAND_BUFFER_QUEUES_KHR), in_order_);
  EXPECT_EQ(value_of<cl_context>(cl_.clGetCommandBufferInfoKHR, buffer_, CL_COMMAND_BUFFER_CONTEXT_KHR), context_);
  const auto count = [&] {
    return value_of<cl_uint>(cl_.clGetCommandBufferInfoKHR, buffer_, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR);
  };
  EXPECT_EQ(count(), 1u);
  EXPECT_EQ(cl_.clRetainCommandBufferKHR(buffer_), CL_SUCCESS);
  EXPECT_EQ(count(), 2u);
  release(buffer_);
  EXPECT_EQ(count(), 1u);
  EXPECT_EQ(state(buffer_), static_cast<cl_uint>(CL_COMMAND_BUFFER_STATE_RECORDING_KHR));
  finalize(buffer_);
  EXPECT_EQ(state(buffer_), static_cast<cl_uint>(CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR));
  size_t bytes = 12345;
  EXPECT_EQ(cl_.clGetCommandBufferInfoKHR(buffer_, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, 0, nullptr, &bytes), CL_SUCCESS);
  EXPECT_EQ(bytes, 0u);
  cl_uint small = 77;
  EXPECT_EQ(cl_.clGetCommandBufferInfoKHR(buffer_, CL_COMMAND_BUFFER_CONTEXT_KHR, sizeof small, &small, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(small, 77u);
  EXPECT_EQ(cl_.clGetCommandBufferInfoKHR(buffer_, CL_QUEUE_CONTEXT, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(cl_.clGetCommandBufferInfoKHR(invalid(), CL_COMMAND_BUFFER_STATE_KHR, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_BUFFER_KHR);
}

TEST_F(CommandBufferErrorTest, GivenProperties_WhenCreated_ThenTheArrayIsKept) {
  const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR,
                                                         CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 0, 0};
  cl_int error = -1;
  cl_command_buffer_khr buffer = cl_.clCreateCommandBufferKHR(1, &in_order_, properties, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  cl_command_buffer_properties_khr kept[5] = {9, 9, 9, 9, 9};
  EXPECT_EQ(cl_.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, sizeof kept, kept, nullptr),
            CL_SUCCESS);
  EXPECT_TRUE(std::equal(std::begin(kept), std::end(kept), properties));
  release(buffer);
}

TEST_F(CommandBufferErrorTest, GivenBadArguments_WhenCreated_ThenTheErrorSaysSo) {
  EXPECT_EQ(create_error(0, &in_order_, nullptr), CL_INVALID_VALUE);
  const cl_command_queue two[] = {in_order_, out_of_order_};
  EXPECT_EQ(create_error(2, two, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(create_error(1, nullptr, nullptr), CL_INVALID_VALUE);
  const cl_command_queue bad = reinterpret_cast<cl_command_queue>(memory_);
  EXPECT_EQ(create_error(1, &bad, nullptr), CL_INVALID_COMMAND_QUEUE);
  const cl_command_buffer_properties_khr unknown[] = {0x1234, 1, 0}, bits[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 1 << 9, 0},
                                         twice[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0};
  EXPECT_EQ(create_error(1, &in_order_, unknown), CL_INVALID_VALUE);
  EXPECT_EQ(create_error(1, &in_order_, bits), CL_INVALID_VALUE);
  EXPECT_EQ(create_error(1, &in_order_, twice), CL_INVALID_VALUE);
}

TEST_F(CommandBufferErrorTest, GivenBadArguments_WhenRecorded_ThenNothingIsRecorded) {
  const cl_command_properties_khr unknown[] = {0x1234, 1, 0};
  const cl_sync_point_khr future = 1;
  cl_mutable_command_khr handle = nullptr;
  EXPECT_EQ(fill(invalid()), CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(fill(buffer_, in_order_), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(fill(buffer_, nullptr, unknown), CL_INVALID_VALUE);
  EXPECT_EQ(fill(buffer_, nullptr, nullptr, 0, nullptr, &handle), CL_INVALID_VALUE);
  EXPECT_EQ(fill(buffer_, nullptr, nullptr, 1, nullptr), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
  EXPECT_EQ(fill(buffer_, nullptr, nullptr, 0, &future), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
  EXPECT_EQ(fill(buffer_, nullptr, nullptr, 1, &future), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
  const uint32_t one = 1;
  EXPECT_EQ(cl_.clCommandFillBufferKHR(buffer_, nullptr, nullptr, memory_, &one, 3, 0, 16, 0, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(cl_.clCommandCopyBufferKHR(buffer_, nullptr, nullptr, memory_, memory_, 0, 8, 16, 0, nullptr, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(cl_.clCommandSVMMemcpyKHR(buffer_, nullptr, nullptr, nullptr, &one, 4, 0, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(cl_.clCommandSVMMemFillKHR(buffer_, nullptr, nullptr, nullptr, &one, 4, 4, 0, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
  finalize(buffer_);
  enqueue(buffer_);
  EXPECT_EQ(values_of(memory_), Values(kItems));
}

TEST_F(CommandBufferErrorTest, GivenBadArguments_WhenAKernelIsRecorded_ThenTheErrorSaysSo) {
  const cl_command_properties_khr unknown[] = {0x1234, 1, 0}, fields[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1 << 9, 0};
  const cl_command_properties_khr asserts[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR,
                                               CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0};
  const cl_sync_point_khr future = 1;
  EXPECT_EQ(launch(invalid()), CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(launch(buffer_, unknown), CL_INVALID_VALUE);
  EXPECT_EQ(launch(buffer_, fields), CL_INVALID_VALUE);
  EXPECT_EQ(launch(buffer_, asserts), CL_INVALID_VALUE);
  EXPECT_EQ(launch(buffer_, nullptr, 1, &future), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
  EXPECT_EQ(launch(buffer_, nullptr, 0, nullptr, 4, 0, 0), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(launch(buffer_, nullptr, 0, nullptr, 4, size_t{1} << 30), CL_INVALID_WORK_ITEM_SIZE);
  kernel_ = make_kernel(programs_[0], "nothing");
  EXPECT_EQ(launch(buffer_), CL_INVALID_KERNEL_ARGS);
  kernel_ = reinterpret_cast<cl_kernel>(memory_);
  EXPECT_EQ(launch(buffer_), CL_INVALID_KERNEL);
}

TEST_F(CommandBufferErrorTest, GivenTheStates_WhenUsed_ThenWrongStatesAreErrors) {
  EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(0, nullptr, buffer_, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  finalize(buffer_);
  EXPECT_EQ(cl_.clFinalizeCommandBufferKHR(buffer_), CL_INVALID_OPERATION);
  EXPECT_EQ(fill(buffer_), CL_INVALID_OPERATION);
  EXPECT_EQ(launch(buffer_), CL_INVALID_OPERATION);
  EXPECT_EQ(cl_.clCommandBarrierWithWaitListKHR(buffer_, nullptr, nullptr, 0, nullptr, nullptr, nullptr), CL_INVALID_OPERATION);
  EXPECT_EQ(cl_.clFinalizeCommandBufferKHR(invalid()), CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(cl_.clRetainCommandBufferKHR(invalid()), CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(cl_.clReleaseCommandBufferKHR(nullptr), CL_INVALID_COMMAND_BUFFER_KHR);
}

TEST_F(CommandBufferErrorTest, GivenBadArguments_WhenEnqueued_ThenTheErrorSaysSo) {
  finalize(buffer_);
  const auto enqueue_on = [&](cl_uint num, cl_command_queue *queues, cl_uint num_events = 0, const cl_event *events = nullptr) {
    return cl_.clEnqueueCommandBufferKHR(num, queues, buffer_, num_events, events, nullptr);
  };
  cl_command_queue two[] = {in_order_, out_of_order_}, bad = reinterpret_cast<cl_command_queue>(memory_);
  EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(0, nullptr, invalid(), 0, nullptr, nullptr), CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(enqueue_on(1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue_on(0, two), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue_on(2, two), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue_on(1, &bad), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(enqueue_on(0, nullptr, 1, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  const cl_event no_event = nullptr;
  EXPECT_EQ(enqueue_on(0, nullptr, 1, &no_event), CL_INVALID_EVENT_WAIT_LIST);
  cl_int error = -1;
  cl_context other = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &error);
  cl_command_queue foreign = clCreateCommandQueueWithProperties(other, device_, nullptr, &error);
  EXPECT_EQ(enqueue_on(1, &foreign), CL_INVALID_CONTEXT);
  EXPECT_EQ(clReleaseCommandQueue(foreign), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
}

}  // namespace
}  // namespace upsweep::tests
