// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unified shared memory in kernels and commands.
#include "usm_fixture.h"
#include <algorithm>
#include <memory>

namespace {

using namespace upsweep::tests;
using UsmCommandTest = UsmFixture;

constexpr unsigned char kPoison = 0xA5;

TEST_F(UsmCommandTest, GivenEachKind_WhenAKernelUsesIt_ThenItReadsAndWritesThere) {
  cl_kernel kernel = make_kernel(
      build("kernel void add(global const int *in, constant int *more, global int *out) { size_t i = get_global_id(0); "
            "out[i] = in[i] + more[i]; }"),
      "add");
  constexpr size_t kCount = 1000;
  std::vector<cl_int> numbers(kCount), expected(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    numbers[i] = static_cast<cl_int>(3 * i);
    expected[i] = 4 * numbers[i];
  }
  std::vector<cl_int> thrice(kCount);
  std::ranges::transform(numbers, thrice.begin(), [](cl_int number) { return 3 * number; });
  for (const Usm from : kAllUsm)
    for (const Usm to : kAllUsm) {
      SCOPED_TRACE(std::string(name_of(from)) + " " + name_of(to));
      auto *in = allocate<cl_int>(from, kCount + 1), *more = allocate<cl_int>(Usm::kDevice, kCount),
           *out = allocate<cl_int>(to, kCount + 2);
      put(in + 1, numbers);
      put(more, thrice);
      put(out, std::vector<cl_int>(kCount + 2, -1));
      EXPECT_EQ(set_pointer_(kernel, 0, in + 1), CL_SUCCESS) << "a pointer into an allocation";
      EXPECT_EQ(set_pointer_(kernel, 1, more), CL_SUCCESS);
      EXPECT_EQ(set_pointer_(kernel, 2, out + 1), CL_SUCCESS);
      run(kernel, kCount);
      const std::vector<cl_int> whole = get(out, kCount + 2);
      EXPECT_EQ(std::vector(whole.begin() + 1, whole.end() - 1), expected);
      EXPECT_EQ(whole.front(), -1);
      EXPECT_EQ(whole.back(), -1);
    }
}

TEST_F(UsmCommandTest, GivenMemoryOfTheHost_WhenTheDeviceHasSystemMemory_ThenAKernelUsesIt) {
  using Capabilities = cl_device_unified_shared_memory_capabilities_intel;
  if (!value_of<Capabilities>(clGetDeviceInfo, device_, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL))
    GTEST_SKIP() << "the device does not reach the heap";
  cl_kernel kernel =
      make_kernel(build("kernel void set(global int *out) { out[get_global_id(0)] = get_global_id(0); }"), "set");
  std::vector<cl_int> out(100, -1), expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(set_pointer_(kernel, 0, out.data()), CL_SUCCESS);
  run(kernel, 100);
  EXPECT_EQ(out, expected);
  std::fill(out.begin(), out.end(), -1);
  const cl_int pattern = 9;
  EXPECT_EQ(fill_(in_order_, out.data(), &pattern, 4, 400, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  EXPECT_EQ(out, std::vector<cl_int>(100, 9));
}

TEST_F(UsmCommandTest, GivenArguments_WhenTheyAreNoPointersOfTheKernel_ThenTheErrorSaysWhich) {
  cl_kernel kernel =
      make_kernel(build("kernel void f(global int *a, int b, local int *c) { if (!a) return; c[0] = b; a[0] = c[0]; }"), "f");
  void *pointer = allocate(Usm::kDevice, 64);
  EXPECT_EQ(set_pointer_(nullptr, 0, pointer), CL_INVALID_KERNEL);
  EXPECT_EQ(set_pointer_(kernel, 3, pointer), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(set_pointer_(kernel, 1, pointer), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set_pointer_(kernel, 2, pointer), CL_INVALID_ARG_VALUE);
  // "For extension versions 1.1.0 and newer: for all devices, any pointer value is valid"
  EXPECT_EQ(set_pointer_(kernel, 0, reinterpret_cast<void *>(16)), CL_SUCCESS);
  EXPECT_EQ(set_pointer_(kernel, 0, nullptr), CL_SUCCESS);
  EXPECT_EQ(set_argument(kernel, 1, 5), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 2, 64, nullptr), CL_SUCCESS);
  run(kernel, 1);
}

TEST_F(UsmCommandTest, GivenPointersInMemory_WhenAKernelFollowsThem_ThenItSeesEveryKind) {
  struct Node {
    Node *next;
    cl_long value;
  };
  cl_kernel kernel = make_kernel(build(R"(
    typedef struct Node { global struct Node *next; long value; } Node;
    kernel void sum(global Node *node, global long *result) {
      long total = 0;
      for (; node; node = node->next) total += node->value;
      *result = total;
    })"),
                                 "sum");
  auto *third = allocate<Node>(Usm::kDevice, 1), *second = allocate<Node>(Usm::kShared, 1),
       *first = allocate<Node>(Usm::kHost, 1);
  auto *result = allocate<cl_long>(Usm::kShared, 1);
  put(third, {{nullptr, 3}});
  put(second, {{third, 20}});
  put(first, {{second, 100}});
  for (const cl_kernel_exec_info flag :
       {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL}) {
    const cl_bool yes = CL_TRUE;
    EXPECT_EQ(clSetKernelExecInfo(kernel, flag, sizeof yes, &yes), CL_SUCCESS);
    EXPECT_EQ(clSetKernelExecInfo(kernel, flag, sizeof yes - 1, &yes), CL_INVALID_VALUE);
    EXPECT_EQ(clSetKernelExecInfo(kernel, flag, sizeof yes, nullptr), CL_INVALID_VALUE);
  }
  const void *used[] = {second, third};
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof used, used), CL_SUCCESS);
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 0, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof used - 1, used), CL_INVALID_VALUE);
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof used, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(set_pointer_(kernel, 0, first), CL_SUCCESS);
  EXPECT_EQ(set_pointer_(kernel, 1, result), CL_SUCCESS);
  run(kernel, 1);
  EXPECT_EQ(get(result, 1).front(), 123);
}

