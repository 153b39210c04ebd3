// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds modules on the default device, and runs their kernels over buffers.
#ifndef UPSWEEP_TESTS_SPIRV_FIXTURE_H
#define UPSWEEP_TESTS_SPIRV_FIXTURE_H

#include "../default_device.h"
#include "module_builder.h"

#include <cstring>
#include <random>
#include <string>

namespace upsweep::tests {

using Bytes = std::vector<unsigned char>;

template <typename T>
Bytes bytes_of(const std::vector<T> &values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
std::vector<T> values_of(const Bytes &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// The bytes of outputs before a kernel runs.
constexpr unsigned char kPoison = 0xa5;
constexpr cl_uint kPoisonWord = 0xa5a5a5a5;

class SpirvTest : public DefaultDevice {
protected:
  void TearDown() override {
    for (cl_mem buffer : buffers_) clReleaseMemObject(buffer);
    for (cl_kernel kernel : kernels_) clReleaseKernel(kernel);
    for (cl_program program : programs_) clReleaseProgram(program);
    DefaultDevice::TearDown();
  }

  cl_program create(const Words &module);
  cl_program create_from_text(const std::string &source);
  /// Builds the module, which must succeed.
  cl_program build(const Words &module, const char *options = "");
  /// Builds the module, which must fail, and returns the log.
  std::string failure_of(const Words &module);
  std::string log_of(cl_program program);
  cl_kernel kernel_of(cl_program program, const char *name);

  cl_mem buffer(const Bytes &content);
  cl_mem buffer(size_t bytes) { return buffer(Bytes(bytes, kPoison)); }
  Bytes content_of(cl_mem buffer);

  template <typename T>
  void set(cl_kernel kernel, cl_uint index, const T &value) {
    ASSERT_EQ(clSetKernelArg(kernel, index, sizeof value, &value), CL_SUCCESS) << "argument " << index;
  }
  void run(cl_kernel kernel, size_t global, size_t local = 0);
  /// Runs a kernel whose one argument is a buffer, and returns the buffer's content.
  Bytes output_of(cl_program program, const char *name, size_t bytes, size_t global = 1, size_t local = 0);

  /// Runs k(out, in) over ints: a work-item for each input, and an output for each.
  std::vector<cl_int> map(const Words &module, const std::vector<cl_int> &input);

private:
  std::vector<cl_program> programs_;
  std::vector<cl_kernel> kernels_;
  std::vector<cl_mem> buffers_;
};

}  // namespace upsweep::tests
#endif
