// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command queues (cl_command_queue), in order and out of order.
#ifndef UPSWEEP_RUNTIME_OBJECTS_QUEUE_H
#define UPSWEEP_RUNTIME_OBJECTS_QUEUE_H

#include "base/handle.h"
#include "runtime/objects/context.h"
#include "runtime/objects/device.h"
#include "runtime/objects/device_queue.h"
#include "runtime/objects/event.h"
#include <atomic>
#include <mutex>
#include <span>
#include <vector>

namespace upsweep {

class Command;

class Queue final : public Object<Queue, _cl_command_queue, CL_INVALID_COMMAND_QUEUE> {
public:
  /// A host queue, as most functions require: "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue".
  static Result<Queue *> from(cl_command_queue handle);
  /// A host queue or an on-device queue.
  static Result<Queue *> of_any_kind(cl_command_queue handle) { return Object::from(handle); }

  /// An on-device queue; CL_INVALID_DEVICE_QUEUE.
  static Result<Queue *> on_device_from(cl_command_queue handle);

  /// `property_list`: as passed to clCreateCommandQueueWithProperties, with the terminating 0; empty if there was none.
  Queue(Context &context, Device &device, cl_command_queue_properties properties,
        std::vector<cl_queue_properties> property_list, Ref<DeviceQueue> on_device = {});
  ~Queue() override;

  Context &context() const { return *context_; }
  Device &device() const { return *device_; }
  cl_command_queue_properties properties() const { return properties_; }
  std::span<const cl_queue_properties> property_list() const { return property_list_; }
  bool is_out_of_order() const { return properties_ & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE; }
  /// Null for a host queue.
  const Ref<DeviceQueue> &on_device() const { return on_device_; }
  void on_last_release();
  /// The target's state for this queue; null if the target keeps none.
  QueueState *state() const { return state_.get(); }
  bool is_profiling() const { return properties_ & CL_QUEUE_PROFILING_ENABLE; }

  /// Differs between queues of the process; numbers start at 1.
  uint32_t number() const { return number_; }

  /// Waits until every command enqueued so far is done.
  void finish();
  /// Appends the events after which these commands are done.
  void list_unfinished(EventList &events);

  /// Adds `command` and returns the events that it must wait for by the queue's order. In an out-of-order queue these are all
  /// earlier commands if it `waits_for_all`, otherwise the last barrier. A command that `blocks_later` becomes such a barrier.
  /// Reserves space in the command for these events and `num_waits` more; if memory runs out, nothing has changed.
  EventList admit(Command &command, size_t num_waits, bool waits_for_all, bool blocks_later);
  /// `command` is done.
  void retire(Command &command);

private:
  void list_unfinished_locked(EventList &events);

  Ref<Context> context_;
  Ref<Device> device_;
  cl_command_queue_properties properties_;
  const uint32_t number_;
  std::vector<cl_queue_properties> property_list_;
  const Ref<DeviceQueue> on_device_;
  std::unique_ptr<QueueState> state_;
  std::mutex mutex_;                      ///< guards the members below; unfinished commands keep themselves alive
  std::vector<Command *> unfinished_;     ///< out-of-order
  std::atomic<Command *> last_{nullptr};  ///< in-order: the newest unfinished command; may be read without the lock
  Command *barrier_ = nullptr;            ///< out-of-order: the newest unfinished barrier
};

}  // namespace upsweep
#endif
