// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base of tests that run kernels: the default device, with a context and a queue.
#ifndef UPSWEEP_TESTS_DEFAULT_DEVICE_H
#define UPSWEEP_TESTS_DEFAULT_DEVICE_H

#include "tested_device.h"

#include <CL/cl.h>
#include <gtest/gtest.h>

namespace upsweep::tests {

class DefaultDevice : public testing::Test {
protected:
  void SetUp() override {
    cl_platform_id platform = nullptr;
    ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform, tested_device_type(), 1, &device_, nullptr), CL_SUCCESS);
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
    queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
  }

  void TearDown() override {
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

}  // namespace upsweep::tests
#endif
