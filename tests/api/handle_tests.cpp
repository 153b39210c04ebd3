// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Null, freed and foreign handles: each entry point returns its error. The ICD loader reads through the first handle of a
// call, so freed handles and handles of another kind can be tested there only while their memory is readable.
#include "fixture.h"

namespace upsweep::tests {
namespace {

using HandleTest = Fixture;

/// The driver's own function: the loader does not read through the handle.
template <typename Function>
Function *own(cl_platform_id platform, const char *name) {
  return reinterpret_cast<Function *>(clGetExtensionFunctionAddressForPlatform(platform, name));
}
#define OWN(name) own<decltype(name)>(platform_, #name)

TEST_F(HandleTest, GivenNullHandles_WhenUsed_ThenEachKindHasItsError) {
  EXPECT_EQ(OWN(clRetainContext)(nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(OWN(clReleaseCommandQueue)(nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(OWN(clRetainMemObject)(nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(OWN(clReleaseProgram)(nullptr), CL_INVALID_PROGRAM);
  EXPECT_EQ(OWN(clReleaseKernel)(nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(OWN(clReleaseEvent)(nullptr), CL_INVALID_EVENT);
  EXPECT_EQ(OWN(clReleaseSampler)(nullptr), CL_INVALID_SAMPLER);
  EXPECT_EQ(OWN(clRetainDevice)(nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(OWN(clFinish)(nullptr), CL_INVALID_COMMAND_QUEUE);
}

TEST_F(HandleTest, GivenHandlesOfAnotherKind_WhenUsed_ThenTheyAreInvalid) {
  EXPECT_EQ(OWN(clReleaseEvent)(reinterpret_cast<cl_event>(context_)), CL_INVALID_EVENT);
  EXPECT_EQ(OWN(clFinish)(reinterpret_cast<cl_command_queue>(device_)), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(OWN(clRetainDevice)(reinterpret_cast<cl_device_id>(in_order_)), CL_INVALID_DEVICE);
  int local = 0;
  EXPECT_EQ(OWN(clReleaseContext)(reinterpret_cast<cl_context>(&local)), CL_INVALID_CONTEXT);
  EXPECT_EQ(OWN(clReleaseContext)(reinterpret_cast<cl_context>(uintptr_t{16})), CL_INVALID_CONTEXT);
}

TEST_F(HandleTest, GivenFreedHandles_WhenUsed_ThenTheyAreInvalid) {
  cl_event event = make_user_event();
  EXPECT_EQ(OWN(clReleaseEvent)(event), CL_SUCCESS);
  EXPECT_EQ(OWN(clReleaseEvent)(event), CL_INVALID_EVENT);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(in_order_, 1, &event, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  cl_mem buffer = clCreateBuffer(context_, 0, 16, nullptr, nullptr);
  EXPECT_EQ(OWN(clReleaseMemObject)(buffer), CL_SUCCESS);
  EXPECT_EQ(OWN(clReleaseMemObject)(buffer), CL_INVALID_MEM_OBJECT);
}

TEST_F(HandleTest, GivenAContextKeptByItsQueue_WhenReleasedTooOften_ThenInvalidContext) {
  cl_context context = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device_, nullptr, nullptr);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  // The handle that the query returns is valid while the queue lives.
  EXPECT_EQ(value_of<cl_context>(clGetCommandQueueInfo, queue, CL_QUEUE_CONTEXT), context);
  EXPECT_EQ(clReleaseContext(context), CL_INVALID_CONTEXT);
  EXPECT_EQ(clRetainContext(context), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
}

TEST_F(HandleTest, GivenABuffer_WhenUsedAsAnImage_ThenInvalidMemObject) {
  cl_int error = 0;
  cl_uint formats = 7;
  EXPECT_EQ(clGetSupportedImageFormats(context_, CL_MEM_READ_WRITE, CL_MEM_OBJECT_BUFFER, 0, nullptr, &formats),
            CL_INVALID_VALUE);
  cl_mem buffer = clCreateBuffer(context_, 0, 16, nullptr, nullptr);
  const size_t origin[3] = {}, region[3] = {1, 1, 1};
  EXPECT_EQ(clEnqueueReadImage(in_order_, buffer, CL_TRUE, origin, region, 0, 0, &error, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clGetImageInfo(buffer, CL_IMAGE_WIDTH, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
}

}  // namespace
}  // namespace upsweep::tests
