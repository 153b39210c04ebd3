// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture of tests of command buffers: the extension's functions, and kernels on buffers of 32-bit numbers.
#ifndef UPSWEEP_TESTS_API_COMMAND_BUFFER_FIXTURE_H
#define UPSWEEP_TESTS_API_COMMAND_BUFFER_FIXTURE_H

#include "api/command_buffer_functions.h"
#include "object_fixture.h"
#include <cstdint>

namespace upsweep::tests {

struct CommandBufferFunctions {
#define UPSWEEP_ENTRY(name) decltype(&upsweep::name) name = nullptr;
#include "api/command_buffer_functions.def"
#undef UPSWEEP_ENTRY
};

class CommandBufferFixture : public ObjectFixture {
protected:
  using Values = std::vector<uint32_t>;
  static constexpr size_t kItems = 256;

  void SetUp() override {
    ObjectFixture::SetUp();
#define UPSWEEP_ENTRY(name)                                                                                                    \
  cl_.name = reinterpret_cast<decltype(cl_.name)>(clGetExtensionFunctionAddressForPlatform(platform_, #name));                 \
  ASSERT_NE(cl_.name, nullptr) << #name;
#include "api/command_buffer_functions.def"
#undef UPSWEEP_ENTRY
  }

  cl_command_buffer_khr create(cl_command_queue queue, cl_command_buffer_flags_khr flags = 0) {
    const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
    cl_int error = -1;
    cl_command_buffer_khr buffer = cl_.clCreateCommandBufferKHR(1, &queue, flags ? properties : nullptr, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return buffer;
  }
  void finalize(cl_command_buffer_khr buffer) { EXPECT_EQ(cl_.clFinalizeCommandBufferKHR(buffer), CL_SUCCESS); }
  void release(cl_command_buffer_khr buffer) { EXPECT_EQ(cl_.clReleaseCommandBufferKHR(buffer), CL_SUCCESS); }
  /// Enqueues on the command buffer's queue.
  void enqueue(cl_command_buffer_khr buffer) {
    EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(0, nullptr, buffer, 0, nullptr, nullptr), CL_SUCCESS);
  }
  cl_command_buffer_state_khr state(cl_command_buffer_khr buffer) {
    return value_of<cl_command_buffer_state_khr>(cl_.clGetCommandBufferInfoKHR, buffer, CL_COMMAND_BUFFER_STATE_KHR);
  }

  /// Records a kernel over `items` work-items; returns its sync point.
  cl_sync_point_khr record(cl_command_buffer_khr buffer, cl_kernel kernel, size_t items,
                           const std::vector<cl_sync_point_khr> &waits = {}, size_t local = 0) {
    cl_sync_point_khr point = 0;
    EXPECT_EQ(cl_.clCommandNDRangeKernelKHR(buffer, nullptr, nullptr, kernel, 1, nullptr, &items, local ? &local : nullptr,
                                            static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &point,
                                            nullptr),
              CL_SUCCESS);
    return point;
  }

  cl_mem make_values(const Values &values) {
    return make_buffer(values.size() * sizeof(uint32_t), CL_MEM_COPY_HOST_PTR, const_cast<uint32_t *>(values.data()));
  }
  Values values_of(cl_mem buffer) {
    Values values(value_of<size_t>(clGetMemObjectInfo, buffer, CL_MEM_SIZE) / sizeof(uint32_t));
    EXPECT_EQ(clEnqueueReadBuffer(in_order_, buffer, CL_TRUE, 0, values.size() * sizeof(uint32_t), values.data(), 0, nullptr,
                                  nullptr),
              CL_SUCCESS);
    return values;
  }

  CommandBufferFunctions cl_;
};

}  // namespace upsweep::tests
#endif
