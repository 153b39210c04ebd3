// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command of a tree: the host's launch is the root, and the commands that kernels enqueue are its descendants.
#ifndef UPSWEEP_RUNTIME_ENQUEUE_TREE_COMMAND_H
#define UPSWEEP_RUNTIME_ENQUEUE_TREE_COMMAND_H

#include "runtime/enqueue/device_events.h"
#include <array>
#include <atomic>
#include <memory>
#include <span>

namespace upsweep {

/// A command ends when its work-groups have ended. It is complete when all commands that its work-groups enqueued are complete
/// as well. Completion is observable only for the root and for commands with an event. So a command without an event is freed
/// when it has ended, and its children then belong to its nearest ancestor with an event, its `owner`. Thus a chain of
/// commands, each enqueued by the previous, takes constant memory.
struct TreeCommand {
  static constexpr uint32_t kInlineWaits = 1;

  TreeCommand *owner = nullptr;  ///< null for the root
  DeviceEvent *event = nullptr;
  std::unique_ptr<EventWait[]> many_waits;  ///< replaces `few_waits` if there are more
  std::array<EventWait, kInlineWaits> few_waits;

  std::atomic<uint32_t> waits{0};    ///< unfinished conditions: events, the parent's end etc.
  std::atomic<uint32_t> pending{1};  ///< owned commands that are not complete, plus one until the command itself has ended
  std::atomic<cl_int> status{CL_COMPLETE};
  std::atomic<bool> wait_failed{false};

  /// Whether its children belong to it.
  bool is_owner() const { return event || !owner; }

  /// Makes this command a child of `parent` without counting it in its owner's `pending`.
  void enter_uncounted(TreeCommand &parent) { owner = parent.is_owner() ? &parent : parent.owner; }
  void enter(TreeCommand &parent) {
    enter_uncounted(parent);
    owner->pending.fetch_add(1, std::memory_order_relaxed);
  }
  /// A command counted in `pending` is complete; returns whether it was the last.
  bool drop_one() { return pending.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  /// Allocates space for waits; false if memory runs out.
  [[nodiscard]] bool reserve_waits(size_t count);
  /// Registers waits for the events; returns how many need no waiting.
  uint32_t add_waits(DeviceEvents &events, std::span<const uint64_t> wait_list);

  /// Only the first error is kept.
  void fail(cl_int error) {
    cl_int none = CL_COMPLETE;
    status.compare_exchange_strong(none, error, std::memory_order_relaxed);
  }

  /// Returns to the initial state.
  void reset() {
    event = nullptr;
    many_waits.reset();
    pending.store(1, std::memory_order_relaxed);
    status.store(CL_COMPLETE, std::memory_order_relaxed);
    wait_failed.store(false, std::memory_order_relaxed);
  }
};

/// Call when `command` has ended. Calls `leave(command, its status)` for each command that is now complete, upwards, except for
/// the root; returns true if the root is complete. `drop_one(command)` may replace TreeCommand::drop_one().
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
