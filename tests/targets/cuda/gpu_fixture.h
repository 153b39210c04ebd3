// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common fixture of tests of GPU devices: the CUDA driver in software (fake_cuda.cpp), or with UPSWEEP_TEST_DEVICE=gpu the
// machine's GPUs, for which tests that need the software are skipped.
#ifndef UPSWEEP_TESTS_TARGETS_CUDA_GPU_FIXTURE_H
#define UPSWEEP_TESTS_TARGETS_CUDA_GPU_FIXTURE_H

#include "../../tested_device.h"
#include "fake_cuda.h"
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>
#include <vector>

namespace upsweep::tests {

inline constexpr const char *kSource = R"(
kernel void add(global int *data, int value) { data[get_global_id(0)] += value; }
kernel void copy(global const int *from, global int *to) { to[get_global_id(0)] = from[get_global_id(0)]; }
kernel void trap(global int *data) { __builtin_trap(); }
)";

/// The driver reads its options once, at its first use.
inline const bool gpus_are_listed = setenv("UPSWEEP_CUDA", "1", 1) == 0;

/// Null on a real GPU. The first call comes before the driver looks for libcuda.so.1, and then finds this one.
inline FakeCuda *fake() {
  static FakeCuda *const the = [] {
    if (tested_device_type() == CL_DEVICE_TYPE_GPU) return static_cast<FakeCuda *>(nullptr);
    void *library = dlopen(FAKE_CUDA, RTLD_NOW);
    void *symbol = library ? dlsym(library, kFakeCudaSymbol) : nullptr;
    return symbol ? reinterpret_cast<FakeCuda *(*)()>(symbol)() : nullptr;
  }();
  return the;
}

class GpuFixture : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(fake() || tested_device_type() == CL_DEVICE_TYPE_GPU) << "there is no " << FAKE_CUDA;
    cl_platform_id platform = nullptr;
    ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
    cl_uint count = 0;
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, nullptr, &count), CL_SUCCESS) << "there is no GPU";
    gpus_.resize(count);
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, count, gpus_.data(), nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &cpu_, nullptr), CL_SUCCESS);
    std::vector<cl_device_id> all = gpus_;
    all.push_back(cpu_);
    cl_int error = -1;
    context_ = clCreateContext(nullptr, static_cast<cl_uint>(all.size()), all.data(), nullptr, nullptr, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    program_ = clCreateProgramWithSource(context_, 1, const_cast<const char **>(&kSource), nullptr, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    ASSERT_EQ(clBuildProgram(program_, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
    queue_ = make_queue(gpus_[0], 0);
  }

  void TearDown() override {
    for (cl_mem buffer : buffers_) clReleaseMemObject(buffer);
    for (cl_command_queue queue : queues_) {
      clFinish(queue);
      clReleaseCommandQueue(queue);
    }
    clReleaseProgram(program_);
    clReleaseContext(context_);
    // Commands without a wait may end some milliseconds later and release their buffers then.
    for (int i = 0; fake() && !all_is_given_back() && i < 20000; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (fake()) EXPECT_TRUE(all_is_given_back()) << fake()->allocations << " allocations are left";
  }

  virtual bool all_is_given_back() const { return fake()->allocations == 0; }

  cl_command_queue make_queue(cl_device_id device, cl_command_queue_properties properties) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = -1;
    queues_.push_back(clCreateCommandQueueWithProperties(context_, device, list, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return queues_.back();
  }

  cl_mem make_buffer(size_t bytes, cl_mem_flags flags = 0, void *host = nullptr) {
    cl_int error = -1;
    buffers_.push_back(clCreateBuffer(context_, flags, bytes, host, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return buffers_.back();
  }
  cl_mem make_ints(std::vector<int> values) {
    return make_buffer(values.size() * sizeof(int), CL_MEM_COPY_HOST_PTR, values.data());
  }

  cl_int add(cl_command_queue queue, cl_mem data, int value, size_t count, const std::vector<cl_event> &waits = {},
             cl_event *event = nullptr) {
    cl_kernel kernel = clCreateKernel(program_, "add", nullptr);
    clSetKernelArg(kernel, 0, sizeof data, &data);
    clSetKernelArg(kernel, 1, sizeof value, &value);
    return launch(queue, kernel, count, waits, event);
  }
  cl_int copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t count, const std::vector<cl_event> &waits,
              cl_event *event) {
    cl_kernel kernel = clCreateKernel(program_, "copy", nullptr);
    clSetKernelArg(kernel, 0, sizeof from, &from);
    clSetKernelArg(kernel, 1, sizeof to, &to);
    return launch(queue, kernel, count, waits, event);
  }
  static cl_int launch(cl_command_queue queue, cl_kernel kernel, size_t count, const std::vector<cl_event> &waits,
                       cl_event *event) {
    const cl_int error = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr, static_cast<cl_uint>(waits.size()),
                                                waits.empty() ? nullptr : waits.data(), event);
    clReleaseKernel(kernel);
    return error;
  }

  static std::vector<int> read(cl_command_queue queue, cl_mem buffer, size_t count, cl_bool blocking = CL_TRUE) {
    std::vector<int> values(count, -1);
    EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, blocking, 0, count * sizeof(int), values.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    if (!blocking) EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    return values;
  }

  static cl_int status_of(cl_event event) {
    cl_int status = 1000;
    EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
    return status;
  }

  static std::vector<int> counting(size_t count) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 1);
    return values;
  }

  std::vector<cl_device_id> gpus_;
  cl_device_id cpu_ = nullptr;
  cl_context context_ = nullptr;
  cl_program program_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::vector<cl_command_queue> queues_;
  std::vector<cl_mem> buffers_;
};

}  // namespace upsweep::tests
#endif
