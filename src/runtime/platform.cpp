// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The platform: made once, never destroyed.
#include "runtime/platform.h"
#include "base/never_destroyed.h"
#include "targets/cpu/cpu_target.h"

namespace upsweep {

Platform::Platform(std::unique_ptr<Target> cpu) {
  retain();
  targets_.push_back(std::move(cpu));
  for (auto &target : targets_) devices_.push_back(Device::create_root(*this, *target));
}

Platform &Platform::get() {
  static NeverDestroyed<Platform> platform(make_cpu_target());
  return *platform;
}

}  // namespace upsweep
