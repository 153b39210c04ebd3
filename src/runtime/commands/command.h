// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands: events that are nodes of the command graph; and enqueue(), which every clEnqueue… calls.
#ifndef UPSWEEP_RUNTIME_COMMANDS_COMMAND_H
#define UPSWEEP_RUNTIME_COMMANDS_COMMAND_H

#include "base/recycled.h"
#include "runtime/commands/command_body.h"
#include "runtime/objects/event.h"
#include "runtime/objects/queue.h"
#include "runtime/trace/trace.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <span>

namespace upsweep {

/// The validated events of a wait list.
using WaitList = EventList;

/// CL_INVALID_EVENT_WAIT_LIST or CL_INVALID_CONTEXT, as listed for every enqueue function.
Result<WaitList> check_wait_list(const Context &context, cl_uint count, const cl_event *events);

/// Appends a command to a queue. The body runs on a worker when the wait list and the queue's order allow it. With `blocking`,
/// returns when the command is done; an error in its wait list then gives CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST. Stores
/// the command's event in `*event` unless that is null.
Result<void> enqueue(Queue &queue, cl_command_type type, const WaitList &waits, CommandBody &&body, bool blocking = false,
                     cl_event *event = nullptr);

/// Appends a command of a command buffer, which keeps the body. The application gets no event.
Result<Ref<Command>> enqueue_recorded(Queue &queue, cl_command_type type, const WaitList &waits,
                                      std::shared_ptr<const CommandBody> body);

/// A command is its own event, so an enqueue allocates only once. A completed command only holds the resources of an event.
class Command final : public Event, public Recycled<Command> {
public:
  /// `is_observed`: the application gets the event.
  Command(Queue &queue, cl_command_type type, CommandBody &&body, bool is_observed);
  Command(Queue &queue, cl_command_type type, std::shared_ptr<const CommandBody> body);

  Queue &queue() const { return *Event::queue(); }
  const CommandBody &body() const { return recorded_ ? *recorded_ : body_; }
  bool is_observed() const { return is_known(); }

  /// Null if the process is not traced.
  const TraceCommand *trace() const { return trace_.get(); }

  /// Whether the current thread is enqueueing this command and will block on it, so no worker needs to be woken.
  bool is_awaited_here() const;

  /// Reserves space for this many events to wait for or follow, so that schedule() and later steps do not allocate.
  void reserve(size_t num_events);
  /// Waits for the events, then submits the command. The events in `order` only order commands: their failure does not
  /// propagate. The command keeps itself alive until it is done.
  void schedule(const WaitList &waits, EventList order) noexcept;
  /// The error with which the target rejected the command; CL_SUCCESS if it accepted it. Valid when the command is done.
  cl_int refusal() const { return refusal_; }
  /// An event that this command waits for is done, or the command can follow it.
  void dependency_done(cl_int status, bool from_wait_list);
  void follow(Ref<Event> event, bool from_wait_list);
  /// Target::can_follow() of the queue's device.
  bool can_follow(const Event &event) const;

  /// The issued events after which the target must order this submitted command. If there are any, the body may be empty (a
  /// marker or barrier).
  std::span<const Ref<Event>> followed() const { return {followed_.begin(), followed_.end()}; }
  /// Whether an event of the wait list, followed or not, has failed. The body must not run then.
  bool wait_list_failed() const;

  /// The target, which holds a reference, calls start() before the body, and finish() after it when all of followed() are done.
  /// `status`: CL_COMPLETE, which becomes CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if wait_list_failed(), or an error.
  void start();
  void finish(cl_int status);
  /// finish() with the times that the device measured (Event::set_times). The start is at or after the ends of followed().
  void finish(cl_int status, cl_ulong start_ns, cl_ulong end_ns);
  /// Replaces start() and finish() if the target has taken the command but lacks the memory or threads to run it. The command
  /// ends with this error when all of followed() are done.
  void refuse(cl_int status);

private:
  friend class Queue;
  void trace_waits(const WaitList &waits);
  void record_end(cl_int status);
  void settle(uint32_t dependencies);
  void note_followed(Ref<Event> event, bool from_wait_list);
  void dependencies_done();
  void advance_in_chain();
  bool submit();
  void wait_for_followed();
  void conclude();

  std::unique_ptr<TraceCommand> trace_;  ///< in the padding before body_, whose cache line is in use anyway
  CommandBody body_;
  std::shared_ptr<const CommandBody> recorded_;  ///< replaces body_ if it is not null
  std::atomic<uint32_t> pending_{0};             ///< unsettled dependencies, plus one while they are being added
  std::atomic<bool> wait_list_failed_{false};
  std::mutex mutex_;  ///< guards the next two members from when another thread can reach the command until it is submitted
  EventList followed_;
  size_t num_waits_followed_ = 0;  ///< the first elements of followed_; they are from the wait list
  SmallVector<Wait, 2> waits_;     ///< one per event; nodes of the events' lists
  cl_int refusal_ = CL_SUCCESS;
  size_t position_ = 0;     ///< in the queue's list of unfinished commands
  Command *next = nullptr;  ///< used by the list in dependencies_done()
  friend class IntrusiveQueue<Command>;
};

}  // namespace upsweep
#endif
