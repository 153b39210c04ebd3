// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The platform: created once, never destroyed.
#include "runtime/objects/platform.h"
#include "base/across_fork.h"
#include "runtime/target_kind.h"
#include <atomic>
#include <mutex>

namespace upsweep {
namespace {

constinit std::atomic<Platform *> the_platform = nullptr;
constinit std::mutex platform_mutex;
const AcrossFork platform_across_fork(&platform_mutex, {}, AcrossFork::Order::kOuter);

}  // namespace

Platform::Platform(std::vector<std::unique_ptr<Target>> targets) : targets_(std::move(targets)) {
  retain();
  for (auto &target : targets_) devices_.push_back(Device::create_root(*this, *target));
}

Platform &Platform::get() {
  // Not a static object of this function: a process forked while another thread constructs it would hang.
  if (Platform *made = the_platform.load(std::memory_order_acquire)) return *made;
  std::lock_guard lock(platform_mutex);
  if (!the_platform.load(std::memory_order_relaxed)) {
    MadeWithPlatform::make_all();
    the_platform.store(new Platform(TargetKind::make_all()), std::memory_order_release);
  }
  return *the_platform.load(std::memory_order_relaxed);
}

}  // namespace upsweep
