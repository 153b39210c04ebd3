// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts (cl_context): a set of devices that share objects.
#ifndef UPSWEEP_RUNTIME_OBJECTS_CONTEXT_H
#define UPSWEEP_RUNTIME_OBJECTS_CONTEXT_H

#include "base/handle.h"
#include "base/small_vector.h"
#include "runtime/memory/address_table.h"
#include "runtime/memory/host_memory.h"
#include "runtime/objects/destructor_callbacks.h"
#include "runtime/objects/device.h"
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace upsweep {

class Event;
class Queue;

class Context final : public Object<Context, _cl_context, CL_INVALID_CONTEXT> {
public:
  using Notify = void(CL_CALLBACK *)(const char *text, const void *private_info, size_t private_bytes, void *user_data);
  using Destructor = DestructorCallbacks<_cl_context>::Function;

  /// `properties` with the terminating 0, or empty if the application passed none. `devices` without duplicates.
  Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties, Notify notify, void *user_data);

  std::span<const Ref<Device>> devices() const { return devices_; }
  bool contains(const Device &device) const;
  /// Whether all devices use host memory.
  bool works_in_host_memory() const;
  /// Host memory that the devices can access; allocated by the first device with its own memory, if there is one. Null if the
  /// allocation fails.
  HostMemory allocate_shared(size_t bytes, size_t alignment = kAllocationAlignment) const;
  std::span<const cl_context_properties> properties() const { return properties_; }
  /// Its SVM and unified shared memory in address_table().
  AllocationOwner &allocations() const { return allocations_; }

  /// Host queues list themselves while they exist.
  void add_queue(Queue &queue);
  void remove_queue(const Queue &queue);
  /// Appends the events after which all commands are done that its queues have now.
  void list_unfinished(SmallVector<Ref<Event>, 2> &events) const;

  /// The default on-device queue of a device; null if there is none. It remains the default while the application keeps it.
  Ref<Queue> default_queue(const Device &device) const;
  /// The default on-device queue; if there is none, the result of `make` becomes the default.
  Ref<Queue> default_queue_or(const Device &device, const std::function<Ref<Queue>()> &make);
  void set_default_queue(const Device &device, Queue &queue);
  /// The application has released `queue`, which may be a default queue.
  void forget_default_queue(const Queue &queue);

  /// Reports an error that no return value can carry to the application's callback, if there is one.
  void notify(const char *text) const;

  /// The callback runs when the context is destroyed.
  Result<void> add_destructor(Destructor function, void *user_data) { return destructors_.add(function, user_data); }

private:
  void dispose() noexcept override;
  ~Context() override;
  Queue *find_default_queue(const Device &device) const;

  std::vector<Ref<Device>> devices_;
  std::vector<cl_context_properties> properties_;
  Notify notify_;
  void *notify_user_data_;
  DestructorCallbacks<_cl_context> destructors_;
  mutable AllocationOwner allocations_;
  mutable std::mutex mutex_;                                        ///< guards default_queues_
  std::vector<std::pair<const Device *, Queue *>> default_queues_;  ///< on-device
  mutable std::mutex queues_mutex_;                                 ///< guards queues_; taken before a queue's mutex
  std::vector<Queue *> queues_;
};

}  // namespace upsweep
#endif
