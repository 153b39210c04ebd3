// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateSubDevices.
#include "fixture.h"

namespace upsweep::tests {
namespace {

class SubDeviceTest : public Fixture {
protected:
  void SetUp() override {
    Fixture::SetUp();
    units_ = value_of<cl_uint>(clGetDeviceInfo, device_, CL_DEVICE_MAX_COMPUTE_UNITS);
    if (units_ < 2) GTEST_SKIP() << "one compute unit cannot be partitioned";
  }
  cl_uint units_ = 0;
};

TEST_F(SubDeviceTest, GivenPartitionEqually_WhenCreated_ThenEachHasOneUnit) {
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  ASSERT_EQ(clCreateSubDevices(device_, properties, 0, nullptr, &count), CL_SUCCESS);
  EXPECT_EQ(count, units_);
  std::vector<cl_device_id> devices(count);
  ASSERT_EQ(clCreateSubDevices(device_, properties, count, devices.data(), nullptr), CL_SUCCESS);
  for (cl_device_id device : devices) {
    EXPECT_EQ(value_of<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
    EXPECT_EQ(value_of<cl_device_id>(clGetDeviceInfo, device, CL_DEVICE_PARENT_DEVICE), device_);
    EXPECT_EQ(value_of<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_REFERENCE_COUNT), 1u);
    cl_device_partition_property type[3] = {};
    EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_PARTITION_TYPE, sizeof(type), type, nullptr), CL_SUCCESS);
    EXPECT_EQ(std::memcmp(type, properties, sizeof(type)), 0);
    EXPECT_EQ(clReleaseDevice(device), CL_SUCCESS);
  }
}

TEST_F(SubDeviceTest, GivenBadPartitions_WhenCreated_ThenErrors) {
  cl_device_id devices[2];
  auto create = [&](std::vector<cl_device_partition_property> properties, cl_uint room) {
    return clCreateSubDevices(device_, properties.data(), room, devices, nullptr);
  };
  cl_device_partition_property units = units_;
  EXPECT_EQ(create({CL_DEVICE_PARTITION_EQUALLY, units + 1, 0}, 2), CL_INVALID_DEVICE_PARTITION_COUNT);
  EXPECT_EQ(create({CL_DEVICE_PARTITION_EQUALLY, units, 0}, 2), CL_DEVICE_PARTITION_FAILED);
  EXPECT_EQ(create({CL_DEVICE_PARTITION_EQUALLY, 0, 0}, 2), CL_INVALID_VALUE);
  EXPECT_EQ(create({CL_DEVICE_PARTITION_EQUALLY, 1, 0}, 1), CL_INVALID_VALUE);
  EXPECT_EQ(create({CL_DEVICE_PARTITION_BY_COUNTS, units, 1, 0, 0}, 2), CL_INVALID_DEVICE_PARTITION_COUNT);
  EXPECT_EQ(create({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0}, 2), CL_INVALID_VALUE);
  EXPECT_EQ(clCreateSubDevices(device_, nullptr, 2, devices, nullptr), CL_INVALID_VALUE);
}

TEST_F(SubDeviceTest, GivenSubDevice_WhenUsedForAQueue_ThenCommandsRun) {
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END,
                                                     0};
  cl_device_id device = nullptr;
  ASSERT_EQ(clCreateSubDevices(device_, properties, 1, &device, nullptr), CL_SUCCESS);
  cl_int error = 0;
  EXPECT_EQ(clCreateCommandQueueWithProperties(context_, device, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE) << "the context has the root device only";
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(clEnqueueBarrier(queue), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  EXPECT_EQ(clReleaseDevice(device), CL_SUCCESS);
}

}  // namespace
}  // namespace upsweep::tests
