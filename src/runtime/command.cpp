// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command graph: a command counts the events that it waits for and submits itself after the last one.
#include "runtime/command.h"
#include <algorithm>
#include <cassert>
#include <utility>

namespace upsweep {
namespace {

/// The command that this thread enqueues as a blocking one.
thread_local const Command *awaited_command = nullptr;

}  // namespace

Result<WaitList> check_wait_list(const Context &context, cl_uint count, const cl_event *events) {
  // "CL_INVALID_EVENT_WAIT_LIST if event_wait_list is NULL and num_events_in_wait_list > 0, or event_wait_list is not NULL and
  // num_events_in_wait_list is 0, or if event objects in event_wait_list are not valid events"
  if ((events == nullptr) != (count == 0))
    return fail(CL_INVALID_EVENT_WAIT_LIST, "event_wait_list and its number do not agree");
  WaitList list;
  list.reserve(count);
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
  auto command = make_ref<Command>(queue, type, std::move(body), event != nullptr);
  bool is_barrier = type == CL_COMMAND_BARRIER;
  bool waits_for_all = (is_barrier || type == CL_COMMAND_MARKER) && waits.empty();
  // The handle is out before the command can run: a callback of another command may look at it.
  Ref<Event> own(&command->event());
  if (event) *event = hand_out(own);
  auto order = queue.admit(*command, waits_for_all, is_barrier);
  if (event) own->advance(CL_SUBMITTED);  // nobody else can tell
  awaited_command = blocking ? command.get() : nullptr;
  command->schedule(waits, order);
  awaited_command = nullptr;
  if (!blocking) return {};
  cl_int status = own->wait();
  if (status < 0) return fail(status, "the command failed");
  return {};
}

Command::Command(Queue &queue, cl_command_type type, CommandBody &&body, bool is_observed)
    : queue_(&queue), event_(make_ref<Event>(queue.context(), &queue, type)), body_(std::move(body)),
      is_observed_(is_observed) {}

bool Command::precedes(const Event &event) const {
  return &event == event_.get() || (!queue_->is_out_of_order() && event.queue() == queue_.get());
}

bool Command::is_awaited_here() const { return awaited_command == this; }

void Command::schedule(const WaitList &waits, const WaitList &order) {
  // One more than the events, so that the command cannot go off while they are being added.
  pending_.fetch_add(static_cast<uint32_t>(waits.size() + order.size()), std::memory_order_relaxed);
  auto depend = [this](const Ref<Event> &event, bool from_wait_list) {
    switch (event->add_dependent(Ref(this), from_wait_list)) {
    case Event::Dependency::kDone: return dependency_done(event->status(), from_wait_list);
    case Event::Dependency::kFollows: return follow(event, from_wait_list);
    case Event::Dependency::kWaits: return;
    }
  };
  for (const Ref<Event> &event : waits) depend(event, true);
  for (const Ref<Event> &event : order) depend(event, false);
  count_down();
}

void Command::dependency_done(cl_int status, bool from_wait_list) {
  if (status < 0 && from_wait_list) wait_list_failed_.store(true, std::memory_order_relaxed);
  count_down();
}

void Command::count_down() {
  if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) dependencies_done();
}

void Command::follow(Ref<Event> event, bool from_wait_list) {
  {
    std::lock_guard lock(mutex_);
    followed_.insert(from_wait_list ? followed_.begin() : followed_.end(), std::move(event));
    if (from_wait_list) ++num_heeded_;
  }
  count_down();
}

bool Command::can_follow(const Event &event) const { return queue_->device().target().can_follow(*this, event); }

bool Command::wait_list_failed() const {
  return wait_list_failed_.load(std::memory_order_relaxed) ||
         std::any_of(followed_.begin(), followed_.begin() + static_cast<ptrdiff_t>(num_heeded_),
                     [](const Ref<Event> &event) { return event->status() < 0; });
}

void Command::dependencies_done() {
  const bool has_work = !wait_list_failed_.load(std::memory_order_relaxed) && !std::holds_alternative<std::monostate>(body_);
  if (has_work && followed_.empty()) {
    submit();
    return;
  }
  // A command without work ends here, which may end others that wait for it; one that follows others lets more follow. A list
  // instead of recursion: such a chain can be long.
  thread_local std::vector<Ref<Command>> *chain = nullptr;
  if (chain) {
    chain->emplace_back(this);
    return;
  }
  std::vector<Ref<Command>> own_chain;
  chain = &own_chain;
  advance_in_chain();
  while (!own_chain.empty()) {
    std::vector<Ref<Command>> next = std::exchange(own_chain, {});
    for (const Ref<Command> &command : next) command->advance_in_chain();
  }
  chain = nullptr;
}

void Command::advance_in_chain() {
  // Even without work it must not end before those that it follows.
  followed_.empty() ? conclude() : submit();
}

void Command::submit() { queue_->device().target().submit(Ref(this), queue_->device().share()); }

void Command::conclude() {
  if (wait_list_failed_.load(std::memory_order_relaxed)) {
    finish(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    return;
  }
  start();
  finish(CL_COMPLETE);
}

void Command::start() {
  if (is_observed_) event_->advance(CL_RUNNING);
}

void Command::finish(cl_int status) {
  assert(std::ranges::all_of(followed_, [](const Ref<Event> &event) { return event->is_done(); }) && "ends before its turn");
  if (status == CL_COMPLETE && wait_list_failed()) status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  followed_.clear();
  num_heeded_ = 0;
  // What the command holds goes first: after clFinish an object that the application has released is gone.
  body_ = std::monostate();
  Ref<Command> self(this);
  event_->advance(status);
  queue_->retire(*this);
}

void Command::finish(cl_int status, cl_ulong start_ns, cl_ulong end_ns) {
  event_->set_times(start_ns, end_ns);
  finish(status);
}

}  // namespace upsweep
