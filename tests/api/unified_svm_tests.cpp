// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_unified_svm: the types of SVM, allocations of each type, queries about them, and commands on them.
#include "../sanitizer.h"
#include "base/unified_svm.h"
#include "usm_fixture.h"
#include <algorithm>
#include <bit>

namespace {

using namespace upsweep::tests;
using Capabilities = cl_svm_capabilities_khr;
using Properties = std::vector<cl_svm_alloc_properties_khr>;

class UnifiedSvmTest : public UsmFixture {
protected:
  void SetUp() override {
    UsmFixture::SetUp();
    look_up(allocate_, "clSVMAllocWithPropertiesKHR");
    look_up(free_svm_, "clSVMFreeWithPropertiesKHR");
    look_up(pointer_info_, "clGetSVMPointerInfoKHR");
    look_up(suggest_, "clGetSVMSuggestedTypeIndexKHR");
    of_platform_ = list_of(clGetPlatformInfo, platform_, CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR);
    of_device_ = list_of(clGetDeviceInfo, device_, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR);
    ASSERT_FALSE(of_platform_.empty());
    ASSERT_EQ(of_platform_.size(), of_device_.size());
  }

  template <typename Query, typename Object>
  static std::vector<Capabilities> list_of(Query query, Object object, cl_uint name) {
    size_t bytes = 0;
    EXPECT_EQ(query(object, name, 0, nullptr, &bytes), CL_SUCCESS);
    std::vector<Capabilities> list(bytes / sizeof(Capabilities), ~Capabilities{0});
    EXPECT_EQ(query(object, name, bytes, list.data(), nullptr), CL_SUCCESS);
    return list;
  }

  /// The types that the device supports and that the extension allocates.
  std::vector<cl_uint> own_types() const {
    std::vector<cl_uint> types;
    for (cl_uint i = 0; i < of_device_.size(); ++i)
      if (of_device_[i] && !(of_device_[i] & CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR)) types.push_back(i);
    return types;
  }
  Properties with_device(Properties more = {}) const {
    more.insert(more.begin(), {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, reinterpret_cast<cl_properties>(device_)});
    more.push_back(0);
    return more;
  }
  void *try_type(cl_uint type, size_t bytes, const Properties &properties) {
    error_ = 12345;
    return allocate_(context_, properties.empty() ? nullptr : properties.data(), type, bytes, &error_);
  }
  unsigned char *make(cl_uint type, size_t bytes, const Properties &properties) {
    void *made = try_type(type, bytes, properties);
    EXPECT_EQ(error_, CL_SUCCESS);
    EXPECT_NE(made, nullptr);
    return static_cast<unsigned char *>(made);
  }
  void free_svm(void *pointer) { EXPECT_EQ(free_svm_(context_, nullptr, 0, pointer), CL_SUCCESS); }
  template <typename T>
  T ask(const void *pointer, cl_svm_pointer_info_khr name, cl_device_id device = nullptr) {
    T answer{};
    size_t bytes = 0;
    EXPECT_EQ(pointer_info_(context_, device, pointer, name, sizeof answer, &answer, &bytes), CL_SUCCESS) << name;
    EXPECT_EQ(bytes, sizeof answer) << name;
    return answer;
  }
  Properties properties_of(const void *pointer) {
    size_t bytes = 12345;
    EXPECT_EQ(pointer_info_(context_, nullptr, pointer, CL_SVM_INFO_PROPERTIES_KHR, 0, nullptr, &bytes), CL_SUCCESS);
    Properties list(bytes / sizeof(cl_properties), 12345);
    EXPECT_EQ(pointer_info_(context_, nullptr, pointer, CL_SVM_INFO_PROPERTIES_KHR, bytes, list.data(), nullptr), CL_SUCCESS);
    return list;
  }
  cl_uint suggested(Capabilities required, Capabilities desired, const Properties &properties = {}) {
    cl_uint index = 12345;
    EXPECT_EQ(suggest_(context_, required, desired, properties.empty() ? nullptr : properties.data(), 64, &index), CL_SUCCESS);
    return index;
  }