/// A launch's body may assume that its arguments are apart only where they are.
TEST_F(UsmCommandTest, GivenArgumentsInOneAllocationOrTwo_WhenALoopKeepsASumInMemory_ThenTheResultIsThatOfTheSource) {
  cl_kernel kernel = make_kernel(build(R"(
    kernel void dot(global int *c, global const int *a, int count) {
      size_t i = get_global_id(0);
      for (int k = 0; k < count; ++k) c[i] += a[k];
    })"),
                                 "dot");
  constexpr cl_int kCount = 50;
  std::vector<cl_int> numbers(kCount);
  std::iota(numbers.begin(), numbers.end(), 1);
  EXPECT_EQ(set_argument(kernel, 2, kCount), CL_SUCCESS);

  auto *apart = allocate<cl_int>(Usm::kShared, kCount), *sums = allocate<cl_int>(Usm::kDevice, 64);
  put(apart, numbers);
  put(sums, std::vector<cl_int>(64, 5));
  EXPECT_EQ(set_pointer_(kernel, 0, sums), CL_SUCCESS);
  EXPECT_EQ(set_pointer_(kernel, 1, apart), CL_SUCCESS);
  run(kernel, 64);
  EXPECT_EQ(get(sums, 64), std::vector<cl_int>(64, 5 + kCount * (kCount + 1) / 2));

  // The work-item reads its own sum: c[0] is a[10].
  auto *both = allocate<cl_int>(Usm::kDevice, kCount);
  put(both, numbers);
  std::vector<cl_int> expected = numbers;
  for (size_t k = 0; k < kCount; ++k) expected[10] += expected[k];
  EXPECT_EQ(set_pointer_(kernel, 0, both + 10), CL_SUCCESS);
  EXPECT_EQ(set_pointer_(kernel, 1, both), CL_SUCCESS);
  run(kernel, 1);
  EXPECT_EQ(get(both, kCount), expected);
}

TEST_F(UsmCommandTest, GivenEachPatternSize_WhenFilled_ThenTheRangeHasItAndItsNeighboursDoNot) {
  std::vector<unsigned char> pattern(128);
  std::iota(pattern.begin(), pattern.end(), static_cast<unsigned char>(1));
  constexpr size_t kBytes = 1024;
  for (const Usm kind : kAllUsm)
    for (size_t size = 1; size <= 128; size *= 2)
      for (const size_t repeats : {size_t{0}, size_t{1}, size_t{3}}) {
        SCOPED_TRACE(std::string(name_of(kind)) + " " + std::to_string(size) + " x " + std::to_string(repeats));
        auto *memory = allocate(kind, kBytes);
        put(memory, std::vector<unsigned char>(kBytes, kPoison));
        cl_event event = nullptr;
        EXPECT_EQ(fill_(in_order_, memory + 128, pattern.data(), size, repeats * size, 0, nullptr, &event), CL_SUCCESS);
        EXPECT_EQ(value_of<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE),
                  cl_command_type{CL_COMMAND_MEMFILL_INTEL});
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
        std::vector<unsigned char> expected(kBytes, kPoison);
        for (size_t i = 0; i < repeats * size; ++i) expected[128 + i] = pattern[i % size];
        EXPECT_EQ(get(memory, kBytes), expected);
      }
}

