// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture of tests of unified shared memory: the extension's functions, and allocations that TearDown() frees.
#ifndef UPSWEEP_TESTS_API_USM_FIXTURE_H
#define UPSWEEP_TESTS_API_USM_FIXTURE_H

#include "object_fixture.h"
#include <cstdint>

namespace upsweep::tests {

enum class Usm { kHost, kDevice, kShared };
constexpr Usm kAllUsm[] = {Usm::kHost, Usm::kDevice, Usm::kShared};

class UsmFixture : public ObjectFixture {
protected:
  void SetUp() override {
    ObjectFixture::SetUp();
    look_up(host_alloc_, "clHostMemAllocINTEL");
    look_up(device_alloc_, "clDeviceMemAllocINTEL");
    look_up(shared_alloc_, "clSharedMemAllocINTEL");
    look_up(free_, "clMemFreeINTEL");
    look_up(blocking_free_, "clMemBlockingFreeINTEL");
    look_up(get_info_, "clGetMemAllocInfoINTEL");
    look_up(set_pointer_, "clSetKernelArgMemPointerINTEL");
    look_up(fill_, "clEnqueueMemFillINTEL");
    look_up(copy_, "clEnqueueMemcpyINTEL");
    look_up(migrate_, "clEnqueueMigrateMemINTEL");
    look_up(advise_, "clEnqueueMemAdviseINTEL");
  }

  void TearDown() override {
    for (void *pointer : allocations_) EXPECT_EQ(blocking_free_(context_, pointer), CL_SUCCESS);
    ObjectFixture::TearDown();
  }

  template <typename Function>
  void look_up(Function &function, const char *name) {
    function = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform_, name));
    ASSERT_NE(function, nullptr) << name;
  }

  /// clHostMemAllocINTEL, clDeviceMemAllocINTEL or clSharedMemAllocINTEL, with the error in error_.
  void *try_allocate(Usm kind, size_t bytes, cl_uint alignment = 0, const cl_mem_properties_intel *properties = nullptr) {
    error_ = 12345;
    switch (kind) {
    case Usm::kHost: return host_alloc_(context_, properties, bytes, alignment, &error_);
    case Usm::kDevice: return device_alloc_(context_, device_, properties, bytes, alignment, &error_);
    case Usm::kShared: return shared_alloc_(context_, device_, properties, bytes, alignment, &error_);
    }
    return nullptr;
  }
  /// An allocation that TearDown() frees.
  template <typename T = unsigned char>
  T *allocate(Usm kind, size_t count, cl_uint alignment = 0) {
    void *pointer = try_allocate(kind, count * sizeof(T), alignment);
    EXPECT_EQ(error_, CL_SUCCESS);
    EXPECT_NE(pointer, nullptr);
    if (pointer) allocations_.push_back(pointer);
    return static_cast<T *>(pointer);
  }
  /// Frees an allocation of allocate().
  void give_back(void *pointer) {
    EXPECT_EQ(std::erase(allocations_, pointer), 1u);
    EXPECT_EQ(free_(context_, pointer), CL_SUCCESS);
  }

  /// Copies between an allocation and the test's memory; waits.
  template <typename T>
  void put(T *to, const std::vector<T> &values) {
    EXPECT_EQ(copy_(in_order_, CL_TRUE, to, values.data(), values.size() * sizeof(T), 0, nullptr, nullptr), CL_SUCCESS);
  }
  template <typename T>
  std::vector<T> get(const T *from, size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(copy_(in_order_, CL_TRUE, values.data(), from, count * sizeof(T), 0, nullptr, nullptr), CL_SUCCESS);
    return values;
  }

  template <typename T>
  T info(const void *pointer, cl_mem_info_intel name, cl_context context = nullptr) {
    T value{};
    size_t bytes = 0;
    EXPECT_EQ(get_info_(context ? context : context_, pointer, name, sizeof value, &value, &bytes), CL_SUCCESS);
    EXPECT_EQ(bytes, sizeof value);
    return value;
  }
  cl_unified_shared_memory_type_intel type_at(const void *pointer, cl_context context = nullptr) {
    return info<cl_unified_shared_memory_type_intel>(pointer, CL_MEM_ALLOC_TYPE_INTEL, context);
  }

  clHostMemAllocINTEL_fn host_alloc_ = nullptr;
  clDeviceMemAllocINTEL_fn device_alloc_ = nullptr;
  clSharedMemAllocINTEL_fn shared_alloc_ = nullptr;
  clMemFreeINTEL_fn free_ = nullptr;
  clMemBlockingFreeINTEL_fn blocking_free_ = nullptr;
  clGetMemAllocInfoINTEL_fn get_info_ = nullptr;
  clSetKernelArgMemPointerINTEL_fn set_pointer_ = nullptr;
  clEnqueueMemFillINTEL_fn fill_ = nullptr;
  clEnqueueMemcpyINTEL_fn copy_ = nullptr;
  clEnqueueMigrateMemINTEL_fn migrate_ = nullptr;
  clEnqueueMemAdviseINTEL_fn advise_ = nullptr;
  cl_int error_ = 0;
  std::vector<void *> allocations_;
};

inline const char *name_of(Usm kind) { return kind == Usm::kHost ? "host" : kind == Usm::kDevice ? "device" : "shared"; }

}  // namespace upsweep::tests
#endif
