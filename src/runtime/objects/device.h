// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices and sub-devices (cl_device_id). target.h has the interface that targets implement.
#ifndef UPSWEEP_RUNTIME_OBJECTS_DEVICE_H
#define UPSWEEP_RUNTIME_OBJECTS_DEVICE_H

#include "base/handle.h"
#include "runtime/target.h"
#include <span>
#include <vector>

namespace upsweep {

class Platform;

class Device final : public Object<Device, _cl_device_id, CL_INVALID_DEVICE> {
public:
  static Ref<Device> create_root(Platform &platform, Target &target);
  /// `partition`: the property list that created it, with the terminating 0.
  static Ref<Device> create_sub_device(Device &parent, Share share, std::vector<cl_device_partition_property> partition);

  Platform &platform() const { return platform_; }
  Target &target() const { return target_; }
  const DeviceProperties &properties() const { return target_.properties(); }
  /// Null for a root device.
  Device *parent() const { return parent_.get(); }
  const Device &root() const { return parent_ ? parent_->root() : *this; }
  Share share() const { return share_; }
  /// Total bytes of the last-level caches of its workers; 0 if unknown.
  uint64_t cache_bytes() const;
  /// The affinity domains by which it can be partitioned, as bits.
  cl_device_affinity_domain affinity_domains() const;
  /// The number of its workers in each instance of a domain; empty if the domain is unknown.
  std::vector<uint32_t> workers_by(cl_device_affinity_domain domain) const;
  std::span<const cl_device_partition_property> partition() const { return partition_; }

  Device(Platform &platform, Target &target, Ref<Device> parent, Share share,
         std::vector<cl_device_partition_property> partition);

private:
  Platform &platform_;
  Target &target_;
  Ref<Device> parent_;
  Share share_;
  std::vector<cl_device_partition_property> partition_;
};

}  // namespace upsweep
#endif
