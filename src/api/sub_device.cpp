// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateSubDevices: splits the parent's workers into consecutive runs. With affinity domains, workers stay on their
// processors.
#include "api/entry.h"
#include "runtime/objects/device.h"
#include <CL/cl_ext.h>

using namespace upsweep;

namespace {

/// A validated partition request.
struct Partition {
  std::vector<uint32_t> counts;                          ///< compute units of each sub-device
  std::vector<cl_device_partition_property> properties;  ///< the value of CL_DEVICE_PARTITION_TYPE, with the terminating 0
  bool is_confined = false;
};

Result<Partition> partition_equally(const Device &device, const cl_device_partition_property *properties) {
  uint32_t units = device.share().count;
  cl_device_partition_property each = properties[1];
  // "CL_INVALID_VALUE if values specified in properties are not valid or if values specified in properties are valid but not
  // supported by the device"
  if (properties[2] != 0 || each <= 0) return fail(CL_INVALID_VALUE, "CL_DEVICE_PARTITION_EQUALLY takes one positive number");
  // "CL_INVALID_DEVICE_PARTITION_COUNT if the total number of compute units requested exceeds CL_DEVICE_MAX_COMPUTE_UNITS"
  if (each > units)
    return fail(CL_INVALID_DEVICE_PARTITION_COUNT, "the device has only " + std::to_string(units) + " compute units");
  // A single sub-device that is the whole device is not a partition.
  if (each == units) return fail(CL_DEVICE_PARTITION_FAILED, "the partition's only sub-device would be the whole device");
  return Partition{std::vector<uint32_t>(units / static_cast<uint32_t>(each), static_cast<uint32_t>(each)),
                   {properties, properties + 3},
                   false};
}

Result<Partition> partition_by_counts(const Device &device, const cl_device_partition_property *properties) {
  uint32_t units = device.share().count;
  Partition partition;
  uint64_t sum = 0;
  const cl_device_partition_property *count = properties + 1;
  for (; *count != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++count) {
    // "CL_INVALID_DEVICE_PARTITION_COUNT if ... the number of sub-devices requested exceeds CL_DEVICE_PARTITION_MAX_SUB_DEVICES
    // or the total number of compute units requested exceeds CL_DEVICE_MAX_COMPUTE_UNITS, or the number of compute units for
    // one or more sub-devices is less than zero"
    if (*count < 0 || *count > units)
      return fail(CL_INVALID_DEVICE_PARTITION_COUNT, "a sub-device cannot have " + std::to_string(*count) + " compute units");
    partition.counts.push_back(static_cast<uint32_t>(*count));
    sum += static_cast<uint64_t>(*count);
    if (partition.counts.size() > units || sum > units)
      return fail(CL_INVALID_DEVICE_PARTITION_COUNT,
                  "the sub-devices have more than the device's " + std::to_string(units) + " compute units");
  }
  if (partition.counts.empty()) return fail(CL_INVALID_VALUE, "CL_DEVICE_PARTITION_BY_COUNTS has no counts");
  partition.properties.assign(properties, count + 1);
  partition.properties.push_back(0);
  return partition;
}

/// "The implementation shall find the first level along which the device or sub-device may be further subdivided in the order
/// NUMA, L4, L3, L2, L1"
cl_device_affinity_domain next_partitionable(const Device &device) {
  const cl_device_affinity_domain domains = device.affinity_domains();
  for (const AffinityLevel &level : device.properties().affinity)
    if (domains & level.domain) return level.domain;
  return 0;
}

Result<Partition> partition_by_affinity(const Device &device, const cl_device_partition_property *properties) {
  auto domain = static_cast<cl_device_affinity_domain>(properties[1]);
  if (domain == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE) domain = next_partitionable(device);
  // "CL_INVALID_VALUE if values specified in properties are not valid or if values specified in properties are valid but not
  // supported by the device"
  const bool is_one_bit = domain && (domain & (domain - 1)) == 0;
  if (properties[2] != 0 || !is_one_bit || !(device.affinity_domains() & domain))
    return fail(CL_INVALID_VALUE, "affinity domain " + std::to_string(properties[1]) + " does not divide the device");
  return Partition{device.workers_by(domain),
                   {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, static_cast<cl_device_partition_property>(domain), 0},
                   true};
}

Result<Partition> check_partition(const Device &device, const cl_device_partition_property *properties) {
  if (!properties) return fail(CL_INVALID_VALUE, "properties is null");
  if (!device.properties().can_partition) return fail(CL_INVALID_VALUE, "the device supports no partition type");
  bool is_divisible = device.share().count > 1;
  switch (properties[0]) {
  case CL_DEVICE_PARTITION_EQUALLY:
  case CL_DEVICE_PARTITION_BY_COUNTS:
  case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN:
    // "CL_DEVICE_PARTITION_FAILED if the partition name is supported by the implementation but in_device could not be further
    // partitioned"
    if (!is_divisible) return fail(CL_DEVICE_PARTITION_FAILED, "a device of one compute unit cannot be partitioned");
    if (properties[0] == CL_DEVICE_PARTITION_EQUALLY) return partition_equally(device, properties);
    if (properties[0] == CL_DEVICE_PARTITION_BY_COUNTS) return partition_by_counts(device, properties);
    return partition_by_affinity(device, properties);
  default: return fail(CL_INVALID_VALUE, "partition type " + std::to_string(properties[0]) + " is not supported");
  }
}

}  // namespace

cl_int CL_API_CALL clCreateSubDevices(cl_device_id in_device, const cl_device_partition_property *properties,
                                      cl_uint num_devices, cl_device_id *out_devices, cl_uint *num_devices_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto device = Device::from(in_device);
    if (!device) return fail(device);
    auto partition = check_partition(**device, properties);
    if (!partition) return fail(partition);
    // "CL_INVALID_VALUE if out_devices is not NULL and num_devices is less than the number of sub-devices created"
    if (out_devices && num_devices < partition->counts.size())
      return fail(CL_INVALID_VALUE, "num_devices is " + std::to_string(num_devices) + ", the partition has " +
                                        std::to_string(partition->counts.size()));
    Share share = (*device)->share();
    share.is_confined |= partition->is_confined;
    for (size_t i = 0; out_devices && i < partition->counts.size(); ++i) {
      share.count = partition->counts[i];
      if (partition->is_confined) (*device)->target().confine(share);
      out_devices[i] = hand_out(Device::create_sub_device(**device, share, partition->properties));
      share.first += share.count;
    }
    if (num_devices_ret) *num_devices_ret = static_cast<cl_uint>(partition->counts.size());
    return {};
  });
}

// cl_ext_device_fission, the predecessor: it has the same functions but other partition names, none of which is valid here.
cl_int CL_API_CALL clCreateSubDevicesEXT(cl_device_id in_device, const cl_device_partition_property_ext *, cl_uint,
                                         cl_device_id *, cl_uint *) {
  return entry(__func__, [&]() -> Result<void> {
    auto device = Device::from(in_device);
    if (!device) return fail(device);
    return fail(CL_INVALID_VALUE, "cl_ext_device_fission is not supported; use clCreateSubDevices");
  });
}

cl_int CL_API_CALL clRetainDeviceEXT(cl_device_id device) { return clRetainDevice(device); }
cl_int CL_API_CALL clReleaseDeviceEXT(cl_device_id device) { return clReleaseDevice(device); }
