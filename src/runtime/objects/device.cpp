// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices and sub-devices.
#include "runtime/objects/device.h"

namespace upsweep {

Device::Device(Platform &platform, Target &target, Ref<Device> parent, Share share,
               std::vector<cl_device_partition_property> partition)
    : platform_(platform), target_(target), parent_(std::move(parent)), share_(share), partition_(std::move(partition)) {}

Ref<Device> Device::create_root(Platform &platform, Target &target) {
  auto device = make_ref<Device>(platform, target, nullptr, Share{0, target.properties().compute_units},
                                 std::vector<cl_device_partition_property>{});
  device->retain();
  return device;
}

Ref<Device> Device::create_sub_device(Device &parent, Share share, std::vector<cl_device_partition_property> partition) {
  return make_ref<Device>(parent.platform_, parent.target_, Ref(&parent), share, std::move(partition));
}

std::vector<uint32_t> Device::workers_by(cl_device_affinity_domain domain) const {
  std::vector<uint32_t> counts;
  for (const AffinityLevel &level : properties().affinity) {
    if (level.domain != domain) continue;
    for (uint32_t i = share_.first; i < share_.first + share_.count; ++i) {
      if (i == share_.first || level.instance_of[i] != level.instance_of[i - 1]) counts.push_back(0);
      ++counts.back();
    }
  }
  return counts;
}

cl_device_affinity_domain Device::affinity_domains() const {
  cl_device_affinity_domain domains = 0;
  for (const AffinityLevel &level : properties().affinity)
    if (workers_by(level.domain).size() > 1) domains |= level.domain | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  return domains;
}

uint64_t Device::cache_bytes() const {
  for (const AffinityLevel &level : properties().affinity)
    if (level.cache_bytes) return level.cache_bytes * workers_by(level.domain).size();
  return properties().cache_bytes;
}

}  // namespace upsweep
