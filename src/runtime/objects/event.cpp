// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events.
#include "runtime/objects/event.h"
#include "runtime/check/command_order.h"
#include "runtime/commands/callback_thread.h"
#include "runtime/commands/command.h"
#include "runtime/objects/queue.h"
#include "runtime/trace/trace.h"
#include <algorithm>
#include <cassert>
#include <chrono>
#include <exception>

namespace upsweep {

cl_ulong now_ns() {
  auto since_boot = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<cl_ulong>(std::chrono::duration_cast<std::chrono::nanoseconds>(since_boot).count());
}

class Event::PendingCallback final : public CallbackCall {
public:
  PendingCallback(cl_int its_trigger, Callback function, void *user_data)
      : trigger(its_trigger), function_(function), user_data_(user_data) {}
  void run() override {
    if (reported <= CL_COMPLETE) note_awaited(*event);
    function_(event.get(), reported, user_data_);
  }

  const cl_int trigger;
  cl_int reported = 0;
  Ref<Event> event;  ///< set when the callback is due; until then the event owns the callback

private:
  const Callback function_;
  void *const user_data_;
};

Event::Event(Context &context)
    : context_(context), own_context_(&context), type_(CL_COMMAND_USER), takes_times_(false), status_(CL_SUBMITTED) {}

Event::Event(Queue &queue, cl_command_type type, bool is_observed)
    : Object(is_observed), context_(queue.context()), queue_(&queue), type_(type),
      takes_times_((is_observed && queue.is_profiling()) || is_tracing()), status_(CL_QUEUED) {
  if (takes_times_) times_ns_[CL_QUEUED] = now_ns();
}

Event::~Event() { assert(dependents_.empty() && "commands wait for an event that is gone"); }

void Event::advance(cl_int status) {
  if (takes_times_ && status >= CL_COMPLETE && !has_device_times_) times_ns_[static_cast<size_t>(status)] = now_ns();
  status_.store(status, std::memory_order_release);
  const uint8_t before = note(status <= CL_COMPLETE ? kEnded : status == CL_RUNNING ? kRunning : kSubmitted);
  if (status <= CL_COMPLETE) status_.notify_all();
  if (before & kListed) tell(status);
}

void Event::tell(cl_int status) {
  IntrusiveQueue<Wait> dependents;
  {
    std::lock_guard lock(mutex_);
    if (status <= CL_COMPLETE) dependents = std::move(dependents_);
    // Statuses decrease, so a callback is due once the status is at most its trigger.
    for (std::unique_ptr<PendingCallback> &callback : callbacks_)
      if (callback->trigger >= status) post(std::move(callback), status);
    std::erase(callbacks_, nullptr);
  }
  const bool kept_itself = is_user_event() && !dependents.empty();
  while (Wait *wait = dependents.pop()) wait->command->dependency_done(status, wait->from_wait_list);
  if (kept_itself) remove_reference();
}

bool Event::set_user_status(cl_int status) {
  if (user_status_set_.exchange(true)) return false;
  advance(status);
  return true;
}

cl_int Event::wait() const {
  try {
    if (queue_ && !is_done()) queue_->device().target().assist(*this);
  } catch (const std::exception &) {
    request_completion();  // out of memory: other threads finish the command, which still uses the application's data
  }
  cl_int current = status();
  while (current > CL_COMPLETE) {
    status_.wait(current, std::memory_order_acquire);
    current = status();
  }
  note_awaited(*this);
  return current;
}

void Event::set_times(cl_ulong start_ns, cl_ulong end_ns) {
  // The device clock and the host clock differ slightly, but the specification promises the order of the four times. The host
  // learns of the end after it, so no later command can start before this command's end.
  const cl_ulong now = now_ns();
  times_ns_[CL_RUNNING] = std::clamp(start_ns, times_ns_[CL_SUBMITTED], now);
  times_ns_[CL_COMPLETE] = std::clamp(end_ns, times_ns_[CL_RUNNING], now);
  has_device_times_ = true;
}

void Event::issue() {
  if (!(note(kIssued) & kListed)) return;
  IntrusiveQueue<Wait> followers;
  bool has_listeners = false;
  {
    std::lock_guard lock(mutex_);
    dependents_.split(followers, [&](const Wait &wait) { return wait.may_follow && wait.command->can_follow(*this); });
    has_listeners = !dependents_.empty() || !callbacks_.empty();
  }
  while (Wait *wait = followers.pop()) wait->command->follow(Ref(this), wait->from_wait_list);
  if (has_listeners) request_completion();
}

Event::Dependency Event::dependency(uint8_t happened, const Wait &wait) const {
  if (happened & kEnded) return Dependency::kDone;
  return happened & kIssued && wait.may_follow && wait.command->can_follow(*this) ? Dependency::kFollows : Dependency::kWaits;
}

Event::Dependency Event::add_dependent(Wait &wait) {
  const uint8_t happened = happened_.load(std::memory_order_acquire);
  if (const Dependency now = dependency(happened, wait); now != Dependency::kWaits) return now;
  {
    std::lock_guard lock(mutex_);
    if (const Dependency now = dependency(note(kListed), wait); now != Dependency::kWaits) return now;
    // "The event object is deleted once the reference count becomes zero ... and there are no commands in command-queues that
    // require a wait for this event to complete." A command's event lives as long as the command is not done anyway.
    if (is_user_event() && dependents_.empty()) add_reference();
    dependents_.push(wait);
  }
  request_completion();
  return Dependency::kWaits;
}

cl_int Event::poll() const {
  if (!is_done()) request_completion();
  const cl_int current = status();
  if (current <= CL_COMPLETE) note_awaited(*this);
  return current;
}

void Event::request_completion() const {
  if (queue_) queue_->device().target().request_completion(*this);
}

Result<void> Event::add_callback(cl_int trigger, Callback function, void *user_data) {
  if (auto ready = prepare_callback_thread(); !ready) return ready;
  auto callback = std::make_unique<PendingCallback>(trigger, function, user_data);
  cl_int reached;
  {
    std::lock_guard lock(mutex_);
    callbacks_.reserve(callbacks_.size() + 1);
    note(kListed);
    reached = status();
    if (reached > trigger) callbacks_.push_back(std::move(callback));
  }
  reached > trigger ? request_completion() : post(std::move(callback), reached);
  return {};
}

void Event::post(std::unique_ptr<PendingCallback> callback, cl_int status) {
  // Report the status that the callback was registered for, or the error that ended the command.
  callback->reported = status < 0 ? status : callback->trigger;
  callback->event = Ref(this);
  run_on_callback_thread(std::move(callback));
}

}  // namespace upsweep
