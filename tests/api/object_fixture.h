// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture of tests of memory, programs and kernels: buffers, programs and kernels that TearDown() releases.
#ifndef UPSWEEP_TESTS_API_OBJECT_FIXTURE_H
#define UPSWEEP_TESTS_API_OBJECT_FIXTURE_H

#include "fixture.h"
#include <numeric>

namespace upsweep::tests {

class ObjectFixture : public Fixture {
protected:
  void TearDown() override {
    for (cl_kernel kernel : kernels_) EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    for (cl_program program : programs_) EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
    for (cl_mem memory : memories_) EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    Fixture::TearDown();
  }

  cl_mem keep(cl_mem memory) {
    if (memory) memories_.push_back(memory);
    return memory;
  }

  cl_mem make_buffer(size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE, void *host = nullptr) {
    cl_int error = -1;
    cl_mem buffer = keep(clCreateBuffer(context_, flags, bytes, host, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return buffer;
  }

  /// A buffer with the bytes 0, 1, 2, ….
  cl_mem make_counting_buffer(size_t bytes) {
    std::vector<unsigned char> content = counting(bytes);
    return make_buffer(bytes, CL_MEM_COPY_HOST_PTR, content.data());
  }
  static std::vector<unsigned char> counting(size_t bytes) {
    std::vector<unsigned char> content(bytes);
    std::iota(content.begin(), content.end(), static_cast<unsigned char>(0));
    return content;
  }

  std::vector<unsigned char> content_of(cl_mem buffer) {
    std::vector<unsigned char> content(value_of<size_t>(clGetMemObjectInfo, buffer, CL_MEM_SIZE));
    EXPECT_EQ(clEnqueueReadBuffer(in_order_, buffer, CL_TRUE, 0, content.size(), content.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return content;
  }

  cl_program make_program(const char *source) {
    cl_int error = -1;
    cl_program program = clCreateProgramWithSource(context_, 1, &source, nullptr, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    if (program) programs_.push_back(program);
    return program;
  }

  cl_program build(const char *source, const char *options = "-cl-std=CL3.0") {
    cl_program program = make_program(source);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, options, nullptr, nullptr), CL_SUCCESS) << log_of(program);
    return program;
  }

  std::string log_of(cl_program program) {
    size_t bytes = 0;
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    std::string log(bytes, 'x');
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    return log.c_str();
  }

  cl_kernel make_kernel(cl_program program, const char *name) {
    cl_int error = -1;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    EXPECT_EQ(error, CL_SUCCESS) << name;
    if (kernel) kernels_.push_back(kernel);
    return kernel;
  }

  template <typename T>
  cl_int set_argument(cl_kernel kernel, cl_uint index, const T &value) {
    return clSetKernelArg(kernel, index, sizeof(T), &value);
  }

  /// Runs `kernel` over `items` work-items and waits.
  void run(cl_kernel kernel, size_t items, size_t local = 0) {
    EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &items, local ? &local : nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  }

  std::vector<cl_mem> memories_;
  std::vector<cl_program> programs_;
  std::vector<cl_kernel> kernels_;
};

}  // namespace upsweep::tests
#endif
