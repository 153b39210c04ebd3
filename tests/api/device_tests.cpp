// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetDeviceIDs, clGetDeviceInfo, timers, clSetDefaultDeviceCommandQueue.
#include "base/opencl_3_1.h"
#include "fixture.h"
#include <set>
#include <sstream>
#include <thread>

namespace upsweep::tests {
namespace {

using DeviceTest = Fixture;

TEST_F(DeviceTest, GivenTypes_WhenDevicesAreAsked_ThenThoseOfTheTypeAreFound) {
  cl_device_id first = nullptr, found = nullptr;
  cl_uint count = 0;
  EXPECT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 1, &first, &count), CL_SUCCESS);
  EXPECT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_DEFAULT, 1, &found, nullptr), CL_SUCCESS);
  EXPECT_EQ(found, first);
  EXPECT_EQ(value_of<cl_device_type>(clGetDeviceInfo, first, CL_DEVICE_TYPE), cl_device_type{CL_DEVICE_TYPE_CPU});
  EXPECT_EQ(value_of<cl_device_type>(clGetDeviceInfo, device_, CL_DEVICE_TYPE), tested_device_type());
  EXPECT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_GPU, 1, &found, nullptr), count > 1 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND);
  EXPECT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_CUSTOM, 1, &found, &count), CL_DEVICE_NOT_FOUND);
}

