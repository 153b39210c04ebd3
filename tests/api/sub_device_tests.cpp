// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateSubDevices.
#include "fixture.h"
#include <sched.h>

namespace upsweep::tests {
namespace {

class SubDeviceTest : public Fixture {
protected:
  void SetUp() override {
    Fixture::SetUp();
    units_ = value_of<cl_uint>(clGetDeviceInfo, device_, CL_DEVICE_PARTITION_MAX_SUB_DEVICES);
    if (units_ < 2) GTEST_SKIP() << "the device cannot be partitioned";
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
  EXPECT_EQ(create({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 0, 0}, 2), CL_INVALID_VALUE);
  EXPECT_EQ(create({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 1 << 20, 0}, 2), CL_INVALID_VALUE);
  EXPECT_EQ(create({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                    CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE | CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, 0},
                   2),
            CL_INVALID_VALUE);
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

/// The processors on which native kernels of a device run, as a list.
class Processors {
public:
  Processors(cl_device_id device) {
    cl_int error = 0;
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
    auto ask = [](void *self) {
      cpu_set_t &set = (*static_cast<Processors **>(self))->set_;
      sched_getaffinity(0, sizeof(set), &set);
    };
    Processors *self = this;
    error_ = clEnqueueNativeKernel(queue, ask, &self, sizeof(self), 0, nullptr, nullptr, 0, nullptr, nullptr);
    clFinish(queue);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
  cl_int error() const { return error_; }
  int count() const { return CPU_COUNT(&set_); }
  bool overlaps(const Processors &other) const {
    cpu_set_t both;
    CPU_AND(&both, &set_, &other.set_);
    return CPU_COUNT(&both) > 0;
  }

private:
  cpu_set_t set_ = {};
  cl_int error_ = 0;
};

TEST_F(SubDeviceTest, GivenAffinityDomains_WhenPartitioned_ThenEachStaysOnItsProcessors) {
  const auto domains = value_of<cl_device_affinity_domain>(clGetDeviceInfo, device_, CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
  if (domains == 0) GTEST_SKIP() << "all processors share everything, or the system does not tell";
  EXPECT_TRUE(domains & CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE);
  for (int bit = 0; bit < 6; ++bit) {
    const cl_device_affinity_domain domain = cl_device_affinity_domain{1} << bit;
    const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                       static_cast<cl_device_partition_property>(domain), 0};
    cl_uint count = 0;
    const cl_int error = clCreateSubDevices(device_, properties, 0, nullptr, &count);
    ASSERT_EQ(error, domains & domain ? CL_SUCCESS : CL_INVALID_VALUE) << domain;
    if (error) continue;
    ASSERT_GE(count, 2u);
    std::vector<cl_device_id> devices(count);
    ASSERT_EQ(clCreateSubDevices(device_, properties, count, devices.data(), nullptr), CL_SUCCESS);
    cl_uint units = 0;
    cl_ulong cache = value_of<cl_ulong>(clGetDeviceInfo, device_, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    for (cl_device_id device : devices) {
      units += value_of<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS);
      EXPECT_LE(value_of<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE), cache);
      cl_device_partition_property type[3] = {};
      EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_PARTITION_TYPE, sizeof(type), type, nullptr), CL_SUCCESS);
      EXPECT_EQ(type[0], CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
      EXPECT_TRUE(domains & type[1]);
      EXPECT_NE(type[1], CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE) << "the domain that it was";
    }
    EXPECT_EQ(units, units_);
    const Processors first(devices[0]), second(devices[1]);
    EXPECT_EQ(first.error(), CL_SUCCESS);
    EXPECT_GE(first.count(), 1);
    EXPECT_FALSE(first.overlaps(second));
    for (cl_device_id device : devices) EXPECT_EQ(clReleaseDevice(device), CL_SUCCESS);
  }
}

}  // namespace
}  // namespace upsweep::tests
