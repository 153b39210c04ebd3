// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands: nodes of the command graph, which are events, and enqueue(), which every clEnqueue… ends in.
#ifndef UPSWEEP_RUNTIME_COMMANDS_COMMAND_H
#define UPSWEEP_RUNTIME_COMMANDS_COMMAND_H

#include "base/recycled.h"
#include "runtime/commands/command_body.h"
#include "runtime/objects/event.h"
#include "runtime/objects/queue.h"
#include <atomic>
#include <mutex>
#include <span>

namespace upsweep {

/// The checked events of a wait list.
using WaitList = EventList;

/// CL_INVALID_EVENT_WAIT_LIST and CL_INVALID_CONTEXT as every enqueue function lists them.
Result<WaitList> check_wait_list(const Context &context, cl_uint count, const cl_event *events);

/// Appends a command to a queue. The body runs on a worker once the wait list and the queue's order allow. With `blocking`,
/// returns when the command is done: an error in its wait list then gives CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST. Stores
/// the command's event in `*event` unless that is null.
Result<void> enqueue(Queue &queue, cl_command_type type, const WaitList &waits, CommandBody &&body, bool blocking = false,
                     cl_event *event = nullptr);

/// Is its own event, so that an enqueue allocates once; when it is done, it holds nothing more than an event does.
class Command final : public Event, public Recycled<Command> {
public:
  /// `is_observed`: the application gets the event.
  Command(Queue &queue, cl_command_type type, CommandBody &&body, bool is_observed);

  Queue &queue() const { return *Event::queue(); }
  const CommandBody &body() const { return body_; }
  bool is_observed() const { return is_known(); }

  /// Whether the current thread is enqueueing this command and will wait for it next, so that no worker needs waking.
  bool is_awaited_here() const;

  /// Before schedule(), so that nothing after it allocates: room for this many events to wait for or to follow.
  void reserve(size_t num_events);
  /// Waits for the events, then submits itself. `order` are events that only order commands: their failure does not spread.
  /// From now on until it is done the command keeps itself, whatever becomes of those that it waits for.
  void schedule(const WaitList &waits, EventList order) noexcept;
  /// The error with which its target did not take it; CL_SUCCESS when it did. Valid when the command is done.
  cl_int refusal() const { return refusal_; }
  /// An event that this command waits for is done, or it follows the event instead of waiting.
  void dependency_done(cl_int status, bool from_wait_list);
  void follow(Ref<Event> event, bool from_wait_list);
  /// Target::can_follow of its device.
  bool can_follow(const Event &event) const;

  /// Of a command that was submitted: the issued events after which the target has to order it. If there are any, the body may
  /// be empty (a marker or barrier).
  std::span<const Ref<Event>> followed() const { return {followed_.begin(), followed_.end()}; }
  /// Whether an event of the wait list, followed or not, has failed by now. The body must not run then.
  bool wait_list_failed() const;

  /// Called by the target, which holds a reference, around the body; finish() when all of followed() are done. `status`:
  /// CL_COMPLETE, which becomes CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if wait_list_failed(), or an error.
  void start();
  void finish(cl_int status);
  /// With the times that the device measured (Event::set_times).
  void finish(cl_int status, cl_ulong start_ns, cl_ulong end_ns);
  /// Instead of the two, when the target has taken the command but has no memory or threads to carry it out: the command ends
  /// with this error when all of followed() are done.
  void refuse(cl_int status);

private:
  friend class Queue;
  void settle(uint32_t dependencies);
  void note_followed(Ref<Event> event, bool from_wait_list);
  void dependencies_done();
  void advance_in_chain();
  bool submit();
  void wait_for_followed();
  void conclude();

  CommandBody body_;
  std::atomic<uint32_t> pending_{0};  ///< dependencies that are not settled, and one while they are being added
  std::atomic<bool> wait_list_failed_{false};
  std::mutex mutex_;  ///< guards the next two from when another thread can know the command until it is submitted
  EventList followed_;
  size_t num_waits_followed_ = 0;  ///< the first ones of followed_, which are of the wait list
  SmallVector<Wait, 2> waits_;     ///< one for each event, in which the event's list has its node
  cl_int refusal_ = CL_SUCCESS;
  size_t position_ = 0;     ///< in the queue's list of unfinished commands
  Command *next = nullptr;  ///< in the list of those that dependencies_done() goes through
  friend class IntrusiveQueue<Command>;
};

}  // namespace upsweep
#endif
