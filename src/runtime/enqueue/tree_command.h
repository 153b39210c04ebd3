// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command of a tree: a launch from the host is the first one, those that kernels enqueue are below it.
#ifndef UPSWEEP_RUNTIME_ENQUEUE_TREE_COMMAND_H
#define UPSWEEP_RUNTIME_ENQUEUE_TREE_COMMAND_H

#include "runtime/enqueue/device_events.h"
#include <array>
#include <atomic>
#include <memory>
#include <span>

namespace upsweep {

/// A command ends when its work-groups have. It is complete when, beyond that, all commands are that its work-groups enqueued;
/// that matters only where somebody can tell: with an event, and for the first one. So a command without an event is gone when
/// it has ended, and those that it enqueued belong to the next one above it with an event, its `owner`. A chain of commands of
/// which each enqueues the next takes no more memory the longer it gets.
struct TreeCommand {
  static constexpr uint32_t kInlineWaits = 1;

  TreeCommand *owner = nullptr;  ///< null for the first one
  DeviceEvent *event = nullptr;
  std::unique_ptr<EventWait[]> many_waits;  ///< instead of `few_waits`
  std::array<EventWait, kInlineWaits> few_waits;

  std::atomic<uint32_t> waits{0};    ///< events, its parent's end and the like that it waits for
  std::atomic<uint32_t> pending{1};  ///< itself until it has ended, and commands that it owns and that are not complete
  std::atomic<cl_int> status{CL_COMPLETE};
  std::atomic<bool> wait_failed{false};

  /// Whether commands below it belong to it.
  bool is_owner() const { return event || !owner; }

  /// Makes it one of the commands below `parent`, which its owner's `pending` does not count yet.
  void enter_uncounted(TreeCommand &parent) { owner = parent.is_owner() ? &parent : parent.owner; }
  void enter(TreeCommand &parent) {
    enter_uncounted(parent);
    owner->pending.fetch_add(1, std::memory_order_relaxed);
  }
  /// One that `pending` counts is complete; whether it was the last one.
  bool drop_one() { return pending.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  /// Room for waits; false when there is no memory.
  [[nodiscard]] bool reserve_waits(size_t count);
  /// Waits for the events; returns how many of them need no waiting.
  uint32_t add_waits(DeviceEvents &events, std::span<const uint64_t> wait_list);

  /// The first error counts.
  void fail(cl_int error) {
    cl_int none = CL_COMPLETE;
    status.compare_exchange_strong(none, error, std::memory_order_relaxed);
  }

  /// As a new one.
  void reset() {
    event = nullptr;
    many_waits.reset();
    pending.store(1, std::memory_order_relaxed);
    status.store(CL_COMPLETE, std::memory_order_relaxed);
    wait_failed.store(false, std::memory_order_relaxed);
  }
};

/// `command` has ended. Calls `leave(part, its status)` for each command that is complete now, upwards, but for the first one
/// of the tree: true when that is. `drop_one(part)` may count otherwise than TreeCommand::drop_one().
template <typename Leave, typename DropOne>
bool end_upwards(TreeCommand &command, Leave &&leave, DropOne &&drop_one) {
  for (TreeCommand *part = &command; part;) {
    if (part->is_owner() && !drop_one(*part)) return false;
    TreeCommand *owner = part->owner;
    if (!owner) return true;
    const cl_int status = part->status.load(std::memory_order_relaxed);
    if (status < 0) owner->fail(status);
    leave(*part, status);
    part = owner;
  }
  return false;
}

}  // namespace upsweep
#endif
