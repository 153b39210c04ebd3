// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unified shared memory of devices with memory of their own: transfers use it in place, and the host never touches it.
#include "runtime/memory/usm.h"
#include "separate_fixture.h"
#include <CL/cl_ext.h>
#include <chrono>
#include <thread>

namespace upsweep::tests {
namespace {

class UsmOnSeparate : public SeparateFixture {
protected:
  cl_device_id device(size_t index) { return devices().platform->devices()[index].get(); }
  int *device_ints(size_t index, size_t count) {
    cl_int error = -1;
    auto *made = static_cast<int *>(clDeviceMemAllocINTEL(context_, device(index), nullptr, count * sizeof(int), 0, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  cl_int copy_bytes(size_t queue, void *to, const void *from, size_t bytes, cl_bool blocking = CL_TRUE) {
    return clEnqueueMemcpyINTEL(queues_[queue], blocking, to, from, bytes, 0, nullptr, nullptr);
  }
  static bool is_of_device(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer) & kDeviceAddresses; }
};

TEST_F(UsmOnSeparate, GivenDeviceMemory_WhenItsQueueFillsCopiesAndRunsKernels_ThenTheBytesAreRight) {
  constexpr size_t kCount = 1000, kBytes = kCount * sizeof(int);
  int *a = device_ints(kFirst, kCount), *b = device_ints(kFirst, kCount);
  ASSERT_TRUE(is_of_device(a));
  const std::vector<int> numbers = counting(kCount);
  EXPECT_EQ(copy_bytes(kFirst, a, numbers.data(), kBytes), CL_SUCCESS);
  EXPECT_EQ(copy_bytes(kFirst, b + 10, a, kBytes - 40, CL_FALSE), CL_SUCCESS);
  const int pattern = 7, value = 3;
  EXPECT_EQ(clEnqueueMemFillINTEL(queues_[kFirst], b, &pattern, sizeof pattern, 40, 0, nullptr, nullptr), CL_SUCCESS);
  cl_kernel kernel = make_kernel("add");
  EXPECT_EQ(clSetKernelArgMemPointerINTEL(kernel, 0, b), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof value, &value), CL_SUCCESS);
  EXPECT_EQ(clEnqueueNDRangeKernel(queues_[kFirst], kernel, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  std::vector<int> seen(kCount, -1), expected(kCount, 10);
  for (size_t i = 10; i < kCount; ++i) expected[i] = numbers[i - 10] + 3;
  EXPECT_EQ(copy_bytes(kFirst, seen.data(), b, kBytes), CL_SUCCESS);
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(clMemFreeINTEL(context_, a), CL_SUCCESS);
  EXPECT_EQ(clMemBlockingFreeINTEL(context_, b), CL_SUCCESS);
}

TEST_F(UsmOnSeparate, GivenDeviceMemory_WhenQueuesOfOtherDevicesUseIt_ThenTheyRefuse) {
  int *memory = device_ints(kFirst, 16);
  int host[16] = {};
  const int pattern = 1;
  for (const size_t queue : {kCpu, kSecond}) {
    EXPECT_EQ(copy_bytes(queue, host, memory, 64), CL_INVALID_VALUE);
    EXPECT_EQ(copy_bytes(queue, memory, host, 64), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueMemFillINTEL(queues_[queue], memory, &pattern, 4, 64, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueMigrateMemINTEL(queues_[queue], memory, 64, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  }
  EXPECT_EQ(clMemBlockingFreeINTEL(context_, memory), CL_SUCCESS);
}

TEST_F(UsmOnSeparate, GivenADeviceWithoutSystemMemory_WhenItFillsMemoryOfTheHost_ThenItRefuses) {
  int host[16] = {};
  const int pattern = 5;
  EXPECT_EQ(clEnqueueMemFillINTEL(queues_[kFirst], host, &pattern, 4, 64, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMemAdviseINTEL(queues_[kFirst], host, 64, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  auto *svm = static_cast<int *>(clSVMAlloc(context_, CL_MEM_READ_WRITE, 64, 0));
  EXPECT_EQ(clEnqueueMemFillINTEL(queues_[kFirst], svm, &pattern, 4, 64, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queues_[kFirst]), CL_SUCCESS);
  EXPECT_EQ(svm[15], 5);
  clSVMFree(context_, svm);
  EXPECT_EQ(clEnqueueMemFillINTEL(queues_[kCpu], host, &pattern, 4, 64, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queues_[kCpu]), CL_SUCCESS);
  EXPECT_EQ(host[15], 5);
}

TEST_F(UsmOnSeparate, GivenHostAndSharedMemory_WhenTheHostAndBothDevicesUseIt_ThenItIsTheSame) {
  cl_int error = -1;
  auto *of_host = static_cast<int *>(clHostMemAllocINTEL(context_, nullptr, 64, 0, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  auto *shared = static_cast<int *>(clSharedMemAllocINTEL(context_, device(kFirst), nullptr, 64, 0, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  auto *of_none = static_cast<int *>(clSharedMemAllocINTEL(context_, nullptr, nullptr, 64, 0, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  for (size_t i = 0; i < 16; ++i) of_host[i] = static_cast<int>(i);
  EXPECT_EQ(copy_bytes(kFirst, shared, of_host, 64), CL_SUCCESS);
  shared[3] = 33;
  EXPECT_EQ(copy_bytes(kCpu, of_none, shared, 64), CL_SUCCESS);
  EXPECT_EQ(of_none[3], 33);
  EXPECT_EQ(of_none[15], 15);
  devices().first->hints = 0;
  for (void *memory : {of_host, shared, of_none})
    EXPECT_EQ(clEnqueueMigrateMemINTEL(queues_[kFirst], memory, 64, 0, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queues_[kFirst]), CL_SUCCESS);
  EXPECT_EQ(of_none[3], 33);
  for (void *memory : {of_host, shared, of_none}) EXPECT_EQ(clMemFreeINTEL(context_, memory), CL_SUCCESS);
}

TEST_F(UsmOnSeparate, GivenNoRoomOnTheDevice_WhenAllocated_ThenTheErrorIsTheDevices) {
  devices().first->refuses_memory = true;
  cl_int error = 0;
  EXPECT_EQ(clDeviceMemAllocINTEL(context_, device(kFirst), nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_OUT_OF_RESOURCES);
  EXPECT_EQ(clSharedMemAllocINTEL(context_, device(kFirst), nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_OUT_OF_RESOURCES);
  devices().first->refuses_memory = false;
}

TEST_F(UsmOnSeparate, GivenABusyDevice_WhenMemoryIsFreed_ThenTheCallReturnsAndTheMemoryStays) {
  int *memory = device_ints(kFirst, 256);
  std::vector<int> seen(256, -1);
  const int pattern = 9;
  devices().first->is_halted = true;
  EXPECT_EQ(clEnqueueMemFillINTEL(queues_[kFirst], memory, &pattern, 4, 1024, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(copy_bytes(kFirst, seen.data(), memory, 1024, CL_FALSE), CL_SUCCESS);
  EXPECT_EQ(clMemFreeINTEL(context_, memory), CL_SUCCESS);
  EXPECT_FALSE(find_usm(**Context::from(context_), memory));
  EXPECT_EQ(devices().first->allocations, 1u);
  devices().first->is_halted = false;
  EXPECT_EQ(clFinish(queues_[kFirst]), CL_SUCCESS);
  EXPECT_EQ(seen, std::vector<int>(256, 9));
  for (int i = 0; i < 5000 && devices().first->allocations != 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(devices().first->allocations, 0u);
}

TEST_F(UsmOnSeparate, GivenAllocations_WhenTheirContextEnds_ThenTheDeviceHasItsMemoryBack) {
  device_ints(kFirst, 16);
  device_ints(kSecond, 16);
  EXPECT_EQ(devices().first->allocations, 1u);
  close();
  EXPECT_EQ(devices().first->allocations, 0u);
  EXPECT_EQ(devices().second->allocations, 0u);
}

}  // namespace
}  // namespace upsweep::tests
