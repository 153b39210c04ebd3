// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unified shared memory: capabilities, allocations, queries about them, and their end.
#include "usm_fixture.h"
#include <array>
#include <atomic>
#include <memory>
#include <random>
#include <thread>

namespace {

using namespace upsweep::tests;
using UsmTest = UsmFixture;

constexpr cl_uint kTypes[] = {CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_DEVICE_INTEL, CL_MEM_TYPE_SHARED_INTEL};

TEST_F(UsmTest, GivenTheExtension_WhenCapabilitiesAreAsked_ThenTheyAgreeWithTheDevice) {
  using Capabilities = cl_device_unified_shared_memory_capabilities_intel;
  constexpr Capabilities kAll = 15;
  for (const cl_device_info query :
       {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL}) {
    const auto answer = value_of<Capabilities>(clGetDeviceInfo, device_, query);
    EXPECT_EQ(answer & ~kAll, 0u) << query;
    // A CPU's kernels access memory as the host does.
    if (!tests_a_gpu()) EXPECT_EQ(answer, kAll) << query;
    if (answer) EXPECT_TRUE(answer & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL) << query;
  }
  // "Device: Access: Required"
  EXPECT_TRUE(value_of<Capabilities>(clGetDeviceInfo, device_, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL) &
              CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL);
}

TEST_F(UsmTest, GivenEachKind_WhenAllocated_ThenQueriesAnswerForEachByte) {
  for (const Usm kind : kAllUsm)
    for (const size_t bytes : {size_t{1}, size_t{127}, size_t{4096}, size_t{1} << 20, (size_t{9} << 20) + 5}) {
      SCOPED_TRACE(std::string(name_of(kind)) + " " + std::to_string(bytes));
      auto *base = allocate(kind, bytes);
      ASSERT_NE(base, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(base) % 128, 0u) << "the default is the size of the largest type";
      for (const size_t offset : {size_t{0}, bytes / 2, bytes - 1}) {
        EXPECT_EQ(type_at(base + offset), kTypes[static_cast<size_t>(kind)]);
        EXPECT_EQ(info<void *>(base + offset, CL_MEM_ALLOC_BASE_PTR_INTEL), base);
        EXPECT_EQ(info<size_t>(base + offset, CL_MEM_ALLOC_SIZE_INTEL), bytes);
        EXPECT_EQ(info<cl_device_id>(base + offset, CL_MEM_ALLOC_DEVICE_INTEL), kind == Usm::kHost ? nullptr : device_);
        EXPECT_EQ(info<cl_mem_alloc_flags_intel>(base + offset, CL_MEM_ALLOC_FLAGS_INTEL), 0u);
      }
      EXPECT_NE(info<void *>(base + bytes, CL_MEM_ALLOC_BASE_PTR_INTEL), base) << "one byte behind the end";
      if (kind != Usm::kDevice) std::memset(base, 0x5A, bytes);
    }
}

TEST_F(UsmTest, GivenOtherPointers_WhenAsked_ThenTheTypeIsUnknownAndAllElseZero) {
  auto *freed = allocate(Usm::kShared, 64);
  give_back(freed);
  void *svm = clSVMAlloc(context_, CL_MEM_READ_WRITE, 64, 0);
  int local = 0;
  const void *pointers[] = {nullptr, &local, freed, svm, reinterpret_cast<void *>(UINTPTR_MAX), reinterpret_cast<void *>(1)};
  for (const void *pointer : pointers) {
    SCOPED_TRACE(pointer);
    EXPECT_EQ(type_at(pointer), cl_uint{CL_MEM_TYPE_UNKNOWN_INTEL});
    EXPECT_EQ(info<void *>(pointer, CL_MEM_ALLOC_BASE_PTR_INTEL), nullptr);
    EXPECT_EQ(info<size_t>(pointer, CL_MEM_ALLOC_SIZE_INTEL), 0u);
    EXPECT_EQ(info<cl_device_id>(pointer, CL_MEM_ALLOC_DEVICE_INTEL), nullptr);
    EXPECT_EQ(info<cl_mem_alloc_flags_intel>(pointer, CL_MEM_ALLOC_FLAGS_INTEL), 0u);
  }
  clSVMFree(context_, svm);
}

TEST_F(UsmTest, GivenBadArguments_WhenAsked_ThenTheErrorSaysWhich) {
  auto *base = allocate(Usm::kHost, 64);
  size_t answer = 77, bytes = 77;
  EXPECT_EQ(get_info_(nullptr, base, CL_MEM_ALLOC_SIZE_INTEL, sizeof answer, &answer, &bytes), CL_INVALID_CONTEXT);
  EXPECT_EQ(get_info_(context_, base, CL_MEM_ALLOC_TYPE_INTEL + 100, sizeof answer, &answer, &bytes), CL_INVALID_VALUE);
  EXPECT_EQ(get_info_(context_, base, CL_MEM_ALLOC_SIZE_INTEL, sizeof answer - 1, &answer, &bytes), CL_INVALID_VALUE);
  EXPECT_EQ(answer, 77u);
  EXPECT_EQ(bytes, 77u);
  EXPECT_EQ(get_info_(context_, base, CL_MEM_ALLOC_SIZE_INTEL, 0, nullptr, &bytes), CL_SUCCESS);
  EXPECT_EQ(bytes, sizeof(size_t));
  EXPECT_EQ(get_info_(context_, base, CL_MEM_ALLOC_SIZE_INTEL, sizeof answer, &answer, nullptr), CL_SUCCESS);
  EXPECT_EQ(answer, 64u);
}

TEST_F(UsmTest, GivenAlignments_WhenAllocated_ThenPowersOfTwoUpToTheLargestTypeWork) {
  for (const Usm kind : kAllUsm) {
    SCOPED_TRACE(name_of(kind));
    for (cl_uint alignment = 1; alignment <= 128; alignment *= 2)
      EXPECT_EQ(reinterpret_cast<uintptr_t>(allocate(kind, 3, alignment)) % alignment, 0u);
    for (const cl_uint alignment : {3u, 127u, 129u, 256u, 4096u, 1u << 31, UINT32_MAX}) {
      EXPECT_EQ(try_allocate(kind, 64, alignment), nullptr);
      EXPECT_EQ(error_, CL_INVALID_VALUE) << alignment;
    }
  }
}

TEST_F(UsmTest, GivenSizes_WhenOutOfBounds_ThenTheSizeIsInvalid) {
  const auto most = value_of<cl_ulong>(clGetDeviceInfo, device_, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  for (const Usm kind : kAllUsm)
    for (const size_t bytes : {size_t{0}, static_cast<size_t>(most) + 1, SIZE_MAX, SIZE_MAX - 127}) {
      EXPECT_EQ(try_allocate(kind, bytes), nullptr);
      EXPECT_EQ(error_, CL_INVALID_BUFFER_SIZE) << name_of(kind) << " " << bytes;
    }
  cl_int *no_error = nullptr;
  EXPECT_EQ(host_alloc_(context_, nullptr, 0, 0, no_error), nullptr);
}

TEST_F(UsmTest, GivenProperties_WhenAllocated_ThenFlagsAreKeptAndOthersRefused) {
  constexpr cl_mem_properties_intel kCombined = CL_MEM_ALLOC_WRITE_COMBINED_INTEL,
                                    kOnDevice = CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL,
                                    kOnHost = CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
  struct Case {
    std::vector<cl_mem_properties_intel> list;
    bool for_all, for_shared;
  };
  const Case cases[] = {{{0}, true, true},
                        {{CL_MEM_ALLOC_FLAGS_INTEL, 0, 0}, true, true},
                        {{CL_MEM_ALLOC_FLAGS_INTEL, kCombined, 0}, true, true},
                        {{CL_MEM_ALLOC_FLAGS_INTEL, kOnDevice, 0}, false, true},
                        {{CL_MEM_ALLOC_FLAGS_INTEL, kOnHost | kCombined, 0}, false, true},
                        {{CL_MEM_ALLOC_FLAGS_INTEL, kOnHost | kOnDevice, 0}, false, false},
                        {{CL_MEM_ALLOC_FLAGS_INTEL, 8, 0}, false, false},
                        {{CL_MEM_ALLOC_FLAGS_INTEL, kCombined, CL_MEM_ALLOC_FLAGS_INTEL, kCombined, 0}, false, false},
                        {{CL_MEM_ALLOC_TYPE_INTEL, 0, 0}, false, false}};
  for (const Usm kind : kAllUsm)
    for (const Case &one : cases) {
      const auto &[list, for_all, for_shared] = one;
      SCOPED_TRACE(name_of(kind) + std::string(" ") + std::to_string(&one - cases));
      void *pointer = try_allocate(kind, 64, 0, list.data());
      const bool is_valid = kind == Usm::kShared ? for_shared : for_all;
      EXPECT_EQ(error_, is_valid ? CL_SUCCESS : CL_INVALID_PROPERTY);
      EXPECT_EQ(pointer != nullptr, is_valid);
      if (!pointer) continue;
      EXPECT_EQ(info<cl_mem_alloc_flags_intel>(pointer, CL_MEM_ALLOC_FLAGS_INTEL), list.size() > 1 ? list[1] : 0);
      EXPECT_EQ(free_(context_, pointer), CL_SUCCESS);
    }
}

TEST_F(UsmTest, GivenBadHandles_WhenAllocated_ThenTheErrorSaysWhich) {
  cl_int error = 0;
  EXPECT_EQ(host_alloc_(nullptr, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(device_alloc_(nullptr, device_, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(shared_alloc_(nullptr, device_, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(device_alloc_(context_, nullptr, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
  auto *not_a_device = reinterpret_cast<cl_device_id>(context_);
  EXPECT_EQ(device_alloc_(context_, not_a_device, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
  EXPECT_EQ(shared_alloc_(context_, not_a_device, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
}

TEST_F(UsmTest, GivenADeviceOfAnotherContext_WhenAllocated_ThenItIsInvalid) {
  const cl_device_partition_property by_one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id part = nullptr;
  if (clCreateSubDevices(device_, by_one, 1, &part, nullptr) != CL_SUCCESS) GTEST_SKIP() << "the device has no parts";
  cl_int error = 0;
  EXPECT_EQ(device_alloc_(context_, part, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
  EXPECT_EQ(shared_alloc_(context_, part, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
  EXPECT_EQ(clReleaseDevice(part), CL_SUCCESS);
}

TEST_F(UsmTest, GivenNoDevice_WhenSharedMemoryIsAllocated_ThenItBelongsToNone) {
  cl_int error = -1;
  void *pointer = shared_alloc_(context_, nullptr, nullptr, 64, 0, &error);
  EXPECT_EQ(error, CL_SUCCESS);
  ASSERT_NE(pointer, nullptr);
  EXPECT_EQ(info<cl_device_id>(pointer, CL_MEM_ALLOC_DEVICE_INTEL), nullptr);
  EXPECT_EQ(type_at(pointer), cl_uint{CL_MEM_TYPE_SHARED_INTEL});
  EXPECT_EQ(free_(context_, pointer), CL_SUCCESS);
}

TEST_F(UsmTest, GivenPointers_WhenFreed_ThenOnlyTheStartOfAnAllocationIsValid) {
  cl_context other = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  for (const auto free : {free_, blocking_free_}) {
    void *pointer = try_allocate(Usm::kShared, 64);
    void *svm = clSVMAlloc(context_, CL_MEM_READ_WRITE, 64, 0);
    int local = 0;
    EXPECT_EQ(free(nullptr, pointer), CL_INVALID_CONTEXT);
    EXPECT_EQ(free(context_, nullptr), CL_SUCCESS);
    EXPECT_EQ(free(context_, static_cast<char *>(pointer) + 1), CL_INVALID_VALUE);
    EXPECT_EQ(free(other, pointer), CL_INVALID_VALUE);
    EXPECT_EQ(free(context_, &local), CL_INVALID_VALUE);
    EXPECT_EQ(free(context_, svm), CL_INVALID_VALUE);
    EXPECT_EQ(free(context_, reinterpret_cast<void *>(UINTPTR_MAX)), CL_INVALID_VALUE);
    clSVMFree(context_, pointer);  // no effect
    EXPECT_EQ(type_at(pointer, other), cl_uint{CL_MEM_TYPE_UNKNOWN_INTEL});
    EXPECT_EQ(type_at(pointer), cl_uint{CL_MEM_TYPE_SHARED_INTEL});
    EXPECT_EQ(free(context_, pointer), CL_SUCCESS);
    EXPECT_EQ(free(context_, pointer), CL_INVALID_VALUE);
    clSVMFree(context_, svm);
  }
  EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
}

TEST_F(UsmTest, GivenAllocations_WhenTheirContextEnds_ThenTheyEnd) {
  for (int round = 0; round < 100; ++round) {  // contexts reuse addresses, and must not find an earlier context's allocations
    cl_context other = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
    void *pointers[] = {host_alloc_(other, nullptr, 64, 0, nullptr), device_alloc_(other, device_, nullptr, 64, 0, nullptr),
                        shared_alloc_(other, device_, nullptr, 64, 0, nullptr)};
    EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
    cl_context next = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
    for (void *pointer : pointers) {
      ASSERT_NE(pointer, nullptr);
      EXPECT_EQ(type_at(pointer, next), cl_uint{CL_MEM_TYPE_UNKNOWN_INTEL});
      EXPECT_EQ(free_(next, pointer), CL_INVALID_VALUE);
    }
    EXPECT_EQ(clReleaseContext(next), CL_SUCCESS);
  }
}

TEST_F(UsmTest, GivenPendingCommands_WhenMemoryIsFreed_ThenItStaysUntilTheyEnd) {
  for (const bool fails : {false, true}) {
    cl_event gate = make_user_event();
    auto *memory = static_cast<cl_int *>(try_allocate(Usm::kShared, 1 << 20));
    std::vector<cl_int> seen(1 << 18, -1);
    const cl_int pattern = 42;
    EXPECT_EQ(fill_(in_order_, memory, &pattern, sizeof pattern, 1 << 20, 1, &gate, nullptr), CL_SUCCESS);
    cl_event end = nullptr;
    EXPECT_EQ(copy_(in_order_, CL_FALSE, seen.data(), memory, 1 << 20, 0, nullptr, &end), CL_SUCCESS);
    EXPECT_EQ(free_(context_, memory), CL_SUCCESS);
    EXPECT_EQ(type_at(memory), cl_uint{CL_MEM_TYPE_UNKNOWN_INTEL});
    // Memory that the next allocations get is other memory.
    for (int i = 0; i < 4; ++i) std::memset(allocate(Usm::kShared, 1 << 20), 0xEE, 1 << 20);
    EXPECT_EQ(clSetUserEventStatus(gate, fails ? -7 : CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
    if (!fails) EXPECT_EQ(seen, std::vector<cl_int>(1 << 18, 42));
    EXPECT_EQ(clReleaseEvent(end), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  }
}

TEST_F(UsmTest, GivenPendingCommands_WhenMemoryIsFreedBlocking_ThenTheyEndBefore) {
  cl_event gate = make_user_event(), end = nullptr;
  auto *memory = try_allocate(Usm::kDevice, 4096);
  const cl_int pattern = 42;
  EXPECT_EQ(fill_(out_of_order_, memory, &pattern, sizeof pattern, 4096, 1, &gate, &end), CL_SUCCESS);
  std::atomic<bool> is_open{false};
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    is_open = true;
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  });
  EXPECT_EQ(blocking_free_(context_, memory), CL_SUCCESS);
  EXPECT_TRUE(is_open);
  EXPECT_EQ(status_of(end), CL_COMPLETE);
  opener.join();
  EXPECT_EQ(clReleaseEvent(end), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

TEST_F(UsmTest, GivenEightThreads_WhenTheyAllocateAMillionTimes_ThenEachFindsItsOwn) {
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
  constexpr int kPerThread = 5'000;
#else
  constexpr int kPerThread = 125'000;
#endif
  constexpr int kThreads = 8, kLive = 256;
  const int per_thread = tests_a_gpu() ? 500 : kPerThread;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      std::mt19937 random(static_cast<unsigned>(thread));
      struct Block {
        char *base = nullptr;
        size_t bytes = 0;
      };
      std::array<Block, kLive> live{};
      int wrong = 0;
      for (int i = 0; i < per_thread; ++i) {
        auto &[base, bytes] = live[random() % kLive];
        if (base) wrong += free_(context_, base) != CL_SUCCESS;
        bytes = size_t{1} << (random() % (i % 64 ? 12 : 18));
        bytes += random() % bytes;
        cl_int error = 0;
        base = static_cast<char *>(i % 2 ? shared_alloc_(context_, device_, nullptr, bytes, 0, &error)
                                         : device_alloc_(context_, device_, nullptr, bytes, 0, &error));
        wrong += error != CL_SUCCESS;
        const auto &[asked, size] = live[random() % kLive];
        if (!asked) continue;
        size_t found = 0;
        wrong += get_info_(context_, asked + random() % size, CL_MEM_ALLOC_SIZE_INTEL, sizeof found, &found, nullptr) !=
                     CL_SUCCESS ||
                 found != size;
      }
      for (auto &[base, bytes] : live)
        if (base) wrong += free_(context_, base) != CL_SUCCESS;
      EXPECT_EQ(wrong, 0);
    });
  for (std::thread &thread : threads) thread.join();
}

}  // namespace
