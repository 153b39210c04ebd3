// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_ext_buffer_device_address: the fixed addresses of buffers, in kernels and in memory.
#include "api/newer_functions.h"
#include "object_fixture.h"

namespace {

using namespace upsweep::tests;

class DeviceAddressTest : public ObjectFixture {
protected:
  using Address = cl_mem_device_address_ext;

  void SetUp() override {
    ObjectFixture::SetUp();
    if (text_of(clGetDeviceInfo, device_, CL_DEVICE_EXTENSIONS).find("cl_ext_buffer_device_address") == std::string::npos) {
      ASSERT_TRUE(tests_a_gpu()) << "CPU devices have the extension";
      GTEST_SKIP() << "the device lacks the extension";
    }
    set_pointer_ = reinterpret_cast<decltype(set_pointer_)>(
        clGetExtensionFunctionAddressForPlatform(platform_, "clSetKernelArgDevicePointerEXT"));
    ASSERT_NE(set_pointer_, nullptr);
  }

  cl_mem make_fixed(size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE, void *host = nullptr) {
    const cl_mem_properties properties[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    cl_int error = -1;
    cl_mem buffer = keep(clCreateBufferWithProperties(context_, properties, flags, bytes, host, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return buffer;
  }
  Address address_of(cl_mem buffer) { return value_of<Address>(clGetMemObjectInfo, buffer, CL_MEM_DEVICE_ADDRESS_EXT); }

  decltype(&clSetKernelArgDevicePointerEXT) set_pointer_ = nullptr;
};

TEST_F(DeviceAddressTest, GivenAnAddress_WhenAKernelGetsIt_ThenItUsesTheBuffer) {
  cl_kernel kernel = make_kernel(build("kernel void add(global int *a) { a[get_global_id(0)] += 5; }"), "add");
  std::vector<cl_int> numbers(12);
  std::iota(numbers.begin(), numbers.end(), 0);
  cl_mem buffer = make_fixed(48, CL_MEM_COPY_HOST_PTR, numbers.data());
  const Address address = address_of(buffer);
  EXPECT_EQ(set_pointer_(kernel, 0, address + 4), CL_SUCCESS);
  run(kernel, 10);
  EXPECT_EQ(address_of(buffer), address) << "the address is fixed";
  std::vector<cl_int> seen(12, -1);
  EXPECT_EQ(clEnqueueReadBuffer(in_order_, buffer, CL_TRUE, 0, 48, seen.data(), 0, nullptr, nullptr), CL_SUCCESS);
  for (size_t i = 1; i < 11; ++i) numbers[i] += 5;
  EXPECT_EQ(seen, numbers);
}

TEST_F(DeviceAddressTest, GivenAddressesInMemory_WhenAKernelFollowsThem_ThenItReadsTheBuffers) {
  cl_kernel kernel = make_kernel(build("kernel void sum(global ulong *addresses, global int *out) { int total = 0; "
                                       "for (int i = 0; i < 3; ++i) total += *(global int *)addresses[i]; *out = total; }"),
                                 "sum");
  Address addresses[3];
  for (int i = 0; i < 3; ++i) {
    cl_int value = i == 0 ? 1 : i == 1 ? 20 : 300;
    addresses[i] = address_of(make_fixed(sizeof value, CL_MEM_COPY_HOST_PTR, &value));
  }
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, sizeof addresses, addresses), CL_SUCCESS);
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, sizeof addresses - 1, addresses),
            CL_INVALID_VALUE);
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, sizeof addresses, nullptr), CL_INVALID_VALUE);
  cl_mem table = make_buffer(sizeof addresses, CL_MEM_COPY_HOST_PTR, addresses), out = make_buffer(4);
  EXPECT_EQ(set_argument(kernel, 0, table), CL_SUCCESS);
  EXPECT_EQ(set_argument(kernel, 1, out), CL_SUCCESS);
  run(kernel, 1);
  cl_int total = -1;
  EXPECT_EQ(clEnqueueReadBuffer(in_order_, out, CL_TRUE, 0, 4, &total, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(total, 321);
}

TEST_F(DeviceAddressTest, GivenSvmAsHostPointer_WhenTheAddressIsAsked_ThenItIsThePointer) {
  void *svm = clSVMAlloc(context_, CL_MEM_READ_WRITE, 256, 0);
  EXPECT_EQ(address_of(make_fixed(256, CL_MEM_USE_HOST_PTR, svm)), reinterpret_cast<Address>(svm));
  for (cl_mem memory : std::exchange(memories_, {})) EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
  clSVMFree(context_, svm);
}

TEST_F(DeviceAddressTest, GivenOtherObjects_WhenTheAddressIsAsked_ThenItIsAnInvalidOperation) {
  Address address = 77;
  const auto ask = [&](cl_mem object, size_t bytes = sizeof(Address)) {
    return clGetMemObjectInfo(object, CL_MEM_DEVICE_ADDRESS_EXT, bytes, &address, nullptr);
  };
  cl_mem fixed = make_fixed(1024);
  const cl_buffer_region region{0, 128};
  cl_mem part = keep(clCreateSubBuffer(fixed, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  const cl_mem_properties no[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_FALSE, 0};
  cl_mem without = keep(clCreateBufferWithProperties(context_, no, CL_MEM_READ_WRITE, 64, nullptr, nullptr));
  EXPECT_EQ(ask(make_buffer(64)), CL_INVALID_OPERATION);
  EXPECT_EQ(ask(part), CL_INVALID_OPERATION);
  EXPECT_EQ(ask(without), CL_INVALID_OPERATION);
  EXPECT_EQ(ask(nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(ask(fixed, sizeof(Address) - 1), CL_INVALID_VALUE);
  EXPECT_EQ(address, 77u);
  size_t bytes = 0;
  EXPECT_EQ(clGetMemObjectInfo(fixed, CL_MEM_PROPERTIES, 0, nullptr, &bytes), CL_SUCCESS);
  std::vector<cl_mem_properties> list(bytes / sizeof(cl_mem_properties));
  EXPECT_EQ(clGetMemObjectInfo(fixed, CL_MEM_PROPERTIES, bytes, list.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(list, (std::vector<cl_mem_properties>{CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0}));
}

TEST_F(DeviceAddressTest, GivenBadArguments_WhenUsed_ThenTheErrorSaysWhich) {
  const std::vector<cl_mem_properties> lists[] = {
      {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 2, 0},
      {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 1, CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 1, 0},
      {CL_MEM_DEVICE_ADDRESS_EXT, 1, 0}};
  for (const auto &list : lists) {
    cl_int error = 0;
    EXPECT_EQ(clCreateBufferWithProperties(context_, list.data(), CL_MEM_READ_WRITE, 64, nullptr, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_PROPERTY);
  }
  cl_kernel kernel =
      make_kernel(build("kernel void f(global int *a, constant int *b, int c, local int *d) { if (a) *a = b[c] + "
                        "d[0]; }"),
                  "f");
  EXPECT_EQ(set_pointer_(nullptr, 0, 64), CL_INVALID_KERNEL);
  for (const cl_uint index : {1u, 2u, 3u, 4u, UINT32_MAX})
    EXPECT_EQ(set_pointer_(kernel, index, 64), CL_INVALID_ARG_INDEX) << index;
  // "It should be noted that it's legal to pass invalid pointers as the value"
  EXPECT_EQ(set_pointer_(kernel, 0, 64), CL_SUCCESS);
  EXPECT_EQ(set_pointer_(kernel, 0, 0), CL_SUCCESS);
}

}  // namespace
