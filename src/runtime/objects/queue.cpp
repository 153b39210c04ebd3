// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command queues: express the order of commands as events to wait for.
#include "runtime/objects/queue.h"
#include "runtime/check/command_order.h"
#include "runtime/commands/command.h"
#include "runtime/trace/trace.h"

namespace upsweep {
namespace {

std::atomic<uint32_t> last_number{0};

}  // namespace

Queue::Queue(Context &context, Device &device, cl_command_queue_properties properties,
             std::vector<cl_queue_properties> property_list, Ref<DeviceQueue> on_device)
    : context_(&context), device_(&device), properties_(properties), number_(++last_number),
      property_list_(std::move(property_list)), on_device_(std::move(on_device)),
      state_(on_device_ ? nullptr : device.target().open_queue(properties)) {
  if (!on_device_) context_->add_queue(*this);
}

Queue::~Queue() {
  forget_order(*this);
  if (!on_device_) context_->remove_queue(*this);
}

Result<Queue *> Queue::from(cl_command_queue handle) {
  return of_any_kind(handle).and_then([](Queue *queue) -> Result<Queue *> {
    if (queue->on_device_) return fail(CL_INVALID_COMMAND_QUEUE, "the queue is on the device, for kernels alone");
    return queue;
  });
}

Result<Queue *> Queue::on_device_from(cl_command_queue handle) {
  return of_any_kind(handle).and_then([](Queue *queue) -> Result<Queue *> {
    if (!queue->on_device_) return fail(CL_INVALID_DEVICE_QUEUE, "the queue is of the host");
    return queue;
  });
}

void Queue::on_last_release() {
  if (on_device_) context_->forget_default_queue(*this);
}

void Queue::list_unfinished_locked(EventList &events) {
  if (Command *last = last_.load(std::memory_order_relaxed)) events.emplace_back(last);
  for (Command *command : unfinished_) events.emplace_back(command);
}

void Queue::list_unfinished(EventList &events) {
  const std::lock_guard lock(mutex_);
  list_unfinished_locked(events);
}

EventList Queue::admit(Command &command, size_t num_waits, bool waits_for_all, bool blocks_later) {
  std::lock_guard lock(mutex_);
  EventList order;
  if (waits_for_all || !is_out_of_order())
    list_unfinished_locked(order);
  else if (barrier_)
    order.emplace_back(barrier_);
  command.reserve(num_waits + order.size());

  if (!is_out_of_order()) {
    last_.store(&command, std::memory_order_relaxed);
    return order;
  }
  unfinished_.push_back(&command);
  command.position_ = unfinished_.size() - 1;
  if (blocks_later) barrier_ = &command;
  return order;
}

void Queue::retire(Command &command) {
  // In a long queue the newest command is usually another one. The thread that retires a command has seen it become the newest,
  // so a relaxed read suffices.
  if (!is_out_of_order() && last_.load(std::memory_order_relaxed) != &command) return;
  std::lock_guard lock(mutex_);
  if (!is_out_of_order()) {
    if (last_.load(std::memory_order_relaxed) == &command) last_.store(nullptr, std::memory_order_relaxed);
    return;
  }
  if (barrier_ == &command) barrier_ = nullptr;
  unfinished_[command.position_] = unfinished_.back();
  unfinished_[command.position_]->position_ = command.position_;
  unfinished_.pop_back();
}

void Queue::finish() {
  const TraceWaitScope traced("clFinish");
  EventList events;
  list_unfinished(events);
  for (const Ref<Event> &event : events) event->wait();
  note_awaited(*this);
}

}  // namespace upsweep