  decltype(&clSVMAllocWithPropertiesKHR) allocate_ = nullptr;
  decltype(&clSVMFreeWithPropertiesKHR) free_svm_ = nullptr;
  decltype(&clGetSVMPointerInfoKHR) pointer_info_ = nullptr;
  decltype(&clGetSVMSuggestedTypeIndexKHR) suggest_ = nullptr;
  std::vector<Capabilities> of_platform_, of_device_;
};

TEST_F(UnifiedSvmTest, GivenThePlatform_WhenAsked_ThenItsTypesAreTheCommonPartOfItsDevices) {
  cl_uint count = 0;
  ASSERT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), CL_SUCCESS);
  std::vector<cl_device_id> devices(count);
  ASSERT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr), CL_SUCCESS);
  std::vector<Capabilities> common(of_platform_.size(), 0);
  for (cl_device_id device : devices) {
    const auto list = list_of(clGetDeviceInfo, device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR);
    ASSERT_EQ(list.size(), common.size());
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i]) common[i] = common[i] ? common[i] & list[i] : list[i];
      EXPECT_EQ(list[i] & of_platform_[i], list[i] ? of_platform_[i] : 0u) << i;
      EXPECT_EQ(list[i] >> 15, 0u) << "bits that the extension does not have";
    }
  }
  EXPECT_EQ(common, of_platform_);
  // On a CPU all types are supported, and kernels reach each other's memory as the host does.
  if (!tests_a_gpu()) EXPECT_EQ(std::ranges::count(of_device_, 0u), 0);
}

TEST_F(UnifiedSvmTest, GivenEachType_WhenAllocated_ThenQueriesAnswerForEachByte) {
  for (const cl_uint type : own_types())
    for (const cl_svm_alloc_properties_khr alignment : {0, 1, 16, 128}) {
      SCOPED_TRACE("type " + std::to_string(type) + ", alignment " + std::to_string(alignment));
      const Properties list = with_device({CL_SVM_ALLOC_ALIGNMENT_KHR, alignment, CL_SVM_ALLOC_ACCESS_FLAGS_KHR,
                                           CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR});
      auto *base = make(type, 1000, list);
      ASSERT_NE(base, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(base) % (alignment ? alignment : 128), 0u);
      for (const size_t offset : {0, 500, 999})
        for (cl_device_id device : {device_, cl_device_id{}}) {
          const auto *pointer = base + offset;
          EXPECT_EQ(ask<cl_uint>(pointer, CL_SVM_INFO_TYPE_INDEX_KHR, device), type);
          const auto capabilities = ask<Capabilities>(pointer, CL_SVM_INFO_CAPABILITIES_KHR, device);
          EXPECT_EQ(capabilities & of_platform_[type], of_platform_[type]);
          if (device) EXPECT_EQ(capabilities, of_device_[type]);
          EXPECT_EQ(ask<void *>(pointer, CL_SVM_INFO_BASE_PTR_KHR, device), base);
          EXPECT_EQ(ask<size_t>(pointer, CL_SVM_INFO_SIZE_KHR, device), 1000u);
          EXPECT_EQ(ask<cl_device_id>(pointer, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, device), device_);
          EXPECT_EQ(ask<cl_svm_alloc_access_flags_khr>(pointer, CL_SVM_INFO_ACCESS_FLAGS_KHR, device), list[5]);
        }
      EXPECT_EQ(properties_of(base), list);
      EXPECT_NE(ask<void *>(base + 1000, CL_SVM_INFO_BASE_PTR_KHR), base) << "one byte behind the end";
      free_svm(base);
      EXPECT_EQ(ask<size_t>(base, CL_SVM_INFO_SIZE_KHR), 0u) << "freed";
    }
}

TEST_F(UnifiedSvmTest, GivenNoDeviceInTheProperties_WhenAllocated_ThenTypesThatNeedItRefuse) {
  for (const cl_uint type : own_types())
    for (const Properties &list : {Properties(), Properties{0}, Properties{CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, 0, 0}}) {
      void *made = try_type(type, 64, list);
      if (!(of_device_[type] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR)) {
        EXPECT_EQ(error_, CL_INVALID_DEVICE);
        EXPECT_EQ(made, nullptr);
        continue;
      }
      EXPECT_EQ(error_, CL_SUCCESS);
      EXPECT_EQ(ask<cl_device_id>(made, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR), nullptr);
      EXPECT_EQ(properties_of(made), list);
      clSVMFree(context_, made);
      EXPECT_EQ(ask<size_t>(made, CL_SVM_INFO_SIZE_KHR), 0u);
    }
}

