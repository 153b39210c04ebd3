// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture of tests of command buffers on GPU devices.
#ifndef UPSWEEP_TESTS_TARGETS_CUDA_GRAPHS_FIXTURE_H
#define UPSWEEP_TESTS_TARGETS_CUDA_GRAPHS_FIXTURE_H

#include "api/command_buffer_functions.h"
#include "gpu_fixture.h"
#include <array>
#include <vector>

namespace upsweep::tests {

struct CommandBufferFunctions {
#define UPSWEEP_ENTRY(name) decltype(&upsweep::name) name = nullptr;
#include "api/command_buffer_functions.def"
#undef UPSWEEP_ENTRY
};

using Points = std::vector<cl_sync_point_khr>;

class GpuGraphs : public GpuFixture {
protected:
  static constexpr size_t kItems = 64;

  void SetUp() override {
    GpuFixture::SetUp();
    cl_platform_id platform = nullptr;
    ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
#define UPSWEEP_ENTRY(name)                                                                                                    \
  cl_.name = reinterpret_cast<decltype(cl_.name)>(clGetExtensionFunctionAddressForPlatform(platform, #name));                  \
  ASSERT_NE(cl_.name, nullptr) << #name;
#include "api/command_buffer_functions.def"
#undef UPSWEEP_ENTRY
  }
  bool all_is_given_back() const override { return fake()->allocations == kept_ && fake()->graphs == 0; }

  cl_command_buffer_khr create(cl_command_queue queue, cl_command_buffer_flags_khr flags = 0) {
    const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
    cl_int error = -1;
    cl_command_buffer_khr buffer = cl_.clCreateCommandBufferKHR(1, &queue, flags ? properties : nullptr, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return buffer;
  }
  void finalize(cl_command_buffer_khr buffer) { EXPECT_EQ(cl_.clFinalizeCommandBufferKHR(buffer), CL_SUCCESS); }
  void release(cl_command_buffer_khr buffer) { EXPECT_EQ(cl_.clReleaseCommandBufferKHR(buffer), CL_SUCCESS); }
  void enqueue(cl_command_buffer_khr buffer, const std::vector<cl_event> &waits = {}, cl_event *event = nullptr) {
    EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(0, nullptr, buffer, static_cast<cl_uint>(waits.size()),
                                            waits.empty() ? nullptr : waits.data(), event),
              CL_SUCCESS);
  }

  struct Recorded {
    cl_sync_point_khr point = 0;
    cl_mutable_command_khr handle = nullptr;
  };
  Recorded record(cl_command_buffer_khr buffer, cl_kernel kernel, size_t items, const Points &waits = {}, size_t local = 0,
                  size_t offset = 0) {
    Recorded recorded;
    EXPECT_EQ(cl_.clCommandNDRangeKernelKHR(buffer, nullptr, nullptr, kernel, 1, &offset, &items, local ? &local : nullptr,
                                            count(waits), list(waits), &recorded.point, &recorded.handle),
              CL_SUCCESS);
    clReleaseKernel(kernel);
    return recorded;
  }
  Recorded record_add(cl_command_buffer_khr buffer, cl_mem data, int value, size_t items = kItems, const Points &waits = {}) {
    return record(buffer, make_kernel("add", data, value), items, waits);
  }
  template <typename T>
  cl_kernel make_kernel(const char *name, cl_mem first, T second, cl_program program = nullptr) {
    cl_kernel kernel = clCreateKernel(program ? program : program_, name, nullptr);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof first, &first), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof second, &second), CL_SUCCESS);
    return kernel;
  }
  static cl_uint count(const Points &points) { return static_cast<cl_uint>(points.size()); }
  static const cl_sync_point_khr *list(const Points &points) { return points.empty() ? nullptr : points.data(); }

  cl_int update(cl_command_buffer_khr buffer, const MutableDispatchConfig &config) {
    const void *pointer = &config;
    return cl_.clUpdateMutableCommandsKHR(buffer, 1, &kMutableDispatchUpdate, &pointer);
  }
  cl_int set_value(cl_command_buffer_khr buffer, cl_mutable_command_khr command, int value) {
    const MutableDispatchArgument argument{1, sizeof value, &value};
    return update(buffer, {.command = command, .num_args = 1, .arg_list = &argument});
  }

  /// Moves buffers to the GPU, which cannot happen while it stands still.
  void move(const std::vector<cl_mem> &buffers) {
    for (cl_mem buffer : buffers) EXPECT_EQ(add(queue_, buffer, 0, 1), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  }

  /// Launches by graphs, and of single kernels.
  static std::array<size_t, 2> launches() { return {fake()->graph_launches, fake()->launches}; }

  CommandBufferFunctions cl_;
  static inline size_t kept_ = 0;  ///< allocations that the driver keeps, for printf
};

}  // namespace upsweep::tests
#endif
