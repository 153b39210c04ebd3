// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one platform (cl_platform_id) and its devices.
#ifndef UPSWEEP_RUNTIME_OBJECTS_PLATFORM_H
#define UPSWEEP_RUNTIME_OBJECTS_PLATFORM_H

#include "base/handle.h"
#include "runtime/objects/device.h"
#include <memory>
#include <span>
#include <vector>

namespace upsweep {

class Platform final : public Object<Platform, _cl_platform_id, CL_INVALID_PLATFORM> {
public:
  /// The platform; the first call starts its devices and their threads.
  static Platform &get();

  std::span<const Ref<Device>> devices() const { return devices_; }

  /// Each target is a device; the first device is the default.
  explicit Platform(std::vector<std::unique_ptr<Target>> targets);

private:
  std::vector<std::unique_ptr<Target>> targets_;
  std::vector<Ref<Device>> devices_;
};

}  // namespace upsweep
#endif