TEST_F(UsmCommandTest, GivenBadArguments_WhenFilled_ThenTheErrorSaysWhich) {
  auto *memory = allocate(Usm::kShared, 256);
  const unsigned char pattern[256] = {};
  const auto fill = [&](void *to, const void *bytes, size_t pattern_size, size_t size) {
    return fill_(in_order_, to, bytes, pattern_size, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(fill_(nullptr, memory, pattern, 1, 16, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(fill(nullptr, pattern, 1, 16), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory + 2, pattern, 4, 16), CL_INVALID_VALUE) << "not aligned";
  EXPECT_EQ(fill(memory, nullptr, 4, 16), CL_INVALID_VALUE);
  for (const size_t size : {size_t{0}, size_t{3}, size_t{256}}) EXPECT_EQ(fill(memory, pattern, size, 0), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory, pattern, 4, 18), CL_INVALID_VALUE) << "no multiple";
  EXPECT_EQ(fill(memory, pattern, 4, 260), CL_INVALID_VALUE) << "leaves the allocation";
  EXPECT_EQ(fill(memory + 252, pattern, 4, 8), CL_INVALID_VALUE) << "leaves the allocation";
  EXPECT_EQ(fill(memory, pattern, 1, SIZE_MAX), CL_INVALID_VALUE);
  EXPECT_EQ(fill(memory, pattern, 4, 256), CL_SUCCESS);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
}

TEST_F(UsmCommandTest, GivenMemoryOfAllKinds_WhenCopied_ThenTheBytesArriveAndNoOthersChange) {
  constexpr size_t kBytes = 300'000, kFirst = 7;
  const std::vector<unsigned char> numbers = counting(kBytes);
  for (const Usm from : kAllUsm)
    for (const Usm to : kAllUsm)
      for (const size_t bytes : {size_t{0}, size_t{1}, size_t{4097}, kBytes - 2 * kFirst}) {
        SCOPED_TRACE(std::string(name_of(from)) + " " + name_of(to) + " " + std::to_string(bytes));
        auto *source = allocate(from, kBytes), *destination = allocate(to, kBytes);
        put(source, numbers);
        put(destination, std::vector<unsigned char>(kBytes, kPoison));
        cl_event event = nullptr;
        EXPECT_EQ(copy_(out_of_order_, CL_FALSE, destination + kFirst, source + 1, bytes, 0, nullptr, &event), CL_SUCCESS);
        EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
        EXPECT_EQ(value_of<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE),
                  cl_command_type{CL_COMMAND_MEMCPY_INTEL});
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
        std::vector<unsigned char> expected(kBytes, kPoison);
        std::copy_n(numbers.begin() + 1, bytes, expected.begin() + kFirst);
        EXPECT_EQ(get(destination, kBytes), expected);
        give_back(source);
        give_back(destination);
      }
}

TEST_F(UsmCommandTest, GivenBadArguments_WhenCopied_ThenTheErrorSaysWhich) {
  auto *memory = allocate(Usm::kShared, 256), *other = allocate(Usm::kHost, 64);
  std::vector<unsigned char> host(512, kPoison);
  const auto copy = [&](void *to, const void *from, size_t size) {
    return copy_(in_order_, CL_TRUE, to, from, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(copy_(nullptr, CL_TRUE, memory, other, 16, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(copy(nullptr, memory, 16), CL_INVALID_VALUE);
  EXPECT_EQ(copy(memory, nullptr, 16), CL_INVALID_VALUE);
  EXPECT_EQ(copy(memory + 8, memory, 16), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(memory, memory + 15, 16), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(memory, memory + 16, 16), CL_SUCCESS);
  EXPECT_EQ(copy(host.data(), memory, 257), CL_INVALID_VALUE) << "leaves the allocation";
  EXPECT_EQ(copy(memory + 200, host.data(), 57), CL_INVALID_VALUE) << "leaves the allocation";
  EXPECT_EQ(copy(host.data(), host.data() + 256, 256), CL_SUCCESS) << "memory of the host alone";
  EXPECT_EQ(copy(memory, host.data(), SIZE_MAX), CL_INVALID_VALUE);
}

TEST_F(UsmCommandTest, GivenAFailedEvent_WhenABlockingCopyWaitsForIt_ThenItFailsAndWritesNothing) {
  auto *memory = allocate(Usm::kShared, 16);
  put(memory, std::vector<unsigned char>(16, 1));
  std::vector<unsigned char> host(16, kPoison);
  cl_event failed = make_user_event();
  EXPECT_EQ(clSetUserEventStatus(failed, -1), CL_SUCCESS);
  EXPECT_EQ(copy_(in_order_, CL_TRUE, host.data(), memory, 16, 1, &failed, nullptr),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(host, std::vector<unsigned char>(16, kPoison));
  EXPECT_EQ(clReleaseEvent(failed), CL_SUCCESS);
}

TEST_F(UsmCommandTest, GivenHints_WhenEnqueued_ThenContentsStay) {
  const cl_mem_migration_flags migrations[] = {0, CL_MIGRATE_MEM_OBJECT_HOST, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED,
                                               CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED};
  for (const Usm kind : kAllUsm) {
    SCOPED_TRACE(name_of(kind));
    auto *memory = allocate(kind, 10'000);
    put(memory, counting(10'000));
    for (const cl_mem_migration_flags flags : migrations) {
      cl_event event = nullptr;
      EXPECT_EQ(migrate_(in_order_, memory + 100, 9000, flags, 0, nullptr, &event), CL_SUCCESS) << flags;
      EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
      EXPECT_EQ(value_of<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE),
                cl_command_type{CL_COMMAND_MIGRATEMEM_INTEL});
      EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
      if (!(flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)) EXPECT_EQ(get(memory, 10'000), counting(10'000));
    }
    for (const cl_mem_advice_intel advice : {0u, 0x4208u, 0x420Fu}) {
      cl_event event = nullptr;
      EXPECT_EQ(advise_(in_order_, memory, 10'000, advice, 0, nullptr, &event), CL_SUCCESS) << advice;
      EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
      EXPECT_EQ(value_of<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE),
                cl_command_type{CL_COMMAND_MEMADVISE_INTEL});
      EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    }
  }
}

TEST_F(UsmCommandTest, GivenBadHints_WhenEnqueued_ThenTheErrorSaysWhich) {
  auto *memory = allocate(Usm::kShared, 64);
  EXPECT_EQ(migrate_(nullptr, memory, 64, 0, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(migrate_(in_order_, nullptr, 64, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(migrate_(in_order_, memory, 65, 0, 0, nullptr, nullptr), CL_INVALID_VALUE) << "leaves the allocation";
  EXPECT_EQ(migrate_(in_order_, memory, 64, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(advise_(nullptr, memory, 64, 0, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(advise_(in_order_, nullptr, 64, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  for (const cl_mem_advice_intel advice : {1u, 0x4207u, 0x4210u})
    EXPECT_EQ(advise_(in_order_, memory, 64, advice, 0, nullptr, nullptr), CL_INVALID_VALUE) << advice;
}

TEST_F(UsmCommandTest, GivenBadWaitLists_WhenEnqueued_ThenEachCommandRefuses) {
  auto *memory = allocate(Usm::kShared, 128);
  cl_context other = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  cl_event foreign = clCreateUserEvent(other, nullptr), own = make_user_event();
  const char pattern = 1;
  const auto all = [&](cl_uint count, const cl_event *list, cl_int expected) {
    EXPECT_EQ(fill_(in_order_, memory, &pattern, 1, 64, count, list, nullptr), expected);
    EXPECT_EQ(copy_(in_order_, CL_FALSE, memory, memory + 64, 64, count, list, nullptr), expected);
    EXPECT_EQ(migrate_(in_order_, memory, 64, 0, count, list, nullptr), expected);
    EXPECT_EQ(advise_(in_order_, memory, 64, 0, count, list, nullptr), expected);
  };
  all(1, nullptr, CL_INVALID_EVENT_WAIT_LIST);
  all(0, &own, CL_INVALID_EVENT_WAIT_LIST);
  all(1, &foreign, CL_INVALID_CONTEXT);
  const cl_event no_event = reinterpret_cast<cl_event>(context_);
  all(1, &no_event, CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clReleaseEvent(foreign), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(own), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
}

TEST_F(UsmCommandTest, GivenManyShortKernels_WhenTheyPassOneAllocationOn_ThenTheirOrderHolds) {
  cl_kernel kernel = make_kernel(build("kernel void twice(global uint *x) { x[get_global_id(0)] *= 3; }"), "twice");
  auto *memory = allocate<cl_uint>(Usm::kDevice, 64);
  put(memory, std::vector<cl_uint>(64, 1));
  EXPECT_EQ(set_pointer_(kernel, 0, memory), CL_SUCCESS);
  cl_event last = nullptr;
  cl_uint expected = 1;
  const size_t items = 64;
  for (int i = 0; i < 2000; ++i, expected *= 3) {
    cl_event next = nullptr;
    EXPECT_EQ(
        clEnqueueNDRangeKernel(out_of_order_, kernel, 1, nullptr, &items, nullptr, last ? 1 : 0, last ? &last : nullptr, &next),
        CL_SUCCESS);
    if (last) EXPECT_EQ(clReleaseEvent(last), CL_SUCCESS);
    last = next;
  }
  EXPECT_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(last), CL_SUCCESS);
  EXPECT_EQ(get(memory, 64), std::vector<cl_uint>(64, expected));
}

}  // namespace
