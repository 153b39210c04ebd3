// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command buffers (cl_command_buffer_khr): commands that are recorded once and enqueued many times; and their kernel commands,
// which the application may change between enqueues (cl_mutable_command_khr).
#ifndef UPSWEEP_RUNTIME_OBJECTS_COMMAND_BUFFER_H
#define UPSWEEP_RUNTIME_OBJECTS_COMMAND_BUFFER_H

#include "base/command_buffers.h"
#include "base/handle.h"
#include "runtime/commands/command_graph.h"
#include "runtime/objects/kernel.h"
#include "runtime/objects/queue.h"
#include <array>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace upsweep {

class CommandBuffer;

/// The state of a recorded kernel command that updates change.
struct Dispatch {
  Ref<Kernel> arguments;  ///< a copy of the kernel with the command's arguments
  cl_uint work_dim = 1;
  std::array<size_t, 3> offset{}, global{}, local{};
  bool has_local = false;  ///< the application chose the local size
};

/// A kernel command of a command buffer, which owns it.
class MutableCommand final : public _cl_mutable_command_khr {
public:
  static Result<MutableCommand *> from(cl_mutable_command_khr handle);

  /// `properties`: as recorded, with the terminating 0; empty if there were none.
  MutableCommand(CommandBuffer &buffer, uint32_t index, Kernel &kernel, cl_mutable_dispatch_fields_khr fields,
                 std::vector<cl_command_properties_khr> properties, Dispatch dispatch);
  ~MutableCommand();
  MutableCommand(const MutableCommand &) = delete;
  MutableCommand &operator=(const MutableCommand &) = delete;

  CommandBuffer &buffer() const { return buffer_; }
  uint32_t index() const { return index_; }
  Kernel &kernel() const { return *kernel_; }
  cl_mutable_dispatch_fields_khr fields() const { return fields_; }
  std::span<const cl_command_properties_khr> properties() const { return properties_; }
  Dispatch dispatch() const;

private:
  friend class CommandBuffer;
  CommandBuffer &buffer_;
  const uint32_t index_;
  const Ref<Kernel> kernel_;
  const cl_mutable_dispatch_fields_khr fields_;
  const std::vector<cl_command_properties_khr> properties_;
  Dispatch dispatch_;        ///< guarded by the buffer's mutex
  bool is_complete_ = true;  ///< likewise; all arguments are set
};

class CommandBuffer final : public Object<CommandBuffer, _cl_command_buffer_khr, CL_INVALID_COMMAND_BUFFER_KHR> {
public:
  /// `properties`: as for MutableCommand.
  CommandBuffer(Queue &queue, cl_command_buffer_flags_khr flags, cl_mutable_dispatch_asserts_khr asserts,
                std::vector<cl_command_buffer_properties_khr> properties)
      : queue_(&queue), flags_(flags), asserts_(asserts), properties_(std::move(properties)),
        graph_state_(queue.device().target().open_graphs()) {}

  Queue &queue() const { return *queue_; }
  Context &context() const { return queue_->context(); }
  bool is_mutable() const { return flags_ & CL_COMMAND_BUFFER_MUTABLE_KHR; }
  cl_mutable_dispatch_asserts_khr asserts() const { return asserts_; }
  std::span<const cl_command_buffer_properties_khr> properties() const { return properties_; }
  cl_command_buffer_state_khr state() const;

  /// CL_INVALID_OPERATION once recording has ended.
  Result<void> check_recording() const;
  /// CL_INVALID_SYNC_POINT_WAIT_LIST_KHR
  Result<void> check_sync_points(cl_uint count, const cl_sync_point_khr *points) const;

  /// A command to record.
  struct Recording {
    cl_command_type type;
    CommandBody body;
    cl_uint num_sync_points;
    const cl_sync_point_khr *sync_points;
  };
  /// A kernel command's further parts. Without `is_complete` its body is not valid yet.
  struct RecordedKernel {
    Kernel &kernel;
    cl_mutable_dispatch_fields_khr fields;
    std::vector<cl_command_properties_khr> properties;
    Dispatch dispatch;
    bool is_complete;
  };
  struct Recorded {
    cl_sync_point_khr sync_point;
    MutableCommand *handle;  ///< of a kernel command; otherwise null
  };
  /// CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, CL_INVALID_OPERATION.
  Result<Recorded> record(Recording &&recording, std::optional<RecordedKernel> kernel = std::nullopt);

  Result<void> finalize();

  /// New states of kernel commands. Later enqueues use all of them, earlier ones none.
  struct Update {
    MutableCommand *command;
    Dispatch dispatch;
    CommandBody body;
    bool is_complete;
  };
  void update(std::vector<Update> &&updates);

  /// The commands, to enqueue; CL_INVALID_OPERATION unless the buffer is executable.
  Result<std::shared_ptr<const CommandGraph>> graph();

private:
  friend class MutableCommand;
  cl_command_buffer_state_khr state_locked() const;
  Result<void> check_sync_points_locked(cl_uint count, const cl_sync_point_khr *points) const;
  Result<std::vector<uint32_t>> waits_of(const Recording &recording) const;

  const Ref<Queue> queue_;
  const cl_command_buffer_flags_khr flags_;
  const cl_mutable_dispatch_asserts_khr asserts_;
  const std::vector<cl_command_buffer_properties_khr> properties_;
  const std::shared_ptr<GraphState> graph_state_;
  mutable std::mutex mutex_;  ///< guards the members below
  std::vector<std::shared_ptr<const RecordedCommand>> commands_;
  std::optional<uint32_t> barrier_;            ///< the last barrier
  std::optional<uint32_t> full_barrier_;       ///< the last barrier without a wait list
  std::deque<MutableCommand> kernels_;         ///< kernel commands
  size_t num_incomplete_ = 0;                  ///< kernel commands that lack arguments
  std::shared_ptr<const Stages> stages_;       ///< null while recording
  std::shared_ptr<const CommandGraph> graph_;  ///< of commands_; null after a change
};

}  // namespace upsweep
#endif
