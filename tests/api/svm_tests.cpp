// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory: allocation, its commands, and kernels that follow pointers in it.
#include "object_fixture.h"
#include <cstdint>
#include <memory>

namespace {

using namespace upsweep::tests;
using SvmTest = ObjectFixture;

TEST_F(SvmTest, GivenAnAllocation_WhenFilledAndCopied_ThenTheHostSeesIt) {
  auto *memory =
      static_cast<int *>(clSVMAlloc(context_, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64 * sizeof(int), 0));
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 128, 0U);
  const int pattern = 42;
  EXPECT_EQ(clEnqueueSVMMemFill(in_order_, memory, &pattern, sizeof pattern, 32 * sizeof(int), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clEnqueueSVMMemcpy(in_order_, CL_TRUE, memory + 32, memory, 32 * sizeof(int), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(std::vector<int>(memory, memory + 64), std::vector<int>(64, 42));
  EXPECT_EQ(clEnqueueSVMMap(in_order_, CL_TRUE, CL_MAP_READ, memory, 16, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueSVMUnmap(in_order_, memory, 0, nullptr, nullptr), CL_SUCCESS);
  const void *pointers[] = {memory};
  const size_t sizes[] = {16};
  EXPECT_EQ(clEnqueueSVMMigrateMem(in_order_, 1, pointers, sizes, 0, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  clSVMFree(context_, memory);
  clSVMFree(context_, nullptr);
}

TEST_F(SvmTest, GivenBadArguments_WhenAllocated_ThenNull) {
  EXPECT_EQ(clSVMAlloc(nullptr, CL_MEM_READ_WRITE, 16, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context_, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 16, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context_, CL_MEM_READ_WRITE | CL_MEM_SVM_ATOMICS, 16, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context_, CL_MEM_READ_WRITE, 0, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context_, CL_MEM_READ_WRITE, SIZE_MAX, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context_, CL_MEM_READ_WRITE, 16, 3), nullptr);
  EXPECT_EQ(clSVMAlloc(context_, CL_MEM_READ_WRITE, 16, 1 << 20), nullptr);
}

TEST_F(SvmTest, GivenBadArguments_WhenEnqueued_ThenTheErrorSaysWhich) {
  std::vector<char> host(64);
  const char pattern[4] = {};
  EXPECT_EQ(clEnqueueSVMMemcpy(in_order_, CL_TRUE, nullptr, host.data(), 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemcpy(in_order_, CL_TRUE, host.data() + 2, host.data(), 4, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueSVMMemFill(in_order_, host.data(), pattern, 3, 6, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMap(in_order_, CL_TRUE, CL_MAP_READ, host.data(), 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMUnmap(in_order_, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMFree(in_order_, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  const void *pointers[] = {host.data()};
  EXPECT_EQ(clEnqueueSVMMigrateMem(in_order_, 1, pointers, nullptr, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

void CL_CALLBACK take(cl_command_queue, cl_uint count, void *pointers[], void *list) {
  static_cast<std::vector<void *> *>(list)->assign(pointers, pointers + count);
}

TEST_F(SvmTest, GivenAFreeFunction_WhenTheCommandRuns_ThenItGetsThePointers) {
  void *memory = clSVMAlloc(context_, CL_MEM_READ_WRITE, 16, 0);
  std::vector<void *> taken;
  cl_event event = nullptr;
  EXPECT_EQ(clEnqueueSVMFree(in_order_, 1, &memory, take, &taken, 0, nullptr, &event), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(taken, std::vector<void *>{memory});
  EXPECT_EQ(value_of<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE), cl_command_type{CL_COMMAND_SVM_FREE});
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(clEnqueueSVMFree(in_order_, 1, &memory, nullptr, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
}

TEST_F(SvmTest, GivenSvmAsHostPointer_WhenABufferUsesIt_ThenTheQuerySaysSo) {
  void *memory = clSVMAlloc(context_, CL_MEM_READ_WRITE, 4096, 0);
  cl_mem svm = make_buffer(4096, CL_MEM_USE_HOST_PTR, memory);
  cl_int error = 0;
  EXPECT_EQ(clCreateBuffer(context_, CL_MEM_USE_HOST_PTR, 4097, memory, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(value_of<cl_bool>(clGetMemObjectInfo, svm, CL_MEM_USES_SVM_POINTER), cl_bool{CL_TRUE});
  EXPECT_EQ(value_of<cl_bool>(clGetMemObjectInfo, make_buffer(64), CL_MEM_USES_SVM_POINTER), cl_bool{CL_FALSE});
  clSVMFree(context_, memory);
}

TEST_F(SvmTest, GivenAListInTheHeap_WhenAKernelWalksIt_ThenItSeesEveryNode) {
  if (!(figure_of<cl_device_svm_capabilities>(device_, CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
    GTEST_SKIP() << "the device does not reach the heap";
  struct Node {
    Node *next;
    cl_int value;
  };
  cl_kernel kernel = make_kernel(build(R"(
    typedef struct Node { __global struct Node *next; int value; } Node;
    kernel void sum(global Node *node, global int *result) {
      int total = 0;
      for (; node; node = node->next) total += node->value;
      *result = total;
    })"),
                                 "sum");
  Node third{nullptr, 3}, second{&third, 20}, first{&second, 100};
  auto result = std::make_unique<cl_int>(0);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, &first), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 1, result.get()), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 2, &first), CL_INVALID_ARG_INDEX);
  const void *used[] = {&second, &third};
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof used, used), CL_SUCCESS);
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 3, used), CL_INVALID_VALUE);
  EXPECT_EQ(clSetKernelExecInfo(kernel, 1, sizeof used, used), CL_INVALID_VALUE);
  run(kernel, 1);
  EXPECT_EQ(*result, 123);
}

}  // namespace
