// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices and sub-devices.
#include "runtime/device.h"

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

}  // namespace upsweep
