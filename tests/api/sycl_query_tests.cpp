// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The queries and functions that SYCL's adapter for OpenCL asks for. Each query is answered into the adapter's variable or
// refused with CL_INVALID_VALUE, and each function of an extension is found or not.
#include "sycl_queries.h"
#include "usm_fixture.h"
#include <algorithm>
#include <span>

namespace upsweep::tests {
namespace {

constexpr char kSource[] =
    "kernel __attribute__((intel_reqd_sub_group_size(8))) void fill(global int *out) { out[get_global_id(0)] = 7; }";

class SyclQueryTest : public UsmFixture {
protected:
  void SetUp() override {
    UsmFixture::SetUp();
    if (IsSkipped()) return;
    program_ = build(kSource);
    kernel_ = make_kernel(program_, "fill");
  }

  bool is_card() const {
    cl_device_pci_bus_info_khr bus{};
    return clGetDeviceInfo(device_, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof bus, &bus, nullptr) == CL_SUCCESS;
  }

  /// Asks each query as the adapter does. `ask(number, room, value, bytes)` calls the entry point.
  template <typename Ask>
  void check(std::span<const SyclQuery> queries, Ask ask) {
    constexpr unsigned char kUntouched = 0xA5;
    for (const SyclQuery &query : queries) {
      SCOPED_TRACE(query.name);
      std::vector<unsigned char> value(query.room + 1, kUntouched);
      size_t bytes = 0;
      if (query.answer == Answer::kNone || (query.answer == Answer::kOfCards && !is_card())) {
        EXPECT_EQ(ask(query.number, query.room, value.data(), &bytes), CL_INVALID_VALUE);
        EXPECT_EQ(std::ranges::count(value, kUntouched), static_cast<std::ptrdiff_t>(value.size()));
        continue;
      }
      if (query.room == kAnySize) {
        ASSERT_EQ(ask(query.number, 0, nullptr, &bytes), CL_SUCCESS);
        value.assign(bytes + 1, kUntouched);
      }
      EXPECT_EQ(ask(query.number, value.size() - 1, value.data(), &bytes), CL_SUCCESS);
      EXPECT_LE(bytes, value.size() - 1);
      EXPECT_EQ(value.back(), kUntouched);
    }
  }

