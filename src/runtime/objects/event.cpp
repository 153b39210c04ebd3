// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events.
#include "runtime/objects/event.h"
#include "runtime/commands/callback_thread.h"
#include "runtime/commands/command.h"
#include "runtime/objects/queue.h"
#include <algorithm>
#include <chrono>
#include <iterator>

namespace upsweep {

cl_ulong now_ns() {
  auto since_boot = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<cl_ulong>(std::chrono::duration_cast<std::chrono::nanoseconds>(since_boot).count());
}

Event::Event(Context &context)
    : context_(context), own_context_(&context), type_(CL_COMMAND_USER), takes_times_(false), status_(CL_SUBMITTED) {}

Event::Event(Queue &queue, cl_command_type type, bool is_observed)
    : Object(is_observed), context_(queue.context()), queue_(&queue), type_(type),
      takes_times_(is_observed && queue.is_profiling()), status_(CL_QUEUED) {
  if (takes_times_) times_ns_[CL_QUEUED] = now_ns();
}

Event::~Event() = default;

void Event::advance(cl_int status) {
  if (takes_times_ && status >= CL_COMPLETE && !has_device_times_) times_ns_[static_cast<size_t>(status)] = now_ns();
  status_.store(status, std::memory_order_release);
  const uint8_t before = note(status <= CL_COMPLETE ? kEnded : status == CL_RUNNING ? kRunning : kSubmitted);
  if (status <= CL_COMPLETE) status_.notify_all();
  if (before & kListed) tell(status);
}

void Event::tell(cl_int status) {
  std::vector<Dependent> dependents;
  std::vector<PendingCallback> due;
  {
    std::lock_guard lock(mutex_);
    if (status <= CL_COMPLETE) dependents.swap(dependents_);
    // Statuses count down, so a callback is due once the status is its trigger or less.
    auto is_due = [&](const PendingCallback &callback) { return callback.trigger >= status; };
    std::ranges::copy_if(callbacks_, std::back_inserter(due), is_due);
    std::erase_if(callbacks_, is_due);
  }
  for (const PendingCallback &callback : due) post(callback, status);
  for (const Dependent &dependent : dependents) dependent.command->dependency_done(status, dependent.from_wait_list);
}

bool Event::set_user_status(cl_int status) {
  if (user_status_set_.exchange(true)) return false;
  advance(status);
  return true;
}

cl_int Event::wait() const {
  if (queue_ && !is_done()) queue_->device().target().assist(*this);
  cl_int current = status();
  while (current > CL_COMPLETE) {
    status_.wait(current, std::memory_order_acquire);
    current = status();
  }
  return current;
}

void Event::set_times(cl_ulong start_ns, cl_ulong end_ns) {
  // Two clocks never agree to the nanosecond, and the order of the four times is promised.
  times_ns_[CL_RUNNING] = std::max(start_ns, times_ns_[CL_SUBMITTED]);
  times_ns_[CL_COMPLETE] = std::max(end_ns, times_ns_[CL_RUNNING]);
  has_device_times_ = true;
}

void Event::issue() {
  if (!(note(kIssued) & kListed)) return;
  std::vector<Dependent> followers;
  bool has_listeners = false;
  {
    std::lock_guard lock(mutex_);
    auto can_follow = [&](const Dependent &dependent) { return dependent.command->can_follow(*this); };
    std::ranges::copy_if(dependents_, std::back_inserter(followers), can_follow);
    std::erase_if(dependents_, can_follow);
    has_listeners = !dependents_.empty() || !callbacks_.empty();
  }
  for (const Dependent &follower : followers) follower.command->follow(Ref(this), follower.from_wait_list);
  if (has_listeners) hasten();
}

Event::Dependency Event::dependency(uint8_t happened, const Event &event, const Command &command) {
  if (happened & kEnded) return Dependency::kDone;
  return happened & kIssued && command.can_follow(event) ? Dependency::kFollows : Dependency::kWaits;
}

Event::Dependency Event::add_dependent(Command &command, bool from_wait_list) {
  const uint8_t happened = happened_.load(std::memory_order_acquire);
  if (const Dependency now = dependency(happened, *this, command); now != Dependency::kWaits) return now;
  {
    std::lock_guard lock(mutex_);
    if (const Dependency now = dependency(note(kListed), *this, command); now != Dependency::kWaits) return now;
    dependents_.push_back({Ref(&command), from_wait_list});
  }
  hasten();
  return Dependency::kWaits;
}

cl_int Event::poll() const {
  if (!is_done()) hasten();
  return status();
}

void Event::hasten() const {
  if (queue_) queue_->device().target().hasten(*this);
}

void Event::add_callback(cl_int trigger, Callback function, void *user_data) {
  PendingCallback callback{trigger, function, user_data};
  cl_int reached;
  {
    std::lock_guard lock(mutex_);
    note(kListed);
    reached = status();
    if (reached > trigger) callbacks_.push_back(callback);
  }
  reached > trigger ? hasten() : post(callback, reached);
}

void Event::post(const PendingCallback &callback, cl_int status) {
  // The application learns the status that it asked for, or the error that ended the command.
  run_on_callback_thread([event = Ref(this), callback, told = status < 0 ? status : callback.trigger] {
    callback.function(event.get(), told, callback.user_data);
  });
}

}  // namespace upsweep