TEST_F(DeviceTest, GivenBadArguments_WhenDevicesAreAsked_ThenErrors) {
  cl_device_id found = nullptr;
  EXPECT_EQ(clGetDeviceIDs(platform_, 0, 1, &found, nullptr), CL_INVALID_DEVICE_TYPE);
  EXPECT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_CPU, 0, &found, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_CPU, 1, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(DeviceTest, GivenDevice_WhenLimitsAreAsked_ThenTheyAreWhatFullProfileNeeds) {
  EXPECT_GE(value_of<cl_uint>(clGetDeviceInfo, device_, CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
  EXPECT_EQ(value_of<size_t>(clGetDeviceInfo, device_, CL_DEVICE_MAX_WORK_GROUP_SIZE), tests_a_gpu() ? 1024u : 4096u);
  EXPECT_GE(value_of<cl_ulong>(clGetDeviceInfo, device_, CL_DEVICE_LOCAL_MEM_SIZE), 32u << 10);
  EXPECT_GE(value_of<cl_ulong>(clGetDeviceInfo, device_, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
            value_of<cl_ulong>(clGetDeviceInfo, device_, CL_DEVICE_GLOBAL_MEM_SIZE) / 4);
  EXPECT_GE(value_of<size_t>(clGetDeviceInfo, device_, CL_DEVICE_MAX_PARAMETER_SIZE), 1024u);
  EXPECT_GE(value_of<cl_uint>(clGetDeviceInfo, device_, CL_DEVICE_MEM_BASE_ADDR_ALIGN), 1024u);
  EXPECT_EQ(value_of<cl_bool>(clGetDeviceInfo, device_, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS), cl_bool{CL_TRUE});
}

/// The specification's least values for devices with images; 0 for other devices.
TEST_F(DeviceTest, GivenDevice_WhenImageLimitsAreAsked_ThenTheyAreWhatFullProfileNeeds) {
  const bool has_images = value_of<cl_bool>(clGetDeviceInfo, device_, CL_DEVICE_IMAGE_SUPPORT);
  EXPECT_TRUE(has_images);
  auto expect = [&](auto limit, size_t least) {
    if (has_images)
      EXPECT_GE(limit, least);
    else
      EXPECT_EQ(limit, 0u);
  };
  auto number = [&](cl_device_info what) { return value_of<cl_uint>(clGetDeviceInfo, device_, what); };
  auto size = [&](cl_device_info what) { return value_of<size_t>(clGetDeviceInfo, device_, what); };
  expect(number(CL_DEVICE_MAX_READ_IMAGE_ARGS), 128);
  expect(number(CL_DEVICE_MAX_WRITE_IMAGE_ARGS), 64);
  expect(number(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS), 64);
  expect(number(CL_DEVICE_MAX_SAMPLERS), 16);
  expect(number(CL_DEVICE_IMAGE_PITCH_ALIGNMENT), 1);
  expect(number(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT), 1);
  for (cl_device_info what : {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT}) expect(size(what), 16384);
  for (cl_device_info what : {CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_DEPTH})
    expect(size(what), 2048);
  expect(size(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE), 65536);
  expect(size(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), 2048);
}

TEST_F(DeviceTest, GivenFeatures_WhenNamesAreListed_ThenEachIsThereOnce) {
  std::istringstream names(text_of(clGetDeviceInfo, device_, CL_DEVICE_EXTENSIONS));
  std::multiset<std::string> extensions{std::istream_iterator<std::string>(names), {}};
  for (const std::string &name : extensions) EXPECT_EQ(extensions.count(name), 1u) << name;
  for (const char *name : {"cl_khr_byte_addressable_store", "cl_khr_fp64", "cl_khr_global_int32_base_atomics"})
    EXPECT_TRUE(extensions.contains(name)) << name;
}

TEST_F(DeviceTest, GivenFloatAtomicsAndClocks_WhenAsked_ThenAllAreThere) {
  const std::string names = text_of(clGetDeviceInfo, device_, CL_DEVICE_EXTENSIONS);
  for (const char *name : {"cl_ext_float_atomics", "cl_khr_kernel_clock"})
    EXPECT_NE(names.find(name), std::string::npos) << name;
  for (const cl_device_info query : {CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT,
                                     CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT})
    EXPECT_EQ(value_of<cl_bitfield>(clGetDeviceInfo, device_, query), cl_bitfield{0x70007});
  EXPECT_EQ(value_of<cl_bitfield>(clGetDeviceInfo, device_, CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR), cl_bitfield{7});
}

TEST_F(DeviceTest, GivenIntegerDotProducts_WhenAsked_ThenBothFormsAreThereAndGpusHaveAnInstruction) {
  EXPECT_EQ(value_of<cl_bitfield>(clGetDeviceInfo, device_, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR), cl_bitfield{3});
  for (const cl_device_info query : {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
                                     CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR}) {
    const auto has = value_of<cl_device_integer_dot_product_acceleration_properties_khr>(clGetDeviceInfo, device_, query);
    const cl_bool gpu = tests_a_gpu() ? CL_TRUE : CL_FALSE;
    EXPECT_EQ(has.signed_accelerated, gpu);
    EXPECT_EQ(has.unsigned_accelerated, gpu);
    EXPECT_EQ(has.mixed_signedness_accelerated, gpu);
    EXPECT_EQ(has.accumulating_saturating_signed_accelerated, cl_bool{CL_FALSE});
    EXPECT_EQ(has.accumulating_saturating_unsigned_accelerated, cl_bool{CL_FALSE});
    EXPECT_EQ(has.accumulating_saturating_mixed_signedness_accelerated, cl_bool{CL_FALSE});
  }
}

TEST_F(DeviceTest, GivenClockQueries_WhenTimeGoesBy_ThenBothTimersMove) {
  using Clock = std::chrono::steady_clock;
  auto ns_between = [](Clock::time_point from, Clock::time_point to) {
    return static_cast<cl_ulong>(std::chrono::nanoseconds(to - from).count());
  };
  cl_ulong device_before = 0, device_after = 0, host_before = 0, host_middle = 0, host_after = 0;
  const auto start = Clock::now();
  ASSERT_EQ(clGetDeviceAndHostTimer(device_, &device_before, &host_before), CL_SUCCESS);
  const auto after_first = Clock::now();
  while (Clock::now() - after_first < std::chrono::milliseconds(1)) std::this_thread::yield();
  const auto before_second = Clock::now();
  ASSERT_EQ(clGetHostTimer(device_, &host_middle), CL_SUCCESS);
  const auto end = Clock::now();
  // The system's clock, read before and after each call, bounds the timer's difference from both sides.
  EXPECT_GE(host_middle - host_before, ns_between(after_first, before_second));
  EXPECT_LE(host_middle - host_before, ns_between(start, end));
  ASSERT_EQ(clGetDeviceAndHostTimer(device_, &device_after, &host_after), CL_SUCCESS);
  EXPECT_GT(device_after, device_before);
  EXPECT_GE(host_after, host_middle);
  EXPECT_EQ(clGetHostTimer(device_, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceAndHostTimer(device_, nullptr, &host_after), CL_INVALID_VALUE);
}

TEST_F(DeviceTest, GivenHostQueue_WhenMadeDefaultDeviceQueue_ThenItIsRefused) {
  const bool has_queues =
      value_of<cl_device_device_enqueue_capabilities>(clGetDeviceInfo, device_, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0;
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_, device_, in_order_),
            has_queues ? CL_INVALID_COMMAND_QUEUE : CL_INVALID_OPERATION);
}

}  // namespace
}  // namespace upsweep::tests
