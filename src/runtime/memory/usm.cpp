// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocates unified shared memory where the devices of a context reach it.
#include "runtime/memory/usm.h"
#include "runtime/commands/command.h"
#include "runtime/memory/target_memory.h"
#include "runtime/objects/context.h"
#include "runtime/objects/queue.h"
#include <exception>
#include <memory>
#include <string>

namespace upsweep {
namespace {

/// The memory that serves the request; null if all devices that matter use host memory.
TargetMemory *memory_for(const Context &context, const UsmRequest &request) {
  if (request.device)
    if (TargetMemory *own = request.device->target().memory()) return own;
  if (request.kind == AllocationKind::kDevice) return nullptr;
  // Host and shared allocations are for all devices of the context.
  for (const Ref<Device> &device : context.devices())
    if (TargetMemory *memory = device->target().memory(); memory && device->properties().usm.device) return memory;
  return nullptr;
}

/// Keeps the memory until the events are done, by a command of its own. A command of an application's queue would delay the
/// commands behind it.
void free_after(Context &context, const WaitList &events, HostMemory memory) {
  const auto kept = std::make_shared<HostMemory>(std::move(memory));
  try {
    auto queue = make_ref<Queue>(context, *context.devices().front(), CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                 std::vector<cl_queue_properties>());
    // The body holds the memory. It is dropped when the command ends, also after the failure of an event.
    HostWork work = [kept]() -> Result<void> { return {}; };
    if (enqueue(*queue, CL_COMMAND_SVM_FREE, events, std::move(work))) return;
  } catch (const std::exception &) {
    // There is no memory or thread for the command, so this thread waits.
  }
  for (const Ref<Event> &event : events) event->wait();
}

Result<HostMemory> take(Context &context, void *pointer) {
  HostMemory memory = address_table().remove(context.allocations(), pointer, AddressTable::Freed::kAsUsm);
  if (!memory) return fail(CL_INVALID_VALUE, "ptr is not the start of a USM allocation of the context");
  return memory;
}

}  // namespace

Result<void *> allocate_usm(const Context &context, const UsmRequest &request) {
  TargetMemory *own = memory_for(context, request);
  HostMemory memory = own ? own->allocate_usm(request) : allocate_host_memory(request.bytes, request.alignment);
  char *base = memory.get();
  if (!base)
    return fail(own && request.kind != AllocationKind::kHost ? CL_OUT_OF_RESOURCES : CL_OUT_OF_HOST_MEMORY,
                std::to_string(request.bytes) + " bytes could not be allocated");
  const Allocation allocation{.base = base,
                              .bytes = request.bytes,
                              .kind = request.kind,
                              .device = request.device,
                              .flags = request.flags,
                              .svm = request.svm,
                              .owner = &context.allocations()};
  address_table().add(allocation, memory, request.properties);
  return base;
}

Result<void> free_usm(Context &context, void *pointer) {
  auto memory = take(context, pointer);
  if (!memory) return fail(memory);
  EventList events;
  context.list_unfinished(events);
  if (!events.empty()) free_after(context, events, *std::move(memory));
  return {};
}

Result<void> free_usm_after_commands(Context &context, void *pointer) {
  const auto found = find_usm(context, pointer);
  if (!found || found->base != pointer) return take(context, pointer).map([](const HostMemory &) {});
  EventList events;
  context.list_unfinished(events);
  for (const Ref<Event> &event : events) event->wait();
  return take(context, pointer).map([](const HostMemory &) {});
}

std::optional<Allocation> find_usm(const Context &context, const void *pointer) {
  const std::optional<Allocation> found = address_table().find(pointer);
  if (!found || found->owner != &context.allocations() || found->kind == AllocationKind::kSvm) return std::nullopt;
  return found;
}

}  // namespace upsweep
