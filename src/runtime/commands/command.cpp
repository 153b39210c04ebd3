// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command graph: a command counts the events that it waits for, and submits itself when the count reaches zero.
#include "runtime/commands/command.h"
#include "runtime/check/command_order.h"
#include "runtime/commands/command_names.h"
#include <algorithm>
#include <cassert>
#include <exception>
#include <new>
#include <utility>

namespace upsweep {
namespace {

/// The blocking command that this thread is enqueueing.
thread_local const Command *awaited_command = nullptr;

}  // namespace

Result<WaitList> check_wait_list(const Context &context, cl_uint count, const cl_event *events) {
  // "CL_INVALID_EVENT_WAIT_LIST if event_wait_list is NULL and num_events_in_wait_list > 0, or event_wait_list is not NULL and
  // num_events_in_wait_list is 0, or if event objects in event_wait_list are not valid events"
  if ((events == nullptr) != (count == 0))
    return fail(CL_INVALID_EVENT_WAIT_LIST, "event_wait_list and num_events_in_wait_list do not agree");
  WaitList list;
  for (cl_uint i = 0; i < count; ++i) {
    auto event = Event::from(events[i]);
    if (!event) return fail(CL_INVALID_EVENT_WAIT_LIST, "event_wait_list[" + std::to_string(i) + "] is not an event");
    list.emplace_back(*event);
  }
  // "CL_INVALID_CONTEXT if the context associated with command_queue and events in event_wait_list are not the same"
  for (const Ref<Event> &event : list)
    if (&event->context() != &context) return fail(CL_INVALID_CONTEXT, "an event of event_wait_list is of another context");
  return list;
}

Result<void> enqueue(Queue &queue, cl_command_type type, const WaitList &waits, CommandBody &&body, bool blocking,
                     cl_event *event) {
  Ref<Command> command;
  EventList order;
  try {
    command = make_ref<Command>(queue, type, std::move(body), event != nullptr);
    const bool is_barrier = type == CL_COMMAND_BARRIER;
    const bool waits_for_all = (is_barrier || type == CL_COMMAND_MARKER) && waits.empty();
    order = queue.admit(*command, waits.size(), waits_for_all, is_barrier);
    if (follows_commands()) follow_command(*command, waits, waits_for_all, is_barrier);
  } catch (const std::bad_alloc &) {
    return fail(CL_OUT_OF_HOST_MEMORY);  // no text: it would need memory
  }
  // Store the handle before the command can run: another command's callback may read it.
  if (event) {
    *event = hand_out(command);
    command->advance(CL_SUBMITTED);  // not visible to other threads yet
  }
  awaited_command = blocking ? command.get() : nullptr;
  command->schedule(waits, std::move(order));
  awaited_command = nullptr;
  if (command->is_done() && command->refusal() != CL_SUCCESS) {
    if (event) {
      *event = nullptr;
      static_cast<void>(command->release());
    }
    return fail(command->refusal());
  }
  if (!blocking) return {};
  const TraceWaitScope traced(name_of_command(type));
  const cl_int status = command->wait();
  if (status < 0) return fail(status, "the command failed");
  return {};
}

Result<Ref<Command>> enqueue_recorded(Queue &queue, cl_command_type type, const WaitList &waits,
                                      std::shared_ptr<const CommandBody> body) {
  Ref<Command> command;
  EventList order;
  try {
    command = make_ref<Command>(queue, type, std::move(body));
    order = queue.admit(*command, waits.size(), false, false);
    if (follows_commands()) follow_command(*command, waits, false, false);
  } catch (const std::bad_alloc &) {
    return fail(CL_OUT_OF_HOST_MEMORY);  // no text: it would need memory
  }
  command->schedule(waits, std::move(order));
  if (command->is_done() && command->refusal() != CL_SUCCESS) return fail(command->refusal());
  return command;
}

Command::Command(Queue &queue, cl_command_type type, CommandBody &&body, bool is_observed)
    : Event(queue, type, is_observed), body_(std::move(body)) {
  if (is_tracing()) [[unlikely]]
    trace_ = begin_trace(*this);
}

Command::Command(Queue &queue, cl_command_type type, std::shared_ptr<const CommandBody> body)
    : Event(queue, type, false), recorded_(std::move(body)) {
  if (is_tracing()) [[unlikely]]
    trace_ = begin_trace(*this);
}

bool Command::is_awaited_here() const { return awaited_command == this; }

void Command::reserve(size_t num_events) {
  waits_.reserve(num_events);
  followed_.reserve(num_events);
}

void Command::schedule(const WaitList &waits, EventList order) noexcept {
  add_reference();  // finish() drops it
  if (trace_) [[unlikely]]
    trace_waits(waits);
  const auto all = static_cast<uint32_t>(waits.size() + order.size());
  // Add one to the number of events, so that the command cannot be submitted while they are being added. No other thread knows
  // it yet.
  pending_.store(all + 1, std::memory_order_relaxed);
  uint32_t settled = 1;
  bool is_alone = true;  // no event can reach it on another thread
  auto depend = [&](Ref<Event> event, bool from_wait_list) {
    const Dependency dependency = event->add_dependent(waits_.emplace_back(this, from_wait_list, true));
    if (dependency == Dependency::kWaits) {
      is_alone = false;
      return;
    }
    ++settled;
    if (dependency == Dependency::kDone) {
      if (from_wait_list && event->status() < 0) wait_list_failed_.store(true, std::memory_order_relaxed);
      return;
    }
    std::unique_lock lock(mutex_, std::defer_lock);
    if (!is_alone) lock.lock();
    note_followed(std::move(event), from_wait_list);
  };
  for (const Ref<Event> &event : waits) depend(event, true);
  for (Ref<Event> &event : order) depend(std::move(event), false);
  is_alone ? dependencies_done() : settle(settled);
}

void Command::dependency_done(cl_int status, bool from_wait_list) {
  if (status < 0 && from_wait_list) wait_list_failed_.store(true, std::memory_order_relaxed);
  settle(1);
}

void Command::settle(uint32_t dependencies) {
  if (pending_.fetch_sub(dependencies, std::memory_order_acq_rel) == dependencies) dependencies_done();
}

void Command::follow(Ref<Event> event, bool from_wait_list) {
  {
    std::lock_guard lock(mutex_);
    note_followed(std::move(event), from_wait_list);
  }
  settle(1);
}

void Command::note_followed(Ref<Event> event, bool from_wait_list) {
  followed_.emplace_back(std::move(event));
  if (from_wait_list) std::swap(followed_.end()[-1], followed_.begin()[num_waits_followed_++]);
}

bool Command::can_follow(const Event &event) const { return queue().device().target().can_follow(*this, event); }

bool Command::wait_list_failed() const {
  return wait_list_failed_.load(std::memory_order_relaxed) ||
         std::any_of(followed_.begin(), followed_.begin() + static_cast<ptrdiff_t>(num_waits_followed_),
                     [](const Ref<Event> &event) { return event->status() < 0; });
}

void Command::dependencies_done() {
  const bool has_work = !wait_list_failed_.load(std::memory_order_relaxed) && !std::holds_alternative<std::monostate>(body());
  if (has_work && followed_.empty() && refusal_ == CL_SUCCESS && submit()) return;
  // Ends commands without work, which may end or submit further commands. A list replaces recursion, since such chains can be
  // long.
  thread_local IntrusiveQueue<Command> *chain = nullptr;
  if (chain) {
    chain->push(*this);
    return;
  }
  IntrusiveQueue<Command> own_chain;
  chain = &own_chain;
  own_chain.push(*this);
  while (Command *command = own_chain.pop()) command->advance_in_chain();
  chain = nullptr;
}

void Command::advance_in_chain() {
  const Ref<Command> kept(this);
  if (refusal_ != CL_SUCCESS)
    finish(refusal_);
  else if (followed_.empty())
    conclude();
  else if (!submit())  // even without work it must not end before the commands that it follows
    wait_for_followed();
}

/// False if the target lacks memory or threads for the command, which can then only end.
bool Command::submit() {
  const Ref<Command> kept(this);
  if (trace_) [[unlikely]]
    trace_->ready_ns = now_ns();
  try {
    queue().device().target().submit(*this, queue().device().share());
    return true;
  } catch (const std::bad_alloc &) {
    refusal_ = CL_OUT_OF_HOST_MEMORY;
  } catch (const std::exception &) {
    refusal_ = CL_OUT_OF_RESOURCES;
  }
  return false;
}

void Command::refuse(cl_int status) {
  refusal_ = status;
  wait_for_followed();
}

/// Ends the command when the events that it should have followed are done.
void Command::wait_for_followed() {
  const auto all = static_cast<uint32_t>(followed_.size());
  pending_.store(all + 1, std::memory_order_relaxed);
  waits_.clear();
  uint32_t settled = 1;
  for (const Ref<Event> &event : followed_)
    settled += event->add_dependent(waits_.emplace_back(this, false, false)) == Dependency::kDone;
  settle(settled);
}

void Command::conclude() {
  if (wait_list_failed_.load(std::memory_order_relaxed)) {
    finish(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    return;
  }
  start();
  finish(CL_COMPLETE);
}

void Command::start() {
  if (is_observed() || trace_) advance(CL_RUNNING);
}

void Command::finish(cl_int status) {
  assert(std::ranges::all_of(followed_, [](const Ref<Event> &event) { return event->is_done(); }) && "ends before its turn");
  if (status == CL_COMPLETE && wait_list_failed()) status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  followed_.clear();
  num_waits_followed_ = 0;
  waits_.clear();
  if (trace_) [[unlikely]]
    record_end(status);  // before another thread learns of the end, and may end the process
  // Release the body first: after clFinish, objects that the application has released must be gone.
  body_ = std::monostate();
  recorded_.reset();
  advance(status);
  queue().retire(*this);
  remove_reference();  // drops the reference of schedule(); the caller has another
}

void Command::trace_waits(const WaitList &waits) {
  trace_->has_wait_list = !waits.empty();
  for (const Ref<Event> &event : waits) {
    if (event->is_user_event()) continue;
    const auto &before = static_cast<const Command &>(*event);
    if (before.trace_) trace_dependency(before.trace_->id, trace_->id);
  }
}

void Command::record_end(cl_int status) {
  trace_->status = status;
  trace_->run.begin_ns = time_ns(CL_RUNNING);
  trace_->run.end_ns = has_device_times() ? time_ns(CL_COMPLETE) : now_ns();
  end_trace(*trace_);
}

void Command::finish(cl_int status, cl_ulong start_ns, cl_ulong end_ns) {
  // The device's clock is converted with an error, which may differ for each command.
  for (const Ref<Event> &event : followed_) start_ns = std::max(start_ns, event->time_ns(CL_COMPLETE));
  set_times(start_ns, end_ns);
  finish(status);
}

}  // namespace upsweep