  /// The same for entry points whose first argument is the object.
  template <typename Function, typename Handle>
  void check_object(std::span<const SyclQuery> queries, Function function, Handle handle) {
    check(queries, [&](cl_uint number, size_t room, void *value, size_t *bytes) {
      return function(handle, number, room, value, bytes);
    });
  }

  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
};

TEST_F(SyclQueryTest, GivenThePlatformAndItsDevice_WhenAskedAsSyclAsks_ThenEachAnswerFits) {
  check_object(kPlatformQueries, clGetPlatformInfo, platform_);
  check_object(kDeviceQueries, clGetDeviceInfo, device_);
  check_object(kContextQueries, clGetContextInfo, context_);
  check_object(kQueueQueries, clGetCommandQueueInfo, in_order_);
}

TEST_F(SyclQueryTest, GivenAProgramAndItsKernel_WhenAskedAsSyclAsks_ThenEachAnswerFits) {
  // The adapter gives a pointer per device for the binaries, so the answer is the array of pointers.
  const auto binary_bytes = value_of<size_t>(clGetProgramInfo, program_, CL_PROGRAM_BINARY_SIZES);
  std::vector<unsigned char> binary(binary_bytes);
  check(kProgramQueries, [&](cl_uint number, size_t room, void *value, size_t *bytes) {
    unsigned char *pointer = binary.data();
    if (number == CL_PROGRAM_BINARIES) std::memcpy(value, &pointer, sizeof pointer);
    return clGetProgramInfo(program_, number, room, value, bytes);
  });
  EXPECT_NE(std::ranges::count(binary, 0), static_cast<std::ptrdiff_t>(binary.size()));
  check(kBuildQueries, [&](cl_uint number, size_t room, void *value, size_t *bytes) {
    return clGetProgramBuildInfo(program_, device_, number, room, value, bytes);
  });
  check_object(kKernelQueries, clGetKernelInfo, kernel_);
  check(kWorkGroupQueries, [&](cl_uint number, size_t room, void *value, size_t *bytes) {
    return clGetKernelWorkGroupInfo(kernel_, device_, number, room, value, bytes);
  });
}

TEST_F(SyclQueryTest, GivenAKernel_WhenItsSubGroupsAreAskedFor_ThenTheLargestWorkGroupIsTheInput) {
  // The adapter's input is the device's largest size in the first dimension and 1 in the others.
  size_t sizes[3] = {};
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, nullptr), CL_SUCCESS);
  const size_t local[3] = {sizes[0], 1, 1};
  check(kSubGroupQueries, [&](cl_uint number, size_t room, void *value, size_t *bytes) {
    const bool has_input = number == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE;
    return clGetKernelSubGroupInfo(kernel_, device_, number, has_input ? sizeof local : 0, has_input ? local : nullptr, room,
                                   value, bytes);
  });
  size_t answer = 0;
  ASSERT_EQ(clGetKernelSubGroupInfo(kernel_, device_, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, local,
                                    sizeof answer, &answer, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(answer, 8u);
  ASSERT_EQ(clGetKernelSubGroupInfo(kernel_, device_, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, nullptr, sizeof answer,
                                    &answer, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(answer, 8u);
}

TEST_F(SyclQueryTest, GivenMemoryAndSamplers_WhenAskedAsSyclAsks_ThenEachAnswerFits) {
  cl_mem buffer = make_buffer(256);
  check_object(kMemoryQueries, clGetMemObjectInfo, buffer);
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = 8;
  shape.image_height = 4;
  cl_int error = -1;
  cl_mem image = keep(clCreateImage(context_, CL_MEM_READ_WRITE, &format, &shape, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  check_object(kMemoryQueries, clGetMemObjectInfo, image);
  check_object(kImageQueries, clGetImageInfo, image);
  cl_sampler sampler = clCreateSamplerWithProperties(context_, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  check_object(kSamplerQueries, clGetSamplerInfo, sampler);
  EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
}

TEST_F(SyclQueryTest, GivenAllocations_WhenAskedAsSyclAsks_ThenEachAnswerFits) {
  for (Usm kind : kAllUsm) {
    SCOPED_TRACE(name_of(kind));
    const auto *pointer = allocate(kind, 100);
    check(kAllocationQueries, [&](cl_uint number, size_t room, void *value, size_t *bytes) {
      return get_info_(context_, pointer + 99, number, room, value, bytes);
    });
  }
}

TEST_F(SyclQueryTest, GivenACommand_WhenItsEventIsAsked_ThenEachAnswerFits) {
  auto *pointer = allocate<cl_int>(Usm::kShared, 64);
  ASSERT_EQ(set_pointer_(kernel_, 0, pointer), CL_SUCCESS);
  const cl_bool yes = CL_TRUE;
  for (cl_kernel_exec_info access :
       {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL})
    EXPECT_EQ(clSetKernelExecInfo(kernel_, access, sizeof yes, &yes), CL_SUCCESS);
  const size_t items = 64;
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueNDRangeKernel(in_order_, kernel_, 1, nullptr, &items, nullptr, 0, nullptr, &event), CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  check_object(kEventQueries, clGetEventInfo, event);
  check_object(kProfilingQueries, clGetEventProfilingInfo, event);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(get(pointer, items), std::vector<cl_int>(items, 7));
}

TEST_F(SyclQueryTest, GivenTheFunctionsOfExtensions_WhenLookedUp_ThenThoseOfListedExtensionsAreThere) {
  for (const SyclFunction &function : kSyclFunctions)
    EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform_, function.name) != nullptr, function.is_there)
        << function.name;
  const std::string listed = text_of(clGetDeviceInfo, device_, CL_DEVICE_EXTENSIONS);
  // Each would change the adapter's calls: device_attribute_query asks for slices of Intel's GPUs, the others for the absent
  // functions.
  for (const char *absent :
       {"cl_intel_device_attribute_query", "cl_intel_mem_channel_property", "cl_intel_program_scope_host_pipe"})
    EXPECT_EQ(listed.find(absent), std::string::npos) << absent;
}

}  // namespace
}  // namespace upsweep::tests
