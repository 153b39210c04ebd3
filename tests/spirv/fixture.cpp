// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UPSWEEP_TEST_SAVE_MODULES names a folder that receives each module as a file, for other tools to read.
#include "fixture.h"

#include <cstdlib>
#include <fstream>

namespace upsweep::tests {
namespace {

void save(const Words &module) {
  const char *folder = std::getenv("UPSWEEP_TEST_SAVE_MODULES");
  if (!folder) return;
  static int count = 0;
  const auto *test = testing::UnitTest::GetInstance()->current_test_info();
  std::ofstream file(std::string(folder) + "/" + test->name() + "_" + std::to_string(count++) + ".spv", std::ios::binary);
  const Bytes bytes = bytes_of(module);
  file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

cl_program SpirvTest::create(const Words &module) {
  save(module);
  cl_int error = -1;
  cl_program program = clCreateProgramWithIL(context_, module.data(), module.size() * sizeof(uint32_t), &error);
  EXPECT_EQ(error, CL_SUCCESS);
  if (program) programs_.push_back(program);
  return program;
}

cl_program SpirvTest::create_from_text(const std::string &source) {
  const char *text = source.c_str();
  cl_program program = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
  EXPECT_NE(program, nullptr);
  programs_.push_back(program);
  return program;
}

cl_program SpirvTest::build(const Words &module, const char *options) {
  cl_program program = create(module);
  const cl_int status = clBuildProgram(program, 1, &device_, options, nullptr, nullptr);
  EXPECT_EQ(status, CL_SUCCESS) << log_of(program);
  return program;
}

std::string SpirvTest::failure_of(const Words &module) {
  cl_program program = create(module);
  if (!program) return "";
  EXPECT_EQ(clBuildProgram(program, 1, &device_, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  return log_of(program);
}

std::string SpirvTest::log_of(cl_program program) {
  size_t bytes = 0;
  EXPECT_EQ(clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes), CL_SUCCESS);
  std::string log(bytes, '\0');
  EXPECT_EQ(clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr), CL_SUCCESS);
  return log;
}

cl_kernel SpirvTest::kernel_of(cl_program program, const char *name) {
  cl_int error = -1;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  EXPECT_EQ(error, CL_SUCCESS) << name;
  if (kernel) kernels_.push_back(kernel);
  return kernel;
}

cl_mem SpirvTest::buffer(const Bytes &content) {
  Bytes copy = content;
  cl_int error = -1;
  cl_mem made = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, copy.size(), copy.data(), &error);
  EXPECT_EQ(error, CL_SUCCESS);
  buffers_.push_back(made);
  return made;
}

Bytes SpirvTest::content_of(cl_mem buffer) {
  size_t bytes = 0;
  EXPECT_EQ(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr), CL_SUCCESS);
  Bytes content(bytes);
  EXPECT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, bytes, content.data(), 0, nullptr, nullptr), CL_SUCCESS);
  return content;
}

void SpirvTest::run(cl_kernel kernel, size_t global, size_t local) {
  ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, local ? &local : nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
}

Bytes SpirvTest::output_of(cl_program program, const char *name, size_t bytes, size_t global, size_t local) {
  cl_kernel kernel = kernel_of(program, name);
  cl_mem output = buffer(bytes);
  set(kernel, 0, output);
  run(kernel, global, local);
  return content_of(output);
}

std::vector<cl_int> SpirvTest::map(const Words &module, const std::vector<cl_int> &input) {
  cl_program program = build(module);
  cl_kernel kernel = kernel_of(program, "k");
  if (!kernel) return {};
  cl_mem output = buffer(input.size() * sizeof(cl_int));
  set(kernel, 0, output);
  set(kernel, 1, buffer(bytes_of(input)));
  run(kernel, input.size());
  return values_of<cl_int>(content_of(output));
}

}  // namespace upsweep::tests
