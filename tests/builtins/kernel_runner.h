// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one kernel over one input and one output buffer.
#ifndef UPSWEEP_TESTS_BUILTINS_KERNEL_RUNNER_H
#define UPSWEEP_TESTS_BUILTINS_KERNEL_RUNNER_H

#include "../tested_device.h"

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace upsweep::tests {

class KernelRunner {
public:
  KernelRunner() {
    cl_platform_id platform = nullptr;
    EXPECT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
    EXPECT_EQ(clGetDeviceIDs(platform, tested_device_type(), 1, &device_, nullptr), CL_SUCCESS);
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
    queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
  }
  KernelRunner(const KernelRunner &) = delete;
  KernelRunner &operator=(const KernelRunner &) = delete;
  ~KernelRunner() {
    if (kernel_) clReleaseKernel(kernel_);
    if (program_) clReleaseProgram(program_);
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }

  /// The kernel is called "run" and takes (global const In *, global Out *).
  void build(const std::string &source) {
    const char *text = source.c_str();
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
    cl_int status = clBuildProgram(program_, 1, &device_, "-cl-std=CL3.0", nullptr, nullptr);
    std::string log(20'000, '\0');
    clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    ASSERT_EQ(status, CL_SUCCESS) << source << log.c_str();
    kernel_ = clCreateKernel(program_, "run", &status);
    ASSERT_EQ(status, CL_SUCCESS);
  }

  template <typename Out, typename In>
  std::vector<Out> run(std::vector<In> input, size_t outputs, size_t global, size_t local) {
    std::vector<Out> output(outputs);
    cl_mem in = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, input.size() * sizeof(In), input.data(), nullptr);
    cl_mem out = clCreateBuffer(context_, CL_MEM_READ_WRITE, outputs * sizeof(Out), nullptr, nullptr);
    EXPECT_EQ(clSetKernelArg(kernel_, 0, sizeof(in), &in), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel_, 1, sizeof(out), &out), CL_SUCCESS);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, outputs * sizeof(Out), output.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    return output;
  }

private:
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
};

}  // namespace upsweep::tests

#endif
