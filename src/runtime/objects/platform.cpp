// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The platform: made once, never destroyed.
#include "runtime/objects/platform.h"
#include "base/never_destroyed.h"
#include "base/options.h"
#include "targets/cpu/cpu_target.h"
#include "targets/cuda/cuda_target.h"

namespace upsweep {
namespace {

std::vector<std::unique_ptr<Target>> make_targets() {
  std::vector<std::unique_ptr<Target>> targets;
  targets.push_back(make_cpu_target());
  if (options().cuda)
    for (auto &gpu : make_cuda_targets()) targets.push_back(std::move(gpu));
  return targets;
}

}  // namespace

Platform::Platform(std::vector<std::unique_ptr<Target>> targets) : targets_(std::move(targets)) {
  retain();
  for (auto &target : targets_) devices_.push_back(Device::create_root(*this, *target));
}

Platform &Platform::get() {
  static NeverDestroyed<Platform> platform(make_targets());
  return *platform;
}

}  // namespace upsweep
