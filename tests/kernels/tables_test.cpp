// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant tables, which code for lanes keeps in registers.
#include "kernel_runner.h"

#include <string_view>

namespace upsweep::tests {
namespace {

// The kernel's sum of elements i^2 + i + 1.
int expected_sum(unsigned i) {
  const auto element = [](unsigned n) { return static_cast<int>(n * n + n + 1); };
  int sum = element(i % 32);
  const int times = i % 3 == 0 ? 2 : 1;
  for (const unsigned length : {2U, 3U, 4U, 5U, 8U, 9U, 16U, 17U}) sum += times * element(i % length);
  return i % 3 == 0 ? sum + element(i % 15 / 3) : sum;
}

TEST_F(KernelRunner, GivenConstantTables_WhenLookedUp_ThenEachLaneGetsItsElement) {
  constexpr size_t kCount = 1000;  // the last sub-group is partial
  std::vector<cl_uint> indices(kCount);
  for (size_t i = 0; i < kCount; ++i) indices[i] = static_cast<cl_uint>(i * 2654435761U >> 7);
  cl_mem buffer =
      clCreateBuffer(context_, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, kCount * sizeof(cl_uint), indices.data(), nullptr);
  cl_device_type type = 0;
  clGetDeviceInfo(device_, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
  for (const char *options :
       {"-cl-std=CL3.0", "-cl-std=CL3.0 -DLANES=4", "-cl-std=CL3.0 -DLANES=8", "-cl-std=CL3.0 -DLANES=32"}) {
    if (type != CL_DEVICE_TYPE_CPU && std::string_view(options).find("LANES") != std::string_view::npos) continue;
    release();
    build("tables.cl", "look_up", options);
    set(1, buffer);
    EXPECT_EQ(run({{kCount, 1, 1}, {100, 1, 1}}, kCount),
              expected(kCount, [&](size_t i) { return static_cast<size_t>(expected_sum(indices[i])); }))
        << options;
  }
  clReleaseMemObject(buffer);
}

TEST_F(KernelRunner, GivenAddressesInConstantTables_WhenLoadedLater_ThenEachLaneGetsItsElement) {
  constexpr size_t kCount = 500;
  std::vector<cl_uint> indices(kCount);
  for (size_t i = 0; i < kCount; ++i) indices[i] = static_cast<cl_uint>(i * 2654435761U >> 7);
  cl_mem buffer =
      clCreateBuffer(context_, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, kCount * sizeof(cl_uint), indices.data(), nullptr);
  build("tables.cl", "look_up_later");
  set(1, buffer);
  const auto element = [](unsigned n) { return static_cast<int>(n * n + n + 1); };
  std::vector<cl_int> sums(kCount);
  for (size_t i = 0; i < kCount; ++i)
    for (unsigned k = 0; k < indices[i] % 5; ++k) {
      if ((indices[i] ^ k) & 1) sums[i] += element(indices[i] % 8);
      if (k & 2) sums[i] -= element(indices[i] * 3 % 16);
    }
  EXPECT_EQ(run({{kCount, 1, 1}, {100, 1, 1}}, kCount), sums);
  clReleaseMemObject(buffer);
}

}  // namespace
}  // namespace upsweep::tests
