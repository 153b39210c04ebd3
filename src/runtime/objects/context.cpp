// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts.
#include "runtime/objects/context.h"
#include "runtime/memory/target_memory.h"
#include "runtime/objects/queue.h"
#include <algorithm>

namespace upsweep {

Context::Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties, Notify notify,
                 void *user_data)
    : devices_(std::move(devices)), properties_(std::move(properties)), notify_(notify), notify_user_data_(user_data) {}

/// Frees what the application has not freed: a later context at the same address must not find it.
Context::~Context() { address_table().remove_all(allocations_); }

void Context::dispose() noexcept {
  destructors_.leave_to<Context>(*this, [](Context &context) {
    context.invalidate();  // as for memory objects
    context.destructors_.run(&context);
    delete &context;
  });
}

bool Context::contains(const Device &device) const {
  return std::ranges::any_of(devices_, [&](const Ref<Device> &own) { return own.get() == &device; });
}

bool Context::works_in_host_memory() const {
  return std::ranges::none_of(devices_, [](const Ref<Device> &device) { return device->target().memory(); });
}

HostMemory Context::allocate_shared(size_t bytes, size_t alignment) const {
  for (const Ref<Device> &device : devices_)
    if (TargetMemory *memory = device->target().memory()) return memory->allocate_shared(bytes, alignment);
  return allocate_host_memory(bytes, alignment);
}

void Context::add_queue(Queue &queue) {
  const std::lock_guard lock(queues_mutex_);
  queues_.push_back(&queue);
}

void Context::remove_queue(const Queue &queue) {
  const std::lock_guard lock(queues_mutex_);
  std::erase(queues_, &queue);
}

void Context::list_unfinished(EventList &events) const {
  const std::lock_guard lock(queues_mutex_);
  for (Queue *queue : queues_) queue->list_unfinished(events);
}

Queue *Context::find_default_queue(const Device &device) const {
  const auto found = std::ranges::find(default_queues_, &device, [](const auto &entry) { return entry.first; });
  return found == default_queues_.end() ? nullptr : found->second;
}

Ref<Queue> Context::default_queue(const Device &device) const {
  std::lock_guard lock(mutex_);
  return Ref(find_default_queue(device));
}

Ref<Queue> Context::default_queue_or(const Device &device, const std::function<Ref<Queue>()> &make) {
  std::lock_guard lock(mutex_);
  if (Queue *known = find_default_queue(device)) return Ref(known);
  Ref<Queue> made = make();
  default_queues_.emplace_back(&device, made.get());
  return made;
}

void Context::set_default_queue(const Device &device, Queue &queue) {
  std::lock_guard lock(mutex_);
  std::erase_if(default_queues_, [&](const auto &entry) { return entry.first == &device; });
  default_queues_.emplace_back(&device, &queue);
}

void Context::forget_default_queue(const Queue &queue) {
  std::lock_guard lock(mutex_);
  std::erase_if(default_queues_, [&](const auto &entry) { return entry.second == &queue; });
}

void Context::notify(const char *text) const {
  if (notify_) notify_(text, nullptr, 0, notify_user_data_);
}

}  // namespace upsweep
