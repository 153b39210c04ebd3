// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command queues: the order of commands as events to wait for.
#include "runtime/queue.h"
#include "runtime/command.h"

namespace upsweep {

Queue::Queue(Context &context, Device &device, cl_command_queue_properties properties,
             std::vector<cl_queue_properties> property_list)
    : context_(&context), device_(&device), properties_(properties), property_list_(std::move(property_list)),
      state_(device.target().open_queue(properties)) {}

Queue::~Queue() = default;

std::vector<Ref<Event>> Queue::unfinished_events() {
  std::vector<Ref<Event>> events;
  if (last_) events.emplace_back(&last_->event());
  for (Command *command : unfinished_) events.emplace_back(&command->event());
  return events;
}

std::vector<Ref<Event>> Queue::admit(Command &command, bool waits_for_all, bool blocks_later) {
  std::lock_guard lock(mutex_);
  std::vector<Ref<Event>> order;
  if (waits_for_all || !is_out_of_order())
    order = unfinished_events();
  else if (barrier_)
    order.emplace_back(&barrier_->event());

  if (!is_out_of_order()) {
    last_ = &command;
    return order;
  }
  if (blocks_later) barrier_ = &command;
  command.position_ = unfinished_.size();
  unfinished_.push_back(&command);
  return order;
}

void Queue::retire(Command &command) {
  std::lock_guard lock(mutex_);
  if (last_ == &command) last_ = nullptr;
  if (barrier_ == &command) barrier_ = nullptr;
  if (!is_out_of_order()) return;
  unfinished_[command.position_] = unfinished_.back();
  unfinished_[command.position_]->position_ = command.position_;
  unfinished_.pop_back();
}

void Queue::finish() {
  std::vector<Ref<Event>> events;
  {
    std::lock_guard lock(mutex_);
    events = unfinished_events();
  }
  for (const Ref<Event> &event : events) event->wait();
}

}  // namespace upsweep
