// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command buffers: recording, and updates of recorded kernels.
#include "runtime/objects/command_buffer.h"
#include <algorithm>
#include <numeric>

namespace upsweep {

Result<MutableCommand *> MutableCommand::from(cl_mutable_command_khr handle) {
  if (!is_live_handle(handle, CL_INVALID_MUTABLE_COMMAND_KHR))
    return fail(CL_INVALID_MUTABLE_COMMAND_KHR, why_not_live(handle, CL_INVALID_MUTABLE_COMMAND_KHR));
  return static_cast<MutableCommand *>(handle);
}

MutableCommand::MutableCommand(CommandBuffer &buffer, uint32_t index, Kernel &kernel, cl_mutable_dispatch_fields_khr fields,
                               std::vector<cl_command_properties_khr> properties, Dispatch dispatch)
    : buffer_(buffer), index_(index), kernel_(&kernel), fields_(fields), properties_(std::move(properties)),
      dispatch_(std::move(dispatch)) {
  register_handle(this, CL_INVALID_MUTABLE_COMMAND_KHR);
}

MutableCommand::~MutableCommand() { unregister_handle(this); }

Dispatch MutableCommand::dispatch() const {
  const std::lock_guard lock(buffer_.mutex_);
  return dispatch_;
}

cl_command_buffer_state_khr CommandBuffer::state() const {
  const std::lock_guard lock(mutex_);
  return state_locked();
}

cl_command_buffer_state_khr CommandBuffer::state_locked() const {
  if (!stages_) return CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
  return num_incomplete_ ? CL_COMMAND_BUFFER_STATE_FINALIZED_KHR : CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
}

Result<void> CommandBuffer::check_recording() const {
  if (state() != CL_COMMAND_BUFFER_STATE_RECORDING_KHR) return fail(CL_INVALID_OPERATION, "command_buffer is finalized");
  return {};
}

Result<void> CommandBuffer::check_sync_points(cl_uint count, const cl_sync_point_khr *points) const {
  const std::lock_guard lock(mutex_);
  return check_sync_points_locked(count, points);
}

/// A sync point is the command's index plus 1.
Result<void> CommandBuffer::check_sync_points_locked(cl_uint count, const cl_sync_point_khr *points) const {
  if ((points == nullptr) != (count == 0))
    return fail(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "sync_point_wait_list and num_sync_points_in_wait_list do not agree");
  for (cl_uint i = 0; i < count; ++i)
    if (points[i] == 0 || points[i] > commands_.size())
      return fail(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
                  "sync_point_wait_list[" + std::to_string(i) + "] is " + std::to_string(points[i]) + ", not a sync point");
  return {};
}

Result<std::vector<uint32_t>> CommandBuffer::waits_of(const Recording &recording) const {
  const auto &[type, body, count, points] = recording;
  if (auto checked = check_sync_points_locked(count, points); !checked) return fail(checked);
  std::vector<uint32_t> waits;
  const auto next = static_cast<uint32_t>(commands_.size());
  for (cl_uint i = 0; i < count; ++i) waits.push_back(points[i] - 1);
  if (type == CL_COMMAND_BARRIER && count == 0 && queue_->is_out_of_order()) {
    // All commands since the last barrier without a wait list, which itself waits for the earlier ones.
    const uint32_t begin = full_barrier_.value_or(0);
    waits.resize(next - begin);
    std::iota(waits.begin(), waits.end(), begin);
    return waits;
  }
  // "If the queue is an in-order queue, then an additional dependency is created on the last command", which itself follows all
  // earlier commands.
  if (next && !queue_->is_out_of_order()) return std::vector{next - 1};
  if (barrier_) waits.push_back(*barrier_);
  std::ranges::sort(waits);
  const auto repeated = std::ranges::unique(waits);
  waits.erase(repeated.begin(), repeated.end());
  return waits;
}

Result<CommandBuffer::Recorded> CommandBuffer::record(Recording &&recording, std::optional<RecordedKernel> kernel) {
  const std::lock_guard lock(mutex_);
  if (stages_) return fail(CL_INVALID_OPERATION, "command_buffer is finalized");
  auto waits = waits_of(recording);
  if (!waits) return fail(waits);
  if (commands_.size() == CL_UINT_MAX) return fail(CL_OUT_OF_RESOURCES, "the command buffer is full");
  const auto index = static_cast<uint32_t>(commands_.size());
  auto command = std::make_shared<const RecordedCommand>(recording.type, std::move(recording.body), *std::move(waits));
  commands_.reserve(index + 1);
  MutableCommand *handle = nullptr;
  if (kernel) {
    handle = &kernels_.emplace_back(*this, index, kernel->kernel, kernel->fields, std::move(kernel->properties),
                                    std::move(kernel->dispatch));
    handle->is_complete_ = kernel->is_complete;
    num_incomplete_ += !kernel->is_complete;
  }
  if (recording.type == CL_COMMAND_BARRIER) {
    barrier_ = index;
    if (recording.num_sync_points == 0) full_barrier_ = index;
  }
  commands_.push_back(std::move(command));
  return Recorded{index + 1, handle};
}

Result<void> CommandBuffer::finalize() {
  const std::lock_guard lock(mutex_);
  if (stages_) return fail(CL_INVALID_OPERATION, "command_buffer is finalized");
  auto stages = std::make_shared<Stages>();
  // A kernel command has a stage even without work-items, since an update may give it some.
  for (const auto &command : commands_) stages->add(command->waits, command->type != CL_COMMAND_BARRIER);
  stages->close();
  stages_ = std::move(stages);
  return {};
}

void CommandBuffer::update(std::vector<Update> &&updates) {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const RecordedCommand>> changed;
  changed.reserve(updates.size());
  for (auto &[command, dispatch, body, is_complete] : updates) {
    const RecordedCommand &before = *commands_[command->index_];
    changed.push_back(std::make_shared<const RecordedCommand>(before.type, std::move(body), before.waits));
  }
  // Nothing fails from here on.
  graph_.reset();
  for (size_t i = 0; i < updates.size(); ++i) {
    auto &[command, dispatch, body, is_complete] = updates[i];
    commands_[command->index_] = std::move(changed[i]);
    num_incomplete_ += command->is_complete_;
    num_incomplete_ -= is_complete;
    command->dispatch_ = std::move(dispatch);
    command->is_complete_ = is_complete;
  }
}

Result<std::shared_ptr<const CommandGraph>> CommandBuffer::graph() {
  const std::lock_guard lock(mutex_);
  if (state_locked() != CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR)
    return fail(CL_INVALID_OPERATION,
                stages_ ? "a kernel of command_buffer lacks arguments" : "command_buffer is not finalized");
  if (!graph_) graph_ = std::make_shared<const CommandGraph>(commands_, stages_, graph_state_);
  return graph_;
}

}  // namespace upsweep
