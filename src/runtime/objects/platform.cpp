// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The platform: made once, never destroyed.
#include "runtime/objects/platform.h"
#include "base/never_destroyed.h"
#include "runtime/target_kind.h"

namespace upsweep {

Platform::Platform(std::vector<std::unique_ptr<Target>> targets) : targets_(std::move(targets)) {
  retain();
  for (auto &target : targets_) devices_.push_back(Device::create_root(*this, *target));
}

Platform &Platform::get() {
  static NeverDestroyed<Platform> platform(TargetKind::make_all());
  return *platform;
}

}  // namespace upsweep
