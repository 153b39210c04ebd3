// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events (cl_event): the state of a command (Command derives from Event) or of a user event, and the commands,
// threads and callbacks that wait for it.
#ifndef UPSWEEP_RUNTIME_OBJECTS_EVENT_H
#define UPSWEEP_RUNTIME_OBJECTS_EVENT_H

#include "base/handle.h"
#include "base/intrusive_queue.h"
#include "base/small_vector.h"
#include "runtime/commands/callback_thread.h"
#include "runtime/objects/context.h"
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace upsweep {

class Command;
class Queue;

/// A command's wait for one event: a node of the event's list. The command allocates it before it enters its queue, so
/// completing and ordering commands never allocates and cannot fail.
struct Wait {
  Command *command;     ///< lives until it is notified
  bool from_wait_list;  ///< the event's failure fails the command
  /// the command need not wait until the event is done: once issued, its target orders the command after it
  bool may_follow;
  Wait *next = nullptr;  ///< used by IntrusiveQueue
};

/// The time in ns on the clock of profiling, the host timer and the device timer.
cl_ulong now_ns();

class Event : public Object<Event, _cl_event, CL_INVALID_EVENT> {
public:
  using Callback = void(CL_CALLBACK *)(cl_event event, cl_int status, void *user_data);

  /// A user event, which starts as CL_SUBMITTED. It holds a reference to itself while commands wait for it, since the
  /// application may release it before setting it. If the application never sets it, those commands wait forever.
  explicit Event(Context &context);
  ~Event() override;

  Context &context() const { return context_; }
  /// Null for a user event.
  Queue *queue() const { return queue_.get(); }
  cl_command_type type() const { return type_; }
  bool is_user_event() const { return type_ == CL_COMMAND_USER; }

  /// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or a negative error.
  cl_int status() const { return status_.load(std::memory_order_acquire); }
  bool is_done() const { return status() <= CL_COMPLETE; }
  /// status() for clGetEventInfo: asks the target to make progress, so that a loop of queries ends.
  cl_int poll() const;
  /// Sets the status to `status`, wakes waiting threads, starts dependent commands and queues callbacks.
  void advance(cl_int status);
  /// Sets a user event's status; false if it was set before.
  bool set_user_status(cl_int status);
  /// Blocks until done and returns the final status.
  cl_int wait() const;

  /// The command itself has ended, but not the commands that it enqueued, so it is not complete.
  void note_end() {
    if (takes_times_) end_ns_ = now_ns();
  }
  /// CL_PROFILING_COMMAND_END; CL_PROFILING_COMMAND_COMPLETE is time_ns(CL_COMPLETE).
  cl_ulong end_ns() const { return end_ns_ ? end_ns_ : time_ns(CL_COMPLETE); }

  /// Sets start and end as measured by the device, on the clock of now_ns(). Call it before advance(CL_COMPLETE), which then
  /// keeps these times.
  void set_times(cl_ulong start_ns, cl_ulong end_ns);
  bool takes_times() const { return takes_times_; }
  /// set_times() was called.
  bool has_device_times() const { return has_device_times_; }
  /// Time of CL_QUEUED, CL_SUBMITTED, CL_RUNNING (start) or CL_COMPLETE (end) in ns.
  /// 0 before that status, or if takes_times() is false.
  cl_ulong time_ns(cl_int status) const { return times_ns_[static_cast<size_t>(status)]; }

  /// The command's target has passed it to a hardware queue. Submits the dependent commands that can follow it there and wait
  /// for nothing else. The caller must hold no lock that Target::submit takes.
  void issue();
  /// The target's number for the command; 0 until it is set.
  void set_ticket(uint64_t ticket) { ticket_.store(ticket, std::memory_order_release); }
  uint64_t ticket() const { return ticket_.load(std::memory_order_acquire); }
  /// The command's number in the order that the race check follows (runtime/check/command_order.h); 0 if it follows none.
  void set_order_number(uint64_t number) { order_number_ = number; }
  uint64_t order_number() const { return order_number_; }

  /// Whether a command has to wait for an event.
  enum class Dependency {
    kDone,     ///< the event is done
    kFollows,  ///< the event is issued, and the command's target orders the command after it
    kWaits     ///< the command is notified when one of the above becomes true
  };
  /// If it returns kWaits, `wait` belongs to the event until the command is notified.
  Dependency add_dependent(Wait &wait);
  /// Calls `callback` once, from a callback thread, when the status is `trigger` or later. CL_OUT_OF_RESOURCES when that thread
  /// cannot be started.
  Result<void> add_callback(cl_int trigger, Callback callback, void *user_data);

protected:
  /// The event of a command, which starts as CL_QUEUED. `is_observed`: the application gets the event.
  Event(Queue &queue, cl_command_type type, bool is_observed);

private:
  class PendingCallback;
  void tell(cl_int status);
  void post(std::unique_ptr<PendingCallback> callback, cl_int status);
  void request_completion() const;

  /// Bits that record the event's progress and are never cleared. Setting a bit returns the earlier bits, so either the
  /// listener (a dependent command or a callback) or the notifier sees the other. Most events have no listener, and need no
  /// lock.
  enum Happened : uint8_t { kListed = 1, kSubmitted = 2, kIssued = 4, kRunning = 8, kEnded = 16 };
  uint8_t note(Happened what) { return happened_.fetch_or(what, std::memory_order_acq_rel); }
  Dependency dependency(uint8_t happened, const Wait &wait) const;

  Context &context_;
  const Ref<Context> own_context_;  ///< of a user event; other events use their queue's
  const Ref<Queue> queue_;
  const cl_command_type type_;
  const bool takes_times_;
  std::atomic<cl_int> status_;
  std::atomic<bool> user_status_set_{false};
  std::atomic<uint64_t> ticket_{0};
  uint64_t order_number_ = 0;
  std::array<cl_ulong, 4> times_ns_{};
  cl_ulong end_ns_ = 0;  ///< 0: equal to CL_COMPLETE's time
  bool has_device_times_ = false;
  std::atomic<uint8_t> happened_{0};
  std::mutex mutex_;  ///< guards the members below, which are empty before kListed
  IntrusiveQueue<Wait> dependents_;
  std::vector<std::unique_ptr<PendingCallback>> callbacks_;
};

/// The events that a command depends on: usually only the previous command.
using EventList = SmallVector<Ref<Event>, 2>;

}  // namespace upsweep
#endif
