// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events (cl_event): the state of a command (command.h), which is an event, or of the application's own user event, and who
// waits for it.
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

/// A command's wait for one event: a node of the event's list, in memory that the command has from before it is in its queue.
/// From then on nothing that completes or orders commands allocates, so that nothing of it can fail.
struct Wait {
  Command *command;      ///< lives at least until it is told
  bool from_wait_list;   ///< a failure is passed on
  bool may_follow;       ///< the event being issued is enough, if the command's target can order it after the event
  Wait *next = nullptr;  ///< IntrusiveQueue's
};

/// Nanoseconds of the one clock that profiling, the host timer and the device timer share.
cl_ulong now_ns();

class Event : public Object<Event, _cl_event, CL_INVALID_EVENT> {
public:
  using Callback = void(CL_CALLBACK *)(cl_event event, cl_int status, void *user_data);

  /// A user event, which starts as CL_SUBMITTED. While commands wait for it, it keeps itself: the application may release it
  /// before it sets it. If it never does, those commands wait for ever.
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
  /// status(), for the application: asking again and again must not be what keeps it from changing.
  cl_int poll() const;
  /// Moves on to `status`, wakes waiters, starts dependent commands and queues callbacks.
  void advance(cl_int status);
  /// Sets a user event; false when it was set before.
  bool set_user_status(cl_int status);
  /// Blocks until done and returns the final status.
  cl_int wait() const;

  /// The command has ended now, but commands that it has enqueued itself have not: it is not complete.
  void note_end() {
    if (takes_times_) end_ns_ = now_ns();
  }
  /// CL_PROFILING_COMMAND_END; CL_PROFILING_COMMAND_COMPLETE is time_ns(CL_COMPLETE).
  cl_ulong end_ns() const { return end_ns_ ? end_ns_ : time_ns(CL_COMPLETE); }

  /// Start and end as the device measured them, on the clock of now_ns(); before advance(CL_COMPLETE), which then sets neither.
  void set_times(cl_ulong start_ns, cl_ulong end_ns);
  /// Time of CL_QUEUED, CL_SUBMITTED, CL_RUNNING (start) or CL_COMPLETE (end) in ns.
  cl_ulong time_ns(cl_int status) const { return times_ns_[static_cast<size_t>(status)]; }

  /// Says that the target of this event's command has given it to a hardware queue. Commands that can follow it there stop
  /// waiting, and are submitted if they wait for nothing else: the caller holds no lock that Target::submit takes.
  void issue();
  /// A number by which that target finds the command again; 0 until it is set.
  void set_ticket(uint64_t ticket) { ticket_.store(ticket, std::memory_order_release); }
  uint64_t ticket() const { return ticket_.load(std::memory_order_acquire); }

  /// How a command stands to an event that it depends on.
  enum class Dependency {
    kDone,     ///< nothing to wait for
    kFollows,  ///< issued: the command's target orders it after the event
    kWaits     ///< the command is told when one of the above is so
  };
  /// With kWaits, `wait` is the event's until its command is told.
  Dependency add_dependent(Wait &wait);
  /// `callback` is called once, from a callback thread, when the status is `trigger` or later. CL_OUT_OF_RESOURCES when there
  /// is no such thread.
  Result<void> add_callback(cl_int trigger, Callback callback, void *user_data);

protected:
  /// A command's, which starts as CL_QUEUED. `is_observed`: the application gets it.
  Event(Queue &queue, cl_command_type type, bool is_observed);

private:
  class PendingCallback;
  void tell(cl_int status);
  void post(std::unique_ptr<PendingCallback> callback, cl_int status);
  void hasten() const;

  /// What has happened to the event, as bits that stay. Who sets one sees which were set before it: so either someone who lists
  /// himself as a dependent or a callback learns what he need not be told, or the one who has something to tell learns that
  /// there is somebody. Mostly there is nobody, and no lock is taken.
  enum Happened : uint8_t { kListed = 1, kSubmitted = 2, kIssued = 4, kRunning = 8, kEnded = 16 };
  uint8_t note(Happened what) { return happened_.fetch_or(what, std::memory_order_acq_rel); }
  Dependency dependency(uint8_t happened, const Wait &wait) const;

  Context &context_;
  const Ref<Context> own_context_;  ///< a user event's; a queue keeps its own
  const Ref<Queue> queue_;
  const cl_command_type type_;
  const bool takes_times_;
  std::atomic<cl_int> status_;
  std::atomic<bool> user_status_set_{false};
  std::atomic<uint64_t> ticket_{0};
  std::array<cl_ulong, 4> times_ns_{};
  cl_ulong end_ns_ = 0;  ///< 0: the same as of CL_COMPLETE
  bool has_device_times_ = false;
  std::atomic<uint8_t> happened_{0};
  std::mutex mutex_;  ///< guards what follows, in which nothing is before kListed
  IntrusiveQueue<Wait> dependents_;
  std::vector<std::unique_ptr<PendingCallback>> callbacks_;
};

/// Events that a command depends on: mostly the one before it.
using EventList = SmallVector<Ref<Event>, 2>;

}  // namespace upsweep
#endif
