// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a kernel of a file in this folder on the default device and returns its first argument, a buffer of ints.
#ifndef UPSWEEP_TESTS_KERNELS_KERNEL_RUNNER_H
#define UPSWEEP_TESTS_KERNELS_KERNEL_RUNNER_H

#include "../default_device.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace upsweep::tests {

struct Range {
  std::array<size_t, 3> global{1, 1, 1};
  std::array<size_t, 3> local{1, 1, 1};
  std::array<size_t, 3> offset{0, 0, 0};
  [[nodiscard]] cl_uint dimensions() const { return global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1; }
};

class KernelRunner : public DefaultDevice {
protected:
  void TearDown() override {
    release();
    DefaultDevice::TearDown();
  }

  /// Allows another build in the same test.
  void release() {
    if (kernel_) clReleaseKernel(std::exchange(kernel_, nullptr));
    if (program_) clReleaseProgram(std::exchange(program_, nullptr));
  }

  /// The program's state and log. UPSWEEP_TEST_BUILD_OPTIONS are added, so that all kernels can be tested with `-g`.
  std::pair<cl_int, std::string> try_build(const std::string &file, std::string options) {
    std::stringstream text;
    text << std::ifstream(UPSWEEP_TEST_KERNELS "/" + file).rdbuf();
    const std::string source = text.str();
    const char *pointer = source.c_str();
    if (const char *more = getenv("UPSWEEP_TEST_BUILD_OPTIONS")) options.append(" ").append(more);
    program_ = clCreateProgramWithSource(context_, 1, &pointer, nullptr, nullptr);
    const cl_int status = clBuildProgram(program_, 0, nullptr, options.c_str(), nullptr, nullptr);
    std::string log(1 << 16, '\0');
    clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    return {status, log.c_str()};
  }

  void build(const std::string &file, const char *name, const char *options = "-cl-std=CL3.0") {
    const auto [status, log] = try_build(file, options);
    ASSERT_EQ(status, CL_SUCCESS) << log;
    kernel_ = clCreateKernel(program_, name, nullptr);
    ASSERT_NE(kernel_, nullptr) << name;
  }

  /// The log of a build that must fail.
  std::string failed_build(const std::string &file, const std::string &options) {
    const auto [status, log] = try_build(file, options);
    EXPECT_EQ(status, CL_BUILD_PROGRAM_FAILURE);
    return log;
  }

  template <typename T>
  void set(cl_uint index, const T &value) {
    ASSERT_EQ(clSetKernelArg(kernel_, index, sizeof value, &value), CL_SUCCESS);
  }
  void set_local(cl_uint index, size_t bytes) { ASSERT_EQ(clSetKernelArg(kernel_, index, bytes, nullptr), CL_SUCCESS); }

  size_t sub_group_size(const Range &range) {
    size_t size = 0;
    EXPECT_EQ(clGetKernelSubGroupInfo(kernel_, device_, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                      range.dimensions() * sizeof(size_t), range.local.data(), sizeof size, &size, nullptr),
              CL_SUCCESS);
    return std::max<size_t>(size, 1);  // not 0 after a failure, since tests count in steps of it
  }

  /// Whether this device permits work-groups of that size for the kernel.
  bool fits(const Range &range) {
    size_t most = 0;
    EXPECT_EQ(clGetKernelWorkGroupInfo(kernel_, device_, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr), CL_SUCCESS);
    return range.local[0] * range.local[1] * range.local[2] <= most;
  }

  std::vector<cl_int> run(const Range &range, size_t outputs, cl_int start = -1) {
    std::vector<cl_int> result(outputs, start);
    cl_mem buffer =
        clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, outputs * sizeof(cl_int), result.data(), nullptr);
    set(0, buffer);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, range.dimensions(), range.offset.data(), range.global.data(),
                                     range.local.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, outputs * sizeof(cl_int), result.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    clReleaseMemObject(buffer);
    return result;
  }

  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
};

/// The expected output of a kernel: f(i) for each i.
inline std::vector<cl_int> expected(size_t count, const std::function<size_t(size_t)> &value) {
  std::vector<cl_int> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<cl_int>(value(i));
  return values;
}

}  // namespace upsweep::tests
#endif
