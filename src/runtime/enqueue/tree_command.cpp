// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits of commands of a tree.
#include "runtime/enqueue/tree_command.h"
#include <new>

namespace upsweep {

bool TreeCommand::reserve_waits(size_t count) {
  if (count <= kInlineWaits) return true;
  many_waits.reset(new (std::nothrow) EventWait[count]);
  return many_waits != nullptr;
}

uint32_t TreeCommand::add_waits(DeviceEvents &events, std::span<const uint64_t> wait_list) {
  EventWait *const its_waits = many_waits ? many_waits.get() : few_waits.data();
  uint32_t settled = 0;
  for (size_t i = 0; i < wait_list.size(); ++i) {
    its_waits[i] = {.command = this, .next = nullptr, .failed = false};
    const DeviceEvents::Wait wait = events.add_wait(wait_list[i], its_waits[i]);
    settled += wait != DeviceEvents::Wait::kListed;
    if (wait == DeviceEvents::Wait::kFailed) wait_failed.store(true, std::memory_order_relaxed);
  }
  return settled;
}

}  // namespace upsweep
