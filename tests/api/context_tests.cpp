// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts.
#include "fixture.h"

namespace upsweep::tests {
namespace {

using ContextTest = Fixture;

TEST_F(ContextTest, GivenProperties_WhenAskedBack_ThenTheyAreWhatWasGiven) {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform_), 0};
  cl_int error = -1;
  cl_context context = clCreateContextFromType(properties, tested_device_type(), nullptr, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  cl_context_properties back[3] = {};
  size_t bytes = 0;
  EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof(back), back, &bytes), CL_SUCCESS);
  EXPECT_EQ(bytes, sizeof(properties));
  EXPECT_EQ(std::memcmp(back, properties, sizeof(back)), 0);
  EXPECT_EQ(value_of<cl_uint>(clGetContextInfo, context, CL_CONTEXT_NUM_DEVICES), 1u);
  EXPECT_EQ(value_of<cl_device_id>(clGetContextInfo, context, CL_CONTEXT_DEVICES), device_);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST_F(ContextTest, GivenNoProperties_WhenAskedBack_ThenThereAreNone) {
  size_t bytes = 1;
  EXPECT_EQ(clGetContextInfo(context_, CL_CONTEXT_PROPERTIES, 0, nullptr, &bytes), CL_SUCCESS);
  EXPECT_EQ(bytes, 0u);
}

TEST_F(ContextTest, GivenBadArguments_WhenCreated_ThenErrors) {
  cl_int error = 0;
  EXPECT_EQ(clCreateContext(nullptr, 0, &device_, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  int user_data = 0;
  EXPECT_EQ(clCreateContext(nullptr, 1, &device_, nullptr, &user_data, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  const cl_context_properties unknown[] = {12345, 1, 0};
  EXPECT_EQ(clCreateContext(unknown, 1, &device_, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROPERTY);
  const cl_context_properties not_a_platform[] = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(&error), 0};
  EXPECT_EQ(clCreateContext(not_a_platform, 1, &device_, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PLATFORM);
  const cl_context_properties platform[] = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform_), 0};
  EXPECT_EQ(clCreateContextFromType(platform, CL_DEVICE_TYPE_ACCELERATOR, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_DEVICE_NOT_FOUND);
}

TEST_F(ContextTest, GivenReferences_WhenRetainedAndReleased_ThenTheApplicationsCountIsShown) {
  EXPECT_EQ(value_of<cl_uint>(clGetContextInfo, context_, CL_CONTEXT_REFERENCE_COUNT), 1u);
  EXPECT_EQ(clRetainContext(context_), CL_SUCCESS);
  EXPECT_EQ(value_of<cl_uint>(clGetContextInfo, context_, CL_CONTEXT_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseContext(context_), CL_SUCCESS);
}

TEST_F(ContextTest, GivenDestructorCallbacks_WhenTheContextGoes_ThenTheyRunInReverseOrder) {
  cl_context context = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  static std::string order;
  auto add = [](cl_context, void *user_data) { order += static_cast<const char *>(user_data); };
  char first[] = "1", second[] = "2";
  EXPECT_EQ(clSetContextDestructorCallback(context, add, first), CL_SUCCESS);
  EXPECT_EQ(clSetContextDestructorCallback(context, add, second), CL_SUCCESS);
  EXPECT_EQ(clSetContextDestructorCallback(context, nullptr, second), CL_INVALID_VALUE);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device_, nullptr, nullptr);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  EXPECT_EQ(order, "") << "the queue keeps the context";
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(order, "21");
}

}  // namespace
}  // namespace upsweep::tests
