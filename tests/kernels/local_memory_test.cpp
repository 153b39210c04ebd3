// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory up to the device's limit.
#include "kernel_runner.h"

#include <functional>

namespace upsweep::tests {
namespace {

// Whole warps, and a partial one.
constexpr size_t kLocal = 200, kGlobal = 3 * kLocal;
constexpr Range kRange{{kGlobal, 1, 1}, {kLocal, 1, 1}};

class LocalMemory : public KernelRunner {
protected:
  void build(const char *kernel, size_t bytes) {
    KernelRunner::build("local_memory.cl", kernel, ("-cl-std=CL3.0 -DBYTES=" + std::to_string(bytes)).c_str());
  }
  size_t bytes_of_device() { return figure_of<cl_ulong>(device_, CL_DEVICE_LOCAL_MEM_SIZE); }
  size_t bytes_of_kernel() {
    cl_ulong bytes = 0;
    EXPECT_EQ(clGetKernelWorkGroupInfo(kernel_, device_, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, nullptr), CL_SUCCESS);
    return bytes;
  }
};

/// The sum that each work-item of large_variable computes.
size_t sum_of_turned(size_t bytes, size_t item) {
  size_t sum = 0;
  for (size_t at = item % kLocal; at < bytes / 4; at += kLocal) sum += bytes / 4 - at;
  return sum;
}

TEST_F(LocalMemory, GivenAVariableAsLargeAsTheDeviceHasRoom_WhenRun_ThenAllOfItIsThere) {
  for (const size_t bytes : {size_t{32768}, bytes_of_device()}) {
    build("large_variable", bytes);
    EXPECT_EQ(bytes_of_kernel(), bytes);
    EXPECT_EQ(run(kRange, kGlobal), expected(kGlobal, [&](size_t i) { return sum_of_turned(bytes, i); })) << bytes;
    release();
  }
}

TEST_F(LocalMemory, GivenVariablesAndAnArgument_WhenTheyFillTheDevice_ThenNoneTouchesAnother) {
  for (const size_t bytes : {size_t{16384}, bytes_of_device() - 2048}) {
    build("variables_and_argument", bytes);
    set_local(1, kLocal * sizeof(cl_int));
    EXPECT_EQ(bytes_of_kernel(), bytes / 8 * 4 + bytes / 16 * 4 + kLocal * sizeof(cl_int));
    const size_t rest = bytes_of_device() - bytes_of_kernel();
    set_local(1, kLocal * sizeof(cl_int) + rest);
    EXPECT_EQ(run(kRange, kGlobal), expected(kGlobal, [&](size_t i) { return kLocal - 1 - i % kLocal + 7; })) << bytes;
    release();
  }
}

TEST_F(LocalMemory, GivenAWorkGroupFunctionToo_WhenRun_ThenItHasRoomOfItsOwn) {
  const size_t bytes = bytes_of_device() - 512;
  build("with_collective", bytes);
  EXPECT_EQ(run(kRange, kGlobal), expected(kGlobal, [&](size_t) { return kLocal + bytes / 4; }));
}

/// The sums of a group's work-items in inner_scopes.
std::vector<int> sums_of_inner_scopes(int group) {
  constexpr int kSize = static_cast<int>(kLocal);
  std::vector<int> sums(kLocal, group);
  const auto with = [&](const std::function<int(int)> &value) {
    std::vector<int> next(kLocal);
    for (int i = 0; i < kSize; ++i) next[static_cast<size_t>(i)] = sums[static_cast<size_t>(i)] + value(i);
    sums = next;
  };
  const auto at = [&](int i) { return sums[static_cast<size_t>(i % kSize)]; };
  for (int turn = 0; turn < 4; ++turn) {
    with([&](int i) { return at(kSize - 1 - i) * (turn + 1) + kSize - 1 - i; });
    if (turn % 2 != 0)
      with([&](int i) { return at(i + 1); });
    else
      with([&](int i) { return -3 * at(i + 2); });
  }
  return sums;
}

TEST_F(LocalMemory, GivenVariablesOfInnerScopes_WhenRun_ThenEachDeclarationIsOneVariableOfTheGroup) {
  build("inner_scopes", 4096);
  EXPECT_EQ(bytes_of_kernel(), 3 * 256 * sizeof(cl_int));
  const std::vector<cl_int> got = run(kRange, kGlobal);
  for (size_t i = 0; i < kGlobal; ++i) ASSERT_EQ(got[i], sums_of_inner_scopes(static_cast<int>(i / kLocal))[i % kLocal]) << i;
}

TEST_F(LocalMemory, GivenMoreThanTheDeviceHas_WhenEnqueued_ThenThereIsAnError) {
  build("variables_and_argument", 16384);
  set_local(1, bytes_of_device());
  cl_mem out = clCreateBuffer(context_, CL_MEM_READ_WRITE, kGlobal * sizeof(cl_int), nullptr, nullptr);
  set(0, out);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, kRange.global.data(), kRange.local.data(), 0, nullptr, nullptr),
            CL_OUT_OF_RESOURCES);
  clReleaseMemObject(out);
}

}  // namespace
}  // namespace upsweep::tests