TEST_F(UnifiedSvmTest, GivenWrongArguments_WhenAllocatedFreedOrAsked_ThenTheErrorsAreThoseOfTheExtension) {
  const cl_uint type = own_types().front();
  const auto refuses = [&](cl_int error, cl_uint index, size_t bytes, const Properties &list) {
    EXPECT_EQ(try_type(index, bytes, list), nullptr);
    EXPECT_EQ(error_, error);
  };
  refuses(CL_INVALID_VALUE, static_cast<cl_uint>(of_platform_.size()), 64, with_device());
  refuses(CL_INVALID_VALUE, CL_UINT_MAX, 64, with_device());
  refuses(CL_INVALID_BUFFER_SIZE, type, 0, with_device());
  refuses(CL_INVALID_PROPERTY, type, 64, with_device({0x1234, 1}));
  refuses(CL_INVALID_PROPERTY, type, 64, with_device({CL_SVM_ALLOC_ALIGNMENT_KHR, 3}));
  refuses(CL_INVALID_PROPERTY, type, 64, with_device({CL_SVM_ALLOC_ALIGNMENT_KHR, 256}));
  refuses(CL_INVALID_PROPERTY, type, 64, with_device({CL_SVM_ALLOC_ACCESS_FLAGS_KHR, 4}));
  refuses(CL_INVALID_PROPERTY, type, 64, with_device({CL_SVM_ALLOC_ALIGNMENT_KHR, 8, CL_SVM_ALLOC_ALIGNMENT_KHR, 8}));
  refuses(CL_INVALID_DEVICE, type, 64,
          {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, reinterpret_cast<cl_properties>(&error_), 0});
  EXPECT_EQ(allocate_(nullptr, nullptr, type, 64, &error_), nullptr);
  EXPECT_EQ(error_, CL_INVALID_CONTEXT);
  // Sizes that no device has end with an error. Sanitizers end the process.
  if (!kSanitized) {
    EXPECT_EQ(try_type(type, size_t{1} << 60, with_device()), nullptr);
    EXPECT_TRUE(error_ == CL_OUT_OF_HOST_MEMORY || error_ == CL_OUT_OF_RESOURCES) << error_;
  }
  for (cl_uint i = 0; i < of_device_.size(); ++i)
    if (of_device_[i] & CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR) refuses(CL_INVALID_VALUE, i, 64, with_device());

  const cl_svm_free_properties_khr unknown[] = {0x1234, 1, 0}, none[] = {0};
  int local = 0;
  EXPECT_EQ(free_svm_(context_, unknown, 0, nullptr), CL_INVALID_PROPERTY);
  EXPECT_EQ(free_svm_(context_, none, 1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(free_svm_(context_, none, 0, &local), CL_SUCCESS) << "other pointers are ignored, as by clSVMFree";
  EXPECT_EQ(free_svm_(nullptr, none, 0, &local), CL_INVALID_CONTEXT);

  EXPECT_EQ(ask<cl_uint>(&local, CL_SVM_INFO_TYPE_INDEX_KHR), CL_UINT_MAX);
  EXPECT_EQ(ask<Capabilities>(&local, CL_SVM_INFO_CAPABILITIES_KHR, device_), 0u);
  EXPECT_EQ(ask<void *>(&local, CL_SVM_INFO_BASE_PTR_KHR), nullptr);
  EXPECT_EQ(properties_of(&local), Properties());
  EXPECT_EQ(pointer_info_(context_, nullptr, &local, 0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(pointer_info_(context_, reinterpret_cast<cl_device_id>(&error_), &local, CL_SVM_INFO_SIZE_KHR, 0, nullptr, nullptr),
            CL_INVALID_DEVICE);
  EXPECT_EQ(suggest_(context_, 0, 0, nullptr, 0, nullptr), CL_INVALID_VALUE);
}

TEST_F(UnifiedSvmTest, GivenRequiredCapabilities_WhenATypeIsSuggested_ThenItHasThemAndMostOfTheDesired) {
  for (Capabilities required = 0; required < (1u << 15); required += 1 + required / 16)
    for (const Capabilities desired :
         {Capabilities{0}, Capabilities{CL_SVM_CAPABILITY_HOST_READ_KHR},
          Capabilities{CL_SVM_CAPABILITY_HOST_MAP_KHR | CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR}}) {
      int most = -1;
      for (const Capabilities type : of_device_)
        if (type && (type & required) == required) most = std::max(most, std::popcount(type & desired));
      const cl_uint index = suggested(required, desired, with_device());
      if (most < 0) {
        EXPECT_EQ(index, CL_UINT_MAX) << required;
        continue;
      }
      ASSERT_LT(index, of_device_.size()) << required;
      EXPECT_EQ(of_device_[index] & required, required);
      EXPECT_EQ(std::popcount(of_device_[index] & desired), most);
    }
  EXPECT_EQ(suggested(Capabilities{1} << 40, 0), CL_UINT_MAX);
}

TEST_F(UnifiedSvmTest, GivenEachType_WhenCommandsUseIt_ThenTheBytesAreRight) {
  const Properties list = with_device();
  for (const cl_uint type : own_types()) {
    SCOPED_TRACE("type " + std::to_string(type));
    auto *memory = make(type, 4096, list);
    const std::vector<unsigned char> bytes(1000, 0x3C);
    std::vector<unsigned char> seen(4096, 0xEE), expected(4096, 0x77);
    std::ranges::copy(bytes, expected.begin() + 100);
    const unsigned char pattern = 0x77;
    EXPECT_EQ(clEnqueueSVMMemFill(in_order_, memory, &pattern, 1, 4096, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueSVMMemcpy(in_order_, CL_FALSE, memory + 100, bytes.data(), bytes.size(), 0, nullptr, nullptr),
              CL_SUCCESS);
    const void *pointer = memory + 1;
    EXPECT_EQ(clEnqueueSVMMigrateMem(in_order_, 1, &pointer, nullptr, 0, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueSVMMemcpy(in_order_, CL_TRUE, seen.data(), memory, 4096, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(seen, expected);
    if (of_device_[type] & CL_SVM_CAPABILITY_HOST_READ_KHR) EXPECT_TRUE(std::equal(expected.begin(), expected.end(), memory));
    if (of_device_[type] & CL_SVM_CAPABILITY_HOST_MAP_KHR) {
      EXPECT_EQ(clEnqueueSVMMap(in_order_, CL_TRUE, CL_MAP_READ, memory, 4096, 0, nullptr, nullptr), CL_SUCCESS);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), memory));
      EXPECT_EQ(clEnqueueSVMUnmap(in_order_, memory, 0, nullptr, nullptr), CL_SUCCESS);
    }
    if (of_device_[type] & CL_SVM_CAPABILITY_DEVICE_OWNED_KHR)
      EXPECT_EQ(clEnqueueSVMMap(in_order_, CL_TRUE, CL_MAP_READ, memory, 4096, 0, nullptr, nullptr), CL_INVALID_VALUE);
    void *pointers[] = {memory};
    EXPECT_EQ(clEnqueueSVMFree(in_order_, 1, pointers, nullptr, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
    EXPECT_EQ(ask<size_t>(memory, CL_SVM_INFO_SIZE_KHR), 0u);
  }
}

TEST_F(UnifiedSvmTest, GivenEachType_WhenAKernelReachesItThroughABuffer_ThenItsBytesAreRight) {
  cl_program program = build("struct list { global int *at; };\n"
                             "kernel void follow(global struct list *l, global int *out) {\n"
                             "  const size_t i = get_global_id(0);\n"
                             "  out[i] = l->at[i];\n"
                             "  l->at[i] = 2 * out[i];\n"
                             "}");
  cl_kernel kernel = make_kernel(program, "follow");
  const cl_bool yes = CL_TRUE;
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, sizeof yes, &yes), CL_SUCCESS);
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, 1, &yes), CL_INVALID_VALUE);
  constexpr size_t kCount = 257;
  const Properties list = with_device();
  for (const cl_uint type : own_types()) {
    SCOPED_TRACE("type " + std::to_string(type));
    auto *memory = make(type, kCount * sizeof(cl_int), list);
    std::vector<cl_int> numbers(kCount), seen(kCount, -1), doubled(kCount, -1), expected(kCount);
    for (size_t i = 0; i < kCount; ++i) expected[i] = 2 * (numbers[i] = static_cast<cl_int>(i * 7 + type));
    EXPECT_EQ(clEnqueueSVMMemcpy(in_order_, CL_TRUE, memory, numbers.data(), kCount * 4, 0, nullptr, nullptr), CL_SUCCESS);
    cl_mem head = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, sizeof memory, &memory, nullptr);
    cl_mem out = clCreateBuffer(context_, CL_MEM_READ_WRITE, kCount * 4, nullptr, nullptr);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof head, &head), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof out, &out), CL_SUCCESS);
    EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueReadBuffer(in_order_, out, CL_TRUE, 0, kCount * 4, seen.data(), 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueSVMMemcpy(in_order_, CL_TRUE, doubled.data(), memory, kCount * 4, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(seen, numbers);
    EXPECT_EQ(doubled, expected);
    EXPECT_EQ(clReleaseMemObject(head), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(out), CL_SUCCESS);
    free_svm(memory);
  }
}

}  // namespace
